"""Looks for compilers that build HIP for AMD GPUs; says why each place is of use or not."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.toolchain.call import call
from hipify.toolchain.model import LIBRARY_HEADERS, Candidate, Toolchain
from hipify.toolchain.prefix import Manifest, data_folder
from hipify.toolchain.private_tree import WAVEFRONT_HEADER, link_flags
from hipify.version import Version

INSTALL_REMEDY = "`hipify toolchain install` provisions a private one without touching the system"
CLANG_IN_ROOT = ("llvm/bin/clang++", "lib/llvm/bin/clang++", "lib64/rocm/llvm/bin/clang++")
BITCODE_IN_ROOT = ("amdgcn/bitcode", "lib/amdgcn/bitcode", "lib/x86_64-linux-gnu/amdgcn/bitcode")
TRIPLE = "amdgcn-amd-amdhsa"
ISA_FILE = re.compile(r"oclc_isa_version_([0-9a-f]+)(?:\.amdgcn)?\.bc")
NEWEST_CLANG, OLDEST_CLANG = 40, 13


@dataclass(frozen=True)
class Machine:
    """What detection may look at: a file system and an environment."""

    files: Path = Path("/")
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def at(self, path: str) -> Path:
        """An absolute path of this machine."""
        return self.files / path.lstrip("/")

    def which(self, program: str) -> Path | None:
        """The program as PATH finds it."""
        found = shutil.which(program, path=self.env.get("PATH", ""))
        return Path(found) if found else None


def find_toolchain(machine: Machine, chosen: Path | None = None) -> Toolchain:
    """The first usable toolchain; `chosen` is the only place looked at when given.

    Raises ToolchainError that names every place looked at and what it lacks.
    """
    tried = []
    for candidate in candidates(machine, chosen):
        if candidate.toolchain is not None:
            return candidate.toolchain
        tried.append(f"{candidate.origin} ({candidate.where}): {candidate.reason}")
    raise ToolchainError("\n  ".join([f"no compiler for AMD GPUs; {INSTALL_REMEDY}", *tried]))


def candidates(machine: Machine, chosen: Path | None = None) -> Iterator[Candidate]:
    """Every place where a toolchain may be, in the order of preference, lazily and each once."""
    seen: set[Path] = set()
    places = [("--toolchain", chosen)] if chosen is not None else _places(machine)
    for origin, place in places:
        if not place.exists():
            yield Candidate(origin, str(place), reason="there is no such folder")
            continue
        root = _root_of(place)
        if root.resolve() in seen:
            continue
        seen.add(root.resolve())
        yield _examined(origin, place, root, machine)
    if chosen is None:
        yield from _distribution(machine, seen)
        yield from _private_default(machine, seen)


def _places(machine: Machine) -> Iterator[tuple[str, Path]]:
    for variable in ("HIPIFY_TOOLCHAIN", "ROCM_PATH"):
        if value := machine.env.get(variable):
            yield f"${variable}", Path(value)
    opt = machine.at("/opt")
    for path in sorted(opt.glob("rocm*"), key=_version_of_name, reverse=True):
        if path.is_dir():
            yield "/opt", path
    hipcc = machine.which("hipcc")
    if hipcc is not None:
        root = hipcc.resolve().parent.parent
        if root.resolve() != machine.at("/usr").resolve():
            yield "hipcc on PATH", root


def _private_default(machine: Machine, seen: set[Path]) -> Iterator[Candidate]:
    place = data_folder(machine.env) / "hipify" / "toolchain"
    if not place.exists():
        yield Candidate("private", str(place), reason=f"not installed: {INSTALL_REMEDY}")
    elif _root_of(place).resolve() not in seen:
        yield _examined("private", place, _root_of(place), machine)


def _version_of_name(path: Path) -> tuple[bool, Version]:
    """Sorts `/opt/rocm` itself, the administrator's choice, above the numbered ones."""
    return path.name == "rocm", tuple(int(n) for n in re.findall(r"\d+", path.name))


def _root_of(place: Path) -> Path:
    """The ROCm tree of a place: private toolchains hold theirs in `rocm`."""
    inner = place / "rocm"
    return inner if (inner / "include" / "hip").is_dir() else place


def _examined(origin: str, place: Path, root: Path, machine: Machine) -> Candidate:
    """The candidate for a tree laid out like /opt/rocm."""
    try:
        manifest = Manifest.of(root.parent) if root != place or root.name == "rocm" else None
        if manifest is not None and Path(manifest.prefix) != root.parent.resolve():
            raise ToolchainError(
                f"it was made for {manifest.prefix} and has been moved: "
                f"`hipify toolchain install --prefix {root.parent}` repairs it"
            )
        clang = _clang_of(root, machine)
        bitcode = _first(root / part for part in BITCODE_IN_ROOT) or _bitcode_of(clang, machine)
        if bitcode is None:
            raise ToolchainError(f"no device libraries: {root / BITCODE_IN_ROOT[0]} is missing")
        found = examine(origin, root, clang, bitcode)
        if manifest is not None:
            found = _privately(found, machine)
        return Candidate(origin, str(place), found)
    except ToolchainError as error:
        return Candidate(origin, str(place), reason=str(error))


def _privately(toolchain: Toolchain, machine: Machine) -> Toolchain:
    """A toolchain of ours, with what its wrappers would add."""
    header = toolchain.include / WAVEFRONT_HEADER
    real = machine.env.get("HIPIFY_LINK") == "real"
    return replace(
        toolchain,
        flags=("-include", str(header)) if header.is_file() else (),
        link_flags=link_flags(toolchain.root.parent, real),
    )


def _clang_of(root: Path, machine: Machine) -> Path:
    if chosen := machine.env.get("HIP_CLANG_PATH"):
        clang = Path(chosen) / "clang++"
        if not clang.is_file():
            raise ToolchainError(f"$HIP_CLANG_PATH holds no clang++: {clang}")
        return clang
    clang_in_root = _first(root / part for part in CLANG_IN_ROOT)
    if clang_in_root is None:
        raise ToolchainError(f"no compiler: {root / CLANG_IN_ROOT[0]} is missing")
    return clang_in_root


def _first(paths: Iterator[Path]) -> Path | None:
    return next((path for path in paths if path.exists()), None)


def _distribution(machine: Machine, seen: set[Path]) -> Iterator[Candidate]:
    """HIP from a distribution's own packages: headers in /usr/include, clang++-NN."""
    origin = "distribution"
    include = machine.at("/usr/include")
    if not (include / "hip" / "hip_version.h").is_file():
        yield Candidate(origin, str(include), reason="no HIP headers: hip/hip_version.h is missing")
        return
    found = False
    for clang in _distribution_clangs(machine):
        if clang.resolve() in seen:
            continue
        seen.add(clang.resolve())
        found = True
        bitcode = _bitcode_of(clang, machine)
        if bitcode is None:
            yield Candidate(
                origin, str(clang), reason="no device libraries: amdgcn/bitcode is missing"
            )
            continue
        try:
            toolchain = examine(origin, machine.at("/usr"), clang, bitcode)
            yield Candidate(origin, str(clang), toolchain)
        except ToolchainError as error:
            yield Candidate(origin, str(clang), reason=str(error))
    if not found:
        yield Candidate(origin, str(include), reason="HIP headers, but no clang++ on PATH")


def _distribution_clangs(machine: Machine) -> Iterator[Path]:
    own = _first(machine.at("/usr") / part for part in CLANG_IN_ROOT)
    if own is not None:
        yield own
    numbers = range(NEWEST_CLANG, OLDEST_CLANG - 1, -1)
    for name in (*(f"clang++-{number}" for number in numbers), "clang++"):
        clang = machine.which(name)
        if clang is not None:
            yield clang


def _bitcode_of(clang: Path, machine: Machine) -> Path | None:
    """Device libraries that belong to a clang, or else those of the system."""
    own = clang.resolve().parent.parent / "lib" / "clang"
    usr = machine.at("/usr")
    places = [*sorted(own.glob("*/amdgcn/bitcode")), *(usr / part for part in BITCODE_IN_ROOT)]
    places += sorted(usr.glob("lib/clang/*/amdgcn/bitcode"), reverse=True)
    return _first(iter(places))


def examine(origin: str, root: Path, clang: Path, bitcode: Path) -> Toolchain:
    """Asks a compiler and its headers what they are.

    Raises ToolchainError with the reason when they cannot build for any AMD GPU.
    """
    include = root / "include"
    hip = hip_version(include)
    archs = tuple(a for a in supported_processors(clang) if a in device_library_archs(bitcode))
    if not archs:
        raise ToolchainError(f"{clang} and the device libraries in {bitcode} share no architecture")
    libraries = tuple(n for n, header in LIBRARY_HEADERS.items() if (include / header).is_file())
    return Toolchain(
        origin,
        root,
        clang,
        include,
        bitcode,
        hip,
        clang_version(clang),
        archs,
        libraries,
    )


def hip_version(include: Path) -> Version:
    """The version in `hip/hip_version.h`. Raises ToolchainError when it is not there."""
    path = include / "hip" / "hip_version.h"
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        raise ToolchainError(f"no HIP headers: {path} is missing") from None
    numbers = dict(re.findall(r"#\s*define\s+HIP_VERSION_(MAJOR|MINOR|PATCH)\s+(\d+)", text))
    if not {"MAJOR", "MINOR"} <= numbers.keys():
        raise ToolchainError(f"{path} names no HIP_VERSION_MAJOR and HIP_VERSION_MINOR")
    return tuple(int(numbers[p]) for p in ("MAJOR", "MINOR", "PATCH") if p in numbers)


def clang_version(clang: Path) -> Version:
    """The version that a clang reports. Raises ToolchainError when it does not run."""
    done = call([clang, "--version"], timeout=60)
    match = re.search(r"clang version (\d+(?:\.\d+)*)", done.stdout)
    if match is None:
        raise ToolchainError(f"{clang} is no clang: {done.stdout.strip()[:80]!r}")
    return tuple(int(part) for part in match[1].split("."))


def supported_processors(clang: Path) -> tuple[str, ...]:
    """The AMD GPU processors that a clang generates code for, in its order.

    Raises ToolchainError when it was built without the AMDGPU target.
    """
    done = call([clang, f"--target={TRIPLE}", "--print-supported-cpus"], timeout=60, check=False)
    names = re.findall(r"^\s+(gfx[0-9a-f]+)\s*$", done.stderr + done.stdout, re.MULTILINE)
    if not names:
        raise ToolchainError(f"{clang} cannot generate code for AMD GPUs (no AMDGPU target in it)")
    return tuple(dict.fromkeys(names))


def device_library_archs(bitcode: Path) -> frozenset[str]:
    """The processors for which a folder of device libraries has a file."""
    matches = (ISA_FILE.fullmatch(path.name) for path in bitcode.glob("oclc_isa_version_*.bc"))
    return frozenset(f"gfx{match[1]}" for match in matches if match)
