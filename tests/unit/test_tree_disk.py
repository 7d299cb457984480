"""Files are written whole or not at all, keep their bits, and backups lose nothing."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from io import FileIO
from pathlib import Path

import pytest

from hipify.errors import SourceError
from hipify.tree import disk

posix_only = pytest.mark.skipif(os.name == "nt", reason="permission bits are POSIX")


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def bits(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


class TestWrite:
    def test_makes_folders_and_leaves_nothing_else(self, tmp_path: Path) -> None:
        disk.write(tmp_path / "a/b/c.cu", b"x\r\n\xff")
        assert listing(tmp_path / "a/b") == {"c.cu": b"x\r\n\xff"}

    def test_equal_content_is_not_written_again(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        disk.write(path, b"x")
        os.utime(path, ns=(1, 1))
        disk.write(path, b"x")
        assert path.stat().st_mtime_ns == 1
        disk.write(path, b"y")
        assert path.stat().st_mtime_ns > 1

    @posix_only
    @pytest.mark.parametrize("mode", [0o755, 0o444, 0o600, 0o664])
    def test_keeps_the_permission_bits_of_the_source(self, tmp_path: Path, mode: int) -> None:
        source = tmp_path / "a.cu"
        source.write_bytes(b"x")
        source.chmod(mode)
        for content in (b"x", b"y", b"y"):
            disk.write(tmp_path / "b.cu", content, source.stat())
            assert bits(tmp_path / "b.cu") == mode

    @posix_only
    def test_without_a_source_the_bits_are_the_usual_or_the_old_ones(self, tmp_path: Path) -> None:
        plain, path = tmp_path / "plain", tmp_path / "a.cu"
        plain.write_bytes(b"")
        disk.write(path, b"x")
        assert bits(path) == bits(plain)
        path.chmod(0o751)
        disk.write(path, b"y")
        assert bits(path) == 0o751

    def test_replaces_a_link_and_not_what_it_leads_to(self, tmp_path: Path) -> None:
        (tmp_path / "precious").write_bytes(b"x")
        (tmp_path / "a.cu").symlink_to("precious")
        disk.write(tmp_path / "a.cu", b"x")
        assert not (tmp_path / "a.cu").is_symlink()
        disk.write(tmp_path / "a.cu", b"y")
        assert (tmp_path / "precious").read_bytes() == b"x"

    def test_a_full_disk_leaves_the_old_file_and_no_other(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"old")

        class FullDisk(FileIO):
            def write(self, data: object, /) -> int:
                super().write(memoryview(data)[:2])  # type: ignore[arg-type]
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(disk, "FileIO", FullDisk)
        with pytest.raises(SourceError, match=r"cannot write .*a\.cu: No space left on device"):
            disk.write(path, b"new text")
        assert listing(tmp_path) == {"a.cu": b"old"}

    @pytest.mark.skipif(sys.platform == "win32", reason="no file size limits on Windows")
    def test_a_real_limit_of_the_system_leaves_the_old_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"old")
        code = (
            "import resource, sys\nfrom pathlib import Path\nfrom hipify.tree import disk\n"
            "from hipify.errors import SourceError\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
            "try:\n    disk.write(Path(sys.argv[1]), b'x' * 5000)\n"
            "except SourceError as error:\n    print(error)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
        )
        assert "File too large" in done.stdout
        assert listing(tmp_path) == {"a.cu": b"old"}

    @pytest.mark.parametrize(("number", "fails"), [(errno.EINVAL, False), (errno.EIO, True)])
    def test_a_file_system_without_fsync_is_fine_and_a_broken_disk_is_not(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, fails: bool
    ) -> None:
        def fsync(descriptor: int) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", fsync)
        if fails:
            with pytest.raises(SourceError, match="Input/output error"):
                disk.write(tmp_path / "a.cu", b"x")
        else:
            disk.write(tmp_path / "a.cu", b"x")
        assert listing(tmp_path) == ({} if fails else {"a.cu": b"x"})

    def test_short_writes_go_on(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Slow(FileIO):
            def write(self, data: object, /) -> int:
                return super().write(memoryview(data)[:3])  # type: ignore[arg-type]

        monkeypatch.setattr(disk, "FileIO", Slow)
        disk.write(tmp_path / "a.cu", b"0123456789")
        assert (tmp_path / "a.cu").read_bytes() == b"0123456789"

    def test_an_interrupt_leaves_the_old_file_and_no_other(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"old")

        def fsync(descriptor: int) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "fsync", fsync)
        with pytest.raises(KeyboardInterrupt):
            disk.write(path, b"new")
        assert listing(tmp_path) == {"a.cu": b"old"}

    def test_a_file_where_a_folder_is_needed_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"x")
        with pytest.raises(SourceError, match="cannot make the folder"):
            disk.write(tmp_path / "a/b.cu", b"")
        with pytest.raises(SourceError, match="cannot make the folder"):
            disk.write(tmp_path / "a/b/c.cu", b"")


class TestReplace:
    def test_replaces(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"old")
        path.chmod(0o640)
        disk.replace(path, b"new", path.stat())
        assert listing(tmp_path) == {"a.cu": b"new"}
        assert os.name == "nt" or bits(path) == 0o640

    @posix_only
    def test_a_read_only_file_stays_even_for_the_superuser(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"old")
        path.chmod(0o444)
        with pytest.raises(SourceError, match="is read-only"):
            disk.replace(path, b"new", path.stat())
        assert listing(tmp_path) == {"a.cu": b"old"}

    def test_an_edit_in_the_meantime_is_not_lost(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"old")
        seen = path.stat()
        path.write_bytes(b"edited")
        with pytest.raises(SourceError, match="was changed while"):
            disk.replace(path, b"new", seen)
        assert listing(tmp_path) == {"a.cu": b"edited"}

    def test_an_edit_at_the_very_end_is_not_lost(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"old")
        monkeypatch.setattr(os, "fsync", lambda descriptor: path.write_bytes(b"edited"))
        with pytest.raises(SourceError, match="was changed while"):
            disk.replace(path, b"new", path.stat())
        assert listing(tmp_path) == {"a.cu": b"edited"}

    def test_renaming_never_overwrites_another_file(self, tmp_path: Path) -> None:
        path, target = tmp_path / "a.cu", tmp_path / "a.hip"
        path.write_bytes(b"old")
        target.write_bytes(b"other")
        with pytest.raises(SourceError, match=r"cannot become a\.hip"):
            disk.rename_to(path, target, b"new", path.stat())
        assert listing(tmp_path) == {"a.cu": b"old", "a.hip": b"other"}
        target.write_bytes(b"new")
        disk.rename_to(path, target, b"new", path.stat())
        assert listing(tmp_path) == {"a.hip": b"new"}


class TestBackUp:
    def test_a_backup_that_differs_is_never_overwritten(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"1")
        like = path.stat()
        names = [disk.back_up(path, text, like).name for text in (b"1", b"2", b"1", b"3", b"2")]
        assert names == ["a.cu.orig", "a.cu.orig.1", "a.cu.orig", "a.cu.orig.2", "a.cu.orig.1"]
        assert listing(tmp_path) == {
            **{"a.cu": b"1", "a.cu.orig": b"1"},
            **{"a.cu.orig.1": b"2", "a.cu.orig.2": b"3"},
        }

    def test_neither_links_nor_folders_serve_as_backups(self, tmp_path: Path) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"x")
        (tmp_path / "a.cu.orig").symlink_to("a.cu")
        (tmp_path / "a.cu.orig.1").mkdir()
        (tmp_path / "a.cu.orig.2").symlink_to("nowhere")
        assert disk.back_up(path, b"x", path.stat()).name == "a.cu.orig.3"

    def test_one_made_by_another_run_at_the_same_time_stays(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"mine")
        real = os.fsync

        def fsync(descriptor: int) -> None:
            (tmp_path / "a.cu.orig").write_bytes(b"theirs")
            real(descriptor)

        monkeypatch.setattr(os, "fsync", fsync)
        assert disk.back_up(path, b"mine", path.stat()).name == "a.cu.orig.1"
        assert (tmp_path / "a.cu.orig").read_bytes() == b"theirs"
        assert len(listing(tmp_path)) == 3

    @pytest.mark.skipif(os.name == "nt", reason="Windows takes another way")
    def test_a_file_system_without_hard_links_does_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_links(*arguments: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", no_links)
        path = tmp_path / "a.cu"
        path.write_bytes(b"x")
        assert disk.back_up(path, b"x", path.stat()).read_bytes() == b"x"
        assert sorted(listing(tmp_path)) == ["a.cu", "a.cu.orig"]


class TestOthers:
    def test_copy_keeps_bytes_and_bits(self, tmp_path: Path) -> None:
        source = tmp_path / "run.sh"
        source.write_bytes(bytes(range(256)) * 9000)
        source.chmod(0o755)
        disk.copy(source, tmp_path / "out/run.sh")
        assert (tmp_path / "out/run.sh").read_bytes() == source.read_bytes()
        assert os.name == "nt" or bits(tmp_path / "out/run.sh") == 0o755

    def test_aliases_are_one_file_or_two_alike(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a.cu"
        path.write_bytes(b"x")
        disk.alias(path, tmp_path / "b.cu", b"x", path.stat())
        disk.alias(path, tmp_path / "b.cu", b"x", path.stat())
        assert path.samefile(tmp_path / "b.cu")
        monkeypatch.delattr(os, "link")
        disk.alias(path, tmp_path / "c.cu", b"x", path.stat())
        assert not path.samefile(tmp_path / "c.cu")
        assert sorted(listing(tmp_path)) == ["a.cu", "b.cu", "c.cu"]

    def test_a_link_replaces_what_was_there(self, tmp_path: Path) -> None:
        (tmp_path / "b").write_bytes(b"old")
        for _ in range(2):
            disk.link("a", tmp_path / "b", to_folder=False)
            assert os.readlink(tmp_path / "b") == "a"  # noqa: PTH115
        assert [path.name for path in tmp_path.iterdir()] == ["b"]

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            ("int x;".encode("utf-16"), "UTF-16"),
            ("int x;".encode("utf-16-be"), "binary or UTF-16"),
            (b"\xfe\xff\0i", "UTF-16"),
            (b"\x7fELF\0\0\0\0\0\0\0\0", "binary"),
        ],
    )
    def test_text_that_would_look_clean_is_refused(self, data: bytes, told: str) -> None:
        with pytest.raises(SourceError, match=told):
            disk.require_text(data)

    @pytest.mark.parametrize(
        "data", [b"", b"\xef\xbb\xbfint x;", b"caf\xe9", b"int x;\0\n" * 9, b"\0"]
    )
    def test_text_of_any_other_encoding_is_fine(self, data: bytes) -> None:
        disk.require_text(data)
