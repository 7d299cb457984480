"""Barriers, fences, traps and hints."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction, Label, Register, Special
from hipify.ptx.types import KINDS
from hipify.ptx.uses import all_lines

FORMS = """
nanosleep.u32                       a                         => hipify::ptx::nanosleep($a)
"""

_BARRIER_REMEDY = "HIP has __syncthreads() for the whole block only: restructure, or count arrivals in shared memory"


def _barrier(emitter: Emitter, instruction: Instruction) -> bool:
    """bar.sync 0 and its kin are __syncthreads; bar.warp.sync orders a warp."""
    words = [word for word in instruction.modifiers if word not in ("cta", "aligned")]
    operands = instruction.operands
    if words == ["warp", "sync"]:
        emitter.statement(f"{emitter.ours('syncwarp')}({_mask(emitter, instruction, 0)})")
        return True
    if words[:1] == ["red"]:
        return _barrier_reduction(emitter, instruction)
    if words != ["sync"]:
        if "cluster" in words:
            emitter.fail(
                f"{instruction.name}: AMD GPUs have no clusters of blocks",
                "use cooperative groups' grid.sync() or separate kernels",
            )
        emitter.fail(f"{instruction.name}: AMD GPUs have no split barriers", _BARRIER_REMEDY)
    if len(operands) != 1 or emitter.constant(operands[0]) != 0:
        emitter.fail(
            f"{instruction.name} waits at a barrier of its own or for part of the block",
            _BARRIER_REMEDY,
        )
    emitter.statement("__syncthreads()")
    return True


def _mask(emitter: Emitter, instruction: Instruction, index: int) -> str:
    return emitter.read(instruction.operands[index], KINDS["u32"])


_FENCES = {
    "cta": "__threadfence_block()",
    "gl": "__threadfence()",
    "gpu": "__threadfence()",
    "cluster": "__threadfence()",
    "sys": "__threadfence_system()",
}


def _fence(emitter: Emitter, instruction: Instruction) -> bool:
    """membar and fence by their scope; orders weaker than sequential consistency gain some."""
    if any(word.startswith(("proxy", "mbarrier_init")) for word in instruction.modifiers):
        emitter.fail(
            f"{instruction.name}: AMD GPUs have no asynchronous proxy",
            "remove it with the asynchronous copies that it is for",
        )
    words = [w for w in instruction.modifiers if w not in ("sc", "acq_rel", "acquire", "release")]
    if len(words) != 1 or words[0] not in _FENCES:
        return False
    emitter.statement(_FENCES[words[0]])
    return True


def _barrier_reduction(emitter: Emitter, instruction: Instruction) -> bool:
    """bar.red 0 counts or joins a predicate over the block."""
    names = {"popc": "__syncthreads_count", "and": "__syncthreads_and", "or": "__syncthreads_or"}
    words = [w for w in instruction.modifiers if w not in ("cta", "aligned", "red")]
    operands = instruction.operands
    if len(operands) != 3 or not words or words[0] not in names or len(words) != 2:
        return False
    if emitter.constant(operands[1]) != 0:
        emitter.fail(
            f"{instruction.name} waits at a barrier of its own or for part of the block",
            _BARRIER_REMEDY,
        )
    text = f"{names[words[0]]}({emitter.read(operands[2], KINDS['pred'])})"
    if words[0] == "popc":
        emitter.write(operands[0], text, KINDS["u32"])
    else:
        emitter.write(operands[0], f"{text} != 0", KINDS["pred"])
    return True


def _trap(emitter: Emitter, instruction: Instruction) -> bool:
    emitter.statement("__builtin_trap()")
    return True


def _brkpt(emitter: Emitter, instruction: Instruction) -> bool:
    emitter.statement("__builtin_debugtrap()")
    return True


def _exit(emitter: Emitter, instruction: Instruction) -> bool:
    if not emitter.request.in_kernel:
        emitter.fail(
            f"{instruction.opcode} ends the thread from inside a function, which HIP C++ cannot",
            "return to the kernel and return from there",
        )
    emitter.statement("return")
    return True


def _branch(emitter: Emitter, instruction: Instruction) -> bool:
    """bra to a label of the same statement."""
    if set(instruction.modifiers) - {"uni"} or len(instruction.operands) != 1:
        return False
    target = instruction.operands[0]
    labels = {
        line.name: line.offset
        for line in all_lines(emitter.request.lines)
        if isinstance(line, Label)
    }
    if not isinstance(target, Register | Special) or target.name not in labels:
        emitter.fail("it branches to a label outside of its asm statement")
    if labels[target.name] < instruction.offset:
        emitter.caveat(
            "a loop in inline PTX: lanes of a wave that wait for each other never end on AMD GPUs",
            "see that no lane waits for another lane of its wave here",
            warning=True,
        )
    emitter.statement(f"goto {emitter.label(target.name)}")
    return True


def _launch_control(emitter: Emitter, instruction: Instruction) -> bool:
    emitter.caveat(
        f"{instruction.name} is dropped: AMD starts a kernel when those before it in the stream are done",
        "nothing to do, but the kernels no longer overlap",
    )
    emitter.statement("(void)0")
    return True


EXPANSIONS = {
    "bar": _barrier,
    "barrier": _barrier,
    "membar": _fence,
    "fence": _fence,
    "trap": _trap,
    "brkpt": _brkpt,
    "bra": _branch,
    "exit": _exit,
    "ret": _exit,
    "griddepcontrol": _launch_control,
}
