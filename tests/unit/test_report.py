"""Reports: counts and readiness by the stated formula, in every format, always the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.cli import main
from hipify.finding import Severity
from hipify.mapping import MappingEntry
from hipify.options import Options
from hipify.report import FORMULA, Report, Score, formats, writer
from hipify.report.build import ReportBuilder
from hipify.tree import FileResult, Outcome, PlacedFinding, Summary, Use

ENTRIES = {
    "cudaFree": MappingEntry("cudaFree", "function", "runtime", "memory", hip="hipFree"),
    "cudaOdd": MappingEntry(
        "cudaOdd", "function", "runtime", "memory", hip="hipOdd", caveat="rounds | otherwise"
    ),
    "cudaGone": MappingEntry(
        "cudaGone", "function", "runtime", "memory", caveat="no such thing; use a loop"
    ),
    "cublasNew": MappingEntry(
        *("cublasNew", "function", "blas", "level1"),
        hip="hipblasNew",
        rocm_versions={"added": "7.0"},
    ),
}


class FakeDatabase:
    """Four names."""

    def get(self, name: str) -> MappingEntry | None:
        return ENTRIES.get(name)


def result(name: str, *parts: Use | PlacedFinding) -> tuple[str, FileResult]:
    summary = Summary(
        findings=tuple(part for part in parts if isinstance(part, PlacedFinding)),
        used=tuple(part for part in parts if isinstance(part, Use)),
    )
    return name, FileResult(Path(name), name, Outcome.TRANSLATED, translation=summary)


def finding(
    line: int, severity: Severity, rule: str = "some-rule", message: str = "it is so"
) -> PlacedFinding:
    return PlacedFinding(line, 1, severity, rule, message, "do this")


def built(*results: tuple[str, FileResult], options: Options | None = None) -> Report:
    builder = ReportBuilder("tree", options or Options(), FakeDatabase())  # type: ignore[arg-type]
    for name, each in results:
        builder.add(name, each)
    return builder.finished()


RESULTS = (
    result(
        "b.cu",
        Use("cudaGone", 9, 1),
        Use("cudaFree", 3, 1),
        Use("cudaFree", 2, 7),
        Use("cudaOdd", 4, 1),
        finding(9, Severity.ERROR, "unsupported-api"),
        finding(20, Severity.ERROR),
        finding(21, Severity.NOTE),
    ),
    result("a.cu", Use("cudaFree", 1, 1), Use("cublasNew", 2, 1), finding(1, Severity.WARNING)),
    result("plain.h"),
    ("z.cu", FileResult(Path("z.cu"), "z.cu", Outcome.FAILED, error="cannot be read")),
)


def test_readiness_follows_the_formula() -> None:
    report = built(*RESULTS)
    by_file = {file.name: file for file in report.files}
    # Two mapped, one with a caveat (0.5), one unsupported that is an error too, one error more.
    assert by_file["b.cu"].score == Score(2.5, 5)
    # One mapped name with a warning (0.5), one mapped name.
    assert by_file["a.cu"].score == Score(1.5, 2)
    assert by_file["plain.h"].score.percent is None
    assert report.score == Score(4.0, 7)
    assert report.score.percent == 57.1


def test_names_by_library_with_their_places_in_order() -> None:
    report = built(*RESULTS)
    told = [(api.library, api.name, api.status, api.counterpart) for api in report.apis]
    assert told == [
        ("blas", "cublasNew", "mapped", "hipblasNew"),
        ("runtime", "cudaFree", "mapped", "hipFree"),
        ("runtime", "cudaGone", "unsupported", None),
        ("runtime", "cudaOdd", "partial", "hipOdd"),
    ]
    assert [str(place) for place in report.apis[1].places] == ["a.cu:1:1", "b.cu:2:7", "b.cu:3:1"]
    blas, runtime = report.libraries
    assert (blas.mapped, blas.uses, blas.score) == (1, 1, Score(1.0, 1))
    assert (runtime.mapped, runtime.partial, runtime.unsupported, runtime.uses) == (1, 1, 1, 5)
    assert runtime.score == Score(3.0, 5), "the warning weighs on the name at its place"


def test_the_options_decide_on_counterparts() -> None:
    report = built(*RESULTS, options=Options(rocm=(6, 2)))
    (new,) = [api for api in report.apis if api.name == "cublasNew"]
    assert (new.status, new.counterpart) == ("unsupported", None)
    assert "7.0" in new.why
    assert ("rocm", "6.2") in report.options


def test_the_order_of_the_results_does_not_matter() -> None:
    assert built(*RESULTS) == built(*reversed(RESULTS))


def test_findings_by_rule() -> None:
    some, unsupported = built(*RESULTS).rules
    assert (some.rule, unsupported.rule) == ("some-rule", "unsupported-api")
    assert [some.count(severity) for severity in Severity] == [1, 1, 1]


def test_a_name_that_the_database_lacks_is_our_fault() -> None:
    with pytest.raises(KeyError, match="cudaWhat"):
        built(result("a.cu", Use("cudaWhat", 1, 1)))


def test_the_formats() -> None:
    assert formats() == ("json", "markdown", "text")


@pytest.mark.parametrize("name", formats())
def test_every_format_tells_all_of_it(name: str) -> None:
    text = writer(name)(built(*RESULTS))
    plain = text.replace("\\", "")
    for told in (
        *("cudaFree", "hipFree", "cublasNew", "cudaGone", "no such thing; use a loop"),
        *("runtime", "blas", "some-rule", "it is so", "do this"),
        *("a.cu", "b.cu", "z.cu", "cannot be read", "57.1", FORMULA[20:]),
    ):
        assert told in plain
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("name", formats())
def test_every_format_can_tell_of_nothing(name: str) -> None:
    text = writer(name)(built(result("plain.h")))
    assert "57" not in text
    assert "tree" in text


def test_json_is_for_programs() -> None:
    document = json.loads(writer("json")(built(*RESULTS)))
    assert document["schema_version"] == 1
    assert document["readiness"] == {
        "formula": FORMULA,
        "percent": 57.1,
        "weight": 4.0,
        "places": 7,
    }
    (odd,) = [api for api in document["apis"] if api["name"] == "cudaOdd"]
    assert odd == {
        **{"name": "cudaOdd", "library": "runtime", "kind": "function", "status": "partial"},
        **{"counterpart": "hipOdd", "why": "rounds | otherwise", "uses": 1},
        "places": [{"file": "b.cu", "line": 4, "column": 1}],
    }
    (some, _) = document["rules"]
    assert (some["errors"], some["warnings"], some["notes"]) == (1, 1, 1)
    assert some["findings"][0] == {
        **{"file": "a.cu", "line": 1, "column": 1, "severity": "warning"},
        **{"message": "it is so", "remedy": "do this"},
    }
    assert document["failures"] == [{"file": "z.cu", "reason": "cannot be read"}]
    assert [file["name"] for file in document["files"]] == ["a.cu", "b.cu", "plain.h"]


def test_markdown_tables_survive_what_is_in_them() -> None:
    text = writer("markdown")(built(*RESULTS))
    rows = [line for line in text.splitlines() if line.startswith("| `cudaOdd`")]
    assert rows == [r"| `cudaOdd` | runtime | `hipOdd` | 1 | rounds \| otherwise; b.cu:4:1 |"]


def test_text_shows_the_least_ready_file_first_and_some_places_only() -> None:
    uses = [Use("cudaGone", line, 1) for line in range(1, 9)]
    text = writer("text")(built(result("bad.cu", *uses), result("aa.cu", Use("cudaFree", 1, 1))))
    assert "bad.cu:5:1 and 3 more" in text
    rows = text[text.index("\nFiles\n") :].splitlines()
    assert [row.split()[0] for row in rows[3:]] == ["file", "bad.cu", "aa.cu"][: len(rows[3:])]


class TestCommand:
    @pytest.fixture
    def here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        (tmp_path / ".git").mkdir()
        monkeypatch.chdir(tmp_path)
        source = tmp_path / "proj/src"
        source.mkdir(parents=True)
        (source / "a.cu").write_bytes(b"#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n")
        (source / "b.cu").write_bytes(b"__global__ void p() { k<<<1, 1>>>(); }\n")
        return tmp_path

    def test_to_standard_output(self, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
        assert main(["report", "proj"]) == 0
        out, err = capfd.readouterr()
        assert out.startswith("hipify report: proj\n")
        assert "cudaFree -> hipFree, 1 use" in out
        assert "src/b.cu:1:" in out
        assert str(here) not in out
        assert err == ""

    def test_into_a_file_and_the_same_again(
        self, here: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        for name in ("1.json", "2.json"):
            assert main(["report", "proj", "--format", "json", "-o", name]) == 0
        assert Path("1.json").read_bytes() == Path("2.json").read_bytes()
        document = json.loads(Path("1.json").read_text())
        assert [file["name"] for file in document["files"]] == ["src/a.cu", "src/b.cu"]
        assert capfd.readouterr().out == ""

    def test_findings_fail_only_where_that_is_asked_for(self, here: Path) -> None:
        assert main(["report", "proj", "--fail-on", "error"]) == 1
        assert main(["report", "proj/src/a.cu", "--fail-on", "error"]) == 0

    def test_failures_are_reported_and_said(
        self, here: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        (here / "proj/c.cu").write_bytes("int x;".encode("utf-16"))
        assert main(["report", "proj"]) == 2
        out, err = capfd.readouterr()
        assert "c.cu: is UTF-16" in out
        assert "c.cu: error: is UTF-16" in err

    def test_a_folder_is_no_place_for_a_report(
        self, here: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["report", "proj", "-o", "proj"]) == 2
        assert "is a folder: name a file for the report" in capfd.readouterr().err
