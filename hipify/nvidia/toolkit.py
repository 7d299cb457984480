"""Looks for nvcc: where the user says, on PATH, where toolkits lie, in packages of PyPI."""

from __future__ import annotations

import os
import re
import shutil
import site
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.toolchain.call import call
from hipify.tree import disk
from hipify.version import Version, parse_version

_SYSTEM = tuple(
    Path(folder) for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/wsl/lib")
)
_TOP = re.compile(r"^#\$ TOP=(.*)$", re.MULTILINE)
_RELEASE = re.compile(r"release (\d+\.\d+)")
_NVCC = "nvcc.exe" if os.name == "nt" else "nvcc"


@dataclass(frozen=True)
class Toolkit:
    """An nvcc with its version, and folders that it does not know of itself.

    `root` holds the toolkit's own `include`.
    `include` and `libraries` hold what lies in packages of PyPI beside the toolkit.
    """

    nvcc: Path
    version: Version
    origin: str
    root: Path
    include: tuple[Path, ...] = ()
    libraries: tuple[Path, ...] = ()

    def library(self, name: str) -> Path | None:
        """The file of a library: packages of PyPI have `libcublas.so.13` and no `libcublas.so`."""
        for folder in (*self.all_libraries, self.root / "lib64" / "stubs", *_SYSTEM):
            exact = folder / f"lib{name}.so"
            found = [exact] if exact.is_file() else sorted(folder.glob(f"lib{name}.so.*"))
            if found:
                return found[0]
        return None

    @property
    def all_libraries(self) -> tuple[Path, ...]:
        """Every folder with libraries: the toolkit's own first."""
        own = (self.root / part for part in ("lib64", "lib", "targets/x86_64-linux/lib"))
        return (*(path for path in own if path.is_dir()), *self.libraries)


def find_toolkit(
    env: Mapping[str, str] | None = None, packages: tuple[Path, ...] | None = None
) -> Toolkit:
    """The first nvcc that answers.

    Raises ToolchainError that says where was looked and what is to be done.
    """
    env = os.environ if env is None else env
    wheels = tuple(_wheels(_site_folders() if packages is None else packages))
    tried = []
    for origin, nvcc in _places(env, wheels):
        if not nvcc.is_file():
            tried.append(f"{origin}: {nvcc} is not there")
            continue
        try:
            text = call([nvcc, "--version"], timeout=60).stdout
        except ToolchainError as error:
            tried.append(f"{origin}: {error}")
            continue
        release = _RELEASE.search(text)
        if release is None:
            tried.append(f"{origin}: {nvcc} does not tell its version")
            continue
        return _toolkit(origin, nvcc, parse_version(release[1]), wheels)
    remedy = "install the CUDA toolkit, or `pip install nvidia-cuda-nvcc nvidia-cuda-runtime`"
    raise ToolchainError("\n  ".join([f"no nvcc: {remedy}", *(tried or ["it is not on PATH"])]))


def _places(env: Mapping[str, str], wheels: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    if chosen := env.get("HIPIFY_NVCC"):
        yield "$HIPIFY_NVCC", Path(chosen)
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if root := env.get(variable):
            yield f"${variable}", Path(root) / "bin" / _NVCC
    found = shutil.which("nvcc", path=env.get("PATH", ""))
    if found:
        yield "PATH", Path(found)
    if os.name != "nt" and Path("/usr/local/cuda").is_dir():
        yield "/usr/local/cuda", Path("/usr/local/cuda/bin/nvcc")
    for wheel in wheels:
        if (wheel / "bin" / _NVCC).is_file():
            yield "Python packages", wheel / "bin" / _NVCC


def _site_folders() -> tuple[Path, ...]:
    folders = [*site.getsitepackages(), site.getusersitepackages(), *sys.path]
    return tuple(dict.fromkeys(Path(folder) for folder in folders if folder))


def _wheels(folders: tuple[Path, ...]) -> Iterator[Path]:
    """The folders `nvidia/<package>` of installed packages."""
    for folder in folders:
        yield from sorted(path for path in folder.glob("nvidia/*") if path.is_dir())


def _toolkit(origin: str, nvcc: Path, version: Version, wheels: tuple[Path, ...]) -> Toolkit:
    root = _root(nvcc)
    own = {path.name for place in _own_headers(root) for path in place.iterdir()}
    include, libraries = [], []
    for wheel in wheels:
        headers = wheel / "include"
        if wheel.resolve() == root or not headers.is_dir():
            continue
        if {path.name for path in headers.glob("*.h")} - own:
            include.append(headers)
            libraries += [path for path in (wheel / "lib", wheel / "lib64") if path.is_dir()]
    return Toolkit(nvcc, version, origin, root, tuple(include), tuple(libraries))


def write_missing_headers(toolkit: Toolkit, folder: Path) -> None:
    """Fills `folder` with headers that lead to those in packages, as far as the toolkit lacks them.

    Headers of another CUDA version must not win over the toolkit's own, so the folders of packages
    are no include folders themselves. Raises SourceError where `folder` cannot be written.
    """
    own = {path.name for place in _own_headers(toolkit.root) for path in place.iterdir()}
    for package in toolkit.include:
        for header in sorted(package.glob("*.h")):
            forwarder = folder / header.name
            if header.name not in own and not forwarder.exists():
                folder.mkdir(parents=True, exist_ok=True)
                disk.write(forwarder, f'#include "{header.as_posix()}"\n'.encode())


def _root(nvcc: Path) -> Path:
    """Where nvcc says that its toolkit lies: the file itself may be a script elsewhere."""
    done = call([nvcc, "--dryrun", "-E", "-x", "cu", os.devnull], timeout=60, check=False)
    top = _TOP.search(done.stderr)
    return Path(top[1].strip()).resolve() if top else nvcc.resolve().parent.parent


def _own_headers(root: Path) -> list[Path]:
    places = (root / "include", root / "targets" / "x86_64-linux" / "include")
    return [path for path in places if path.is_dir()]
