"""The part of the stubs that no database knows: the language's own names and the loose types."""

from __future__ import annotations

BASE = """#pragma once
struct hipify_value {
  template <class T> operator T() const;
};
template <class T> struct hipify_other { using type = int; };
template <> struct hipify_other<hipify_value> {};
struct hipify_type {
  hipify_type();
  template <class T, class = typename hipify_other<T>::type> hipify_type(const T&);
  template <class T> operator T() const;
};
template <bool> struct hipify_if {};
template <> struct hipify_if<true> { using type = int; };
template <class A, class B> constexpr bool hipify_loose =
    __is_base_of(hipify_type, A) || __is_base_of(hipify_type, B) ||
    __is_same(hipify_value, A) || __is_same(hipify_value, B);
#define HIPIFY_OPERATOR(result, op) \\
  template <class A, class B, class = typename hipify_if<hipify_loose<A, B>>::type> \\
  result operator op(const A&, const B&);
HIPIFY_OPERATOR(bool, ==)
HIPIFY_OPERATOR(bool, !=)
HIPIFY_OPERATOR(bool, <)
HIPIFY_OPERATOR(bool, >)
HIPIFY_OPERATOR(hipify_value, &)
HIPIFY_OPERATOR(hipify_value, |)
HIPIFY_OPERATOR(hipify_value, +)
HIPIFY_OPERATOR(hipify_value, -)
HIPIFY_OPERATOR(hipify_value, *)
HIPIFY_OPERATOR(hipify_value, /)
#undef HIPIFY_OPERATOR
"""

_ELEMENTS = {
    "char": "signed char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "float": "float",
    "double": "double",
}
_WARP = ("__syncwarp", *(f"__reduce_{what}_sync" for what in "add and max min or xor".split()))
"""Functions of a warp that the database does not list, because they have rules of their own."""
_WORDS = ("global", "device", "host", "shared", "constant", "managed")


def _language() -> str:
    lines = ["#if __has_include(<stdlib.h>)", "#include <stdlib.h>", "#endif"]
    lines += [f"#define __{word}__ __attribute__(({word}))" for word in _WORDS]
    lines += [
        "#define __forceinline__ inline",
        "#define __noinline__ __attribute__((noinline))",
        "#define __align__(n) __attribute__((aligned(n)))",
        "#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))",
        "#define __grid_constant__",
        "#define CUDART_CB",
        "typedef decltype(sizeof(0)) hipify_size;",
    ]
    for name, element in _ELEMENTS.items():
        for count in range(1, 5):
            fields = "xyzw"[:count]
            members = "".join(f" {element} {field};" for field in fields)
            parameters = ", ".join([element] * count)
            lines.append(f"struct {name}{count} {{{members} }};")
            lines.append(f"__host__ __device__ {name}{count} make_{name}{count}({parameters});")
    lines += [
        "struct dim3 { unsigned x, y, z; __host__ __device__ constexpr dim3("
        "unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}"
        " __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {} };",
        "extern const __device__ uint3 threadIdx, blockIdx;",
        "extern const __device__ dim3 blockDim, gridDim;",
        "extern const __device__ int warpSize;",
        *(f"template <class... A> __device__ hipify_value {name}(A&&...);" for name in _WARP),
        'extern "C" unsigned __cudaPushCallConfiguration('
        "dim3, dim3, hipify_size = 0, void* = nullptr);",
        'extern "C" int cudaConfigureCall(dim3, dim3, hipify_size = 0, void* = nullptr);',
    ]
    return "\n".join(lines)


LANGUAGE = _language()
"""Attributes, vector types, built-in variables and what launches are made of."""
SPELLED_OUT = frozenset(
    (
        *(f"{name}{count}" for name in _ELEMENTS for count in range(1, 5)),
        *(f"make_{name}{count}" for name in _ELEMENTS for count in range(1, 5)),
        *("dim3", "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"),
        *("cudaGetParameterBuffer", "cudaGetParameterBufferV2", "__cudaCDP2GetParameterBufferV2"),
        *("cudaLaunchDevice", "cudaLaunchDeviceV2", "__cudaCDP2LaunchDeviceV2"),
        *("cudaConfigureCall", "__cudaPushCallConfiguration", "CUDART_CB", "CUDA_CB"),
        *(f"__{word}__" for word in _WORDS),
        *_WARP,
    )
)
"""Names that the text above declares, and those whose signatures clang checks."""
