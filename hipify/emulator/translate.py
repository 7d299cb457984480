"""Code object to listing: what the native side asks for once for each code object.

``python -m hipify.emulator.translate CODE_OBJECT LISTING``
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hipify.emulator.code_object import CodeObject, read_code_object
from hipify.emulator.decode import Decoder, Line
from hipify.emulator.disassembly import Instruction, instructions
from hipify.emulator.errors import EmulatorError

_VECTOR = re.compile(r"\b([va])(?:(\d+)|\[(\d+):(\d+)\])")


def _highest_registers(disassembly: str) -> dict[str, int]:
    """Number of registers that the code names, for plain and accumulation registers."""
    counts = {"v": 0, "a": 0}
    for operand in set(re.findall(r"[^\w](?:[va]\d+|[va]\[\d+:\d+\])", disassembly)):
        match = _VECTOR.search(operand)
        if match:
            last = int(match[2] or match[4])
            counts[match[1]] = max(counts[match[1]], last + 1)
    return counts


def _kernel_records(kernel: dict[str, Any]) -> list[str]:
    fields = (
        kernel[".name"], kernel[".symbol"], kernel[".kernarg_segment_size"],
        kernel.get(".vgpr_count", 0), kernel.get(".sgpr_count", 0),
        kernel.get(".max_flat_workgroup_size", 1024), int(kernel.get(".uses_dynamic_stack", False)),
    )  # fmt: skip
    lines = ["\t".join(("kernel", *map(str, fields)))]
    for arg in kernel.get(".args", ()):
        lines.append(f"arg\t{arg['.offset']}\t{arg['.size']}\t{arg['.value_kind']}")
    return lines


class _Listing:
    """Collects the lines of a listing; a source place is written where it changes."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.files: dict[str, int] = {}
        self.place: tuple[str, int] | None = None

    def add(self, i: Instruction, line: Line) -> None:
        place = ""
        if i.source is not None and i.source != self.place:
            self.place = i.source
            number = self.files.setdefault(i.source[0], len(self.files))
            place = f"{number}:{i.source[1]}"
        attributes = " ".join(f"{k}={v}" for k, v in line.attributes.items())
        fields = (
            f"{i.address:x}",
            line.handler,
            " ".join(line.operands),
            attributes,
            place,
            i.text,
        )
        self.lines.append("\t".join(("i", *fields)))


def listing(code: CodeObject, disassembly: str) -> str:
    """The listing of a code object, given its disassembly."""
    counts = _highest_registers(disassembly)
    accumulators = counts["v"]
    spare = counts["v"] + counts["a"]
    target = code.target
    decoder = Decoder(target, code.lanes, accumulators, spare)
    out = _Listing()
    pending: Instruction | None = None
    for i in instructions(disassembly):
        if "::" in i.text and pending is None:
            pending = i
            continue
        try:
            lines = decoder.decode(i) if pending is None else decoder.decode_dual(pending, i)
        except (EmulatorError, ValueError, IndexError, KeyError) as error:
            reason = str(error).replace("\n", " ").replace("\t", " ")
            out.add(replace(i, text=f"{i.text} ({reason})"), Line("?"))
            lines = []
        for line in lines:
            out.add(i, line)
        pending = None
    head = [
        f"target\t{target.name}\t{target.major}\t{int(target.packed_ids)}\t{int(target.flat_scratch)}"
        f"\t{int(target.fnuz)}",
        f"lanes\t{code.lanes}",
        f"vgprs\t{spare + 1}",
        *(f"file\t{name}" for name in out.files),
    ]
    for kernel in code.kernels:
        head += _kernel_records(kernel)
    return "\n".join((*head, *out.lines, ""))


def disassemble(path: Path) -> str:
    """The text of the code object at `path`, with source lines where it has them."""
    tool = os.environ.get("HIPIFY_EMULATOR_OBJDUMP", "llvm-objdump")
    command = [tool, "-d", "-l", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise EmulatorError(
            f"{tool}: {error.strerror}; set HIPIFY_EMULATOR_OBJDUMP to a llvm-objdump with AMDGPU"
        ) from None
    if done.returncode:
        raise EmulatorError(f"{tool} failed: {done.stderr.strip()}")
    return done.stdout


def translate(code_object: Path, output: Path) -> None:
    """Write the listing of `code_object` to `output`, atomically."""
    code = read_code_object(code_object.read_bytes())
    text = listing(code, disassemble(code_object))
    handle, name = tempfile.mkstemp(dir=output.parent, prefix=output.name)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(name).replace(output)


def main(arguments: list[str]) -> int:
    """Entry of ``python -m hipify.emulator.translate``."""
    try:
        translate(Path(arguments[0]), Path(arguments[1]))
    except EmulatorError as error:
        print(f"hipify emulator: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
