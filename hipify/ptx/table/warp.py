"""Instructions that concern a warp: through warp32.hpp, which keeps CUDA's 32 lanes everywhere."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction, Operand, Pair, Sink
from hipify.ptx.types import KINDS, grouped

FORMS = """
activemask.b32                      d                         => hipify::activemask()
vote.sync.all.pred                  d, a, m:u32               => hipify::all_sync($m, $a)
vote.sync.any.pred                  d, a, m:u32               => hipify::any_sync($m, $a)
vote.sync.uni.pred                  d, a, m:u32               => hipify::all_sync($m, $a) || !hipify::any_sync($m, $a)
vote.sync.ballot.b32                d, a:pred, m:u32          => hipify::ballot_sync($m, $a)
vote.all.pred                       d, a                      => hipify::all($a)
vote.any.pred                       d, a                      => hipify::any($a)
vote.ballot.b32                     d, a:pred                 => hipify::ballot($a)
match.any.sync.{b32 b64}            d:u32, a:uT, m:u32        => hipify::match_any_sync($m, $a)
redux.sync.add.{u32 s32}            d, a, m:u32               => hipify::reduce_add_sync($m, $a)
redux.sync.min.{u32 s32}            d, a, m:u32               => hipify::reduce_min_sync($m, $a)
redux.sync.max.{u32 s32}            d, a, m:u32               => hipify::reduce_max_sync($m, $a)
redux.sync.and.b32                  d, a:u32, m:u32           => hipify::reduce_and_sync($m, $a)
redux.sync.or.b32                   d, a:u32, m:u32           => hipify::reduce_or_sync($m, $a)
redux.sync.xor.b32                  d, a:u32, m:u32           => hipify::reduce_xor_sync($m, $a)
"""

_SHUFFLES = {"idx": "shfl", "up": "shfl_up", "down": "shfl_down", "bfly": "shfl_xor"}


def _shuffle(emitter: Emitter, instruction: Instruction) -> bool:
    """shfl, whose last operands hold the width of the segments."""
    words = [word for word in instruction.modifiers if word not in ("sync", "b32")]
    sync = "sync" in instruction.modifiers
    if len(words) != 1 or words[0] not in _SHUFFLES:
        return False
    if len(instruction.operands) != (5 if sync else 4):
        return False
    result, value, lane, segment = instruction.operands[:4]
    mode = words[0]
    first, second = (result.first, result.second) if isinstance(result, Pair) else (result, None)
    kind = KINDS[_shuffled_kind(emitter, value)]
    given = [emitter.read(value, kind)]
    if sync:
        given.insert(0, emitter.read(instruction.operands[4], KINDS["u32"]))
    width = _width(emitter, mode, segment)
    if width is None:
        by, valid = _general_source(emitter, mode, lane, segment)
        mode = "idx"
    else:
        by = emitter.read(lane, KINDS["u32" if mode in ("up", "down") else "b32"])
        valid = _in_range(mode, by, width)
    given.append(by)
    if width is not None and width != 32:
        given.append(str(width))
    if second is not None and not isinstance(second, Sink):
        valid = emitter.temporary("valid", "bool", valid)
    name = emitter.ours(_SHUFFLES[mode] + ("_sync" if sync else ""))
    emitter.write(first, f"{name}({', '.join(given)})", kind)
    if second is not None and not isinstance(second, Sink):
        emitter.write(second, valid, KINDS["pred"])
    return True


def _shuffled_kind(emitter: Emitter, value: Operand) -> str:
    held = emitter.kind_of(value)
    return "f32" if held is not None and held.group == "f" and held.bits == 32 else "u32"


def _width(emitter: Emitter, mode: str, segment: Operand) -> int | None:
    """The width of CUDA's intrinsics where the clamp and the segment mask of PTX stand for one."""
    number = emitter.constant(segment)
    if number is None:
        return None
    clamp, width = number & 0x1F, 32 - (number >> 8 & 0x1F)
    if width & (width - 1) or clamp != (0 if mode == "up" else 0x1F):
        return None
    return width


def _general_source(
    emitter: Emitter, mode: str, lane: Operand, segment: Operand
) -> tuple[str, str]:
    """The source lane, worked out at run time, and whether it is within the segment."""
    given = f"{emitter.read(lane, KINDS['u32'])}, {emitter.read(segment, KINDS['u32'])}"
    source = emitter.temporary(
        "source", "int", f"{emitter.ours(f'ptx::shfl_{mode}_source')}({given})"
    )
    # An invalid source is told by a negative number; the lane then keeps its own value.
    return f"{source} < 0 ? __lane_id() & 31 : {source}", f"{source} >= 0"


def _in_range(mode: str, by: str, width: int) -> str:
    """Whether the source lane is within the segment: the predicate that shfl gives."""
    lane = f"(__lane_id() & {width - 1})"
    shift = f"({grouped(by)} & 31)"
    if mode == "up":
        return f"{lane} >= {shift}"
    if mode == "down":
        return f"{lane} + {shift} < {width}"
    if mode == "bfly" and width < 32:
        return f"({lane} ^ {shift}) < {width}"
    return "true"


def _match_all(emitter: Emitter, instruction: Instruction) -> bool:
    """match.all gives the mask and, as a second result, whether all agree."""
    words = instruction.modifiers
    if words[:1] != ("all",) or len(instruction.operands) != 3 or words[-1] not in ("b32", "b64"):
        return False
    result, value, mask = instruction.operands
    kind = KINDS["u" + words[-1][1:]]
    given = f"{emitter.read(mask, KINDS['u32'])}, {emitter.read(value, kind)}"
    agree = emitter.variable("agree", "int")
    text = f"{emitter.ours('match_all_sync')}({given}, &{agree})"
    if isinstance(result, Pair):
        emitter.write(result.first, text, KINDS["u32"])
        emitter.write(result.second, f"{agree} != 0", KINDS["pred"])
    else:
        emitter.write(result, text, KINDS["u32"])
    return True


def _elect(emitter: Emitter, instruction: Instruction) -> bool:
    """elect.sync chooses the first lane of the mask."""
    if instruction.modifiers != ("sync",) or len(instruction.operands) != 2:
        return False
    result, mask = instruction.operands
    text = emitter.read(mask, KINDS["b32"])
    leader = emitter.temporary("leader", "unsigned", f"__ffs({text}) - 1")
    if not isinstance(result, Pair):
        return False
    if not isinstance(result.first, Sink):
        emitter.write(result.first, leader, KINDS["u32"])
    emitter.write(result.second, f"(__lane_id() & 31) == {leader}", KINDS["pred"])
    return True


EXPANSIONS = {"shfl": _shuffle, "match": _match_all, "elect": _elect}
