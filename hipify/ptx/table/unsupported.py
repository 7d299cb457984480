"""Instructions that HIP C++ has no counterpart for, each with what to use instead."""

from __future__ import annotations

FORMS = ""

_MATRIX = (
    "NVIDIA's tensor cores have no counterpart instruction for instruction",
    "use rocWMMA (rocwmma::fragment), or the MFMA builtins (__builtin_amdgcn_mfma_*, gfx908 and "
    "later) or WMMA builtins (__builtin_amdgcn_wmma_*, gfx11 and later) with their own layouts",
)
_ASYNC_COPY = (
    "AMD GPUs have no asynchronous copy from global to shared memory of this kind",
    "load to registers and store to shared memory, then __syncthreads()",
)
_BARRIER = (
    "AMD GPUs have no barrier objects in shared memory",
    "use __syncthreads(), or atomics in shared memory with __threadfence_block()",
)
_TENSOR_MAP = (
    "tensor maps (TMA) are NVIDIA's",
    "compute the addresses and use plain loads and stores",
)
_CLUSTER = ("AMD GPUs have no clusters of blocks", "go through global memory between blocks")
_TEXTURE = (
    "texture and surface instructions have no counterpart in C++ operators",
    "use the texture functions, tex2D<T>(texture, x, y) and their kin",
)

DIAGNOSES: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("mma", "wmma", "wgmma", "tcgen05", "movmatrix"), _MATRIX),
    **dict.fromkeys(
        ("ldmatrix", "stmatrix"),
        (
            "its layout over the lanes is that of NVIDIA's tensor cores",
            "use rocwmma::load_matrix_sync, or plain loads from shared memory in the layout that "
            "the MFMA or WMMA builtin wants",
        ),
    ),
    "cp": _ASYNC_COPY,
    "mbarrier": _BARRIER,
    "tensormap": _TENSOR_MAP,
    **dict.fromkeys(("mapa", "getctarank", "clusterlaunchcontrol"), _CLUSTER),
    "multimem": (
        "NVLink multicast has no counterpart",
        "use RCCL, or add up over the peers' buffers one by one",
    ),
    "setmaxnreg": (
        "registers cannot move between the waves of a block",
        "remove it; __launch_bounds__ sets the registers of a kernel",
    ),
    **dict.fromkeys(("tex", "tld4", "txq", "suld", "sust", "sured", "suq"), _TEXTURE),
    **dict.fromkeys(
        ("call", "alloca", "stacksave", "stackrestore", "brx"),
        ("it needs the whole of a PTX function", "write the function in HIP C++"),
    ),
    "pmevent": ("performance events are NVIDIA's", "use rocTX ranges on the host"),
    "st_bulk": _ASYNC_COPY,
    "applypriority": ("cache priorities are NVIDIA's", "remove it"),
    "discard": ("it drops cache lines without writing them", "remove it"),
}
