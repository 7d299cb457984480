"""Arithmetic on halves and bfloats, held as bits."""

from __future__ import annotations


def _forms() -> str:
    """One line for each operation and each of the four types."""
    lines = []
    for type_ in ("f16", "f16x2", "bf16", "bf16x2"):
        for name in ("add", "sub", "mul"):
            lines.append(
                f"{name}.rn?.ftz?.{type_}  d, a, b => hipify::fp16::{name}_{type_}($a, $b)"
            )
        lines.append(f"fma.rn.ftz?.{type_}  d, a, b, c => hipify::fp16::fma_{type_}($a, $b, $c)")
        lines.append(
            f"fma.rn.relu.ftz?.{type_}  d, a, b, c => hipify::fp16::relu_{type_}(hipify::fp16::fma_{type_}($a, $b, $c))"
        )
        for name in ("min", "max"):
            lines.append(f"{name}.ftz?.{type_}  d, a, b => hipify::fp16::{name}_{type_}($a, $b)")
            lines.append(
                f"{name}.NaN.ftz?.{type_}  d, a, b => hipify::fp16::{name}_nan_{type_}($a, $b)"
            )
        for name in ("ex2", "tanh"):
            lines.append(f"{name}.approx.ftz?.{type_}  d, a => hipify::fp16::{name}_{type_}($a)")
        signs = "0x80008000u" if type_.endswith("x2") else "0x8000"
        others = "0x7fff7fffu" if type_.endswith("x2") else "0x7fff"
        lines.append(f"neg.ftz?.{type_}  d, a => $a ^ {signs}")
        lines.append(f"abs.ftz?.{type_}  d, a => $a & {others}")
    for type_ in ("f16", "f16x2"):
        for name in ("add", "sub", "mul"):
            lines.append(
                f"{name}.sat.rn?.ftz?.{type_}  d, a, b => hipify::fp16::saturate_{type_}(hipify::fp16::{name}_{type_}($a, $b))"
            )
        lines.append(
            f"fma.rn.sat.ftz?.{type_}  d, a, b, c => hipify::fp16::saturate_{type_}(hipify::fp16::fma_{type_}($a, $b, $c))"
        )
    return "\n".join(lines)


FORMS = _forms()
