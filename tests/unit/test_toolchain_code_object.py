"""Offload bundles and the metadata of kernels, made by hand byte by byte."""

from __future__ import annotations

import struct

import msgpack
import pytest

from hipify.errors import ToolchainError
from hipify.toolchain.code_object import BUNDLE_MAGIC, bundle_entries, code_objects

KERNEL = {
    ".name": "_Z1kPf",
    ".vgpr_count": 12,
    ".agpr_count": 4,
    ".sgpr_count": 20,
    ".group_segment_fixed_size": 1024,
    ".private_segment_fixed_size": 16,
    ".vgpr_spill_count": 1,
    ".sgpr_spill_count": 0,
    ".wavefront_size": 64,
    ".max_flat_workgroup_size": 256,
    ".kernarg_segment_size": 8,
}


def bundle(entries: dict[str, bytes]) -> bytes:
    head = BUNDLE_MAGIC + struct.pack("<Q", len(entries))
    offset = len(head) + sum(24 + len(name) for name in entries)
    table, body = b"", b""
    for name, data in entries.items():
        table += struct.pack("<QQQ", offset + len(body), len(data), len(name)) + name.encode()
        body += data
    return head + table + body


def elf(machine: int, note: bytes = b"", section: tuple[str, bytes] | None = None) -> bytes:
    """A little ELF64 file with a note segment, or with one named section."""
    header_size, program_size, section_size = 64, 56, 64
    name, content = section or ("", b"")
    names = b"\0" + name.encode() + b"\0.shstrtab\0"
    note_at = header_size + program_size
    content_at = note_at + len(note)
    names_at = content_at + len(content)
    sections_at = names_at + len(names)
    sections = b""
    if section:
        sections = bytes(section_size)
        sections += struct.pack("<IIQQQQIIQQ", 1, 1, 0, 0, content_at, len(content), 0, 0, 1, 0)
        sections += struct.pack(
            "<IIQQQQIIQQ", len(name) + 2, 3, 0, 0, names_at, len(names), 0, 0, 1, 0
        )
    count = 3 if section else 0
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    header = ident + struct.pack(
        "<HHIQQQIHHHHHH",
        *(3, machine, 1, 0, header_size, sections_at if section else 0, 0),
        *(header_size, program_size, 1, section_size, count, 2 if section else 0),
    )
    program = struct.pack("<IIQQQQQQ", 4, 4, note_at, 0, 0, len(note), len(note), 4)
    return header + program + note + content + names + sections


def metadata_note(kernels: list[dict[str, object]]) -> bytes:
    content = msgpack.packb({"amdhsa.kernels": kernels, "amdhsa.version": [1, 2]})
    content += bytes(-len(content) % 4)
    return struct.pack("<III", 7, len(content), 32) + b"AMDGPU\0\0" + content


def host_object(entries: dict[str, bytes]) -> bytes:
    return elf(62, section=(".hip_fatbin", bytes(8) + bundle(entries)))


GFX90A = "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-"
HOST = "host-x86_64-unknown-linux-gnu-"


def test_kernels_with_their_resources_and_features_of_the_target() -> None:
    device = elf(224, metadata_note([KERNEL]))
    (code,) = code_objects(host_object({HOST: b"", GFX90A: device}))
    assert (code.arch, code.size) == ("gfx90a:xnack-", len(device))
    (kernel,) = code.kernels
    assert (kernel.name, kernel.vgprs, kernel.agprs, kernel.sgprs) == ("_Z1kPf", 12, 4, 20)
    assert (kernel.lds, kernel.scratch, kernel.vgpr_spills, kernel.wave) == (1024, 16, 1, 64)


def test_several_bundles_in_one_section() -> None:
    one = bundle({HOST: b"", "hipv4-amdgcn-amd-amdhsa--gfx90a": elf(224)})
    two = bundle({HOST: b"", "hipv4-amdgcn-amd-amdhsa--gfx1100": elf(224)})
    data = elf(62, section=(".hip_fatbin", one + bytes(100) + two))
    assert [code.arch for code in code_objects(data)] == ["gfx90a", "gfx1100"]


def test_an_object_without_device_code() -> None:
    assert code_objects(elf(62, section=(".text", b"\x90"))) == []


def test_code_for_another_machine_is_refused() -> None:
    with pytest.raises(ToolchainError, match="no AMDGPU code"):
        code_objects(host_object({GFX90A: elf(190)}))
    with pytest.raises(ToolchainError, match="no ELF file"):
        code_objects(host_object({GFX90A: b"not an ELF file at all, by any means"}))


def test_a_bundle_that_is_cut_off_is_refused_wherever_it_ends() -> None:
    whole = bundle({HOST: b"", GFX90A: elf(224)})
    for end in range(len(BUNDLE_MAGIC), len(whole) - 1, 7):
        with pytest.raises(ToolchainError, match="cut off"):
            list(bundle_entries(whole[:end]))


def test_a_compressed_bundle_is_named_as_such() -> None:
    with pytest.raises(ToolchainError, match="no-offload-compress"):
        code_objects(elf(62, section=(".hip_fatbin", b"CCOB" + bytes(40))))
