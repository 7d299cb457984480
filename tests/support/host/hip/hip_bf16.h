// Bits that have the size of HIP's bfloat16 types.
#pragma once
struct __hip_bfloat16 { unsigned short x; };
struct __hip_bfloat162 { __hip_bfloat16 x, y; };
