"""Building the native side: once for each version of its sources, in the user's cache folder."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hipify.emulator.errors import EmulatorError
from hipify.emulator.isa.generate import generate_units
from hipify.emulator.tools import Tools

_NATIVE = Path(__file__).with_name("native")
#: Semantics depend on these: no contraction, no assumption about traps or strict aliasing.
#: The C++ library goes inside and stays hidden: the runtime is loaded into programs of another C++
#: library's version than that of this machine, and into this machine's own.
_LINK_FLAGS = (
    "-static-libstdc++",
    "-static-libgcc",
    "-Wl,--exclude-libs,ALL",
    "-lm",
    "-lpthread",
    "-ldl",
)
_FLAGS = (
    "-std=c++20", "-O2", "-fPIC", "-march=native", "-ffp-contract=off", "-fno-math-errno",
    "-fno-trapping-math", "-fno-strict-aliasing", "-fwrapv", "-fno-semantic-interposition", "-w",
    "-D__HIP_PLATFORM_AMD__",
)  # fmt: skip
_SONAME = "libamdhip64.so.6"


@dataclass(frozen=True)
class Runtime:
    """A built runtime: the folder to link with and to load from."""

    folder: Path
    listings: Path

    @property
    def library(self) -> Path:
        """The shared library itself."""
        return self.folder / "libamdhip64.so"


def cache_folder() -> Path:
    """``$HIPIFY_CACHE``, else ``hipify`` in the user's cache folder."""
    if own := os.environ.get("HIPIFY_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hipify"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One build at a time, whichever process asks first."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _digest(*parts: bytes) -> str:
    h = hashlib.sha256()
    for part in parts:
        h.update(len(part).to_bytes(8, "little"))
        h.update(part)
    return h.hexdigest()[:24]


def _host_key() -> bytes:
    """Code for one processor must not run on another that shares the home folder."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return b""
    flags = [line for line in text.splitlines() if line.startswith("flags")]
    return flags[0].encode() if flags else b""


def _sources() -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in sorted(_NATIVE.glob("*.cpp"))}
    found |= {name: text.encode() for name, text in generate_units().items()}
    return found


def _compile(tools: Tools, name: str, text: bytes, key: str, objects: Path) -> Path:
    """Object file of one translation unit, kept for the next build when it did not change."""
    result = objects / f"{name}-{key}.o"
    if result.exists():
        return result
    with tempfile.TemporaryDirectory(dir=objects) as folder:
        source, made = Path(folder) / name, Path(folder) / "out.o"
        source.write_bytes(text)
        command = [str(tools.clang), *_FLAGS, f"-I{_NATIVE}", f"-I{tools.hip_include}"]
        if name == "modules.cpp":
            command.append(f'-DHIPIFY_EMULATOR_PYTHON="{sys.executable}"')
            command.append(f'-DHIPIFY_EMULATOR_LISTINGS="{listing_folder()}"')
        if name == "rtc_api.cpp":
            command.append(f'-DHIPIFY_EMULATOR_CLANG="{tools.clang}"')
        command += ["-c", str(source), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise EmulatorError(f"the emulator's {name} does not compile:\n{done.stderr.strip()}")
        made.replace(result)
    return result


def listing_folder() -> Path:
    """Where decoded code objects are kept; it changes with the decoder."""
    folder = Path(__file__).parent
    sources = [path.read_bytes() for path in sorted(folder.rglob("*.py"))]
    return cache_folder() / "emulator" / f"listings-{_digest(*sources)}"


def build_runtime(tools: Tools, jobs: int = 0) -> Runtime:
    """The runtime for this version of the sources, built if it is not in the cache.

    ``jobs`` compilers run at once (0: one a processor). Raises `EmulatorError` when one fails.
    """
    root = cache_folder() / "emulator"
    objects = root / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    listings = listing_folder()
    listings.mkdir(exist_ok=True)
    headers = [path.read_bytes() for path in sorted(_NATIVE.glob("*.hpp"))]
    sources = _sources()
    common = _digest(*headers, _host_key(), bytes(tools.clang), bytes(tools.hip_include),
                     " ".join(_FLAGS).encode())  # fmt: skip
    place = str(listings).encode()
    keys = {
        name: _digest(text, common.encode(), place if name == "modules.cpp" else b"")
        for name, text in sources.items()
    }
    parts = (*(key.encode() for key in keys.values()), " ".join(_LINK_FLAGS).encode())
    folder = root / f"runtime-{_digest(*parts)}"
    runtime = Runtime(folder, listings)
    if runtime.library.exists():
        return runtime
    with _locked(root / "lock"):
        if not runtime.library.exists():
            with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
                made = list(
                    pool.map(lambda n: _compile(tools, n, sources[n], keys[n], objects), sources)
                )
            _link(tools, made, folder)
    return runtime


def _link(tools: Tools, objects: list[Path], folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        out = Path(temporary) / "runtime"
        out.mkdir()
        library = out / "libamdhip64.so"
        command = [str(tools.clang), "-shared", f"-Wl,-soname,{_SONAME}", "-o", str(library),
                   *map(str, objects), *_LINK_FLAGS]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise EmulatorError(f"the emulator's runtime does not link:\n{done.stderr.strip()}")
        for name in (
            _SONAME,
            "libamdhip64.so.7",
            "libhiprtc.so",
            "libhiprtc.so.6",
            "libhiprtc.so.7",
        ):
            (out / name).symlink_to(library.name)
        out.rename(folder)
