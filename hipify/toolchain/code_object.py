"""AMDGPU code objects inside host objects and executables: which targets, which kernels.

Bytes in, facts out: the ELF files are read with pyelftools, the metadata notes with msgpack.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hipify.errors import ToolchainError

BUNDLE_MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
COMPRESSED_MAGIC = b"CCOB"
FAT_SECTIONS = (".hip_fatbin", ".hipFatBin")
EM_AMDGPU = 224
NT_AMDGPU_METADATA = 32


class BundleEntry(NamedTuple):
    """One entry of an offload bundle; identifiers are like `hipv4-amdgcn-amd-amdhsa--gfx90a`."""

    identifier: str
    data: bytes

    @property
    def arch(self) -> str:
        """The architecture with its features; empty for the host's entry."""
        kind, _, rest = self.identifier.partition("-")
        return "" if kind == "host" else rest.split("--", 1)[-1].lstrip("-")


@dataclass(frozen=True)
class Kernel:
    """What the metadata of a code object says about one kernel; sizes in bytes.

    `lds` is static group segment memory, `scratch` private segment memory a lane.
    """

    name: str
    vgprs: int
    agprs: int
    sgprs: int
    lds: int
    scratch: int
    vgpr_spills: int
    sgpr_spills: int
    wave: int
    max_threads: int
    kernarg: int


@dataclass(frozen=True)
class CodeObject:
    """One device program for one architecture; `size` in bytes."""

    arch: str
    size: int
    kernels: tuple[Kernel, ...]


def code_objects(data: bytes) -> list[CodeObject]:
    """The device programs in a host object or executable; none when it has no device code.

    Raises ToolchainError for a bundle that is damaged, compressed or holds no AMDGPU code.
    """
    return [_code_object(entry) for entry in device_entries(data)]


def device_entries(data: bytes) -> Iterator[BundleEntry]:
    """The entries for devices, of all bundles in an ELF file; empty ones are left out."""
    for section in _fat_sections(data):
        for entry in bundle_entries(section):
            if entry.arch and entry.data:
                yield entry


def _fat_sections(data: bytes) -> Iterator[bytes]:
    elf = _elf(data, "the object")
    for section in elf.iter_sections():
        if section.name in FAT_SECTIONS:
            yield section.data()


def bundle_entries(data: bytes) -> Iterator[BundleEntry]:
    """The entries of one section, in which several bundles may follow each other."""
    if COMPRESSED_MAGIC in data and BUNDLE_MAGIC not in data:
        raise ToolchainError("the offload bundle is compressed: compile with --no-offload-compress")
    start = data.find(BUNDLE_MAGIC)
    while start >= 0:
        yield from _entries_at(data, start)
        start = data.find(BUNDLE_MAGIC, start + len(BUNDLE_MAGIC))


def _entries_at(data: bytes, start: int) -> Iterator[BundleEntry]:
    try:
        at = start + len(BUNDLE_MAGIC)
        (count,) = struct.unpack_from("<Q", data, at)
        at += 8
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", data, at)
            at += 24
            name = data[at : at + length]
            at += length
            content = data[start + offset : start + offset + size]
            if len(name) != length or len(content) != size:
                raise ToolchainError("the offload bundle is cut off")
            yield BundleEntry(name.decode("ascii", "replace"), content)
    except struct.error:
        raise ToolchainError("the offload bundle is cut off") from None


def _code_object(entry: BundleEntry) -> CodeObject:
    elf = _elf(entry.data, f"the code object for {entry.arch}")
    if elf.header["e_machine"] not in (EM_AMDGPU, "EM_AMDGPU"):
        raise ToolchainError(f"the entry for {entry.arch} is no AMDGPU code")
    kernels = tuple(_kernel(entry) for entry in _metadata(elf).get("amdhsa.kernels", []))
    return CodeObject(entry.arch, len(entry.data), kernels)


def _elf(data: bytes, what: str) -> Any:
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        return ELFFile(io.BytesIO(data))
    except ELFError as error:
        raise ToolchainError(f"{what} is no ELF file: {error}") from None


def _metadata(elf: Any) -> dict[str, Any]:
    """The contents of the metadata note. pyelftools knows the note's frame, not its meaning."""
    import msgpack
    from elftools.elf.segments import NoteSegment

    for segment in elf.iter_segments():
        if not isinstance(segment, NoteSegment):
            continue
        for note in segment.iter_notes():
            if note["n_name"] == "AMDGPU" and note["n_type"] in (NT_AMDGPU_METADATA, str(32)):
                content = note["n_descdata"]
                found: dict[str, Any] = msgpack.unpackb(content, strict_map_key=False)
                return found
    return {}


def _kernel(entry: dict[str, Any]) -> Kernel:
    def number(key: str) -> int:
        return int(entry.get(key, 0))

    return Kernel(
        str(entry[".name"]),
        number(".vgpr_count"),
        number(".agpr_count"),
        number(".sgpr_count"),
        number(".group_segment_fixed_size"),
        number(".private_segment_fixed_size"),
        number(".vgpr_spill_count"),
        number(".sgpr_spill_count"),
        number(".wavefront_size"),
        number(".max_flat_workgroup_size"),
        number(".kernarg_segment_size"),
    )
