"""Votes of groups are hidden before ROCm 7.0."""

from __future__ import annotations

import pytest

from hipify.options import Options
from hipify.pipeline import translate_bytes

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


def _told(body: str, rocm: tuple[int, ...] | None) -> bool:
    code = HEAD + "__device__ int f(int p) { " + body + " }\n"
    findings = translate_bytes(code.encode(), Options(rocm=rocm), "a.cu").findings
    return any("ENABLE_WARP_SYNC_BUILTINS" in finding.remedy for finding in findings)


@pytest.mark.parametrize(
    "body",
    [
        "auto t = cg::tiled_partition<32>(cg::this_thread_block()); return t.any(p);",
        "cg::thread_block_tile<8> t = g(); return t.ballot(p) != 0;",
        "const cg::coalesced_group t = cg::coalesced_threads(); return t.all(p);",
        "auto t = cg::binary_partition(cg::coalesced_threads(), p); return 0;",
    ],
)
def test_votes_need_a_macro_before_rocm_7(body: str) -> None:
    assert _told(body, (6, 4))
    assert not _told(body, (7, 0))
    assert not _told(body, None)


@pytest.mark.parametrize("body", ["auto v = g(); return v.any(p);", "return tensor.all(p);"])
def test_other_things_with_such_members_are_no_groups(body: str) -> None:
    assert not _told(body, (6, 4))
