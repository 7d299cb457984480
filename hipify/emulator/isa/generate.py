"""C++ handlers made from the instruction tables.

The result is a handful of translation units of similar size, so that they compile in parallel and a
change of one table line recompiles one of them.
"""

from __future__ import annotations

from hipify.emulator.isa.table import Operation, operations

_NAMES = "abcd"
_HEADER = '#include "floats.hpp"\n\nnamespace emu {\nnamespace {\n\n'
_UNITS = {"lane": 6, "packed": 1, "compare": 2, "scalar": 2}


def _returning(body: str) -> str:
    return body + ";" if "return " in body else f"return {body};"


def _parameters(types: tuple[str, ...]) -> list[str]:
    return [f"{kind} {name}" for kind, name in zip(types, _NAMES, strict=False)]


def _lane_handler(op: Operation) -> str:
    values = tuple(t for t in op.sources if t != "mask")
    kinds = ", ".join((op.results[0], *values))
    parameters = _parameters(values)
    carries, selects = len(op.results) > 1, "mask" in op.sources
    if carries:
        template = f"map_carry<{'true' if selects else 'false'}, {kinds}>"
        parameters += ["[[maybe_unused]] u32 bit", "u32& q"]
    elif selects:
        template = f"map_select<{kinds}>"
        parameters.append("u32 bit")
    else:
        template = f"map<{kinds}>"
    return _call(op, template, parameters, op.results[0])


def _call(op: Operation, template: str, parameters: list[str], result: str) -> str:
    return (
        f"const Insn* {op.name}(Wave& w, const Insn* i) {{\n"
        f"  return {template}(w, i, []({', '.join(parameters)}) -> {result} "
        f"{{ {_returning(op.body)} }});\n}}\n"
    )


def _packed_handler(op: Operation) -> str:
    count = len(op.sources)
    if op.family == "packed32":
        parameters = [f"[[maybe_unused]] f32 {name}" for name in _NAMES[:3]]
        return _call(op, f"map_packed32<{count}>", parameters, "f32")
    kind = op.family.partition(":")[2]
    return _call(op, f"map_packed<{kind}, {count}>", _parameters((kind,) * count), kind)


def _compare_handler(op: Operation) -> str:
    kinds = ", ".join(op.sources)
    parameters = [f"[[maybe_unused]] {p}" for p in _parameters(op.sources)]
    return _call(op, f"compare<{kinds}>", parameters, "bool")


def _scalar_handler(op: Operation) -> str:
    result = op.results[0]
    if result == "-":
        kinds = ", ".join(op.sources)
        return _call(op, f"scalar_test<{kinds}>", _parameters(op.sources), "bool")
    parameters = ", ".join(_parameters(op.sources))
    kinds = ", ".join((result, *op.sources))
    body = _returning(op.body)
    scc = "    [[maybe_unused]] u32* const s = w.s;\n    [[maybe_unused]] u32& scc = w.s[kScc];\n"
    if op.sets_scc:
        returned = (
            body.replace("return ", f"const {result} r_ = ") if body.startswith("return") else None
        )
        inner = (
            f"    {returned}\n    scc = r_ != 0;\n    return r_;\n"
            if returned
            else f"    const {result} r_ = [&]() -> {result} {{ {body} }}();\n"
            f"    scc = r_ != 0;\n    return r_;\n"
        )
    else:
        inner = f"    {body}\n"
    return (
        f"const Insn* {op.name}(Wave& w, const Insn* i) {{\n"
        f"  return scalar<{kinds}>(w, i, [&]({parameters}) -> {kinds.split(',')[0]} {{\n"
        f"{scc}{inner}  }});\n}}\n"
    )


_MAKERS = {
    "lane": _lane_handler,
    "packed": _packed_handler,
    "packed32": _packed_handler,
    "compare": _compare_handler,
    "scalar": _scalar_handler,
}


def generate_units() -> dict[str, str]:
    """File name to C++ text of every generated translation unit."""
    groups: dict[str, list[Operation]] = {}
    for op in operations().values():
        family = op.family.partition(":")[0]
        if family != "native":
            groups.setdefault("packed" if family == "packed32" else family, []).append(op)
    units = {}
    for family, members in groups.items():
        count = _UNITS[family]
        for part in range(count):
            chosen = members[part::count]
            text = _HEADER + "\n".join(_MAKERS[op.family.partition(":")[0]](op) for op in chosen)
            names = "".join(f'    {{"{op.name}", {op.name}}},\n' for op in chosen)
            text += f"\nconst Handlers registered{{\n{names}}};\n\n}}  // namespace\n"
            text += "}  // namespace emu\n"
            units[f"{family}_{part}.cpp"] = text
    return units
