"""Toolchains in made-up file systems: what is found, in which order, and why the rest is not."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from hipify.cli import main
from hipify.errors import ToolchainError
from hipify.toolchain.detect import Machine, candidates, find_toolchain, hip_version
from hipify.toolchain.prefix import MANIFEST, default_prefix
from hipify.toolchain.private_tree import WAVEFRONT_HEADER

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the fake compilers are shell scripts"
)

CLANG = """\
#!/bin/sh
case "$*" in
  *--version*) echo "vendor clang version {version} (somewhere)" ;;
  *--print-supported-cpus*) printf 'CPUs:\\n{cpus}' >&2 ;;
esac
"""


def fake_clang(path: Path, version: str = "19.0.0", cpus: str = "gfx90a gfx942 gfx1100") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"\\t{cpu}\\n" for cpu in cpus.split())
    path.write_text(CLANG.format(version=version, cpus=lines))
    path.chmod(0o755)


def fake_headers(include: Path, version: tuple[int, int, int] = (6, 4, 3)) -> None:
    (include / "hip").mkdir(parents=True, exist_ok=True)
    names = zip(("MAJOR", "MINOR", "PATCH"), version, strict=True)
    text = "".join(f"#define HIP_VERSION_{name} {number}\n" for name, number in names)
    (include / "hip" / "hip_version.h").write_text(text)


def fake_bitcode(folder: Path, archs: str = "90a 942 1100 9-generic") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for arch in archs.split():
        (folder / f"oclc_isa_version_{arch}.bc").touch()


def fake_rocm(root: Path, version: tuple[int, int, int] = (6, 4, 3)) -> Path:
    fake_clang(root / "llvm" / "bin" / "clang++")
    fake_headers(root / "include", version)
    fake_bitcode(root / "amdgcn" / "bitcode")
    (root / "include" / "hipblas").mkdir()
    (root / "include" / "hipblas" / "hipblas.h").touch()
    return root


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """An empty machine whose user has a home and nothing on PATH."""
    (tmp_path / "usr" / "bin").mkdir(parents=True)
    shutil.copy("/bin/sh", tmp_path / "usr" / "bin" / "sh")
    return Machine(
        tmp_path, {"HOME": str(tmp_path / "home"), "PATH": str(tmp_path / "usr" / "bin")}
    )


def with_env(machine: Machine, **more: str) -> Machine:
    return Machine(machine.files, {**machine.env, **more})


def test_an_empty_machine_names_every_place_and_the_remedy(machine: Machine) -> None:
    with pytest.raises(ToolchainError) as caught:
        find_toolchain(machine)
    message = str(caught.value)
    assert "hipify toolchain install" in message
    assert "hip_version.h is missing" in message
    assert "not installed" in message


def test_rocm_in_opt(machine: Machine) -> None:
    root = fake_rocm(machine.at("/opt/rocm-6.4.3"))
    found = find_toolchain(machine)
    assert found.root == root
    assert found.hip_version == (6, 4, 3)
    assert found.clang_version == (19, 0, 0)
    assert found.archs == ("gfx90a", "gfx942", "gfx1100")
    assert found.libraries == ("hipBLAS",)


def test_only_targets_that_compiler_and_device_libraries_share(machine: Machine) -> None:
    root = fake_rocm(machine.at("/opt/rocm"))
    fake_clang(root / "llvm" / "bin" / "clang++", cpus="gfx906 gfx90a gfx1250")
    assert find_toolchain(machine).archs == ("gfx90a",)


def test_the_newest_numbered_one_first_and_a_link_to_it_only_once(machine: Machine) -> None:
    fake_rocm(machine.at("/opt/rocm-6.10.0"), (6, 10, 0))
    fake_rocm(machine.at("/opt/rocm-6.9.1"), (6, 9, 1))
    (machine.files / "opt" / "rocm").symlink_to("rocm-6.9.1")
    versions = [c.toolchain.hip_version for c in candidates(machine) if c.toolchain]
    assert versions == [(6, 9, 1), (6, 10, 0)], "the link is the administrator's choice"


def test_rocm_path_goes_before_opt_and_hipify_toolchain_before_it(machine: Machine) -> None:
    fake_rocm(machine.at("/opt/rocm"))
    mine = fake_rocm(machine.at("/mine"))
    other = fake_rocm(machine.at("/other"))
    assert find_toolchain(with_env(machine, ROCM_PATH=str(mine))).root == mine
    both = with_env(machine, ROCM_PATH=str(mine), HIPIFY_TOOLCHAIN=str(other))
    assert find_toolchain(both).root == other


def test_hipcc_on_path_through_links(machine: Machine) -> None:
    root = fake_rocm(machine.at("/srv/rocm-7.0.0"), (7, 0, 0))
    (root / "bin").mkdir()
    fake_clang(root / "bin" / "hipcc")
    (machine.files / "usr" / "bin" / "hipcc").symlink_to(root / "bin" / "hipcc")
    found = find_toolchain(machine)
    assert (found.origin, found.root) == ("hipcc on PATH", root)


def test_nvcc_beside_it_changes_nothing(machine: Machine) -> None:
    fake_rocm(machine.at("/opt/rocm"))
    fake_clang(machine.at("/usr/bin/nvcc"))
    flags = find_toolchain(machine).base_flags
    assert "-isystem" in flags, "headers of ours go before those in /usr/include"


def test_a_distribution_takes_the_newest_clang_with_device_libraries(machine: Machine) -> None:
    fake_headers(machine.at("/usr/include"), (5, 2, 3))
    fake_clang(machine.at("/usr/bin/clang++-15"), "15.0.6")
    fake_clang(machine.at("/usr/bin/clang++-19"), "19.1.4", "gfx90a gfx942")
    fake_bitcode(machine.at("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"))
    found = find_toolchain(machine)
    assert (found.origin, found.clang_version) == ("distribution", (19, 1, 4))
    assert "-isystem" not in found.base_flags, "/usr/include must keep its place"


def test_a_clang_without_amdgpu_is_passed_over_with_a_reason(machine: Machine) -> None:
    fake_headers(machine.at("/usr/include"))
    fake_clang(machine.at("/usr/bin/clang++-20"), cpus="")
    fake_clang(machine.at("/usr/bin/clang++-19"))
    fake_bitcode(machine.at("/usr/lib/clang/19/amdgcn/bitcode"))
    first, second, *_ = candidates(machine)
    assert "no AMDGPU target" in first.reason
    assert second.toolchain is not None


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        ("include/hip/hip_version.h", "hip_version.h is missing"),
        ("llvm/bin/clang++", "no compiler"),
        ("amdgcn/bitcode", "no device libraries"),
    ],
)
def test_what_is_missing_is_named(machine: Machine, lost: str, reason: str) -> None:
    root = fake_rocm(machine.at("/opt/rocm"))
    path = root / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    first = next(candidates(machine))
    assert first.toolchain is None
    assert reason in first.reason


def test_a_chosen_folder_is_the_only_place(machine: Machine, tmp_path: Path) -> None:
    fake_rocm(machine.at("/opt/rocm"))
    (found,) = candidates(machine, tmp_path / "nothing")
    assert (found.origin, found.reason) == ("--toolchain", "there is no such folder")


def test_the_command_tells_what_is_used_and_why_not(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    root = fake_rocm(machine.at("/opt/rocm"))
    assert main(["toolchain", "status", "--toolchain", str(root), "--no-probe"]) == 0
    text = capsys.readouterr().out
    assert "used: HIP 6.4.3, clang 19.0.0" in text
    assert "targets: gfx90a gfx942 gfx1100" in text
    assert "cannot build: gfx906" in text
    assert main(["toolchain", "status", "--toolchain", str(root), "--format", "json"]) == 1
    (entry,) = json.loads(capsys.readouterr().out)["candidates"]
    assert not entry["usable"]
    assert "does not compile a kernel" in entry["reason"], "the fake compiler makes no object"


def test_the_path_of_the_toolchain_for_scripts(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    root = fake_rocm(machine.at("/opt/rocm"))
    assert main(["toolchain", "path", "--prefix", str(root)]) == 0
    assert capsys.readouterr().out == f"{root}\n"
    assert main(["toolchain", "path", "--prefix", str(root / "gone")]) == 2


def private(prefix: Path, made_for: Path) -> None:
    fake_rocm(prefix / "rocm")
    manifest = {
        "format": 1,
        "prefix": str(made_for),
        "llvm": 21,
        "triple": "x86_64-linux-gnu",
        "libraries": [],
        "stubs": [],
        "patches": [],
        "packages": [],
    }
    (prefix / MANIFEST).write_text(json.dumps(manifest))


def test_a_private_toolchain_links_with_its_stubs(machine: Machine) -> None:
    prefix = machine.at("/home/.local/share/hipify/toolchain")
    private(prefix, prefix)
    found = find_toolchain(machine)
    assert found.origin == "private"
    assert f"-L{prefix}/rocm/stub" in found.link_flags
    assert "-include" not in found.base_flags
    (prefix / "rocm" / "include" / WAVEFRONT_HEADER).touch()
    real = find_toolchain(with_env(machine, HIPIFY_LINK="real"))
    assert "-include" in real.base_flags, "what clang 22 lacks"
    assert f"-L{prefix}/rocm/lib" in real.link_flags


def test_a_moved_private_toolchain_is_not_used_and_the_repair_is_named(machine: Machine) -> None:
    prefix = machine.at("/elsewhere")
    private(prefix, machine.at("/where/it/was"))
    (found,) = candidates(machine, prefix)
    assert f"hipify toolchain install --prefix {prefix}" in found.reason


def test_the_data_folder_follows_the_environment(tmp_path: Path) -> None:
    assert default_prefix({"HIPIFY_TOOLCHAIN": str(tmp_path)}) == tmp_path
    assert default_prefix({"XDG_DATA_HOME": "/data"}) == Path("/data/hipify/toolchain")
    assert default_prefix({"HOME": "/h"}) == Path("/h/.local/share/hipify/toolchain")


def test_a_version_header_without_numbers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hip").mkdir()
    (tmp_path / "hip" / "hip_version.h").write_text("#define OTHER 1\n")
    with pytest.raises(ToolchainError, match="HIP_VERSION_MAJOR"):
        hip_version(tmp_path)
