"""Dispatch: commands, the default verb, exit codes, and no traceback where a sentence will do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hipify import __version__, cli
from hipify.cli import main

CUDA = b"#include <cuda_runtime.h>\nvoid f(int *p) { cudaFree(p); }\n"


def spawn(*arguments: str, cwd: Path, **more: object) -> subprocess.CompletedProcess[bytes]:
    """hipify as a process of its own."""
    root = str(Path(cli.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": root}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "hipify", *arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        check=False,
        **more,
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()  # no configuration from further up
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_bytes(CUDA)
    return tmp_path


def test_version_imports_next_to_nothing(here: Path) -> None:
    code = (
        "import sys; before = set(sys.modules); from hipify.cli import main; main(['--version'])\n"
        "print(*sorted(name for name in set(sys.modules) - before if 'hipify' in name))\n"
        "print(*(set(sys.modules) & {'argparse', 'rich', 'yaml', 're', 'pathlib'} - before))"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"hipify {__version__}", "hipify hipify.cli", ""]


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    for name in cli._names():
        assert f"\n  {name} " in told
    assert {"translate", "report", "explain"} <= set(cli._names())


@pytest.mark.parametrize("name", cli._names())
def test_every_command_has_a_help_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"usage: hipify {name}" in capsys.readouterr().out


def test_no_argument_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage: hipify")


def test_translate_is_the_default_verb(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["a.cu"]) == 0
    alone = capfd.readouterr().out
    assert "hipFree" in alone
    assert main(["translate", "a.cu"]) == 0
    assert capfd.readouterr().out == alone
    assert main(["--quiet", "a.cu"]) == 0
    assert capfd.readouterr() == (alone, "")


def test_paths_and_options_come_in_any_order(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "b.cu").write_bytes(CUDA)
    assert main(["a.cu", "-q", "b.cu", "--check", "--", "a.cu"]) == 1
    assert capfd.readouterr().out == "would change: a.cu\nwould change: b.cu\n"


def test_a_file_without_extension_is_no_unknown_command(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (here / "kernel").write_bytes(CUDA)
    assert main(["kernel"]) == 0
    assert "hipFree" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tranlsate", "a.cu"], "did you mean 'translate'"),
        (["zzzzzz"], "'zzzzzz' is neither a command nor a file or folder"),
        (["missing.cu"], "missing.cu: no such file or folder"),
        (["translate"], "the following arguments are required: PATH"),
        (["a.cu", "--no-such-option"], "unrecognized arguments: --no-such-option"),
        (["a.cu", "--target", "sycl"], "invalid choice: 'sycl'"),
        (["a.cu", "--rocm", "new"], "--rocm: not a version: 'new'"),
        (["a.cu", "-j", "0"], "must be a number from 1"),
        (["a.cu", "--rename", "cu=hip"], "must be like .cu=.hip"),
        (["a.cu", "--extensions", "cu"], "extensions start with a dot"),
        (["a.cu", "--config", "no.toml"], "no.toml: cannot be read"),
        (["report", "missing"], "missing: no such file or folder"),
        (["explain", "kernel-lunch"], "did you mean 'kernel-launch'"),
    ],
)
def test_wrong_usage_is_said_and_exits_with_2(
    here: Path, arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert says in err
    assert (out, "Traceback" in err) == ("", False)


def test_our_own_fault_is_short_unless_debug_asks(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(name: str) -> None:
        raise RuntimeError("loose screw")

    monkeypatch.setattr(cli, "_command", broken)
    assert main(["a.cu"]) == 2
    told = capsys.readouterr().err
    assert "hipify: internal error: RuntimeError: loose screw" in told
    assert "report it" in told
    assert "Traceback" not in told
    assert main(["a.cu", "--debug"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_is_no_traceback(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_command", interrupted)
    assert main(["a.cu"]) == 130
    assert capsys.readouterr().err == "hipify: interrupted\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_reader_that_leaves_early_is_no_error(here: Path) -> None:
    read, write = os.pipe()
    root = str(Path(cli.__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, "-m", "hipify", "-q", "a.cu"],
        env={**os.environ, "PYTHONPATH": root},
        stdout=write,
        stderr=subprocess.PIPE,
    )
    os.close(write)
    os.close(read)
    assert process.communicate()[1] == b""
    assert process.returncode == 141


def test_as_a_module(here: Path) -> None:
    done = spawn("a.cu", cwd=here)
    assert (done.returncode, b"hipFree" in done.stdout) == (0, True)
    assert spawn("--version", cwd=here).stdout == f"hipify {__version__}\n".encode().replace(
        b"\n", os.linesep.encode()
    )
