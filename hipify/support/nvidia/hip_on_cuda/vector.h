// Arithmetic on vector types, element by element, as HIP has it: int4 + int4, float2 * 3, v += w, v == w, ...
//
// All are templates that hold for the vector types only, so a program's own operators on them win.

#ifndef HIP_ON_CUDA_VECTOR_H
#define HIP_ON_CUDA_VECTOR_H

#ifdef __cplusplus

#include <type_traits>

namespace hip_on_cuda {

// The number of elements of a vector type, 0 for all other types, and the type of an element.
template <typename V>
struct Vector {
  static constexpr int size = 0;
};

#define HIP_ON_CUDA_VECTORS(T, name)                                      \
  template <> struct Vector<name##1> { static constexpr int size = 1; typedef T Element; }; \
  template <> struct Vector<name##2> { static constexpr int size = 2; typedef T Element; }; \
  template <> struct Vector<name##3> { static constexpr int size = 3; typedef T Element; }; \
  template <> struct Vector<name##4> { static constexpr int size = 4; typedef T Element; };
#define HIP_ON_CUDA_WIDE_VECTORS(T, name)                                 \
  template <> struct Vector<name##1> { static constexpr int size = 1; typedef T Element; }; \
  template <> struct Vector<name##2> { static constexpr int size = 2; typedef T Element; }; \
  template <> struct Vector<name##3> { static constexpr int size = 3; typedef T Element; };

HIP_ON_CUDA_VECTORS(signed char, char)
HIP_ON_CUDA_VECTORS(unsigned char, uchar)
HIP_ON_CUDA_VECTORS(short, short)
HIP_ON_CUDA_VECTORS(unsigned short, ushort)
HIP_ON_CUDA_VECTORS(int, int)
HIP_ON_CUDA_VECTORS(unsigned, uint)
HIP_ON_CUDA_VECTORS(float, float)
// CUDA 13 has two types each of those that are 32 bytes wide, and deprecates the plain names.
HIP_ON_CUDA_WIDE_VECTORS(long, long)
HIP_ON_CUDA_WIDE_VECTORS(unsigned long, ulong)
HIP_ON_CUDA_WIDE_VECTORS(long long, longlong)
HIP_ON_CUDA_WIDE_VECTORS(unsigned long long, ulonglong)
HIP_ON_CUDA_WIDE_VECTORS(double, double)
#if CUDART_VERSION >= 13000
#define HIP_ON_CUDA_ALIGNED_VECTORS(T, name)                                        \
  template <> struct Vector<name##_16a> { static constexpr int size = 4; typedef T Element; }; \
  template <> struct Vector<name##_32a> { static constexpr int size = 4; typedef T Element; };
HIP_ON_CUDA_ALIGNED_VECTORS(long, long4)
HIP_ON_CUDA_ALIGNED_VECTORS(unsigned long, ulong4)
HIP_ON_CUDA_ALIGNED_VECTORS(long long, longlong4)
HIP_ON_CUDA_ALIGNED_VECTORS(unsigned long long, ulonglong4)
HIP_ON_CUDA_ALIGNED_VECTORS(double, double4)
#undef HIP_ON_CUDA_ALIGNED_VECTORS
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1444
#endif
#endif
template <> struct Vector<long4> { static constexpr int size = 4; typedef long Element; };
template <> struct Vector<ulong4> { static constexpr int size = 4; typedef unsigned long Element; };
template <> struct Vector<longlong4> { static constexpr int size = 4; typedef long long Element; };
template <> struct Vector<ulonglong4> { static constexpr int size = 4; typedef unsigned long long Element; };
template <> struct Vector<double4> { static constexpr int size = 4; typedef double Element; };
#if CUDART_VERSION >= 13000
#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic pop
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif
#undef HIP_ON_CUDA_VECTORS
#undef HIP_ON_CUDA_WIDE_VECTORS

template <typename V, typename Result = V>
using ForVector = typename std::enable_if<(Vector<V>::size > 0), Result>::type;
template <typename V, typename Result = V>
using ForIntegers =
    typename std::enable_if<(Vector<V>::size > 0) && std::is_integral<typename Vector<V>::Element>::value, Result>::type;
// A vector and something that is a number.
template <typename V, typename S, typename Result = V>
using WithScalar = typename std::enable_if<(Vector<V>::size > 0) && std::is_arithmetic<S>::value, Result>::type;
template <typename V, typename S, typename Result = V>
using IntegersWithScalar = typename std::enable_if<(Vector<V>::size > 0) && std::is_integral<S>::value &&
                                                       std::is_integral<typename Vector<V>::Element>::value,
                                                   Result>::type;

// The elements lie one after the other, so element i is a member of its own for each size.
template <int size>
struct Each;
template <>
struct Each<1> {
  template <typename V, typename F>
  static HIP_ON_CUDA_BOTH void apply(V &a, const V &b, F f) { f(a.x, b.x); }
};
template <>
struct Each<2> {
  template <typename V, typename F>
  static HIP_ON_CUDA_BOTH void apply(V &a, const V &b, F f) { f(a.x, b.x), f(a.y, b.y); }
};
template <>
struct Each<3> {
  template <typename V, typename F>
  static HIP_ON_CUDA_BOTH void apply(V &a, const V &b, F f) { f(a.x, b.x), f(a.y, b.y), f(a.z, b.z); }
};
template <>
struct Each<4> {
  template <typename V, typename F>
  static HIP_ON_CUDA_BOTH void apply(V &a, const V &b, F f) { f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w); }
};

template <typename V, typename F>
HIP_ON_CUDA_BOTH V &apply(V &a, const V &b, F f) {
  Each<Vector<V>::size>::apply(a, b, f);
  return a;
}

struct Negate {
  template <typename T>
  HIP_ON_CUDA_BOTH void operator()(T &a, T b) const { a = static_cast<T>(-b); }
};
template <typename V, typename S>
HIP_ON_CUDA_BOTH V filled(S scalar) {
  typedef typename Vector<V>::Element T;
  struct Fill {
    T value;
    HIP_ON_CUDA_BOTH void operator()(T &a, T) const { a = value; }
  };
  V result = {};
  return apply(result, result, Fill{static_cast<T>(scalar)});
}
struct Equal {
  bool *all;
  template <typename T>
  HIP_ON_CUDA_BOTH void operator()(const T &a, T b) const { *all = *all && a == b; }
};

}  // namespace hip_on_cuda

#define HIP_ON_CUDA_OPERATOR(op, Name, OnVectors, OnScalar)                                        \
  namespace hip_on_cuda {                                                                          \
  struct Name {                                                                                    \
    template <typename T>                                                                          \
    HIP_ON_CUDA_BOTH void operator()(T &a, T b) const { a = static_cast<T>(a op b); }              \
  };                                                                                               \
  }                                                                                                \
  template <typename V>                                                                            \
  HIP_ON_CUDA_BOTH hip_on_cuda::OnVectors<V, V &> operator op##=(V &a, const V &b) {               \
    return hip_on_cuda::apply(a, b, hip_on_cuda::Name());                                          \
  }                                                                                                \
  template <typename V, typename S>                                                                \
  HIP_ON_CUDA_BOTH hip_on_cuda::OnScalar<V, S, V &> operator op##=(V &a, S b) {                    \
    return hip_on_cuda::apply(a, hip_on_cuda::filled<V>(b), hip_on_cuda::Name());                  \
  }                                                                                                \
  template <typename V>                                                                            \
  HIP_ON_CUDA_BOTH hip_on_cuda::OnVectors<V> operator op(const V &a, const V &b) {                 \
    V result = a;                                                                                  \
    return hip_on_cuda::apply(result, b, hip_on_cuda::Name());                                     \
  }                                                                                                \
  template <typename V, typename S>                                                                \
  HIP_ON_CUDA_BOTH hip_on_cuda::OnScalar<V, S> operator op(const V &a, S b) {                      \
    V result = a;                                                                                  \
    return hip_on_cuda::apply(result, hip_on_cuda::filled<V>(b), hip_on_cuda::Name());             \
  }                                                                                                \
  template <typename V, typename S>                                                                \
  HIP_ON_CUDA_BOTH hip_on_cuda::OnScalar<V, S> operator op(S a, const V &b) {                      \
    V result = hip_on_cuda::filled<V>(a);                                                          \
    return hip_on_cuda::apply(result, b, hip_on_cuda::Name());                                     \
  }

HIP_ON_CUDA_OPERATOR(+, Add, ForVector, WithScalar)
HIP_ON_CUDA_OPERATOR(-, Subtract, ForVector, WithScalar)
HIP_ON_CUDA_OPERATOR(*, Multiply, ForVector, WithScalar)
HIP_ON_CUDA_OPERATOR(/, Divide, ForVector, WithScalar)
HIP_ON_CUDA_OPERATOR(%, Remainder, ForIntegers, IntegersWithScalar)
HIP_ON_CUDA_OPERATOR(&, And, ForIntegers, IntegersWithScalar)
HIP_ON_CUDA_OPERATOR(|, Or, ForIntegers, IntegersWithScalar)
HIP_ON_CUDA_OPERATOR(^, Xor, ForIntegers, IntegersWithScalar)
HIP_ON_CUDA_OPERATOR(<<, ShiftLeft, ForIntegers, IntegersWithScalar)
HIP_ON_CUDA_OPERATOR(>>, ShiftRight, ForIntegers, IntegersWithScalar)
#undef HIP_ON_CUDA_OPERATOR

template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForVector<V, bool> operator==(const V &a, const V &b) {
  bool all = true;
  V left = a;
  hip_on_cuda::apply(left, b, hip_on_cuda::Equal{&all});
  return all;
}
template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForVector<V, bool> operator!=(const V &a, const V &b) {
  return !(a == b);
}
template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForVector<V> operator-(const V &a) {
  V result = a;
  return hip_on_cuda::apply(result, a, hip_on_cuda::Negate());
}
template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForIntegers<V> operator~(const V &a) {
  return a ^ hip_on_cuda::filled<V>(-1);
}
template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForVector<V, V &> operator++(V &a) {
  return a += 1;
}
template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForVector<V, V &> operator--(V &a) {
  return a -= 1;
}
template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForVector<V> operator++(V &a, int) {
  const V before = a;
  a += 1;
  return before;
}
template <typename V>
HIP_ON_CUDA_BOTH hip_on_cuda::ForVector<V> operator--(V &a, int) {
  const V before = a;
  a -= 1;
  return before;
}

#endif  // __cplusplus

#endif  // HIP_ON_CUDA_VECTOR_H
