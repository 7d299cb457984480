"""Files, many files and whole trees: what is written, what fails, and that the rest goes on."""

from __future__ import annotations

import os
import re
import signal
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hipify.edits import Edit
from hipify.errors import MappingError, UsageError
from hipify.finding import Finding, Severity
from hipify.options import Options
from hipify.pipeline import Translation
from hipify.source import SourceFile, Span
from hipify.tree import (
    Action,
    FileResult,
    Job,
    Outcome,
    Use,
    Work,
    translate_file,
    translate_paths,
    translate_tree,
    workers,
)
from hipify.tree.file import local_header_exists
from hipify.tree.plan import make_plan
from hipify.walk import Globs, Selection


def translate(
    data: bytes, options: Options, path: str, *, exists: Callable[[str], bool], way_up: str
) -> Translation:
    """Stands in for the real one: `cuda` becomes `hip`, and some words do some harm."""
    if b"RAISE" in data:
        raise ZeroDivisionError("as asked")
    if b"DIE" in data:
        os._exit(9)
    if b"END" in data:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    if b"NO DATABASE" in data:
        raise MappingError("broken")
    spans = [Span(*match.span()) for match in re.finditer(b"cuda", data)]
    edits = tuple(Edit(span.start, span.end, b"hip") for span in spans)
    findings = tuple(
        Finding("odd", Severity.WARNING, Span(*match.span()), "it is odd", "make it even")
        for match in re.finditer(b"ODD", data)
    )
    if b"CONFLICT" in data:
        edits = ()
        findings = (Finding("edit-conflict", Severity.ERROR, Span(0, 0), "left", "report it"),)
    if b'"local.cuh"' in data and exists("local.cuh"):
        findings += (Finding("local", Severity.NOTE, Span(0, 0), "is there"),)
    used = tuple(("cuda", span) for span in spans)
    return Translation(
        SourceFile(path, data),
        data.replace(b"cuda", b"hip") if edits else data,
        edits,
        findings,
        used,
        frozenset(),
    )


WORK = Work(translate=translate, places=True)


def plant(root: Path, **texts: bytes) -> None:
    """Files by name, `__` for a slash and `_` for a dot."""
    for name, text in texts.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def tree(root: Path) -> dict[str, object]:
    """Everything below a folder: the bytes of files, the targets of links."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def one(path: Path, action: Action, work: Work = WORK, output: Path | None = None) -> FileResult:
    return translate_file(Job(path, path.name, action, output), work)


def ported(source: Path, out: Path, **more: object) -> dict[str, FileResult]:
    result = translate_tree(source, out, translate=translate, **more)  # type: ignore[arg-type]
    return {file.path.relative_to(source).as_posix(): file for file in result.files}


class TestFile:
    @pytest.mark.parametrize(
        "text",
        [
            b"\xef\xbb\xbfcuda;\r\n// caf\xe9\r\n",
            b"cuda;\r\ncuda;",
            b"\xff\xfecuda"[2:] + b"\x00\n",
            b"cuda;\n\n\n",
        ],
    )
    def test_only_the_edited_bytes_change_on_the_way_through_the_disk(
        self, tmp_path: Path, text: bytes
    ) -> None:
        path, out = tmp_path / "a.cu", tmp_path / "b.cu"
        path.write_bytes(text)
        assert one(path, Action.WRITE, output=out).outcome is Outcome.TRANSLATED
        assert out.read_bytes() == text.replace(b"cuda", b"hip")
        assert one(path, Action.REPLACE).backup == tmp_path / "a.cu.orig"
        assert path.read_bytes() == out.read_bytes()
        assert (tmp_path / "a.cu.orig").read_bytes() == text

    def test_the_summary_has_places_and_a_line_map(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"x\n  cuda ODD\n")
        summary = one(path, Action.CHECK).translation
        assert summary is not None
        assert summary.used == (Use("cuda", 2, 3),)
        (finding,) = summary.findings
        assert finding == (2, 8, Severity.WARNING, "odd", "it is odd", "make it even")
        assert summary.worst is Severity.WARNING
        assert summary.lines.source_line(2) == 2
        assert [edit.text for edit in summary.edits] == [b"hip"]

    def test_looking_writes_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"cuda\n")
        assert one(path, Action.CHECK).shown is None
        assert one(path, Action.SHOW).shown == b"hip\n"
        diff = one(path, Action.DIFF).shown
        assert diff == b"--- a/a.cu\n+++ b/a.cu\n@@ -1 +1 @@\n-cuda\n+hip\n"
        assert tree(tmp_path) == {"a.cu": b"cuda\n"}

    def test_a_file_without_changes_is_not_touched_in_place(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"hip\n")
        path.chmod(0o444)
        before = path.stat()
        assert one(path, Action.REPLACE).outcome is Outcome.UNCHANGED
        assert path.stat() == before
        assert tree(tmp_path) == {"a.cu": b"hip\n"}

    def test_in_place_twice_with_an_edit_between_keeps_every_text(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        texts = [b"cuda 1", b"cuda 2", b"cuda 1"]
        for text in texts:
            path.write_bytes(text)
            one(path, Action.REPLACE)
        assert tree(tmp_path) == {
            **{"a.cu": b"hip 1", "a.cu.orig": b"cuda 1", "a.cu.orig.1": b"cuda 2"}
        }

    def test_without_backup_there_is_none(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"cuda")
        one(path, Action.REPLACE, Work(backup=False, translate=translate))
        assert tree(tmp_path) == {"a.cu": b"hip"}

    def test_renaming_in_place_leaves_the_backup_only(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"int x;")
        work = Work(Options(renamed_files={".cu": ".hip"}), translate=translate)
        assert one(path, Action.REPLACE, work).outcome is Outcome.TRANSLATED
        assert tree(tmp_path) == {"a.cu.orig": b"int x;", "a.hip": b"int x;"}

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (b"RAISE cuda", "internal error: ZeroDivisionError: as asked"),
            (b"CONFLICT cuda", r"left \(report it\)"),
            ("cuda".encode("utf-16"), "is UTF-16"),
        ],
    )
    def test_a_failed_file_gives_a_reason_and_no_output(
        self, tmp_path: Path, text: bytes, says: str
    ) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(text)
        for action in (Action.WRITE, Action.REPLACE, Action.SHOW):
            result = one(
                path, action, output=tmp_path / "out.cu" if action is Action.WRITE else None
            )
            assert result.outcome is Outcome.FAILED
            assert re.search(says, result.error or "")
            assert (result.output, result.shown, result.backup) == (None, None, None)
            assert (result.trace is not None) == (b"RAISE" in text)
        assert tree(tmp_path) == {"a.cu": text}

    def test_an_output_of_an_earlier_run_is_told(self, tmp_path: Path) -> None:
        plant(tmp_path, a_cu=b"RAISE", out_cu=b"hip")
        error = one(tmp_path / "a.cu", Action.WRITE, output=tmp_path / "out.cu").error
        assert "an earlier run" in (error or "")

    def test_a_file_that_is_gone_is_a_result(self, tmp_path: Path) -> None:
        result = one(tmp_path / "a.cu", Action.CHECK)
        assert result.error == "cannot be read: No such file or directory"

    def test_a_broken_database_is_not_the_fault_of_a_file(self, tmp_path: Path) -> None:
        plant(tmp_path, a_cu=b"NO DATABASE")
        with pytest.raises(MappingError):
            one(tmp_path / "a.cu", Action.CHECK)

    def test_where_quoted_includes_are_looked_up(self, tmp_path: Path) -> None:
        plant(tmp_path, src__in__a_cu=b"", src__in__b_h=b"", include__c_h=b"", src__inc__x__d_h=b"")
        folder = tmp_path / "src/in"

        def exists(name: str) -> bool:
            return local_header_exists(name, folder, tmp_path)

        assert all(map(exists, ("b.h", "c.h", "x/d.h", "../inc/x/d.h", "src/in/b.h")))
        assert not any(map(exists, ("d.h", "e.h", "inc", "a\0b")))
        assert not local_header_exists("c.h", folder, tmp_path / "elsewhere")


class TestPaths:
    def make(self, folder: Path, count: int = 60) -> list[Job]:
        jobs = []
        for number in range(count):
            path = folder / f"{number:03}.cu"
            path.write_bytes(b"cuda ODD\n" * (number % 7))
            jobs.append(Job(path, path.name, Action.SHOW, size=20_000))
        return jobs

    def test_workers_give_the_same_results_in_the_same_order(self, tmp_path: Path) -> None:
        jobs = self.make(tmp_path)
        alone = list(translate_paths(jobs, WORK, 1))
        assert [result.path for result in alone] == [job.source for job in jobs]
        assert list(translate_paths(jobs, WORK, 3)) == alone

    def test_workers_that_start_afresh_do_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As on Windows and macOS, where workers share nothing with the process that made them."""
        monkeypatch.setattr(threading, "active_count", lambda: 2)
        jobs = self.make(tmp_path, 12)
        alone = list(translate_paths(jobs, WORK, 1))
        jobs = [replace(job, size=100_000) for job in jobs]
        assert list(translate_paths(jobs, WORK, 2)) == alone

    def test_little_work_starts_no_processes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_workers(*arguments: object) -> None:
            raise AssertionError("a worker was hired")

        monkeypatch.setattr(workers._Crew, "hire", no_workers)
        jobs = [Job(tmp_path / "a.cu", "a.cu", Action.CHECK, data=b"", size=10)] * 50
        assert len(list(translate_paths(jobs, WORK, 8))) == 50

    @pytest.mark.parametrize("text", [b"DIE", b"END"])
    def test_a_file_that_kills_its_process_is_the_only_one_to_fail(
        self, tmp_path: Path, text: bytes
    ) -> None:
        jobs = self.make(tmp_path)
        jobs[20].source.write_bytes(text)
        results = list(translate_paths(jobs, WORK, 2))
        assert [result.path for result in results] == [job.source for job in jobs]
        failed = [result for result in results if result.outcome is Outcome.FAILED]
        assert [result.name for result in failed] == ["020.cu"]
        assert "died" in (failed[0].error or "")

    def test_few_results_wait_in_memory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jobs = self.make(tmp_path, 200)
        handed = 0
        batches = workers._batches

        def counted(all_jobs: list[Job]) -> object:
            nonlocal handed
            for batch in batches(all_jobs):
                handed += len(batch)
                yield batch

        monkeypatch.setattr(workers, "_batches", counted)
        results = translate_paths(jobs, WORK, 2)
        next(results)
        assert 5 <= handed <= 40
        results.close()

    def test_stopping_early_leaves_no_half_done_file(self, tmp_path: Path) -> None:
        jobs = [
            Job(job.source, job.name, Action.WRITE, tmp_path / "out" / job.name, size=20_000)
            for job in self.make(tmp_path)
        ]
        results = translate_paths(jobs, WORK, 2)
        next(results)
        results.close()
        for name, text in tree(tmp_path / "out").items():
            assert text == (tmp_path / name).read_bytes().replace(b"cuda", b"hip")

    def test_a_broken_database_ends_the_run(self, tmp_path: Path) -> None:
        jobs = self.make(tmp_path)
        jobs[3].source.write_bytes(b"NO DATABASE")
        with pytest.raises(MappingError):
            list(translate_paths(jobs, WORK, 2))


class TestTree:
    def test_all_of_a_tree_comes_out(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, a_cu=b"cuda", sub__b_h=b"x", Makefile=b"all: cuda", sub__data_bin=b"cuda\0")
        (source / "Makefile").chmod(0o755)
        results = ported(source, out)
        assert tree(out) == {
            **{"Makefile": b"all: cuda", "a.cu": b"hip"},
            **{"sub/b.h": b"x", "sub/data.bin": b"cuda\0"},
        }
        assert os.name == "nt" or stat.S_IMODE((out / "Makefile").stat().st_mode) == 0o755
        assert {name: result.outcome.value for name, result in results.items()} == {
            **{"Makefile": "copied", "a.cu": "translated"},
            **{"sub/b.h": "unchanged", "sub/data.bin": "copied"},
        }
        assert results["sub/b.h"].output == out / "sub/b.h"

    def test_one_failure_stops_no_other(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, a_cu=b"RAISE", b_cu=b"cuda", c_cu="cuda".encode("utf-16"))
        results = ported(source, out)
        assert tree(out) == {"b.cu": b"hip"}
        assert [name for name, r in results.items() if r.error] == ["a.cu", "c.cu"]

    def test_an_output_inside_the_source_is_not_walked_again(self, tmp_path: Path) -> None:
        plant(tmp_path, a_cu=b"cuda", sub__b_cu=b"cuda")
        for _ in range(3):
            ported(tmp_path, tmp_path / "sub/out")
        assert tree(tmp_path / "sub/out") == {"a.cu": b"hip", "sub/b.cu": b"hip"}

    def test_renamed_files_and_the_links_to_them(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, sub__a_cu=b"cuda", b_cuh=b"x")
        (source / "l.cu").symlink_to("sub/a.cu")
        ported(source, out, options=Options(renamed_files={".cu": ".hip"}))
        assert tree(out) == {"b.cuh": b"x", "l.hip": "sub/a.hip", "sub/a.hip": b"hip"}
        assert (out / "l.hip").read_bytes() == b"hip"

    def test_links_inside_outside_and_in_a_loop(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, a__a_cu=b"cuda")
        plant(tmp_path, elsewhere__b_cu=b"cuda")
        (source / "a/up").symlink_to("..", target_is_directory=True)
        (source / "full").symlink_to(source / "a", target_is_directory=True)
        (source / "gone").symlink_to("nowhere")
        (source / "out.cu").symlink_to("../elsewhere/b.cu")
        for _ in range(2):
            ported(source, out)
            assert tree(out) == {
                "a/a.cu": b"hip",
                "a/up": "..",
                "full": str(out / "a"),
                "gone": "nowhere",
                "out.cu": str(tmp_path / "elsewhere/b.cu"),
            }
        assert (tmp_path / "elsewhere/b.cu").read_bytes() == b"cuda"

    def test_nothing_is_written_through_a_link_in_the_output(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, sub__a_cu=b"cuda", b_cu=b"cuda")
        plant(tmp_path, precious__a_cu=b"mine")
        out.mkdir()
        (out / "sub").symlink_to("../precious", target_is_directory=True)
        (out / "b.cu").symlink_to("../precious/a.cu")
        results = ported(source, out)
        assert (tmp_path / "precious/a.cu").read_bytes() == b"mine"
        assert "through the symbolic link" in (results["sub/a.cu"].error or "")
        assert (out / "b.cu").read_bytes() == b"hip"

    def test_two_names_of_one_file_are_translated_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, a_cu=b"cuda ODD")
        os.link(source / "a.cu", source / "b.cu")
        os.link(source / "a.cu", source / "c.h")
        results = ported(source, out)
        assert sorted(results) == ["a.cu", "c.h"], "another extension may mean another translation"
        assert tree(out) == dict.fromkeys(("a.cu", "b.cu", "c.h"), b"hip ODD")
        assert (out / "a.cu").samefile(out / "b.cu")

    def test_two_files_for_one_output_are_said(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, a_cu=b"cuda", a_hip=b"other")
        results = ported(source, out, options=Options(renamed_files={".cu": ".hip"}))
        assert "is that of" in (results["a.hip"].error or "")
        assert tree(out) == {"a.hip": b"hip"}

    def test_excluded_files_are_copied_and_ignored_ones_are_not(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, a_cu=b"cuda", vendor__b_cu=b"cuda", build__c_cu=b"cuda")
        (source / ".gitignore").write_bytes(b"build/\n")
        ported(source, out, selection=Selection(excludes=(Globs(source, ("vendor",)),)))
        assert tree(out) == {".gitignore": b"build/\n", "a.cu": b"hip", "vendor/b.cu": b"cuda"}

    def test_a_second_run_rewrites_nothing(self, tmp_path: Path) -> None:
        source, out = tmp_path / "in", tmp_path / "out"
        plant(source, a_cu=b"cuda", b_h=b"x")
        ported(source, out)
        before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
        ported(source, out)
        assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == before

    def test_what_makes_no_sense_is_refused_before_anything_is_written(
        self, tmp_path: Path
    ) -> None:
        source = tmp_path / "in"
        plant(source, a_cu=b"cuda", src__a_cu=b"cuda", src__in__a_cu=b"cuda")
        plant(tmp_path, empty__notes_txt=b"x", file_cu=b"")
        before = tree(tmp_path)
        for root, out, says in (
            (source, source, "is the source folder itself"),
            (source / "src/in", source / "src", "is a source itself"),
            (source / "src", source, "is a source itself"),
            (tmp_path / "empty", tmp_path / "out", "no source files in it"),
            (tmp_path / "file.cu", tmp_path / "out", "is no folder"),
            (source, tmp_path / "file.cu", "is a file"),
        ):
            if says == "is a source itself":
                paths = [root, source / "a.cu"] if out == source else [root, out / "a.cu"]
                with pytest.raises(UsageError, match=says):
                    make_plan(paths, Action.WRITE, Options(), Selection(), out)
                continue
            with pytest.raises(UsageError, match=says):
                ported(root, out)
        assert tree(tmp_path) == before


class TestPlan:
    def names(self, *paths: Path, action: Action = Action.CHECK) -> list[str]:
        return [job.source.name for job in make_plan(paths, action, Options(), Selection()).jobs]

    def test_a_path_named_twice_or_by_a_link_is_one_job(self, tmp_path: Path) -> None:
        plant(tmp_path, a_cu=b"", sub__b_cu=b"")
        (tmp_path / "link.cu").symlink_to("a.cu")
        a, link = tmp_path / "a.cu", tmp_path / "link.cu"
        assert self.names(a, a, tmp_path / "sub/../a.cu", link) == ["a.cu"]
        assert self.names(tmp_path, a, tmp_path / "sub") == ["a.cu", "b.cu"]
        assert self.names(tmp_path / "sub", tmp_path) == ["b.cu", "a.cu"]

    def test_a_named_file_is_taken_whatever_it_is_called(self, tmp_path: Path) -> None:
        plant(tmp_path, kernel_txt=b"", ignored_cu=b"")
        (tmp_path / ".gitignore").write_text("*\n")
        named = tmp_path / "kernel.txt", tmp_path / "ignored.cu"
        assert self.names(*named) == ["kernel.txt", "ignored.cu"]

    def test_a_link_is_not_written_through(self, tmp_path: Path) -> None:
        plant(tmp_path, a_cu=b"cuda")
        link = tmp_path / "link.cu"
        link.symlink_to("a.cu")
        (job,) = make_plan([link], Action.REPLACE, Options(), Selection()).jobs
        result = translate_file(job, WORK)
        assert "is a symbolic link: name the file itself" in (result.error or "")
        assert tree(tmp_path) == {"a.cu": b"cuda", "link.cu": "a.cu"}

    def test_outputs_lie_as_the_paths_do(self, tmp_path: Path) -> None:
        plant(tmp_path, src__a_cu=b"", src__deep__b_cu=b"", lib__c_cu=b"")
        out = tmp_path / "out"

        def outputs(*names: str) -> list[str]:
            paths = [tmp_path / name for name in names]
            plan = make_plan(paths, Action.WRITE, Options(), Selection(), out)
            return [job.output.relative_to(out).as_posix() for job in plan.jobs if job.output]

        assert outputs("src") == ["a.cu", "deep/b.cu"]
        assert outputs("src/a.cu", "src/deep") == ["a.cu", "deep/b.cu"]
        assert outputs("src", "lib/c.cu") == ["src/a.cu", "src/deep/b.cu", "lib/c.cu"]

    @pytest.mark.parametrize("name", ["gone.cu", "a.cu/b.cu", "nul\0.cu", "dangling.cu", "loop.cu"])
    def test_paths_that_are_not_there_are_said(self, tmp_path: Path, name: str) -> None:
        plant(tmp_path, a_cu=b"")
        (tmp_path / "dangling.cu").symlink_to("nowhere")
        (tmp_path / "loop.cu").symlink_to("loop.cu")
        with pytest.raises(UsageError, match=re.escape(str(tmp_path))):
            self.names(tmp_path / name)
