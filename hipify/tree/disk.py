"""Reading and writing whole files, so that nothing is ever lost, half written or left behind."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import count
from pathlib import Path

from hipify.errors import SourceError
from hipify.walk import TEMPORARY_PREFIX, TEMPORARY_SUFFIX

_CREATE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
_CHUNK = 1 << 20
_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""What file systems answer that know no fsync."""
_WIDE = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x00\x00\xfe\xff", "UTF-32"))


def reason(error: OSError) -> str:
    """The system's words for an error, without the number and the path."""
    return error.strerror or str(error) or type(error).__name__


def absolute(path: Path) -> Path:
    """The full path without `..`, links not followed (which Path.resolve would do)."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def read(path: Path) -> tuple[bytes, os.stat_result]:
    """The bytes of a file and its status at the time of reading.

    Raises SourceError where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(), os.fstat(file.fileno())
    except OSError as error:
        raise SourceError(f"cannot be read: {reason(error)}") from None


def require_text(data: bytes) -> None:
    """Refuses wide encodings, in which no CUDA name would be found and all would look clean.

    Raises SourceError for UTF-16 and UTF-32; every encoding that extends ASCII is fine.
    """
    wide = next((name for mark, name in _WIDE if data.startswith(mark)), "")
    start = data[:1024]
    if not wide and len(start) >= 8 and start.count(0) * 4 >= len(start):
        wide = "binary or UTF-16"
    if wide:
        raise SourceError(
            f"is {wide}, which cannot be translated: "
            "convert it to UTF-8, or leave it out with --exclude"
        )


def _temporary(folder: Path) -> Path:
    """A name that no other process takes, be it on another machine that shares the folder."""
    return folder / f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}{TEMPORARY_SUFFIX}"


@contextmanager
def _replacement(path: Path, bits: int = 0o600) -> Iterator[tuple[FileIO, Path]]:
    """A new temporary file beside `path`, open for writing, gone again if anything goes wrong.

    Its permission `bits` are subject to the umask. The body must have moved it to its place when it
    ends. OSErrors become SourceErrors.
    """
    temporary = _temporary(path.parent)
    try:
        try:
            with FileIO(os.open(temporary, _CREATE, bits), "wb") as file:
                yield file, temporary
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise SourceError(f"cannot write {path}: {reason(error)}") from None


def _write_all(file: FileIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _finish(file: FileIO, temporary: Path, like: os.stat_result | None) -> None:
    """Takes over the permission bits (the owner, too, where we may) and gets it onto the disk."""
    if like is not None:
        if hasattr(os, "chown") and (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
            with suppress(OSError):
                os.chown(temporary, like.st_uid, like.st_gid)
        with suppress(PermissionError):  # a file system that has no such bits
            temporary.chmod(stat.S_IMODE(like.st_mode))
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    file.close()


def _move(temporary: Path, path: Path) -> None:
    if os.name == "nt" and path.exists():
        path.chmod(stat.S_IWRITE)  # Windows does not replace a read-only file
    temporary.replace(path)


def write(path: Path, data: bytes, like: os.stat_result | None = None) -> None:
    """Makes `path` hold `data`, in one step: it is the old file or the new one, never a part of it.

    Folders are made as needed. `like` lends its permission bits; without it they are those of the
    file that was there, or the usual ones. A file that holds `data` already
    is left alone, so that builds do not start over.

    Raises SourceError where that cannot be done; what was there then stays.
    """
    _make_folder(path.parent)
    if like is None and path.is_file():
        like = path.stat()
    if _holds(path, data, like):
        return
    with _replacement(path, 0o666 if like is None else 0o600) as (file, temporary):
        _write_all(file, data)
        _finish(file, temporary, like)
        _move(temporary, path)


def copy(source: Path, path: Path) -> None:
    """Copies a file of any size, permission bits included, as atomically as `write`.

    Raises SourceError where one of the two cannot be read or written.
    """
    _make_folder(path.parent)
    try:
        original = source.open("rb")
    except OSError as error:
        raise SourceError(f"cannot be read: {reason(error)}") from None
    with original, _replacement(path) as (file, temporary):
        while chunk := original.read(_CHUNK):
            _write_all(file, chunk)
        _finish(file, temporary, os.fstat(original.fileno()))
        _move(temporary, path)


def link(target: str, path: Path, to_folder: bool) -> None:
    """Makes `path` a symbolic link to `target`, replacing a link or file that is there.

    Raises SourceError where that cannot be done (Windows asks for a privilege).
    """
    _make_folder(path.parent)
    temporary = _temporary(path.parent)
    try:
        if path.is_symlink() and str(path.readlink()) == target:
            return
        temporary.symlink_to(target, target_is_directory=to_folder)
        try:
            temporary.replace(path)
        except BaseException:
            temporary.unlink()
            raise
    except OSError as error:
        raise SourceError(f"cannot make the symbolic link {path}: {reason(error)}") from None


def alias(path: Path, other: Path, data: bytes, like: os.stat_result | None) -> None:
    """Makes `other` a second name of `path`; a file with `data` where links are not to be had."""
    _make_folder(other.parent)
    temporary = _temporary(other.parent)
    try:
        os.link(path, temporary)
    except (OSError, AttributeError, NotImplementedError):
        write(other, data, like)
        return
    try:
        # Renaming one name of a file onto another does nothing and leaves both.
        temporary.replace(other)
    except OSError as error:
        raise SourceError(f"cannot write {other}: {reason(error)}") from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def replace(path: Path, data: bytes, read_at: os.stat_result) -> None:
    """Makes a source file that was read at `read_at` hold `data`.

    Raises SourceError, and leaves the file alone, where it is read-only, cannot be written or was
    changed by someone else in the meantime.
    """
    require_replaceable(path, read_at)
    with _replacement(path) as (file, temporary):
        _write_all(file, data)
        _finish(file, temporary, read_at)
        require_replaceable(path, read_at)
        _move(temporary, path)


def rename_to(path: Path, target: Path, data: bytes, read_at: os.stat_result) -> None:
    """Puts `data` into the new file `target` and takes `path` away.

    Raises SourceError, and leaves both alone, as `replace` does, and where `target` is there and
    differs.
    """
    require_replaceable(path, read_at)
    if not _has(target, data) and not (
        not os.path.lexists(target) and _create(target, data, read_at)
    ):
        raise SourceError(f"cannot become {target.name}: a file of that name is there and differs")
    require_replaceable(path, read_at)
    try:
        path.unlink()
    except OSError as error:
        raise SourceError(f"{target.name} was written, but {reason(error)}") from None


def require_replaceable(path: Path, read_at: os.stat_result) -> None:
    """Raises SourceError where the file is read-only or no longer the one that was read."""
    # A superuser could write a read-only file all the same, but whoever made it so meant it.
    if not read_at.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise SourceError("is read-only: make it writable, or write elsewhere with -o")
    try:
        now = path.lstat()
    except OSError as error:
        raise SourceError(f"cannot be written: {reason(error)}") from None
    if (now.st_mtime_ns, now.st_size) != (read_at.st_mtime_ns, read_at.st_size):
        raise SourceError("was changed while it was being translated, and is left alone: run again")


def back_up(path: Path, data: bytes, like: os.stat_result) -> Path:
    """Keeps `data`, the content of `path`, as `path.orig`, `path.orig.1`, ...: the first free one.

    A backup that differs is never overwritten; one that holds `data` already serves again. Returns
    the backup. Raises SourceError where it cannot be written.
    """
    for number in count():
        backup = path.with_name(f"{path.name}.orig" + (f".{number}" if number else ""))
        if not os.path.lexists(backup):
            if _create(backup, data, like):
                return backup
        elif not backup.is_symlink() and backup.is_file() and _has(backup, data):
            return backup
    raise AssertionError("count() ends never")


def _create(path: Path, data: bytes, like: os.stat_result) -> bool:
    """Writes a new file; False if someone else made one of that name first."""
    with _replacement(path) as (file, temporary):
        _write_all(file, data)
        _finish(file, temporary, like)
        try:
            if os.name == "nt":
                temporary.rename(path)  # Windows never renames onto a file
            else:
                os.link(temporary, path)
                temporary.unlink()
        except FileExistsError:
            temporary.unlink()
            return False
        except OSError:  # a file system without hard links
            if os.path.lexists(path):
                temporary.unlink()
                return False
            temporary.rename(path)
    _sync_folder(path.parent)
    return True


def _sync_folder(folder: Path) -> None:
    """Gets the folder's list of names onto the disk, where the system knows such a thing."""
    if os.name == "nt":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise SourceError(
            f"cannot make the folder {folder}: a file of that name is there"
        ) from None
    except OSError as error:
        raise SourceError(f"cannot make the folder {folder}: {reason(error)}") from None


def _holds(path: Path, data: bytes, like: os.stat_result | None) -> bool:
    """Whether `path` is a plain file with this content and these permission bits already."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if not stat.S_ISREG(status.st_mode):
        return False
    if like is not None and stat.S_IMODE(status.st_mode) != stat.S_IMODE(like.st_mode):
        return False
    return status.st_size == len(data) and _has(path, data)


def _has(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
