"""Runtime functions called in device code: CUDA's device runtime has some of them, HIP has none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.finding import Finding, Severity
from hipify.rules import Diagnosis, Rule
from hipify.sites import Site
from hipify.syntax import DeviceFunction

# What cuda_device_runtime_api.h declares for device code, by its host names.
_NAMES = frozenset(
    (
        *("cudaDeviceGetAttribute", "cudaDeviceGetCacheConfig", "cudaDeviceGetLimit"),
        *("cudaDeviceGetSharedMemConfig", "cudaDeviceSynchronize", "cudaGetDevice"),
        *("cudaGetDeviceCount", "cudaGetErrorName", "cudaGetErrorString", "cudaGetLastError"),
        *("cudaPeekAtLastError", "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventRecord"),
        *("cudaEventRecordWithFlags", "cudaFree", "cudaFuncGetAttributes", "cudaMalloc"),
        *("cudaMemcpy2DAsync", "cudaMemcpy3DAsync", "cudaMemcpyAsync", "cudaMemset2DAsync"),
        *("cudaMemset3DAsync", "cudaMemsetAsync", "cudaRuntimeGetVersion"),
        *("cudaStreamCreateWithFlags", "cudaStreamDestroy", "cudaStreamWaitEvent"),
        *("cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaLaunchDevice"),
    )
)
_STATEMENT = re.compile(rb"[;{}]")
_REMEDIES = {
    "cudaMalloc": "use malloc, which HIP's device code has, or allocate on the host",
    "cudaFree": "use free, for what device code allocated with malloc",
    "cudaGetErrorString": "print the number, or leave the check to the host",
    "cudaGetErrorName": "print the number, or leave the check to the host",
}


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Reports a call in a function that runs on the device only."""
    if context.call_after(site.span) is None:
        return
    function = context.device_function_at(site.span.start)
    if function is None or _runs_on_the_host_too(function, context):
        return
    name = function.name.decode("utf-8", "replace") or "a device function"
    yield Finding(
        RULE.id,
        Severity.ERROR,
        site.span,
        f"{name} calls {site.name} in device code, which HIP has on the host only",
        _REMEDIES.get(site.name, "move the call to the host"),
    )


def _runs_on_the_host_too(function: DeviceFunction, context: Context) -> bool:
    """Whether `__host__` stands among the words before the function's name."""
    code = context.lexed.code
    before = _STATEMENT.split(code[max(0, function.head.start - 80) : function.head.start])[-1]
    return b"__host__" in before or b"__host__" in context.text(function.head)


RULE = Rule(
    id="host-call",
    summary="HIP has no device-side runtime: cudaMalloc, cudaGetErrorString and others in device code are errors.",
    visit=visit,
    names=_NAMES,
    diagnoses=(
        Diagnosis(
            "#include <cuda_runtime.h>\n"
            '__device__ void check(cudaError_t e) { printf("%s", cudaGetErrorString(e)); }\n',
            "on the host only",
        ),
    ),
    keeps=(
        "#include <hip/hip_runtime.h>\n__global__ void k();\n"
        "void f() { k<<<1, 1>>>(); }\n__host__ __device__ int g() { return 1; }\n",
    ),
)
