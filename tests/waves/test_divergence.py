"""Translated warp functions on real code objects for 32- and 64-lane waves, run on the emulated GPU."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify.emulator import build_runtime, find_tools, run_program
from hipify.errors import ToolchainError
from hipify.options import Options
from hipify.pipeline import translate_bytes
from hipify.toolchain.detect import Machine, find_toolchain
from hipify.toolchain.model import Toolchain
from hipify.tree.support import INCLUDE_FOLDER, install

pytestmark = pytest.mark.toolchain

HERE = Path(__file__).parent
CORPUS = HERE.parent.parent / "corpus"
PROGRAMS = {
    "divergence": HERE / "divergence.cu",
    **{
        name: CORPUS / name / "main.cu"
        for name in ("warp-vote", "reduce-shuffle", "spmv-csr", "ptx-lane-id", "cooperative-groups")
    },
}


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    try:
        return find_toolchain(Machine())
    except ToolchainError as error:
        pytest.skip(f"no compiler for AMD GPUs (hipify toolchain install gives one): {error}")


def _program(source: Path, folder: Path, arch: str, toolchain: Toolchain, policy: str) -> Path:
    options = Options(wave_policy=policy, rocm=toolchain.hip_version[:2])
    result = translate_bytes(source.read_bytes(), options, str(source))
    translated = folder / "main.hip"
    translated.write_bytes(result.data)
    install(result.support_headers, folder)
    library = build_runtime(find_tools(toolchain.root)).folder
    program = folder / "program"
    command = [
        *(str(toolchain.clang), "-x", "hip", str(translated), f"--offload-arch={arch}", "-O2"),
        *(*toolchain.base_flags, "-DHIP_ENABLE_WARP_SYNC_BUILTINS", "-w", "--hip-link"),
        *("-o", str(program), f"-L{library}", "-lamdhip64", "-lstdc++", "-lm"),
    ]
    subprocess.run(command, check=True)
    return program


@pytest.mark.parametrize(
    ("name", "arch"),
    [
        *(("divergence", arch) for arch in ("gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201")),
        *(
            (name, arch)
            for name in PROGRAMS
            if name != "divergence"
            for arch in ("gfx90a", "gfx1100")
        ),
    ],
)
def test_warps_of_32_lanes_compute_the_same_everywhere(
    name: str, arch: str, toolchain: Toolchain, tmp_path: Path
) -> None:
    if arch not in toolchain.archs:
        pytest.skip(f"{toolchain.clang} does not build for {arch}")
    program = _program(PROGRAMS[name], tmp_path, arch, toolchain, "logical32")
    done = run_program(program, arch, timeout=300, tools=find_tools(toolchain.root))
    assert done.stdout.decode().splitlines()[-1] == "PASS", done.stdout.decode()
    assert done.returncode == 0


@pytest.mark.parametrize("arch", ["gfx90a", "gfx1100"])
def test_whole_waves_compute_the_same_where_a_program_allows_them(
    arch: str, toolchain: Toolchain, tmp_path: Path
) -> None:
    program = _program(PROGRAMS["spmv-csr"], tmp_path, arch, toolchain, "native")
    assert b"hipify::" not in (tmp_path / "main.hip").read_bytes()
    done = run_program(program, arch, timeout=300, tools=find_tools(toolchain.root))
    assert done.stdout.decode().splitlines()[-1] == "PASS", done.stdout.decode()


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201"])
def test_all_headers_compile_for_every_target(
    arch: str, toolchain: Toolchain, tmp_path: Path
) -> None:
    if arch not in toolchain.archs:
        pytest.skip(f"{toolchain.clang} does not build for {arch}")
    headers = sorted(path.name for path in (INCLUDE_FOLDER / "hipify").glob("*.hpp"))
    text = "".join(f'#include "hipify/{name}"\n' for name in headers)
    (tmp_path / "all.hip").write_text(text)
    command = [
        *(str(toolchain.clang), "-x", "hip", str(tmp_path / "all.hip"), "-fsyntax-only"),
        *(*toolchain.base_flags, f"--offload-arch={arch}", f"-I{INCLUDE_FOLDER}"),
        *("-std=c++14", "-Wall", "-Wextra", "-Werror", "-Wno-unused-command-line-argument"),
    ]
    subprocess.run(command, check=True)
