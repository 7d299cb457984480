"""Where the warp header is included: once, where it is used, and never in the middle of something."""

from __future__ import annotations

from hipify.pipeline import Translation, translate_bytes

SHUFFLE = "__device__ int f(int v) { return __shfl_sync(~0u, v, 0); }\n"
HEADER = '#include "hipify/warp32.hpp"\n'


def _translate(text: str, path: str = "a.cu") -> Translation:
    return translate_bytes(text.encode(), path=path)


def test_the_header_follows_the_runtime_header_and_is_asked_for() -> None:
    result = _translate("#pragma once\n#include <cuda_runtime.h>\n#include <vector>\n" + SHUFFLE)
    assert result.data.startswith(
        b"#pragma once\n#include <hip/hip_runtime.h>\n" + HEADER.encode() + b"#include <vector>\n"
    )
    assert result.support_headers == {"hipify/warp32.hpp"}


def test_the_line_ending_is_the_files() -> None:
    result = _translate(("#include <cuda_runtime.h>\n" + SHUFFLE).replace("\n", "\r\n"))
    assert b'>\r\n#include "hipify/warp32.hpp"\r\n' in result.data


def test_an_include_in_a_branch_does_not_take_the_header_with_it() -> None:
    result = _translate("#ifdef A\n#include <cuda_runtime.h>\n#endif\n" + SHUFFLE)
    assert result.data.startswith(HEADER.encode() + b"#ifdef A\n")


def test_a_kernel_in_a_string_includes_it_itself() -> None:
    result = _translate('#include <cuda_runtime.h>\nauto k = R"(\n' + SHUFFLE + ')";\n')
    assert result.data.count(HEADER.encode()) == 1
    assert b'R"(' + HEADER.encode() in result.data
    assert result.support_headers == {"hipify/warp32.hpp"}
    assert "run-time compiler" in result.findings[0].remedy


def test_a_fragment_gets_no_include_but_a_finding() -> None:
    result = _translate(SHUFFLE, "part.inl")
    assert b"hipify::shfl_sync" in result.data
    assert b"#include" not in result.data
    assert [finding.rule for finding in result.findings] == ["main-header"]


def test_a_second_run_changes_nothing() -> None:
    for path in ("a.cu", "a.cuh", "a.h", "a.inl"):
        once = _translate("struct S;\n" + SHUFFLE, path)
        assert _translate(once.data.decode(), path).data == once.data
