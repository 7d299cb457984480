// Bits that have the size of HIP's half types.
#pragma once
struct __half { unsigned short x; };
struct __half2 { __half x, y; };
