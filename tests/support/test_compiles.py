"""Our headers, compiled for a GPU with waves of 64 lanes and one with 32, and for the host beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.errors import ToolchainError
from hipify.pipeline import translate_bytes
from hipify.toolchain.call import call
from hipify.toolchain.detect import Machine, find_toolchain
from tests.support.host import INCLUDE

pytestmark = pytest.mark.toolchain

PROGRAM = """
#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(int* i, unsigned* u, float* f, double* d, float4* v, __half* h, __half2* g,
                  __nv_bfloat16* b, __nv_bfloat162* c, unsigned long long* l) {
  bool first;
  i[0] = __dp4a(i[1], i[2], i[3]) + __dp2a_hi(i[1], i[2], i[3]) + __vibmax_s32(i[4], i[5], &first);
  u[0] = __vaddus4(u[1], u[2]) + __vcmpgtu2(u[3], u[4]) + __vsadu4(u[5], u[6]) + __dp4a(u[1], u[2], u[3]);
  f[0] = __fadd_rz(f[1], f[2]) + __fdiv_ru(f[3], f[4]) + __ldcs(f + 5) + atomicAdd_block(f + 6, 1);
  d[0] = __dsqrt_rd(d[1]) + __fma_rz(d[2], d[3], d[4]) + fdivide(d[5], d[6]);
  __stcs(v, __ldcv(v + 1));
  __stwt(l, __nv_bswap64(__ldlu(l + 1)));
  h[0] = __hadd_rn(__double2half(d[7]), htanh(h[1]));
  g[0] = __hcmadd(__hmax2(g[1], g[2]), g[3], g[4]);
  u[1] = __heq2_mask(g[0], g[1]) + __hltu2_mask(c[0], c[1]);
  b[0] = __int2bfloat16_rd(__bfloat162int_rn(b[1]));
  c[0] = __hfma2_relu(c[1], c[2], c[3]);
  atomicAdd(h, h[1]);
  atomicAdd(c, c[1]);
  atomicAdd(i, 1);
  atomicInc_system(u, atomicCAS_block(u + 1, 2u, 3u));
  __nanosleep(u[9]);
  if (__isGlobal(u)) __trap();
}
int main() { return 0; }
"""


@pytest.mark.parametrize("arch", ["gfx90a", "gfx1100"])
def test_a_port_with_them_compiles(arch: str, tmp_path: Path) -> None:
    try:
        toolchain = find_toolchain(Machine())
    except ToolchainError as error:
        pytest.skip(f"no compiler for AMD GPUs (hipify toolchain install gives one): {error}")
    translation = translate_bytes(PROGRAM.encode(), path="a.cu")
    assert len(translation.support_headers) == 6
    source = tmp_path / "a.hip"
    source.write_bytes(translation.data)
    for side in ("--cuda-device-only", "--cuda-host-only"):
        flags = ["-x", "hip", "-std=c++17", "-c", side, f"--offload-arch={arch}", f"-I{INCLUDE}"]
        outcome = call(
            [toolchain.clang, *toolchain.base_flags, *flags, source, "-o", tmp_path / "a.o"],
            check=False,
        )
        assert outcome.ok, outcome
