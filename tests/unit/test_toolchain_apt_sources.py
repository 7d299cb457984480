"""Where packages come from: apt's source lists as Debian and Ubuntu write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify.errors import ToolchainError
from hipify.toolchain import apt_sources
from hipify.toolchain.apt_sources import (
    AptSource,
    named_archive,
    parse_deb822,
    parse_one_line,
    system_archive,
    system_sources,
)

DEBIAN_SOURCES = """\
Types: deb
# an old address: http://example.org/old
URIs: http://mirror.example.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /keys/debian.gpg

Types: deb
URIs: http://mirror.example.org/debian-security
Suites: bookworm-security
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abcdef
 -----END PGP PUBLIC KEY BLOCK-----
"""

UBUNTU_SOURCES = """\
Enabled: no
Types: deb
URIs: http://off.example.org/ubuntu/
Suites: noble
Components: main

Types: deb deb-src
URIs: http://archive.example.org/ubuntu/
Suites: noble noble-updates noble-backports
Components: main universe restricted multiverse
Signed-By: /keys/ubuntu.gpg
"""

DEBIAN_LIST = """\
# deb http://commented.example.org/debian sid main
deb-src http://mirror.example.org/debian bookworm main
deb [arch=amd64 signed-by=/keys/own.gpg] http://mirror.example.org/debian bookworm main contrib # x
deb https://packages.example.org/apt stable main
"""


@pytest.fixture
def any_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    key = tmp_path / "key.gpg"
    key.touch()
    monkeypatch.setattr(apt_sources, "KEYRINGS", {"debian": str(key), "ubuntu": str(key)})
    return key


def test_debian_sources_in_paragraphs() -> None:
    first, second = parse_deb822(DEBIAN_SOURCES)
    assert first == AptSource(
        "http://mirror.example.org/debian",
        ("bookworm", "bookworm-updates"),
        ("main",),
        "/keys/debian.gpg",
    )
    assert first.distribution == "debian"
    assert second.distribution == ""
    assert second.signed_by == "", "a key in the file itself is no path"


def test_ubuntu_sources_without_the_disabled_ones() -> None:
    (source,) = parse_deb822(UBUNTU_SOURCES)
    assert source.distribution == "ubuntu"
    assert source.components == ("main", "universe", "restricted", "multiverse")


def test_one_line_sources_without_comments_and_source_packages() -> None:
    first, second = parse_one_line(DEBIAN_LIST)
    assert first.uri == "http://mirror.example.org/debian"
    assert (first.suites, first.components) == (("bookworm",), ("main", "contrib"))
    assert first.signed_by == "/keys/own.gpg"
    assert second.distribution == ""


def test_both_kinds_of_files_are_read_and_other_names_are_not(tmp_path: Path) -> None:
    parts = tmp_path / "sources.list.d"
    parts.mkdir()
    (tmp_path / "sources.list").write_text("deb http://a.example.org/debian bookworm main\n")
    (parts / "b.sources").write_text(
        "Types: deb\nURIs: http://b.example.org/ubuntu\nSuites: noble\n"
    )
    (parts / "c.list.disabled").write_text("deb http://c.example.org/debian sid main\n")
    uris = [source.uri for source in system_sources(tmp_path)]
    assert uris == ["http://a.example.org/debian", "http://b.example.org/ubuntu"]


def test_a_debian_system_is_read_at_its_newer_suites(any_key: Path) -> None:
    archive = system_archive([AptSource("http://x.example.org/debian/", ("bookworm",), ("main",))])
    assert archive.uri == "http://x.example.org/debian"
    assert archive.suites[0] == "sid"
    assert (
        f"deb [signed-by={any_key}] http://x.example.org/debian sid main\n"
        in archive.source_lines()
    )


def test_an_ubuntu_system_is_read_at_devel_with_universe(any_key: Path) -> None:
    archive = system_archive(parse_deb822(UBUNTU_SOURCES.replace("/keys/ubuntu.gpg", str(any_key))))
    assert archive.suites == ("devel",)
    assert archive.components == ("main", "universe")


def test_a_system_without_either_is_told_what_to_do() -> None:
    with pytest.raises(ToolchainError, match="--archive URL"):
        system_archive([AptSource("https://packages.example.org/apt", ("stable",), ("main",))])


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(ToolchainError, match="debian-archive-keyring"):
        named_archive("http://x.example.org/debian", keyring=str(tmp_path / "none.gpg"))


def test_suites_can_be_chosen(any_key: Path) -> None:
    archive = named_archive("http://x.example.org/ubuntu", ["noble", "devel"])
    assert archive.suites == ("noble", "devel")
