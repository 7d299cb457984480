"""The policy `native`: the whole wave where a file never counts on 32 lanes, else 32 and a reason."""

from __future__ import annotations

import pytest

from hipify.options import Options
from hipify.pipeline import Translation, translate_bytes

INCLUDE = "#include <cuda_runtime.h>\n"
KERNEL = "__global__ void k(int* o, int lane, unsigned m) {{ {} }}\n"


def _translate(text: str, rocm: tuple[int, ...] | None = None) -> Translation:
    return translate_bytes(text.encode(), Options(wave_policy="native", rocm=rocm), "a.cu")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "o[0] = __popc(__ballot_sync(~0u, lane));",
            "o[0] = __popcll(__ballot_sync(0xffffffffffffffffULL, lane));",
        ),
        (
            "if (__ballot_sync(~0u, lane) == 0) return;",
            "if (__ballot_sync(0xffffffffffffffffULL, lane) == 0) return;",
        ),
        (
            "auto b = __activemask(); o[0] = __clz(b);",
            "auto b = __activemask(); o[0] = __clzll(b);",
        ),
        (
            "unsigned int b = __ballot_sync(-1, lane); if (b) o[0] = (b >> lane) & 1;",
            "unsigned long long b = __ballot_sync(0xffffffffffffffffULL, lane); "
            "if (b) o[0] = (b >> lane) & 1;",
        ),
        (
            "o[0] = __any_sync(0xffffffff, lane) + warpSize;",
            "o[0] = __any_sync(0xffffffffffffffffULL, lane) + warpSize;",
        ),
        (
            "o[lane] = __shfl_sync(0xffffffffu, lane, 0, 8);",
            "o[lane] = __shfl_sync(0xffffffffffffffffULL, lane, 0, 8);",
        ),
    ],
)
def test_what_is_taken_is_taken_whole(before: str, after: str) -> None:
    result = _translate(INCLUDE + KERNEL.format(before))
    assert result.data.decode() == "#include <hip/hip_runtime.h>\n" + KERNEL.format(after)
    assert not result.findings
    assert not result.support_headers


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (KERNEL.format("o[lane & 31] = __shfl_sync(~0u, lane, 0);"), "`31`"),
        (KERNEL.format("o[lane >> 5] = __shfl_sync(~0u, lane, 0);"), "`>> 5`"),
        (KERNEL.format("for (int d = 16; d; d /= 2) __shfl_sync(~0u, lane, d);"), "`= 16;`"),
        ("#define WARP_SIZE 8\n" + KERNEL.format("__shfl_sync(~0u, lane, 0);"), "`WARP_SIZE`"),
        (KERNEL.format("__shfl_sync(m, lane, 0);"), "mask `m`"),
        (KERNEL.format("__shfl_sync(0xffff, lane, 0);"), "mask `0xffff`"),
        (KERNEL.format("o[0] = __ballot_sync(~0u, lane);"), "in more ways"),
        (KERNEL.format("unsigned b = __ballot_sync(~0u, lane); o[0] = b;"), "mask `b`"),
        (KERNEL.format("__shared__ int s[64 / warpSize]; __all_sync(~0u, s[0]);"), "constant"),
        ('#include "other.cuh"\n' + KERNEL.format("__all_sync(~0u, lane);"), "headers of its own"),
        ("__device__ int f(int v) { return __any_sync(~0u, v); }\n", "not in sight"),
        ("#define ANY(p) __any_sync(~0u, p)\n" + KERNEL.format("ANY(lane);"), "a macro uses"),
    ],
)
def test_the_rest_keeps_32_lanes_and_says_why(code: str, reason: str) -> None:
    result = _translate(INCLUDE + code)
    assert b"hipify::" in result.data
    assert b"0xffffffffffffffff" not in result.data
    (finding,) = [f for f in result.findings if f.rule == "warp-intrinsic"]
    assert "keeps warps of 32 lanes" in finding.message
    assert reason in finding.message


def test_old_hip_needs_a_flag_and_lacks_some() -> None:
    told = _translate(INCLUDE + KERNEL.format("__all_sync(~0u, lane);"), rocm=(6, 4))
    assert "-DHIP_ENABLE_WARP_SYNC_BUILTINS" in told.findings[0].remedy
    left = _translate(INCLUDE + KERNEL.format("__syncwarp();"), rocm=(6, 4))
    assert b"hipify::syncwarp()" in left.data
    assert b" __syncwarp()" in _translate(INCLUDE + KERNEL.format("__syncwarp();")).data


def test_the_policy_report_changes_nothing_and_tells_all() -> None:
    body = "o[0] = __shfl_sync(m, lane, 0) + __ballot_sync(~0u, lane) + warpSize;"
    source = INCLUDE + KERNEL.format(body)
    result = translate_bytes(source.encode(), Options(wave_policy="report"), "a.cu")
    assert body.encode() in result.data
    assert [f.rule for f in result.findings] == ["warp-intrinsic", "warp-intrinsic", "warp-size"]
