"""Provisioning from an archive made here: hashes, resumption, atomicity, one at a time."""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hipify.errors import ToolchainError, UsageError
from hipify.toolchain import install as install_module
from hipify.toolchain import package_set as package_set_module
from hipify.toolchain import private_tree
from hipify.toolchain.apt_client import AptClient, parse_offers, require
from hipify.toolchain.apt_sources import Archive
from hipify.toolchain.fetch import Fetcher, sha256_of
from hipify.toolchain.install import Request, install, remove
from hipify.toolchain.lock import Pin
from hipify.toolchain.package_set import PackageSet
from hipify.toolchain.prefix import MANIFEST, Manifest

LACKING = [program for program in ("apt-get", "dpkg-deb") if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(bool(LACKING), reason=f"needs {' and '.join(LACKING)}")

TRIPLE = private_tree.TRIPLE
CONTENTS = {
    "clang-21": [f"usr/lib/llvm-21/bin/{name}" for name in ("clang-21", "lld", "odd-tool")],
    "libc6": [f"usr/lib/{TRIPLE}/libc.so.6"],
    "hipcc": ["usr/bin/hipcc", f"usr/lib/{TRIPLE}/libhip.txt", "usr/share/doc/hipcc/copyright"],
    "libamdhip64-dev": ["usr/include/hip/hip_version.h"],
    "rocm-device-libs-21": ["usr/lib/llvm-21/lib/clang/21/amdgcn/bitcode/ocml.bc"],
    "librocprim-dev": ["usr/include/rocprim/config.hpp"],
}
SET = PackageSet(
    ("clang-21", "libc6"), tuple(n for n in CONTENTS if n not in ("clang-21", "libc6"))
)


@dataclass(frozen=True)
class TrustedArchive(Archive):
    """An archive in a folder, without signatures; its suites are folders in it."""

    def source_lines(self) -> str:
        return "".join(f"deb [trusted=yes] {self.uri} {suite}\n" for suite in self.suites)


def make_deb(folder: Path, name: str, version: str, paths: list[str]) -> Path:
    root = folder / f"{name}.tree"
    shutil.rmtree(root, ignore_errors=True)
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"{name} {version}\n{private_tree.GFX950_OLD}\n")
    (root / "DEBIAN").mkdir(parents=True)
    (root / "DEBIAN" / "control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: x <x@example.org>\n"
        f"Description: x\n"
    )
    deb = folder / f"{name}_{version.replace(':', '%3a')}_all.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-b", root, deb],
        check=True,
        capture_output=True,
    )
    shutil.rmtree(root)
    return deb


def index(folder: Path) -> None:
    paragraphs = []
    for deb in sorted(folder.glob("*.deb")):
        control = subprocess.run(
            ["dpkg-deb", "-f", deb], check=True, capture_output=True, text=True
        ).stdout
        data = deb.read_bytes()
        paragraphs.append(
            f"{control}Filename: ./{deb.name}\nSize: {len(data)}\n"
            f"SHA256: {hashlib.sha256(data).hexdigest()}\n"
        )
    text = "\n".join(paragraphs)
    (folder / "Packages").write_text(text)
    (folder / "Packages.gz").write_bytes(gzip.compress(text.encode()))


class World:
    """An archive with all packages, a lock that names them, and a request for them."""

    def __init__(self, folder: Path) -> None:
        self.archive = folder / "archive"
        self.archive.mkdir()
        self.debs = {n: make_deb(self.archive, n, "1:1.0-1", p) for n, p in CONTENTS.items()}
        index(self.archive)
        lock = {n: Pin(n, "1:1.0-1", sha256_of(deb)) for n, deb in self.debs.items()}
        self.request = Request(folder / "data" / "toolchain", lock=lock)
        self.said: list[str] = []
        self.downloads: list[str] = []

    @property
    def prefix(self) -> Path:
        return self.request.prefix

    def install(self, **changes: object) -> Manifest:
        return install(replace(self.request, **changes), self.said.append)  # type: ignore[arg-type]

    @property
    def words(self) -> str:
        return "\n".join(self.said)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World(tmp_path)
    archive = TrustedArchive(f"file:{world.archive}", ("./",), (), "")
    monkeypatch.setattr(Request, "chosen_archive", lambda self: archive)
    monkeypatch.setattr(install_module, "package_set", lambda llvm, libraries=(): SET)
    monkeypatch.setattr("hipify.toolchain.fetch.SPARE", 0)
    original = AptClient.download

    def counted(self: AptClient, offers: object, folder: Path) -> None:
        world.downloads += [offer.name for offer in offers]  # type: ignore[attr-defined]
        original(self, offers, folder)  # type: ignore[arg-type]

    monkeypatch.setattr(AptClient, "download", counted)
    return world


def failing_once(
    monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException
) -> Callable[[], int]:
    """Makes a stage of the installation raise the first time; tells how often it was called."""
    original = getattr(install_module, name)
    calls: list[int] = []

    def stage(*args: object) -> object:
        calls.append(1)
        if len(calls) == 1:
            raise error
        return original(*args)

    monkeypatch.setattr(install_module, name, stage)
    return lambda: len(calls)


def test_a_tree_like_rocms_with_a_manifest_and_nothing_left_beside_it(world: World) -> None:
    manifest = world.install()
    rocm = world.prefix / "rocm"
    assert (rocm / "include" / "hip" / "hip_version.h").is_file()
    assert (rocm / "amdgcn" / "bitcode" / "ocml.bc").is_file()
    assert (rocm / "llvm" / "bin" / "clang-21").is_file()
    assert not (rocm / "llvm" / "bin" / "odd-tool").exists()
    assert not (rocm / "share" / "doc").exists()
    assert os.access(world.prefix / "bin" / "hipcc", os.X_OK)
    assert Manifest.of(world.prefix) == manifest
    assert {package.name for package in manifest.packages} == set(CONTENTS)
    assert sorted(path.name for path in world.prefix.parent.iterdir()) == [
        ".toolchain.lock",
        "toolchain",
    ]


def test_gfx950_is_allowed_unless_told_otherwise(world: World) -> None:
    config = world.prefix / "rocm" / "include" / "rocprim" / "config.hpp"
    manifest = world.install()
    assert private_tree.GFX950_NEW in config.read_text()
    assert "gfx950" in manifest.patches[0]
    install(replace(world.request, patch_gfx950=False), world.said.append, again=True)
    assert private_tree.GFX950_NEW not in config.read_text()


def test_a_second_run_does_nothing(world: World) -> None:
    world.install()
    world.downloads.clear()
    world.install()
    assert world.downloads == []
    assert "already installed" in world.words


def test_a_stopped_download_goes_on_where_it_stopped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify.toolchain.fetch.CHUNK", 2)
    original, calls = AptClient.download, []

    def stopping(self: AptClient, offers: object, folder: Path) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        original(self, offers, folder)  # type: ignore[arg-type]

    monkeypatch.setattr(AptClient, "download", stopping)
    with pytest.raises(KeyboardInterrupt):
        world.install()
    assert not world.prefix.exists()
    first = list(world.downloads)
    world.install()
    assert len(first) == 2
    assert sorted(world.downloads) == sorted(CONTENTS), "each package was fetched once"


def test_a_finished_stage_is_not_done_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked: list[int] = []
    original = install_module.unpack
    monkeypatch.setattr(
        install_module, "unpack", lambda *args: (unpacked.append(1), original(*args))
    )
    calls = failing_once(monkeypatch, "make_stubs", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        world.install()
    world.install()
    assert (len(unpacked), calls()) == (1, 2)


def test_a_run_that_was_killed_while_cleaning_up_does_not_harm_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("hipify.toolchain.install.shutil.rmtree", lambda *args, **options: None)
        world.install()
    left = world.prefix.parent / ".toolchain.partial"
    assert (left / "state.json").exists()
    (left / "old").mkdir()
    (left / "old" / "file").touch()
    assert install(world.request, world.said.append, again=True) == Manifest.of(world.prefix)
    assert (world.prefix / "rocm" / "include" / "hip" / "hip_version.h").is_file()
    assert not left.exists()


def test_a_half_unpacked_tree_is_unpacked_anew(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_once(monkeypatch, "drop_unusable", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        world.install()
    stray = world.prefix.parent / ".toolchain.partial" / "root" / "rocm" / "stray"
    stray.touch()
    world.install()
    assert not (world.prefix / "rocm" / "stray").exists()


def test_an_installation_that_fails_leaves_the_old_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = world.install()
    failing_once(monkeypatch, "relocate", ToolchainError("no"))
    with pytest.raises(ToolchainError):
        install(world.request, world.said.append, again=True)
    assert Manifest.of(world.prefix) == before


def test_a_version_that_left_the_archive_is_replaced_with_a_warning(world: World) -> None:
    world.debs["hipcc"].unlink()
    make_deb(world.archive, "hipcc", "2.0-1", CONTENTS["hipcc"])
    index(world.archive)
    with pytest.raises(ToolchainError, match=r"no longer in the archive.*hipcc 1:1\.0-1"):
        world.install(strict=True)
    manifest = world.install()
    assert "hipcc 1:1.0-1 (now hipcc 2.0-1)" in world.words
    assert {p.version for p in manifest.packages if p.name == "hipcc"} == {"2.0-1"}


def test_another_suite_is_read_only_where_the_first_lacks_the_locked_version(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = world.archive / "older"
    older.mkdir()
    archive = TrustedArchive(f"file:{world.archive}", ("./", "older/"), (), "")
    monkeypatch.setattr(Request, "chosen_archive", lambda self: archive)
    index(older)
    world.install()
    assert "/archive older/" not in world.words
    world.debs["hipcc"].rename(older / world.debs["hipcc"].name)
    make_deb(world.archive, "hipcc", "2.0-1", CONTENTS["hipcc"])
    index(world.archive)
    index(older)
    text = (older / "Packages").read_text().replace("Filename: ./", "Filename: ./older/")
    (older / "Packages").write_text(text)
    (older / "Packages.gz").write_bytes(gzip.compress(text.encode()))
    manifest = install(world.request, world.said.append, again=True)
    assert "/archive older/" in world.words
    assert {p.version for p in manifest.packages if p.name == "hipcc"} == {"1:1.0-1"}


def test_a_hash_that_differs_from_the_lock_stops_everything(world: World) -> None:
    lock = dict(world.request.lock)
    lock["hipcc"] = lock["hipcc"]._replace(sha256="0" * 64)
    with pytest.raises(ToolchainError, match=r"hipcc 1:1\.0-1: SHA-256"):
        world.install(lock=lock)
    assert not world.prefix.exists()


def test_a_file_that_was_damaged_since_is_fetched_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_once(monkeypatch, "unpack", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        world.install()
    kept = world.prefix.parent / ".toolchain.partial" / "debs"
    damaged = next(kept.glob("hipcc_*.deb"))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    world.downloads.clear()
    world.install()
    assert world.downloads == ["hipcc"]


def test_a_needed_package_that_is_not_there_is_named_others_are_left_out(world: World) -> None:
    world.debs["librocprim-dev"].unlink()
    index(world.archive)
    manifest = world.install()
    assert "no package librocprim-dev: left out" in world.words
    assert "librocprim-dev" not in {package.name for package in manifest.packages}
    world.debs["hipcc"].unlink()
    index(world.archive)
    with pytest.raises(ToolchainError, match="no package hipcc"):
        install(world.request, world.said.append, again=True)


def test_offline_from_kept_packages_only(world: World, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with pytest.raises(ToolchainError, match=r"offline.*--package-cache"):
        world.install(offline=True, package_cache=cache)
    world.install(package_cache=cache)
    assert len(list(cache.glob("*.deb"))) == len(CONTENTS)
    shutil.rmtree(world.archive)
    remove(world.prefix)
    world.downloads.clear()
    world.install(offline=True, package_cache=cache)
    assert world.downloads == []


def test_a_full_disk_is_told_as_such(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_once(monkeypatch, "unpack", OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(ToolchainError, match=r"disk .* is full.*run the same command"):
        world.install()


def test_too_little_space_is_told_before_the_download(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify.toolchain.fetch.SPARE", 1 << 60)
    with pytest.raises(ToolchainError, match="not enough disk space"):
        world.install()
    assert world.downloads == []


def test_two_at_once_install_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    original = install_module.unpack
    unpacked: list[int] = []

    def slow(*args: object) -> None:
        unpacked.append(1)
        time.sleep(0.5)
        original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(install_module, "unpack", slow)
    threads = [threading.Thread(target=world.install) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(unpacked) == 1
    assert "waiting for another installation" in world.words


def test_a_moved_toolchain_is_repaired_in_place(world: World) -> None:
    world.install()
    new = world.prefix.with_name("moved")
    world.prefix.rename(new)
    world.downloads.clear()
    world.install(prefix=new)
    manifest = Manifest.of(new)
    assert manifest is not None
    assert manifest.prefix == str(new)
    assert world.downloads == []


def test_a_folder_of_someone_else_is_neither_used_nor_removed(world: World) -> None:
    world.prefix.mkdir(parents=True)
    (world.prefix / "precious").touch()
    with pytest.raises(UsageError, match="choose another folder"):
        world.install()
    with pytest.raises(UsageError):
        remove(world.prefix)
    assert (world.prefix / "precious").exists()


def test_removal_takes_what_a_stopped_run_left(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_once(monkeypatch, "unpack", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        world.install()
    remove(world.prefix)
    assert list(world.prefix.parent.iterdir()) == []
    world.install()
    assert remove(world.prefix) == [world.prefix]
    assert not (world.prefix / MANIFEST).exists()


def test_other_systems_are_told_what_is_needed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(ToolchainError, match=r"x86-64.*aarch64"):
        world.install()


def test_a_missing_tool_is_named_with_the_remedy() -> None:
    with pytest.raises(ToolchainError, match=r"no-such-tool not found.*install ROCm"):
        require("no-such-tool")


def test_an_archive_without_an_index_is_named(tmp_path: Path) -> None:
    client = AptClient(TrustedArchive(f"file:{tmp_path}/none", ("./",), (), ""), tmp_path / "apt")
    with pytest.raises(ToolchainError, match="no package index from"):
        client.update(1)


def test_a_renumbered_library_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    make_deb(archive, "libhipblas3", "7.0-1", ["usr/lib/libhipblas.so.3"])
    index(archive)
    said: list[str] = []
    fetcher = Fetcher(
        lambda: AptClient(TrustedArchive(f"file:{archive}", ("./",), (), ""), tmp_path / "apt"),
        tmp_path / "debs",
        say=said.append,
    )
    (deb,) = fetcher.fetch(PackageSet((), ("libhipblas2",)), {})
    assert (deb.wanted, deb.pin.name) == ("libhipblas2", "libhipblas3")
    assert any("libhipblas3 takes its place" in line for line in said)


def test_offers_are_read_from_apts_words() -> None:
    text = "Package: a\nVersion: 1:2\nSize: 10\nInstalled-Size: 3\nSHA256: ff\n\nPackage: b\n"
    (offer,) = parse_offers(text)
    assert (offer.name, offer.version, offer.size, offer.installed_size) == ("a", "1:2", 10, 3072)


def test_the_key_of_a_request_changes_with_what_it_makes(world: World) -> None:
    keys = {
        replace(world.request, **change).key  # type: ignore[arg-type]
        for change in ({}, {"llvm": 22}, {"libraries": ("rocblas",)}, {"patch_gfx950": False})
    }
    assert len(keys) == 4
    assert replace(world.request, offline=True).key == world.request.key


def test_needed_packages_are_told_from_others() -> None:
    packages = package_set_module.package_set(21)
    assert packages.needed("clang-21")
    assert not packages.needed("librccl-dev")
