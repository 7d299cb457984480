// CUDA intrinsics that HIP lacks: dot products of bytes, loads and stores with cache hints, address spaces,
// and odds and ends. A name is that of CUDA's intrinsic less its leading underscores.
//
// Works with HIP (AMD, ROCm 5 or newer; hipRTC), from C++11 on.

#ifndef HIPIFY_INTRINSICS_HPP
#define HIPIFY_INTRINSICS_HPP

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace hipify {
namespace detail {

template <typename T>
__device__ inline int byte_of(T word, int number) {
  const unsigned up = static_cast<unsigned>(word) << (24 - 8 * number);
  return static_cast<T>(-1) < static_cast<T>(0) ? static_cast<int>(up) >> 24 : static_cast<int>(up >> 24);
}
template <typename T>
__device__ inline int half_of(T word, int number) {
  const unsigned up = static_cast<unsigned>(word) << (16 - 16 * number);
  return static_cast<T>(-1) < static_cast<T>(0) ? static_cast<int>(up) >> 16 : static_cast<int>(up >> 16);
}


template <typename T>
__device__ inline T dp4a(T a, T b, T c) {
  unsigned sum = static_cast<unsigned>(c);
#pragma unroll
  for (int i = 0; i < 4; ++i) sum += static_cast<unsigned>(byte_of(a, i) * byte_of(b, i));
  return static_cast<T>(sum);
}
// The halves of a by two bytes of b, from byte `first` on.
template <typename T>
__device__ inline T dp2a(T a, T b, T c, int first) {
  unsigned sum = static_cast<unsigned>(c);
#pragma unroll
  for (int i = 0; i < 2; ++i) sum += static_cast<unsigned>(half_of(a, i) * byte_of(b, first + i));
  return static_cast<T>(sum);
}

}  // namespace detail

// --- dot products ---

// Four products of bytes and a sum, which wraps. AMD GPUs have an instruction for it, but for some of the
// older and smaller ones.
__device__ inline int dp4a(int a, int b, int c) {
#if defined(__GFX11__) || defined(__GFX12__)
  return __builtin_amdgcn_sudot4(true, a, true, b, c, false);
#elif defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || \
    defined(__gfx950__) || defined(__gfx1011__) || defined(__gfx1012__) || defined(__gfx1030__) ||  \
    defined(__gfx1031__) || defined(__gfx1032__)
  return __builtin_amdgcn_sdot4(a, b, c, false);
#else
  return detail::dp4a(a, b, c);
#endif
}
__device__ inline unsigned dp4a(unsigned a, unsigned b, unsigned c) {
#if defined(__GFX11__) || defined(__GFX12__) || defined(__gfx906__) || defined(__gfx908__) ||        \
    defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__) || defined(__gfx1011__) ||     \
    defined(__gfx1012__) || defined(__gfx1030__) || defined(__gfx1031__) || defined(__gfx1032__)
  return __builtin_amdgcn_udot4(a, b, c, false);
#else
  return detail::dp4a(a, b, c);
#endif
}
__device__ inline int dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline unsigned dp4a(uchar4 a, uchar4 b, unsigned c) {
  return c + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

// The two halves of the first operand by the lower or the upper two bytes of the second.
__device__ inline int dp2a_lo(int a, int b, int c) { return detail::dp2a(a, b, c, 0); }
__device__ inline unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) { return detail::dp2a(a, b, c, 0); }
__device__ inline int dp2a_hi(int a, int b, int c) { return detail::dp2a(a, b, c, 2); }
__device__ inline unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return detail::dp2a(a, b, c, 2); }
__device__ inline int dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
__device__ inline int dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
__device__ inline unsigned dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
  return c + static_cast<unsigned>(a.x) * b.x + static_cast<unsigned>(a.y) * b.y;
}
__device__ inline unsigned dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
  return c + static_cast<unsigned>(a.x) * b.z + static_cast<unsigned>(a.y) * b.w;
}

// --- loads and stores with cache hints ---

namespace detail {

// Something that one instruction moves.
template <size_t Size>
struct Words;
template <>
struct Words<16> { typedef unsigned type __attribute__((ext_vector_type(4))); };
template <>
struct Words<1> { typedef unsigned char type; };
template <>
struct Words<2> { typedef unsigned short type; };
template <>
struct Words<4> { typedef unsigned type; };
template <>
struct Words<8> { typedef unsigned long long type; };

}  // namespace detail

// Kept in caches as usual: all levels, or the second one (which on AMD GPUs is no choice of the program's).
template <typename T>
__device__ inline T ldca(const T *address) { return *address; }
template <typename T>
__device__ inline T ldcg(const T *address) { return *address; }
template <typename T>
__device__ inline void stwb(T *address, T value) { *address = value; }
template <typename T>
__device__ inline void stcg(T *address, T value) { *address = value; }

// Streaming, for what is used once.
template <typename T>
__device__ inline T ldcs(const T *address) {
  typedef typename detail::Words<sizeof(T)>::type Word;
  const Word word = __builtin_nontemporal_load(reinterpret_cast<const Word *>(address));
  T value;
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}
template <typename T>
__device__ inline T ldlu(const T *address) { return ldcs(address); }
template <typename T>
__device__ inline void stcs(T *address, T value) {
  typedef typename detail::Words<sizeof(T)>::type Word;
  Word word;
  __builtin_memcpy(&word, &value, sizeof(T));
  __builtin_nontemporal_store(word, reinterpret_cast<Word *>(address));
}

// Not from caches that others do not see: fetched again each time, written through.
template <typename T>
__device__ inline T ldcv(const T *address) {
  typedef typename detail::Words<sizeof(T)>::type Word;
  const Word word = *reinterpret_cast<const volatile Word *>(address);
  T value;
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}
template <typename T>
__device__ inline void stwt(T *address, T value) {
  typedef typename detail::Words<sizeof(T)>::type Word;
  Word word;
  __builtin_memcpy(&word, &value, sizeof(T));
  *reinterpret_cast<volatile Word *>(address) = word;
}

// --- address spaces ---

#if defined(__CUDACC__) && !defined(__HIP_PLATFORM_AMD__)

__device__ inline unsigned isShared(const void *pointer) { return __isShared(pointer); }
__device__ inline unsigned isLocal(const void *pointer) { return __isLocal(pointer); }
__device__ inline unsigned isGlobal(const void *pointer) { return __isGlobal(pointer); }
__device__ inline size_t cvta_generic_to_shared(const void *pointer) { return __cvta_generic_to_shared(pointer); }
__device__ inline void *cvta_shared_to_generic(size_t address) { return __cvta_shared_to_generic(address); }
__device__ inline size_t cvta_generic_to_global(const void *pointer) { return __cvta_generic_to_global(pointer); }
__device__ inline void *cvta_global_to_generic(size_t address) { return __cvta_global_to_generic(address); }

#else

// The number of address space 0 lets the host's pass over this header take the builtins, too.
__device__ inline unsigned isShared(const void *pointer) {
  return __builtin_amdgcn_is_shared((const void __attribute__((address_space(0))) *)pointer);
}
__device__ inline unsigned isLocal(const void *pointer) {
  return __builtin_amdgcn_is_private((const void __attribute__((address_space(0))) *)pointer);
}
__device__ inline unsigned isGlobal(const void *pointer) { return !isShared(pointer) && !isLocal(pointer); }

// An address within shared memory is a number of 32 bits; one within global memory is the pointer itself.
__device__ inline size_t cvta_generic_to_shared(const void *pointer) {
  typedef const void __attribute__((address_space(3))) Shared;
  return static_cast<unsigned>(reinterpret_cast<size_t>((Shared *)pointer));
}
__device__ inline void *cvta_shared_to_generic(size_t address) {
  typedef void __attribute__((address_space(3))) Shared;
  return (void *)(Shared *)(address & 0xffffffffu);  // as wide as the host's pointers, which see this too
}
__device__ inline size_t cvta_generic_to_global(const void *pointer) { return reinterpret_cast<size_t>(pointer); }
__device__ inline void *cvta_global_to_generic(size_t address) { return reinterpret_cast<void *>(address); }

#endif

// --- odds and ends ---

__device__ inline unsigned short nv_bswap16(unsigned short a) { return __builtin_bswap16(a); }
__device__ inline unsigned nv_bswap32(unsigned a) { return __builtin_bswap32(a); }
__device__ inline unsigned long long nv_bswap64(unsigned long long a) { return __builtin_bswap64(a); }

__device__ inline double fdivide(double a, double b) { return a / b; }
// The fast form of CUDA is off by up to 2^-11; this one is as good as tanhf.
__device__ inline float tanhf(float a) { return ::tanhf(a); }

// Waits for at most twice the time asked for. The wall clock of AMD GPUs ticks every 10 ns.
__device__ inline void nanosleep(unsigned nanoseconds) {
  const unsigned long long end = static_cast<unsigned long long>(wall_clock64()) + nanoseconds / 10u;
  while (static_cast<unsigned long long>(wall_clock64()) < end) __builtin_amdgcn_s_sleep(1);
}

// Ends the kernel with an error.
__device__ inline void trap() { __builtin_trap(); }
// Stops in a debugger; without one this ends the kernel, as in CUDA.
__device__ inline void brkpt() { __builtin_debugtrap(); }
// Hardware counters of NVIDIA's profilers: AMD GPUs have none that a program triggers.
__device__ inline void prof_trigger(int) {}

}  // namespace hipify

#endif  // HIPIFY_INTRINSICS_HPP
