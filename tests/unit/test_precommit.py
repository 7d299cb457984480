"""The pre-commit hooks name files that hipify translates and options that it has."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hipify import cli
from hipify.cli import main
from hipify.walk import EXTENSIONS

ROOT = Path(cli.__file__).parents[1]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
CUDA = b"#include <cuda_runtime.h>\nvoid f(int *p) { cudaFree(p); }\n"


def arguments(hook: str) -> list[str]:
    """What pre-commit runs, without the files."""
    program, *rest = shlex.split(HOOKS[hook]["entry"])
    assert program == "hipify"
    return rest


def test_there_are_two_hooks_in_one_process_each() -> None:
    assert set(HOOKS) == {"hipify", "hipify-check"}
    for hook in HOOKS.values():
        assert hook["language"] == "python"
        assert hook["require_serial"] is True, "hipify uses all processors by itself"


@pytest.mark.parametrize("hook", HOOKS)
def test_hooks_take_all_source_extensions_and_no_other(hook: str) -> None:
    wanted = HOOKS[hook]["files"]
    for extension in EXTENSIONS:
        assert re.search(wanted, f"src/a{extension}")
        assert re.search(wanted, f"src/a{extension.upper()}")
    for name in ("a.py", "a.cu.orig", "cu", "a.cux", "a.hpp.in", "Makefile"):
        assert not re.search(wanted, name)


def test_the_check_hook_changes_nothing_and_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(CUDA)
    assert main([*arguments("hipify-check"), str(path)]) == 1
    assert "would change" in capfd.readouterr().out
    assert path.read_bytes() == CUDA


def test_the_translating_hook_changes_the_file_and_leaves_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(CUDA)
    assert main([*arguments("hipify"), str(path)]) == 0
    assert b"hipFree" in path.read_bytes()
    assert [each.name for each in tmp_path.iterdir()] == ["a.cu"]
    assert main([*arguments("hipify-check"), str(path)]) == 0


@pytest.mark.skipif(shutil.which("pre-commit") is None, reason="pre-commit is not installed")
def test_pre_commit_itself_runs_them(tmp_path: Path) -> None:
    """With the entries as local hooks, so that nothing is cloned and nothing installed."""
    hooks = [{**hook, "language": "system"} for hook in HOOKS.values()]
    for hook in hooks:
        hook["entry"] = f"{shlex.quote(sys.executable)} -m {hook['entry']}"
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "a.cu").write_bytes(CUDA)
    (tmp_path / "notes.txt").write_bytes(b"cudaFree\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PRE_COMMIT_HOME": str(tmp_path / ".cache")}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    run("git", "init", "-q")
    run("git", "add", "a.cu", "notes.txt")
    checked = run("pre-commit", "run", "hipify-check")
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert "would change: a.cu" in checked.stdout
    assert run("pre-commit", "run", "hipify").returncode == 1, "pre-commit sees that files changed"
    assert b"hipFree" in (tmp_path / "a.cu").read_bytes()
    assert (tmp_path / "notes.txt").read_bytes() == b"cudaFree\n"
    run("git", "add", "a.cu")
    assert run("pre-commit", "run").returncode == 0
