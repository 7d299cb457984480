"""`hipify translate` from its arguments to the disk, with the real database and rules."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hipify import cli
from hipify.cli import main
from hipify.commands._settings import paths_of

CUDA = b"#include <cuda_runtime.h>\nvoid f(int *p) { cudaFree(p); }\n"
HIP = b"#include <hip/hip_runtime.h>\nvoid f(int *p) { hipFree(p); }\n"
BAD = b"#include <cuda_runtime.h>\n__global__ void p() { k<<<1, 1>>>(); }\n"
"""A kernel that launches a kernel, which is an error on AMD."""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder in which no configuration from further up counts."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plant(name: str, text: bytes = CUDA) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return path


def files(folder: str = ".") -> dict[str, bytes]:
    root = Path(folder)
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


class TestWhere:
    def test_one_file_goes_to_standard_output(self, here: Path, capfdbinary: object) -> None:
        plant("a.cu", CUDA.replace(b"\n", b"\r\n"))
        assert main(["-q", "a.cu"]) == 0
        out = capfdbinary.readouterr().out  # type: ignore[attr-defined]
        assert out == HIP.replace(b"\n", b"\r\n")
        assert list(files()) == ["a.cu"]

    @pytest.mark.parametrize("output", ["b.hip", "new/deep/b.hip"])
    def test_one_file_to_a_file(self, here: Path, output: str) -> None:
        plant("a.cu")
        assert main(["-q", "a.cu", "-o", output]) == 0
        assert Path(output).read_bytes() == HIP

    @pytest.mark.parametrize("output", ["out/", "there"])
    def test_one_file_into_a_folder(self, here: Path, output: str) -> None:
        plant("sub/a.cu")
        Path("there").mkdir()
        assert main(["-q", "sub/a.cu", "-o", output, "--rename", ".cu=.hip"]) == 0
        assert files(output) == {"a.hip": HIP}

    def test_a_folder_into_another(self, here: Path) -> None:
        plant("src/a.cu")
        plant("src/in/notes.txt", b"cudaFree\n")
        assert main(["-q", "src", "-o", "out"]) == 0
        assert files("out") == {"a.cu": HIP, "in/notes.txt": b"cudaFree\n"}
        assert files("src")["a.cu"] == CUDA

    def test_a_folder_in_place(self, here: Path) -> None:
        plant("src/a.cu")
        plant("src/b.h", b"int x;\n")
        assert main(["-q", "-i", "src"]) == 0
        assert files("src") == {"a.cu": HIP, "a.cu.orig": CUDA, "b.h": b"int x;\n"}
        assert main(["-q", "-i", "src"]) == 0
        assert len(files("src")) == 3

    def test_two_names_of_one_file_in_place(self, here: Path) -> None:
        os.link(plant("src/a.cu"), "src/b.cu")
        os.link("src/a.cu", "outside.cu")
        assert main(["-q", "-i", "src"]) == 0
        assert files() == {
            **{"outside.cu": CUDA, "src/a.cu": HIP, "src/a.cu.orig": CUDA, "src/b.cu": HIP}
        }
        assert main(["-q", "--check", "src"]) == 0

    def test_in_place_without_backup(self, here: Path) -> None:
        plant("a.cu")
        assert main(["-q", "-i", "--no-backup", "a.cu"]) == 0
        assert files() == {"a.cu": HIP}

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["src"], "src: is a folder: say where its translation goes with -o DIR or --in-place"),
            (["src/a.cu", "b.cu"], "several files: say where they go"),
            (["src", "-o", "src"], "is the source folder itself"),
            (["src", "-o", "b.cu"], "is a file, and a folder is needed"),
            (["b.cu", "-o", "b.cu"], "is the source itself: use --in-place"),
            (["b.cu", "-o", "./src/../b.cu"], "is the source itself"),
            (["b.cu", "-o", "x", "-i"], "-o and --in-place exclude each other"),
            (["b.cu", "--diff", "-i"], "--in-place and --diff or --check exclude each other"),
            (["empty", "-o", "out"], "empty: no source files in it"),
            (["-", "b.cu"], "cannot be mixed"),
            (["-", "-i"], "standard input cannot be replaced"),
            (["-", "-o", "src"], "is a folder: name a file"),
        ],
    )
    def test_what_makes_no_sense_is_said_and_nothing_written(
        self, here: Path, capfd: Capture, arguments: list[str], says: str
    ) -> None:
        plant("src/a.cu")
        plant("b.cu")
        plant("empty/README", b"")
        before = files()
        assert main(arguments) == 2
        assert says in capfd.readouterr().err
        assert files() == before


BOUNDS = b"#include <cuda_runtime.h>\n__global__ void __launch_bounds__(256, 2) k() {}\n"
"""What a HIP program needs a header of ours for."""


class TestSupportHeaders:
    def test_lie_beside_the_output_and_are_told(self, here: Path, capfd: Capture) -> None:
        plant("src/deep/a.cu", BOUNDS)
        assert main(["src", "-o", "out", "--fail-on", "none"]) == 0
        assert "hipify/launch_bounds.hpp" in files("out")
        assert "put beside it in out" in capfd.readouterr().err.replace("\\", "/")
        assert b'"../hipify/launch_bounds.hpp"' in Path("out/deep/a.cu").read_bytes()

    def test_come_only_where_they_are_used(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu")
        main(["src", "-o", "out"])
        assert list(files("out")) == ["a.cu"]
        assert "compile it with" not in capfd.readouterr().err

    def test_are_no_part_of_the_tree_in_a_second_run(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu", BOUNDS)
        main(["-i", "src", "--fail-on", "none"])
        first = files("src")
        assert "hipify/launch_bounds.hpp" in first
        capfd.readouterr()
        main(["-v", "-i", "src", "--fail-on", "none"])
        assert files("src") == first
        assert "launch_bounds.hpp: " not in capfd.readouterr().err

    def test_overwrite_nothing_for_good(self, here: Path) -> None:
        plant("src/a.cu", BOUNDS)
        plant("src/hipify/launch_bounds.hpp", b"// mine\n")
        main(["-q", "-i", "src", "--fail-on", "none"])
        there = files("src")
        assert there["hipify/launch_bounds.hpp.orig"] == b"// mine\n"
        assert b"min_waves_per_eu" in there["hipify/launch_bounds.hpp"]

    def test_are_found_in_the_package_by_who_pipes(self, here: Path, capfd: Capture) -> None:
        plant("a.cu", BOUNDS)
        main(["a.cu"])
        err = capfd.readouterr().err
        folder = (
            err[err.index("compile it with -I ") :]
            .splitlines()[0]
            .removeprefix("compile it with -I ")
        )
        assert (Path(folder) / "hipify/launch_bounds.hpp").is_file()
        assert list(files()) == ["a.cu"]


class TestStandardInput:
    def feed(self, monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))

    def test_to_standard_output(
        self, here: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
    ) -> None:
        self.feed(monkeypatch, CUDA)
        assert main(["-q", "-"]) == 0
        assert capfd.readouterr().out == HIP.decode()

    def test_findings_name_it(
        self, here: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
    ) -> None:
        self.feed(monkeypatch, BAD)
        assert main(["-"]) == 1
        assert "<stdin>:2:" in capfd.readouterr().err
        self.feed(monkeypatch, BAD)
        assert main(["-", "--stdin-name", "mine.cuh"]) == 1
        assert "mine.cuh:2:" in capfd.readouterr().err

    def test_to_a_file_as_difference_and_checked(
        self, here: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
    ) -> None:
        self.feed(monkeypatch, CUDA)
        assert main(["-q", "-", "-o", "b.hip"]) == 0
        assert files() == {"b.hip": HIP}
        self.feed(monkeypatch, CUDA)
        assert main(["-q", "-", "--check"]) == 1
        assert capfd.readouterr().out == "would change: <stdin>\n"
        self.feed(monkeypatch, CUDA)
        assert main(["-q", "-", "--diff"]) == 0
        assert capfd.readouterr().out.startswith("--- a/stdin.cu\n+++ b/stdin.cu\n@@ -1,2 +1,2 @@")


class TestWhatItSays:
    def test_findings_look_like_a_compilers(self, here: Path, capfd: Capture) -> None:
        plant("bad.cu", BAD)
        assert main(["bad.cu", "-o", "out.cu"]) == 1
        out, err = capfd.readouterr()
        first, remedy, summary = err.splitlines()
        assert first.startswith("bad.cu:2:24: error: ")
        assert first.endswith(" [device-launch]")
        assert remedy.startswith("  help: ")
        assert summary.startswith("hipify: 1 file, 1 changed in 1 place, 1 error, ")
        assert summary.endswith(" s")
        assert out == ""

    @pytest.mark.parametrize(
        ("least", "code"), [("error", 1), ("warning", 1), ("note", 1), ("none", 0)]
    )
    def test_fail_on(self, here: Path, least: str, code: int) -> None:
        plant("bad.cu", BAD)
        assert main(["-q", "bad.cu", "-o", "out.cu", "--fail-on", least]) == code

    def test_a_note_is_no_failure_unless_asked(self, here: Path, capfd: Capture) -> None:
        plant("a.cu", CUDA + b'const char *s = "cudaMalloc";\n')
        assert main(["a.cu", "-o", "b.cu"]) == 0
        assert ": note: " in capfd.readouterr().err
        assert main(["a.cu", "-o", "b.cu", "--fail-on", "note"]) == 1

    def test_quiet_leaves_errors(self, here: Path, capfd: Capture) -> None:
        plant("bad.cu", BAD + b'const char *s = "cudaMalloc";\n')
        assert main(["-q", "bad.cu", "-o", "out.cu"]) == 1
        err = capfd.readouterr().err
        assert ": error: " in err
        assert ": note: " not in err
        assert "hipify:" not in err

    def test_verbose_tells_of_every_file(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu")
        plant("src/b.h", b"int x;\n")
        plant("src/c.txt", b"")
        main(["-v", "src", "-o", "out"])
        err = capfd.readouterr().err
        for line in ("src/a.cu: translated -> out/a.cu", "src/b.h: unchanged -> out/b.h"):
            assert line.replace("/", os.sep) in err
        assert "2 files, 1 changed in 2 places, 1 more copied, no findings" in err

    def test_check_names_what_would_change(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu")
        plant("src/b.cu", HIP)
        assert main(["-q", "--check", "src"]) == 1
        assert capfd.readouterr().out == f"would change: {Path('src/a.cu')}\n"
        assert files("src") == {"a.cu": CUDA, "b.cu": HIP}
        assert main(["-q", "--check", "src/b.cu"]) == 0
        assert main(["-q", "--check", "src/b.cu", "--rename", ".cu=.hip"]) == 1

    def test_diff_is_for_patch(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu")
        plant("src/b.cu", HIP)
        assert main(["-q", "--diff", "src"]) == 0
        diff = capfd.readouterr().out
        assert diff.splitlines()[:2] == ["--- a/src/a.cu", "+++ b/src/a.cu"]
        assert "\x1b" not in diff
        assert main(["-q", "--diff", "--check", "src"]) == 1
        assert capfd.readouterr().out == diff
        main(["-q", "--diff", "--color", "always", "src"])
        coloured = capfd.readouterr().out
        assert "\x1b[32m+#include <hip/hip_runtime.h>\x1b[0m\n" in coloured
        done = subprocess.run(["git", "apply", "-"], input=diff.encode(), check=False)
        assert done.returncode == 0
        assert files("src")["a.cu"] == HIP

    def test_colours_only_where_they_are_wanted(
        self, here: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plant("bad.cu", BAD)
        arguments = ["bad.cu", "-o", "out.cu"]
        for setting, coloured in ((None, False), ("FORCE_COLOR", True), ("NO_COLOR", False)):
            if setting is not None:
                monkeypatch.setenv(setting, "1")
            main(arguments)
            assert ("\x1b[" in capfd.readouterr().err) is coloured
        main([*arguments, "--color", "always"])
        assert "\x1b[1;31merror:\x1b[0m" in capfd.readouterr().err

    def test_ignored_files_are_counted(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu")
        plant("src/gen/b.cu")
        plant(".gitignore", b"gen/\n")
        assert main(["--check", "src"]) == 1
        out, err = capfd.readouterr()
        assert "1 ignored by .gitignore" in err
        assert "b.cu" not in out
        main(["--check", "src", "--no-gitignore"])
        assert "b.cu" in capfd.readouterr().out


def test_patterns_are_expanded_where_no_shell_does_that(here: Path) -> None:
    for name in ("b.cu", "a.cu", "[x].cu"):
        plant(name)
    words = ["*.cu", "[x].cu", "no*.cu"]
    told = [path.name for path in paths_of(words, expand=True)]
    assert told == ["[x].cu", "a.cu", "b.cu", "[x].cu", "no*.cu"]
    assert [str(path) for path in paths_of(words, expand=False)] == words


class TestFailures:
    def test_one_file_fails_and_the_others_go_on(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu", "cudaFree(p);".encode("utf-16"))
        plant("src/b.cu")
        assert main(["src", "-o", "out"]) == 2
        err = capfd.readouterr().err
        assert f"{Path('src/a.cu')}: error: is UTF-16" in err
        assert "1 file, 1 changed in 2 places, 1 failed" in err
        assert files("out") == {"b.cu": HIP}

    @pytest.mark.skipif(os.name == "nt", reason="permission bits are POSIX")
    def test_read_only_sources_stay_and_are_said(self, here: Path, capfd: Capture) -> None:
        plant("src/a.cu").chmod(0o444)
        assert main(["-i", "src"]) == 2
        assert "is read-only" in capfd.readouterr().err
        assert files("src") == {"a.cu": CUDA}

    @pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() != 0,
        reason="only the superuser can run a process as somebody else",
    )
    def test_a_folder_and_files_that_others_own(self, here: Path) -> None:
        """As an ordinary user: an unreadable file, and a folder in which nothing can be made."""
        import tempfile

        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            root.chmod(0o755)
            plant(f"{name}/ok.cu").chmod(0o644)
            plant(f"{name}/secret.cu").chmod(0o600)
            (root / "locked").mkdir(0o700)
            plant(f"{name}/locked/c.cu")
            code = (
                "import sys, hipify.commands.translate, hipify.console, hipify.near, os\n"
                "from hipify.cli import main\nmain(['--check', sys.argv[1]])\n"
                "os.setgid(65534); os.setgroups([]); os.setuid(65534)\n"
                "print(main(['-q', '--check', sys.argv[1]]), main(['-q', '-i', sys.argv[1]]))\n"
            )
            before = {path.name: path.read_bytes() for path in root.rglob("*.cu")}
            done = subprocess.run(
                [sys.executable, "-c", code, name],
                env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.stdout.splitlines()[-1] == "2 2", done.stderr
            assert "secret.cu: error: cannot be read: Permission denied" in done.stderr
            assert "locked: error: the folder cannot be listed: Permission denied" in done.stderr
            assert "ok.cu: error: cannot write" in done.stderr
            assert {path.name: path.read_bytes() for path in root.rglob("*.cu")} == before

    def test_a_broken_configuration_ends_the_run(self, here: Path, capfd: Capture) -> None:
        plant("a.cu")
        plant("hipify.toml", b"tagret = 'roc'\n")
        assert main(["a.cu"]) == 2
        assert "hipify.toml: unknown setting 'tagret'; did you mean 'target'" in (
            capfd.readouterr().err
        )
        assert main(["-q", "a.cu", "--no-config"]) == 0

    @pytest.mark.skipif(os.name == "nt", reason="Windows sends no such signals")
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_run_that_is_stopped_leaves_whole_files_only(
        self, here: Path, number: signal.Signals
    ) -> None:
        text = CUDA * 800
        for at in range(120):
            plant(f"src/{at}.cu", text)
        # A shell's background jobs ignore interrupts, and would hand that down to the child.
        before = signal.signal(number, signal.SIG_DFL)
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "hipify", "src", "-o", "out", "-j2"],
                env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])},
                stderr=subprocess.PIPE,
            )
        finally:
            signal.signal(number, before)
        until = time.monotonic() + 60
        while not list(Path("out").glob("*.cu")) and process.poll() is None:
            assert time.monotonic() < until, "the run wrote nothing"
            time.sleep(0.01)
        process.send_signal(number)
        err = process.communicate()[1].decode()
        assert process.returncode == 128 + number, err
        assert "Traceback" not in err
        done = files("out")
        assert 0 < len(done) < 120
        assert all(name.endswith(".cu") and not name.startswith(".") for name in done)
        assert {len(text) for text in done.values()} == {len(next(iter(done.values())))}


class TestSettings:
    def test_configuration_counts_and_the_command_line_wins(self, here: Path) -> None:
        plant("proj/src/a.cu")
        plant("proj/src/skip/b.cu")
        plant(
            "proj/pyproject.toml",
            b'[tool.hipify]\nexclude = ["/src/skip"]\nbackup = false\nrename = {".cu" = ".hip"}\n',
        )
        assert main(["-q", "proj", "-o", "out"]) == 0
        assert files("out/src") == {"a.hip": HIP, "skip/b.cu": CUDA}
        assert main(["-q", "-i", "--backup", "proj"]) == 0
        assert files("proj/src") == {"a.cu.orig": CUDA, "a.hip": HIP, "skip/b.cu": CUDA}

    def test_an_explicit_configuration_replaces_the_nearest(
        self, here: Path, capfd: Capture
    ) -> None:
        plant("a.cu", BAD)
        plant("hipify.toml", b'fail-on = "none"\n')
        plant("other.toml", b'fail-on = "error"\n')
        assert main(["-q", "a.cu"]) == 0
        assert main(["-q", "a.cu", "--config", "other.toml"]) == 1
        assert main(["-q", "a.cu", "--fail-on", "warning"]) == 1

    def test_excludes_of_the_command_line(self, here: Path, capfd: Capture) -> None:
        for name in ("src/a.cu", "src/b_test.cu", "src/ext/c.cu"):
            plant(name)
        main(["-q", "--check", "src", "--exclude", "*_test.cu", "--exclude", "src/ext/"])
        assert capfd.readouterr().out == f"would change: {Path('src/a.cu')}\n"
        main(["-q", "--check", "src/b_test.cu", "--exclude", "*_test.cu"])
        assert "b_test.cu" in capfd.readouterr().out, "a file that is named is always taken"

    def test_extensions_replace_or_add(self, here: Path, capfd: Capture) -> None:
        for name in ("src/a.cu", "src/b.cuinc", "src/c.h"):
            plant(name)
        for given, expected in (
            (".cuinc", ["b"]),
            ("+.cuinc", ["a", "b", "c"]),
            (".CU,.h", ["a", "c"]),
        ):
            main(["-q", "--check", "src", "--extensions", given])
            told = capfd.readouterr().out.splitlines()
            assert [Path(line).stem for line in told] == expected

    def test_the_launch_syntax_by_either_name(self, here: Path, capfd: Capture) -> None:
        plant("a.cu", b"#include <cuda_runtime.h>\nvoid f() { k<<<1, 2>>>(); }\n")
        main(["-q", "a.cu"])
        assert "k<<<1, 2>>>()" in capfd.readouterr().out
        for option in (["--launch-syntax", "hip"], ["--hip-kernel-execution-syntax"]):
            main(["-q", "a.cu", *option])
            assert "hipLaunchKernelGGL(k, " in capfd.readouterr().out

    def test_includes_of_excluded_files_are_not_renamed(self, here: Path) -> None:
        text = b'#include "mine.cuh"\n#include "ext/theirs.cuh"\n'
        plant("src/a.cu", text)
        plant("src/mine.cuh", b"")
        plant("src/ext/theirs.cuh", b"")
        assert main(["-q", "src", "-o", "out", "--exclude", "ext", "--rename", ".cuh=.hpp"]) == 0
        assert files("out") == {
            "a.cu": text.replace(b"mine.cuh", b"mine.hpp"),
            **{"ext/theirs.cuh": b"", "mine.hpp": b""},
        }

    @pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
    def test_a_file_name_need_not_be_text(self, here: Path, capfdbinary: object) -> None:
        plant(os.fsdecode(b"src/\xff.cu"))
        for arguments, code in (["--check"], 1), (["--diff"], 0), (["-v", "-o", "out"], 0):
            assert main([*arguments, "src"]) == code
            out, err = capfdbinary.readouterr()  # type: ignore[attr-defined]
            assert b"Traceback" not in err
            assert b"\xff.cu" in out or Path(os.fsdecode(b"out/\xff.cu")).read_bytes() == HIP
        for name in ("text", "markdown", "json"):
            assert main(["report", "src", "--format", name]) == 0
            assert b"cudaFree" in capfdbinary.readouterr().out  # type: ignore[attr-defined]

    def test_workers_change_nothing(self, here: Path, capfd: Capture) -> None:
        padding = b"//" + b" " * 12_000 + b"\n"  # enough to make it worth workers
        for at in range(40):
            plant(f"src/{at % 7}/{at}.cu", (BAD if at % 5 == 0 else CUDA) + padding)
        told = []
        for jobs in ("1", "3"):
            main(["src", "-o", f"out{jobs}", "-j", jobs])
            lines = capfd.readouterr().err.splitlines()
            assert lines[-1].startswith("hipify: 40 files, 40 changed in ")
            told.append([line for line in lines if not line.startswith("hipify: ")])
        assert files("out1") == files("out3")
        assert told[0] == told[1]
