"""Gets the .deb files of a private toolchain: kept ones first, then the archive; hashes checked."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hipify.errors import ToolchainError
from hipify.toolchain.apt_client import AptClient, Offer
from hipify.toolchain.call import call
from hipify.toolchain.lock import Pin
from hipify.toolchain.package_set import PackageSet, successor

CHUNK = 8
"""Packages asked for at a time: few enough for progress to show, many enough for speed."""
SPARE = 200 << 20


class Deb(NamedTuple):
    """One package file, `wanted` being the name by which the package set asked for it."""

    wanted: str
    pin: Pin
    path: Path


@dataclass
class Fetcher:
    """How packages are had. `client` is called only when something has to come from the archive."""

    client: Callable[[], AptClient]
    folder: Path
    cache: Path | None = None
    offline: bool = False
    strict: bool = False
    say: Callable[[str], None] = print

    def fetch(self, packages: PackageSet, lock: Mapping[str, Pin]) -> list[Deb]:
        """The files of all packages of a set that can be had.

        Raises ToolchainError for a wrong hash, for a needed package that cannot be had, and, when
        strict, for any that is not as locked.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        found: dict[str, Deb] = {}
        missing: list[str] = []
        for name in packages.names:
            deb = self._kept(name, lock.get(name))
            if deb is None:
                missing.append(name)
            else:
                found[name] = deb
        if missing and self.offline:
            self._offline(missing, packages)
        elif missing:
            for deb in self._from_archive(missing, packages, lock):
                found[deb.wanted] = deb
        return [found[name] for name in packages.names if name in found]

    def _kept(self, name: str, pin: Pin | None) -> Deb | None:
        """A file kept from an earlier run: as locked, or any version when offline without a pin."""
        folders = [self.folder, *([self.cache] if self.cache else [])]
        kept = [path for folder in folders for path in sorted(folder.glob(f"{name}_*.deb"))]
        for path in kept:
            if pin is not None and sha256_of(path) == pin.sha256:
                return Deb(name, pin, self._taken(path))
        if not kept or not self.offline or (pin is not None and self.strict):
            return None
        newest = max(kept, key=lambda path: path.stat().st_mtime)
        actual = Pin(name, _version_in(newest), sha256_of(newest))
        if pin is not None:
            self.say(f"warning: {name} {pin.version} is not kept, {actual.version} is: taking that")
        return Deb(name, actual, self._taken(newest))

    def _taken(self, path: Path) -> Path:
        if path.parent == self.folder:
            return path
        target = self.folder / path.name
        shutil.copyfile(path, target)
        return target

    def _offline(self, missing: list[str], packages: PackageSet) -> None:
        needed = [name for name in missing if self.strict or packages.needed(name)]
        if needed:
            raise ToolchainError(
                f"offline, and {self.cache or self.folder} does not hold {', '.join(needed)}: run "
                "once without --offline and with --package-cache to keep them"
            )
        self.say(f"warning: left out, not kept: {', '.join(missing)}")

    def _from_archive(
        self, names: list[str], packages: PackageSet, lock: Mapping[str, Pin]
    ) -> Iterator[Deb]:
        client = self.client()
        self._read_indexes(client, names, lock)
        chosen = self._choose(client, names, packages, lock)
        self._check_space(chosen.values())
        total = sum(offer.size for offer in chosen.values())
        got = 0
        items = list(chosen.items())
        partial = self.folder / "partial"
        partial.mkdir(exist_ok=True)
        for at in range(0, len(items), CHUNK):
            part = items[at : at + CHUNK]
            todo = [offer for _, offer in part if not _complete(partial, offer)]
            if todo:
                client.download(todo, partial)
            for wanted, offer in part:
                yield Deb(wanted, Pin(*offer[:3]), self._verified(partial, offer))
                got += offer.size
            self.say(
                f"fetched {at + len(part)} of {len(items)} packages, {_mb(got)} of {_mb(total)}"
            )

    def _read_indexes(self, client: AptClient, names: list[str], lock: Mapping[str, Pin]) -> None:
        """Reads suite after suite until everything is there as locked, or none is left."""
        suites = client.archive.suites
        for number, suite in enumerate(suites, 1):
            self.say(f"reading the index of {client.archive.uri} {suite}")
            complaint = client.update(number)
            if complaint:
                self.say(f"warning: {complaint}")
            offers = client.offers(names)
            if all(_satisfied(offers.get(name, []), lock.get(name)) for name in names):
                return

    def _choose(
        self, client: AptClient, names: list[str], packages: PackageSet, lock: Mapping[str, Pin]
    ) -> dict[str, Offer]:
        offers = client.offers(names)
        chosen: dict[str, Offer] = {}
        lost: list[str] = []
        for name in names:
            versions, pin = offers.get(name, []), lock.get(name)
            if not versions:
                versions = self._successors(client, name)
            exact = next((o for o in versions if pin and o.version == pin.version), None)
            if exact is not None and pin is not None:
                if exact.sha256 != pin.sha256:
                    raise ToolchainError(_differs(name, exact.version, exact.sha256, pin.sha256))
                chosen[name] = exact
            elif versions:
                chosen[name] = versions[0]
                if pin is not None:
                    lost.append(
                        f"{name} {pin.version} (now {versions[0].name} {versions[0].version})"
                    )
            elif self.strict or packages.needed(name):
                raise ToolchainError(f"{client.archive.uri} has no package {name}")
            else:
                self.say(f"warning: {client.archive.uri} has no package {name}: left out")
        if lost and self.strict:
            raise ToolchainError(f"no longer in the archive, as locked: {', '.join(lost)}")
        if lost:
            self.say(
                f"warning: the locked version is gone, the current one is taken: {', '.join(lost)}"
            )
        return chosen

    def _successors(self, client: AptClient, name: str) -> list[Offer]:
        other = successor(
            name, client.names_like(name.rstrip("0123456789.").removesuffix("t")[:12])
        )
        if other is None:
            return []
        self.say(f"warning: {name} is gone from the archive, {other} takes its place")
        return client.offers([other]).get(other, [])

    def _check_space(self, offers: Iterable[Offer]) -> None:
        need = sum(offer.size + offer.installed_size for offer in offers) + SPARE
        free = shutil.disk_usage(self.folder).free
        if free < need:
            raise ToolchainError(
                f"not enough disk space in {self.folder.parent}: "
                f"{_mb(need)} needed, {_mb(free)} free"
            )

    def _verified(self, partial: Path, offer: Offer) -> Path:
        """The downloaded file of an offer, moved among the finished ones."""
        for path in partial.glob(f"{offer.name}_*.deb"):
            actual = sha256_of(path)
            if actual == offer.sha256:
                target = self.folder / path.name
                path.replace(target)
                if self.cache is not None:
                    self.cache.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(target, self.cache / path.name)
                return target
            path.unlink()
            raise ToolchainError(_differs(offer.name, offer.version, actual, offer.sha256))
        raise ToolchainError(f"apt-get reported success but {offer.name} is not in {partial}")


def _satisfied(offers: list[Offer], pin: Pin | None) -> bool:
    return bool(offers) if pin is None else any(offer.version == pin.version for offer in offers)


def _complete(folder: Path, offer: Offer) -> bool:
    return any(sha256_of(path) == offer.sha256 for path in folder.glob(f"{offer.name}_*.deb"))


def _differs(name: str, version: str, actual: str, expected: str) -> str:
    return (
        f"{name} {version}: SHA-256 {actual} is not the expected {expected}: "
        "the archive or the download cannot be trusted; nothing was installed"
    )


def _mb(size: int) -> str:
    return f"{size / 1e6:.0f} MB"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _version_in(path: Path) -> str:
    return call(["dpkg-deb", "-f", path, "Version"]).stdout.strip()
