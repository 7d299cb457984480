"""`hipify run` on a made-up platform: its programs are Python scripts."""

import json
import sys
from pathlib import Path

import pytest

from hipify.cli import main
from hipify.errors import ToolchainError
from hipify.targets import platform as registry
from hipify.targets.platform import Built, Device, Executable, Job, platform, platform_names
from hipify.targets.platforms.amd import gpus
from hipify.toolchain.execute import execute


class Scripts:
    """Runs main.py of a tree."""

    name = "scripts"

    def __init__(self, *names: str) -> None:
        self.names = names
        self.jobs: list[Job] = []

    def devices(self) -> tuple[Device, ...]:
        return (Device("Interpreter", "py3", {"cores": "1"}),)

    def build(self, job: Job, archs: tuple[str, ...]) -> Built:
        self.jobs.append(job)
        programs = (Executable(n, job.paths[0] / f"{n}.py", (sys.executable,)) for n in self.names)
        return Built(tuple(programs))


class Absent(Scripts):
    def devices(self) -> tuple[Device, ...]:
        raise ToolchainError("no such thing here")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def use(monkeypatch: pytest.MonkeyPatch, **platforms: Scripts) -> None:
    monkeypatch.setattr(registry, "platform_names", lambda: sorted(platforms))
    monkeypatch.setattr(registry, "platform", platforms.__getitem__)


def test_arguments_and_exit_code_are_the_programs(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tree / "main.py").write_text("import sys\nprint(sys.argv[1:])\nsys.exit(7)\n")
    use(monkeypatch, scripts=Scripts("main"))
    assert main(["run", str(tree), "--", "-n", "5", "--", "x"]) == 7
    captured = capfd.readouterr()
    assert captured.out == "['-n', '5', '--', 'x']\n"
    assert "ended with exit status 7" in captured.err


def test_a_program_that_takes_too_long_is_stopped(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tree / "main.py").write_text("import time\ntime.sleep(60)\n")
    use(monkeypatch, scripts=Scripts("main"))
    assert main(["run", str(tree), "--timeout", "0.5"]) == 124
    assert "was stopped after" in capfd.readouterr().err


def test_the_device_and_the_output_as_data(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "main.py").write_text("print('hello')\n")
    use(monkeypatch, scripts=Scripts("main"))
    assert main(["run", str(tree), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stdout"] == "hello\n"
    assert found["devices"] == [{"name": "Interpreter", "arch": "py3", "cores": "1"}]
    assert (found["status"], found["timed_out"]) == (0, False)


def test_several_programs_must_be_chosen_from(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tree / "b.py").write_text("print('b')\n")
    use(monkeypatch, scripts=Scripts("a", "b"))
    assert main(["run", str(tree)]) == 2
    assert "--program takes one of a b" in capfd.readouterr().err
    assert main(["run", str(tree), "--program", "b"]) == 0
    assert capfd.readouterr().out == "b\n"


def test_a_platform_without_a_device_is_passed_over(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "main.py").write_text("")
    scripts = Scripts("main")
    use(monkeypatch, absent=Absent("main"), scripts=scripts)
    assert main(["run", str(tree)]) == 0
    assert len(scripts.jobs) == 1


def test_without_any_device_each_platform_says_why(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use(monkeypatch, absent=Absent("main"))
    assert main(["run", str(tree)]) == 2
    said = capsys.readouterr().err
    assert "there is no GPU here to run on" in said
    assert "no such thing here" in said


def test_options_reach_the_build(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "main.py").write_text("")
    scripts = Scripts("main")
    use(monkeypatch, scripts=scripts)
    main(
        ["run", str(tree), "-I", "inc", "-D", "N=1", "--std", "c++20", "-l", "m", "--no-translate"]
    )
    (job,) = scripts.jobs
    assert job.include == (tree / "inc",)
    assert (job.define, job.std, job.link, job.translate) == (("N=1",), "c++20", ("-lm",), False)


def test_the_platforms_of_this_installation() -> None:
    assert {"amd", "nvidia"} <= set(platform_names())
    for name in platform_names():
        assert platform(name).name == name


def test_a_killed_program_is_told_as_such() -> None:
    code = "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n"
    done = execute([sys.executable, "-c", code], timeout=60)
    assert done.how == "was killed by SIGTERM"


def test_gpus_among_the_agents_of_rocminfo() -> None:
    text = """
*******
Agent 1
*******
  Name:                    AMD EPYC
  Marketing Name:          AMD EPYC
  Device Type:             CPU
*******
Agent 2
*******
  Name:                    gfx942
  Marketing Name:          AMD Instinct MI300X
  Device Type:             GPU
  Compute Unit:            304
  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-
"""
    (device,) = gpus(text)
    assert (device.name, device.arch) == ("AMD Instinct MI300X", "gfx942")
    assert device.properties["Compute Unit"] == "304"
