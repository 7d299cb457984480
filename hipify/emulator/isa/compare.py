"""Vector compares, made from the product of relations and types."""

_INTEGER = {"lt": "a < b", "le": "a <= b", "gt": "a > b", "ge": "a >= b", "eq": "a == b",
            "ne": "a != b", "f": "false", "t": "true"}  # fmt: skip
_FLOAT = {
    "lt": "a < b", "le": "a <= b", "gt": "a > b", "ge": "a >= b", "eq": "a == b",
    "lg": "a < b || a > b", "neq": "a != b", "nlt": "!(a < b)", "nle": "!(a <= b)",
    "ngt": "!(a > b)", "nge": "!(a >= b)", "nlg": "!(a < b || a > b)",
    "o": "a == a && b == b", "u": "a != a || b != b", "f": "false", "tru": "true", "t": "true",
}  # fmt: skip


def compares() -> dict[str, tuple[str, str, str]]:
    """``v_cmp_…`` name to the types of its two sources and its test."""
    table = {}
    for kind in ("i16", "u16", "i32", "u32", "i64", "u64"):
        for name, test in _INTEGER.items():
            table[f"v_cmp_{name}_{kind}"] = (kind, kind, test)
    for kind in ("f16", "f32", "f64"):
        for name, test in _FLOAT.items():
            table[f"v_cmp_{name}_{kind}"] = (kind, kind, test)
        table[f"v_cmp_class_{kind}"] = (kind, "u32", "has_class(a, b)")
    return table
