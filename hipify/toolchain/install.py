"""Provisions the private toolchain: resumable, atomic, one at a time, all in its own folder."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from hipify.errors import ToolchainError, UsageError
from hipify.toolchain.apt_client import AptClient, require
from hipify.toolchain.apt_sources import Archive, named_archive, system_archive, system_sources
from hipify.toolchain.fetch import Deb, Fetcher
from hipify.toolchain.link_stubs import make_stubs
from hipify.toolchain.lock import Pin, shipped_lock
from hipify.toolchain.package_set import package_set
from hipify.toolchain.prefix import MANIFEST, InstalledPackage, Manifest
from hipify.toolchain.private_tree import (
    TRIPLE,
    allow_gfx950,
    drop_unusable,
    relocate,
    unpack,
)
from hipify.toolchain.stand_ins import make_stand_ins
from hipify.toolchain.wrappers import write_wrappers

ARCHIVE_VARIABLE = "HIPIFY_ARCHIVE"


@dataclass(frozen=True)
class Request:
    """What is to be installed, where, and from where."""

    prefix: Path
    llvm: int = 21
    libraries: tuple[str, ...] = ()
    archive: str = ""
    suites: tuple[str, ...] = ()
    keyring: str = ""
    package_cache: Path | None = None
    offline: bool = False
    strict: bool = False
    patch_gfx950: bool = True
    lock: dict[str, Pin] = field(default_factory=shipped_lock)

    def chosen_archive(self) -> Archive:
        """The archive asked for, else that of the environment, else the system's."""
        uri = self.archive or os.environ.get(ARCHIVE_VARIABLE, "")
        if uri:
            return named_archive(uri, self.suites, self.keyring)
        archive = system_archive(system_sources())
        return replace(
            archive,
            suites=self.suites or archive.suites,
            keyring=self.keyring or archive.keyring,
        )

    @property
    def key(self) -> str:
        """Equal for requests that make the same toolchain."""
        pins = sorted(tuple(pin) for pin in self.lock.values())
        text = json.dumps([self.llvm, sorted(self.libraries), self.patch_gfx950, pins])
        return hashlib.sha256(text.encode()).hexdigest()

    def satisfied_by(self, manifest: Manifest) -> bool:
        """Whether a finished toolchain is what this asks for."""
        patched = bool(manifest.patches) or not self.patch_gfx950
        return (
            manifest.llvm == self.llvm
            and set(self.libraries) <= set(manifest.libraries)
            and patched
        )


class Workplace:
    """The folder beside the prefix in which a toolchain grows, and how far it has come."""

    def __init__(self, prefix: Path, key: str) -> None:
        self.folder = prefix.parent / f".{prefix.name}.partial"
        self.tree = self.folder / "root"
        self._state = self.folder / "state.json"
        self._key = key
        self.folder.mkdir(parents=True, exist_ok=True)
        self._results: dict[str, object] = self._read()

    def _read(self) -> dict[str, object]:
        try:
            state = json.loads(self._state.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        # another request than that of the stopped run: its packages serve, its stages do not;
        # nor do they where the tree was put in place and only the cleaning up was stopped
        same = state.get("key") == self._key and self.tree.is_dir()
        return dict(state["done"]) if same else {}

    def once(self, stage: str, work: Callable[[], object]) -> object:
        """The result of a stage, done now unless an earlier run finished it."""
        if stage not in self._results:
            self._results[stage] = work()
            text = json.dumps({"key": self._key, "done": self._results})
            fresh = self._state.with_suffix(".new")
            fresh.write_text(text, "utf-8")
            fresh.replace(self._state)
        return self._results[stage]


def install(request: Request, say: Callable[[str], None] = print, again: bool = False) -> Manifest:
    """Makes sure that the toolchain asked for is at the prefix; its manifest.

    `again` builds it anew even when it is there. Raises ToolchainError with the remedy when it
    cannot be made; what was done so far is kept, and the next run goes on from there.
    """
    packages = package_set(request.llvm, request.libraries)
    prefix = request.prefix.resolve()
    request = replace(request, prefix=prefix)
    _check_machine(prefix)
    started = time.monotonic()

    def tell(text: str) -> None:
        say(f"[{time.monotonic() - started:4.0f} s] {text}")

    with _clear_errors(prefix), _alone(prefix, tell):
        manifest = Manifest.of(prefix)
        if manifest is not None and not again and request.satisfied_by(manifest):
            return _settled(prefix, manifest, tell)
        place = Workplace(prefix, request.key)
        fetcher = Fetcher(
            lambda: AptClient(request.chosen_archive(), place.folder / "apt"),
            place.folder / "debs",
            request.package_cache,
            request.offline,
            request.strict,
            tell,
        )
        debs = fetcher.fetch(packages, request.lock)
        manifest = _build(request, place, debs, tell)
        _put_in_place(place, prefix, manifest)
        tell(f"done: {_folder_size(prefix) / 1e6:.0f} MB in {prefix}")
        return manifest


def _build(
    request: Request, place: Workplace, debs: list[Deb], tell: Callable[[str], None]
) -> Manifest:
    tree, llvm = place.tree, request.llvm
    packages = package_set(llvm, request.libraries)

    def unpacked() -> list[str]:
        tell(f"unpacking {len(debs)} packages")
        unpack(debs, packages, tree, llvm)
        make_stand_ins(tree, llvm)
        for program in drop_unusable(tree, llvm):
            tell(f"left out: {program}")
        done = allow_gfx950(tree) if request.patch_gfx950 else ""
        return [done] if done else []

    def stubbed() -> list[str]:
        tell("making link stubs for the large libraries")
        stubs, warnings = make_stubs(tree, llvm)
        for warning in warnings:
            tell(f"warning: {warning}")
        return list(stubs)

    def relocated() -> int:
        tell("giving the executables their loader")
        write_wrappers(tree)
        return relocate(tree, request.prefix)

    patches = place.once("unpack", unpacked)
    stubs = place.once("stubs", stubbed)
    place.once("relocate", relocated)
    return Manifest(
        str(request.prefix),
        llvm,
        TRIPLE,
        request.libraries,
        _strings(stubs),
        _strings(patches) or (() if not request.patch_gfx950 else ("none needed",)),
        tuple(InstalledPackage(*deb.pin) for deb in debs),
    )


def _strings(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else ()


def _settled(prefix: Path, manifest: Manifest, tell: Callable[[str], None]) -> Manifest:
    """The toolchain that is there already, repaired when it has been moved."""
    if Path(manifest.prefix) == prefix:
        tell(f"already installed in {prefix}")
        return manifest
    tell(f"moved here from {manifest.prefix}: giving the executables their loader again")
    relocate(prefix, prefix)
    manifest = replace(manifest, prefix=str(prefix))
    _write(prefix / MANIFEST, manifest.to_json())
    return manifest


def _put_in_place(place: Workplace, prefix: Path, manifest: Manifest) -> None:
    _write(place.tree / MANIFEST, manifest.to_json())
    old = place.folder / "old"
    if prefix.exists():
        shutil.rmtree(old, ignore_errors=True)
        prefix.rename(old)
    place.tree.rename(prefix)
    shutil.rmtree(place.folder, ignore_errors=True)


def _write(path: Path, text: str) -> None:
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def remove(prefix: Path) -> list[Path]:
    """Deletes a private toolchain and what a stopped installation left; the paths deleted.

    Raises UsageError for a folder that is not one.
    """
    prefix = prefix.resolve()
    gone = []
    _check_is_ours(prefix)
    for path in (prefix, prefix.parent / f".{prefix.name}.partial", _lock_path(prefix)):
        if path.is_dir():
            shutil.rmtree(path)
            gone.append(path)
        elif path.exists():
            path.unlink()
    return gone


def _check_machine(prefix: Path) -> None:
    system, machine = platform.system(), platform.machine()
    if system != "Linux" or machine != "x86_64":
        raise ToolchainError(
            f"a private toolchain can be provisioned on Linux on x86-64, this is {system} on "
            f"{machine}: install ROCm, or work in a container or WSL"
        )
    require("dpkg-deb")
    _check_is_ours(prefix)


def _check_is_ours(prefix: Path) -> None:
    if prefix.exists() and not (prefix / MANIFEST).is_file() and any(prefix.iterdir()):
        raise UsageError(
            f"{prefix} is not empty and no toolchain of hipify's: choose another folder"
        )


def _lock_path(prefix: Path) -> Path:
    return prefix.parent / f".{prefix.name}.lock"


@contextmanager
def _alone(prefix: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Holds the lock of a prefix, waiting for another installation to end."""
    import fcntl

    prefix.parent.mkdir(parents=True, exist_ok=True)
    with _lock_path(prefix).open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell("waiting for another installation into this folder")
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


@contextmanager
def _clear_errors(prefix: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ToolchainError(
                f"the disk that holds {prefix.parent} is full: free 1 GB and run the same command "
                "again, it goes on where it stopped"
            ) from None
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ToolchainError(
                f"cannot write {error.filename or prefix.parent}: choose another --prefix"
            ) from None
        raise


def _folder_size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
