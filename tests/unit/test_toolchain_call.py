"""Starting programs: what a failure, a timeout or a missing program says."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from hipify.errors import ToolchainError
from hipify.toolchain.call import call


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_output_and_environment() -> None:
    done = call(python("import os; print(os.environ['GIVEN'])"), env={"GIVEN": "yes"})
    assert (done.ok, done.stdout.strip()) == (True, "yes")


def test_a_failure_tells_the_status_the_command_and_the_last_words() -> None:
    with pytest.raises(ToolchainError) as caught:
        call(python("import sys; sys.stderr.write('first\\nno space\\n'); sys.exit(3)"))
    assert "exit status 3" in str(caught.value)
    assert "no space" in str(caught.value)


def test_without_check_a_failure_is_a_result() -> None:
    assert call(python("raise SystemExit(4)"), check=False).status == 4


def test_a_missing_program_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ToolchainError, match="cannot run /no/such/program"):
        call(["/no/such/program"])
    with pytest.raises(ToolchainError, match="is no folder"):
        call(python(""), cwd=tmp_path / "gone")


def test_a_program_that_hangs_is_stopped_with_its_children() -> None:
    spawn = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    with pytest.raises(ToolchainError, match="stopped after 1 s"):
        call(python(spawn), timeout=1)


def test_every_command_goes_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "hipify.call"):
        call(python("pass"))
    assert "-c pass" in caplog.text


def test_bytes_that_are_no_text_do_not_harm() -> None:
    done = call(python("import sys; sys.stdout.buffer.write(b'a\\xffb')"))
    assert done.stdout == "a\ufffdb"
