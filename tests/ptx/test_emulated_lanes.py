"""Warp, memory and atomic instructions on the emulator: what every lane of two warps gets.

A block of 64 threads is one wave on gfx90a and two on gfx1100, and two warps of 32 in CUDA either way.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hipify.emulator.build import build_runtime
from hipify.emulator.errors import EmulatorError
from hipify.emulator.run import run_program
from hipify.emulator.tools import Tools, find_tools
from hipify.finding import Severity
from hipify.pipeline import translate_bytes
from hipify.toolchain.model import Toolchain
from tests.ptx.harness import SUPPORT

pytestmark = pytest.mark.toolchain
THREADS = 64
WARP = 32


def _value(thread: int) -> int:
    """What each thread starts from."""
    return (thread * 2654435761 + 12345) & 0xFFFFFFFF


@dataclass(frozen=True)
class Lane:
    """A statement that gives `r` from `v`, the thread's value, and what it gives in each thread."""

    statement: str
    reference: Callable[[int], int]


def _neighbour(distance: Callable[[int], int], width: int = 32) -> Callable[[int], int]:
    """The value of another lane; the own one where that is outside the segment."""

    def compute(thread: int) -> int:
        first = thread - thread % width
        other = first + distance(thread % width)
        inside = first <= other < first + width
        return _value(other if inside else thread)

    return compute


def _ballot(test: Callable[[int], bool]) -> Callable[[int], int]:
    def compute(thread: int) -> int:
        first = thread - thread % WARP
        return sum(1 << lane for lane in range(WARP) if test(first + lane))

    return compute


def _over_warp(combine: Callable[[list[int]], int]) -> Callable[[int], int]:
    def compute(thread: int) -> int:
        first = thread - thread % WARP
        return combine([_value(first + lane) for lane in range(WARP)]) & 0xFFFFFFFF

    return compute


def _signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


def _xor(values: list[int]) -> int:
    result = 0
    for value in values:
        result ^= value
    return result


def _plus(add: int) -> Callable[[int], int]:
    return lambda thread: (_value(thread ^ 3) + add) & 0xFFFFFFFF


_ODD = "{ .reg .pred p, o; and.b32 %0, %1, 1; setp.ne.u32 p, %0, 0;"
LANES = (
    Lane('asm("mov.u32 %0, %%laneid;" : "=r"(r));', lambda t: t % 32),
    Lane('asm("mov.u32 %0, %%warpid;" : "=r"(r));', lambda t: t // 32),
    Lane('asm("mov.u32 %0, %%lanemask_eq;" : "=r"(r));', lambda t: 1 << t % 32),
    Lane('asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));', lambda t: (1 << t % 32) - 1),
    Lane('asm("mov.u32 %0, %%lanemask_le;" : "=r"(r));', lambda t: (2 << t % 32) - 1),
    Lane(
        'asm("mov.u32 %0, %%lanemask_gt;" : "=r"(r));', lambda t: 0xFFFFFFFF & ~((2 << t % 32) - 1)
    ),
    Lane(
        'asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r));', lambda t: 0xFFFFFFFF & ~((1 << t % 32) - 1)
    ),
    Lane(
        'asm("shfl.sync.idx.b32 %0, %1, 7, 0x1f, -1;" : "=r"(r) : "r"(v));', _neighbour(lambda _: 7)
    ),
    Lane(
        'asm("shfl.sync.up.b32 %0, %1, 3, 0x0, -1;" : "=r"(r) : "r"(v));',
        _neighbour(lambda x: x - 3),
    ),
    Lane(
        'asm("shfl.sync.down.b32 %0, %1, 5, 0x181f, -1;" : "=r"(r) : "r"(v));',
        _neighbour(lambda x: x + 5, 8),
    ),
    Lane(
        'asm("shfl.sync.bfly.b32 %0, %1, 9, 0x1f, -1;" : "=r"(r) : "r"(v));',
        _neighbour(lambda x: x ^ 9),
    ),
    Lane(
        'asm("shfl.sync.down.b32 %0, %1, %2, %3, -1;" : "=r"(r) : "r"(v), "r"(4u), "r"(0x101fu));',
        _neighbour(lambda x: x + 4, 16),
    ),
    Lane(
        'asm("shfl.sync.bfly.b32 %0, %1, %2, %3, -1;" : "=r"(r) : "r"(v), "r"(17u), "r"(0x1fu));',
        _neighbour(lambda x: x ^ 17),
    ),
    Lane(
        'asm("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 6, 0, -1; selp.u32 %0, 1, 0, p; }"'
        ' : "=r"(r) : "r"(v));',
        lambda t: int(t % 32 >= 6),
    ),
    Lane(
        f'asm("{_ODD} vote.sync.ballot.b32 %0, p, -1; }}" : "=r"(r) : "r"(v));',
        _ballot(lambda t: _value(t) & 1 == 1),
    ),
    Lane(
        f'asm("{_ODD} vote.sync.any.pred o, p, -1; selp.u32 %0, 1, 0, o; }}" : "=r"(r) : "r"(v));',
        lambda _: 1,
    ),
    Lane(
        f'asm("{_ODD} vote.sync.all.pred o, p, -1; selp.u32 %0, 1, 0, o; }}" : "=r"(r) : "r"(v));',
        lambda _: 0,
    ),
    Lane(
        f'asm("{_ODD} vote.sync.uni.pred o, p, -1; selp.u32 %0, 1, 0, o; }}" : "=r"(r) : "r"(v | 1));',
        lambda _: 1,
    ),
    Lane('asm volatile("activemask.b32 %0;" : "=r"(r));', lambda _: 0xFFFFFFFF),
    Lane(
        'if (threadIdx.x & 1) asm volatile("activemask.b32 %0;" : "=r"(r));',
        lambda t: 0xAAAAAAAA if t & 1 else 0,
    ),
    Lane(
        'asm("match.any.sync.b32 %0, %1, -1;" : "=r"(r) : "r"(threadIdx.x % 5));',
        lambda t: _ballot(lambda u: u % 5 == t % 5)(t),
    ),
    Lane(
        'asm("{ .reg .pred p; match.all.sync.b32 %0|p, %1, -1; }" : "=r"(r) : "r"(threadIdx.x / 32));',
        lambda _: 0xFFFFFFFF,
    ),
    Lane('asm("redux.sync.add.u32 %0, %1, -1;" : "=r"(r) : "r"(v));', _over_warp(sum)),
    Lane(
        'asm("redux.sync.min.s32 %0, %1, -1;" : "=r"(r) : "r"(v));',
        _over_warp(lambda values: min(map(_signed, values))),
    ),
    Lane('asm("redux.sync.max.u32 %0, %1, -1;" : "=r"(r) : "r"(v));', _over_warp(max)),
    Lane('asm("redux.sync.xor.b32 %0, %1, -1;" : "=r"(r) : "r"(v));', _over_warp(_xor)),
    Lane(
        'asm("{ .reg .pred p; elect.sync _|p, -1; selp.u32 %0, 1, 0, p; }" : "=r"(r));',
        lambda t: int(t % 32 == 0),
    ),
    # Shared memory by its 32-bit address, with a barrier.
    Lane(
        'asm volatile("st.shared.u32 [%0], %1;" :: "r"(s + 4 * threadIdx.x), "r"(v) : "memory");'
        ' asm volatile("bar.sync 0;" ::: "memory");'
        ' asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(r) : "r"(s + 4 * (threadIdx.x ^ 1)));',
        lambda t: _value((t ^ 1) + 1) if t ^ 1 < THREADS - 1 else 0,
    ),
    Lane(
        'asm volatile("st.shared.v2.u32 [%0], {%1, %2};" :: "r"(s + 8 * threadIdx.x), "r"(v), "r"(7));'
        ' asm volatile("bar.sync 0;"); unsigned w; asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"'
        ' : "=r"(w), "=r"(r) : "r"(s + 8 * (63 - threadIdx.x))); r += w;',
        lambda t: (_value(63 - t) + 7) & 0xFFFFFFFF,
    ),
    # Global memory in all its ways.
    *(
        Lane(
            f'asm volatile("st{store}.u32 [%0], %1;" :: "l"(g + threadIdx.x), "r"(v + {n}) : "memory");'
            f' asm volatile("membar.gl;"); asm volatile("bar.sync 0;" ::: "memory");'
            f' asm volatile("ld{load}.u32 %0, [%1];" : "=r"(r) : "l"(g + (threadIdx.x ^ 3)) : "memory");',
            _plus(n),
        )
        for n, (store, load) in enumerate(
            (
                (".global", ".global"),
                (".global.cg", ".global.cg"),
                (".global.cs", ".global.cs"),
                (".volatile.global", ".volatile.global"),
                (".release.gpu.global", ".acquire.gpu.global"),
                (".relaxed.sys.global", ".relaxed.sys.global"),
                ("", ".global.cv"),
            )
        )
    ),
    Lane(
        'asm volatile("st.global.u32 [%0], 0;" :: "l"(g + 64)); asm volatile("bar.sync 0;" ::: "memory");'
        ' asm volatile("red.global.add.u32 [%0], %1;" :: "l"(g + 64), "r"(v) : "memory");'
        ' asm volatile("membar.gl; bar.sync 0;" ::: "memory");'
        ' asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(r) : "l"(g + 64) : "memory");',
        lambda _: sum(map(_value, range(THREADS))) & 0xFFFFFFFF,
    ),
    Lane(
        'asm volatile("st.global.u32 [%0], 0;" :: "l"(g + 64)); asm volatile("bar.sync 0;" ::: "memory");'
        ' asm volatile("red.relaxed.global.add.noftz.f16x2 [%0], %1;" :: "l"(g + 64), "r"(0x3c004000u));'
        ' asm volatile("membar.gl; bar.sync 0;" ::: "memory");'
        ' asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(r) : "l"(g + 64) : "memory");',
        lambda _: 0x54005800,
    ),
    Lane(
        'asm volatile("st.global.u32 [%0], 0;" :: "l"(g + 64)); asm volatile("bar.sync 0;" ::: "memory");'
        ' asm volatile("atom.acq_rel.gpu.global.max.u32 %0, [%1], %2;"'
        ' : "=r"(r) : "l"(g + 64), "r"(v) : "memory");'
        ' asm volatile("membar.gl; bar.sync 0;" ::: "memory");'
        ' asm volatile("atom.global.cas.b32 %0, [%1], 1, 2;" : "=r"(r) : "l"(g + 64) : "memory");',
        lambda _: max(map(_value, range(THREADS))),
    ),
    Lane(
        'asm volatile("{ .reg .pred p; and.b32 %0, %1, 1; setp.ne.u32 p, %0, 0;'
        ' bar.red.popc.u32 %0, 0, p; }" : "=r"(r) : "r"(v));',
        lambda _: sum(_value(t) & 1 for t in range(THREADS)),
    ),
    Lane(
        'asm("{ .reg .pred p; .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t;'
        ' isspacep.shared p, %1; @!p mov.u32 %0, 999; }" : "=r"(r) : "l"(&shared[2])); r -= s;',
        lambda _: 8,
    ),
)

_KERNEL = """
__global__ void kernel_{number}(unsigned *out, unsigned *g) {{
  __shared__ unsigned shared[160];
  for (int i = threadIdx.x; i < 160; i += 64) shared[i] = 0;
  __syncthreads();
  const unsigned v = threadIdx.x * 2654435761u + 12345u;
  unsigned s, r = 0;
  asm("{{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }}" : "=r"(s) : "l"(shared));
  {statement}
  out[threadIdx.x] = r;
}}
"""
_MAIN = """
int main(int, char **names) {{
  static unsigned made[64];
  FILE *out = fopen(names[1], "wb");
  unsigned *d_out, *d_g;
  (void)cudaMalloc(&d_out, sizeof made);
  (void)cudaMalloc(&d_g, 4096);
{launches}
  return fclose(out);
}}
"""


def _source() -> str:
    kernels = (
        _KERNEL.format(number=number, statement=lane.statement) for number, lane in enumerate(LANES)
    )
    launches = "".join(
        f"  kernel_{number}<<<1, 64>>>(d_out, d_g);\n"
        "  if (cudaMemcpy(made, d_out, sizeof made, cudaMemcpyDeviceToHost)) return 3;\n"
        "  fwrite(made, sizeof made, 1, out);\n"
        for number in range(len(LANES))
    )
    head = "#include <cuda_runtime.h>\n#include <stdio.h>\n"
    return head + "".join(kernels) + _MAIN.format(launches=launches)


@pytest.fixture(scope="module")
def tools(toolchain: Toolchain) -> Tools:
    """The emulator's tools; skips with the reason where they are missing."""
    for root in (toolchain.root, None):
        try:
            return find_tools(root)
        except EmulatorError as error:
            reason = str(error)
    pytest.skip(f"the emulator cannot run: {reason}")


@pytest.mark.parametrize("arch", ["gfx90a", "gfx1100"])
def test_lanes_get_what_cuda_gives_them(
    toolchain: Toolchain, tools: Tools, tmp_path: Path, arch: str
) -> None:
    if arch not in toolchain.archs:
        pytest.skip(f"the compiler at {toolchain.root} does not know {arch}")
    translation = translate_bytes(_source().encode(), path="lanes.cu")
    errors = [f.message for f in translation.findings if f.severity is Severity.ERROR]
    assert not errors, errors
    source, binary = tmp_path / "lanes.hip", tmp_path / "lanes"
    source.write_bytes(translation.data)
    command = [
        *(toolchain.clang, "-x", "hip", f"--offload-arch={arch}", "-O1", "-w", "--hip-link"),
        *(*toolchain.base_flags, f"-I{SUPPORT}", source, "-o", binary),
        *(f"-L{build_runtime(tools).folder}", *toolchain.link_flags),
    ]
    built = subprocess.run([str(w) for w in command], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[:3000]
    result = run_program(binary, arch, [str(tmp_path / "out")], timeout=120, tools=tools)
    assert result.returncode == 0, result.stderr[-2000:]
    made = struct.iter_unpack(f"<{THREADS}I", (tmp_path / "out").read_bytes())
    wrong: dict[str, str] = {}
    for lane, results in zip(LANES, made, strict=True):
        for thread in range(THREADS):
            wanted = lane.reference(thread)
            if results[thread] != wanted:
                told = f"thread {thread} gets {results[thread]:#x}, not {wanted:#x}"
                wrong.setdefault(lane.statement, told)
    assert not wrong, f"{len(wrong)} of {len(LANES)}: {wrong}"
