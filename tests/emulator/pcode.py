"""An interpreter of AMD's instruction pseudocode: the independent truth for the instruction tables.

The pseudocode comes from the PyPI package tinygrad. Values carry their type: an unsigned or signed
integer of a width, or an IEEE float. Arithmetic on floats is exact (rationals) and rounded once.
"""

from __future__ import annotations

import math
import re
import struct
from fractions import Fraction
from typing import Any

from .pcode_parser import Parser, UnsupportedError
from .pcode_values import (
    FORMATS,
    MANTISSA,
    Value,
    float_binary,
    floating,
    fused,
    integer,
    is_nan,
    literal,
    parse_type,
    round_to,
    saturate,
    truncated_half,
)


class _BreakError(Exception):
    pass


class _ReturnError(Exception):
    def __init__(self, value: Value) -> None:
        self.value = value


class Machine:
    """Evaluates one instruction's pseudocode for one lane."""

    def __init__(self, library: dict[str, str], **storage: int) -> None:
        self.library = library
        self.names: dict[str, Any] = {k: Value(v, 64, "b") for k, v in storage.items()}
        self.functions: dict[str, Any] = {}
        self.toward_zero = False

    def run(self, text: str) -> None:
        self.block(Parser(text).block(""))

    def block(self, statements: list[Any]) -> None:
        for statement in statements:
            getattr(self, "do_" + statement[0])(*statement[1:])

    # -------------------------------------------------------- statements

    def do_if(self, test: Any, then: list[Any], other: list[Any]) -> None:
        self.block(then if self.value(test).bits else other)

    def do_for(self, name: str, low: Any, high: Any, body: list[Any]) -> None:
        for k in range(self.value(low).number, self.value(high).number + 1):
            self.names[name] = integer(k, 32, "i")
            try:
                self.block(body)
            except _BreakError:
                return

    def do_break(self) -> None:
        raise _BreakError

    def do_return(self, node: Any) -> None:
        raise _ReturnError(self.value(node))

    def do_declare(self, name: str, width: int, kind: str, count: int | None) -> None:
        kind = {"b": "b", "u": "u", "i": "i", "f": "f"}[kind]
        zero = Value(0, width, kind)
        self.names[name] = [zero] * count if count else zero

    def do_function(self, name: str, parameters: list[str], body: list[Any]) -> None:
        self.functions[name] = (parameters, body)

    def do_assign(self, target: Any, node: Any) -> None:
        if target == ("name", "ROUND_MODE"):
            self.toward_zero = node == ("name", "ROUND_TOWARD_ZERO")
            return
        if node in (("name", "ROUND_MODE"), ("name", "prev_mode")):
            return
        self.store(target, self.value(node))

    def store(self, target: Any, value: Value) -> None:
        what = target[0]
        if what == "name":
            old = self.names.get(target[1])
            if isinstance(old, Value) and target[1] in ("D0", "D1", "VCC", "EXEC", "SCC", "D"):
                value = Value(value.bits, 64, "b")
            self.names[target[1]] = value
        elif what == "as":
            kind, width = parse_type(target[2])
            self.store_bits(target[1], 0, width, self.fit(value, kind, width).bits)
            if target[1][0] == "name" and target[1][1].startswith("tmp"):
                self.names[target[1][1]] = self.names[target[1][1]].cast(kind, width)
        elif what == "slice":
            high, low = self.value(target[2]).number, self.value(target[3]).number
            self.store_bits(target[1], low, high - low + 1, value.bits)
        elif what == "index":
            self.store_index(target, value)
        else:
            raise UnsupportedError(f"assignment to {what}")

    def store_index(self, target: Any, value: Value) -> None:
        at = self.value(target[2]).number
        base = target[1]
        if base[0] == "name" and isinstance(self.names.get(base[1]), list):
            items = self.names[base[1]]
            kind, width = items[at].kind, items[at].width
            self.names[base[1]] = [*items[:at], self.fit(value, kind, width), *items[at + 1 :]]
        else:
            self.store_bits(base, at, 1, value.bits & 1)

    def store_bits(self, base: Any, low: int, width: int, bits: int) -> None:
        while base[0] == "as":
            base = base[1]
        if base[0] == "slice":
            low += self.value(base[3]).number
            base = base[1]
        if base[0] == "index":
            return self.store_index(base, Value(bits, width, "b"))
        if base[0] != "name":
            raise UnsupportedError(f"bits of {base[0]}")
        old = self.names.get(base[1], Value(0, 64, "b"))
        mask = ((1 << width) - 1) << low
        fresh = (old.bits & ~mask) | (bits << low & mask)
        self.names[base[1]] = Value(fresh, max(old.width, low + width), old.kind)
        return None

    @staticmethod
    def fit(value: Value, kind: str, width: int) -> Value:
        """A value stored into a typed place."""
        if kind == "f" and value.kind == "f" and value.width != width:
            return floating(value.number, width)
        if kind in "ui" and value.kind in "ui":
            return integer(value.number, width, kind)
        if kind == "f" and value.kind in "ui" and value.width == 1:
            return floating(float(value.bits), width)
        return value.cast(kind, width)

    # -------------------------------------------------------- expressions

    def value(self, node: Any) -> Value:
        result = getattr(self, "get_" + {"?": "choice"}.get(node[0], node[0]))(*node[1:])
        assert isinstance(result, Value)
        return result

    def get_number(self, text: str) -> Value:
        return literal(text)

    def get_constant(self, width: int, text: str) -> Value:
        value = literal(text)
        return (
            floating(value.number, width) if value.kind == "f" else integer(value.bits, width, "u")
        )

    def get_name(self, name: str) -> Value:
        if name in self.names:
            found = self.names[name]
            if isinstance(found, list):
                raise UnsupportedError(f"array {name} as a value")
            return found  # type: ignore[no-any-return]
        constants = {"INF": floating(math.inf, 64), "PI": floating(math.pi, 64),
                     "laneId": Value(0, 32, "u"), "OVERFLOW_F32": floating(math.inf, 32),
                     "UNDERFLOW_F32": floating(0.0, 32), "OVERFLOW_F64": floating(math.inf, 64),
                     "UNDERFLOW_F64": floating(0.0, 64), "MAX_FLOAT_F32": Value(0x7F7FFFFF, 32, "f")}  # fmt: skip
        if name not in constants:
            raise UnsupportedError(f"name {name}")
        return constants[name]

    def get_as(self, node: Any, kind_text: str) -> Value:
        if node == ("name", "WAVE_MODE"):
            return Value(1, 1, "u")
        if node in (("name", "NAN"), ("name", "INF")):
            kind, width = parse_type(kind_text)
            return floating(math.nan if node[1] == "NAN" else math.inf, width)
        value = self.value(node)
        kind, width = parse_type(kind_text)
        if value.kind == "i" == kind and width > value.width:
            return integer(value.number, width, kind)
        if node[0] in ("slice", "span", "index", "name", "as"):
            return value.cast(kind, width)
        return self.fit(value, kind, width)

    def get_index(self, node: Any, at: Any) -> Value:
        k = self.value(at).number
        if node[0] == "name" and isinstance(self.names.get(node[1]), list):
            return self.names[node[1]][k]  # type: ignore[no-any-return]
        return Value(self.value(node).bits >> k & 1, 1, "u")

    def get_slice(self, node: Any, high: Any, low: Any) -> Value:
        h, k = self.value(high).number, self.value(low).number
        if h < k:  # written with the low bit first: reversed
            bits = f"{self.value(node).bits >> h & ((1 << k - h + 1) - 1):0{k - h + 1}b}"
            return Value(int(bits[::-1], 2), k - h + 1, "b")
        return Value(self.value(node).bits >> k & ((1 << h - k + 1) - 1), h - k + 1, "b")

    def get_span(self, node: Any, low: Any, width: Any) -> Value:
        k, n = self.value(low).number, self.value(width).number
        return Value(self.value(node).bits >> k & ((1 << n) - 1), n, "b")

    def get_concat(self, parts: list[Any]) -> Value:
        bits = width = 0
        for part in parts:
            value = self.value(part)
            bits = bits << value.width | value.bits
            width += value.width
        return Value(bits, width, "u")

    def get_choice(self, test: Any, then: Any, other: Any) -> Value:
        return self.value(then if self.value(test).bits else other)

    def get_convert(self, width: int, kind: str, node: Any) -> Value:
        value = self.value(node)
        if kind == "b":
            return value.cast("b", width)
        if kind == "f":
            if value.kind == "f":
                return floating(value.number, width)
            return value.cast("f", width) if node[0] == "number" else floating(value.number, width)
        if value.kind == "f":
            raise UnsupportedError("float to integer by a cast")
        return integer(value.number, width, kind)

    def get_unary(self, op: str, node: Any) -> Value:
        value = self.value(node)
        if op == "!":
            return Value(int(value.bits == 0), 1, "u")
        if op == "~":
            return Value(~value.bits & ((1 << value.width) - 1), value.width, value.kind)
        if op == "+":
            return value
        if value.kind == "f":
            return Value(value.bits ^ 1 << value.width - 1, value.width, "f")
        return integer(
            -value.number, max(value.width, 32), "i" if value.kind == "i" else value.kind
        )

    def get_binary(self, op: str, left: Any, right: Any) -> Value:
        if op in ("&&", "||"):
            first = bool(self.value(left).bits)
            if first == (op == "||"):
                return Value(int(first), 1, "u")
            return Value(int(bool(self.value(right).bits)), 1, "u")
        if op == "==" and right[0] == "as" and right[1] == ("name", "DENORM"):
            return Value(int(self._is_denormal(self.value(left))), 1, "u")
        if op == "*" and right[:2] == ("binary", "**"):  # a power of two scales without rounding
            return self.call_ldexp(self.value(left), self.value(right[3]))
        a, b = self.value(left), self.value(right)
        if op in ("==", "!=", "<>", "<", ">", "<=", ">="):
            return self._compare(op, a, b)
        if "f" in (a.kind, b.kind):
            return float_binary(op, a, b)
        if "bf" in (a.kind, b.kind):
            raise UnsupportedError("bf16 arithmetic")
        return self._integers(op, a, b)

    @staticmethod
    def _is_denormal(v: Value) -> bool:
        mantissa = MANTISSA[v.width]
        exponent = v.bits >> mantissa & ((1 << v.width - 1 - mantissa) - 1)
        return exponent == 0 and v.bits & ((1 << mantissa) - 1) != 0

    @staticmethod
    def _compare(op: str, a: Value, b: Value) -> Value:
        x, y = a.number, b.number
        result = {"==": x == y, "!=": x != y, "<>": x < y or x > y, "<": x < y, ">": x > y,
                  "<=": x <= y, ">=": x >= y}[op]  # fmt: skip
        return Value(int(result), 1, "u")

    @staticmethod
    def _integers(op: str, a: Value, b: Value) -> Value:
        if op in ("<<", ">>"):
            width = max(a.width, 32)
            x = a.number
            kind = "u" if a.kind == "b" else a.kind
            return integer(x << b.number if op == "<<" else x >> b.number, width, kind)
        width = max(a.width, b.width, 32 if "b" in (a.kind, b.kind) or op in "+-*" else 1)
        kind = "i" if a.kind == "i" and b.kind == "i" else "u"
        x, y = a.number, b.number
        if op == "/":
            return integer(int(x / y) if abs(x) < 1 << 52 else x // y, width, kind)
        result = {"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y,
                  "%": x % y if y else 0, "**": x**y if 0 <= y < 64 else 0}[op]  # fmt: skip
        return integer(result, width, kind)

    # -------------------------------------------------------- functions

    def get_call(self, name: str, nodes: list[Any]) -> Value:
        if name in self.functions:
            return self._user_function(name, [self.value(n) for n in nodes])
        arguments = [self.value(n) for n in nodes]
        if name.startswith("v_"):
            return self._instruction(name, arguments)
        if conversion := re.fullmatch(r"([uif]|bf)(\d+)_to_([uif]|bf|snorm|unorm)(\d*)", name):
            return self._conversion(conversion[3], int(conversion[4] or 16), arguments[0])
        method = getattr(self, "call_" + name, None)
        if method is None:
            raise UnsupportedError(f"function {name}")
        return method(*arguments)  # type: ignore[no-any-return]

    def _user_function(self, name: str, arguments: list[Value]) -> Value:
        parameters, body = self.functions[name]
        saved = dict(self.names)
        self.names.update(zip(parameters, arguments, strict=True))
        try:
            self.block(body)
        except _ReturnError as result:
            return result.value
        finally:
            self.names = saved
        raise UnsupportedError(f"{name} returns nothing")

    def _instruction(self, name: str, arguments: list[Value]) -> Value:
        text = self.library.get(name)
        if text is None:
            raise UnsupportedError(f"instruction {name}")
        inner = Machine(self.library, D0=0, **{f"S{k}": v.bits for k, v in enumerate(arguments)})
        inner.run(text)
        kind, width = parse_type(name.rsplit("_", 1)[1])
        width = 32 if width < 16 else width  # sums of bytes
        return inner.names["D0"].cast(kind, width)  # type: ignore[no-any-return]

    def _conversion(self, to: str, width: int, value: Value) -> Value:
        if to == "f":
            if value.kind not in {"f", "bf"}:
                return float_binary("+", floating(0.0, width), Value(value.bits, value.width, value.kind)) \
                    if value.bits == 0 else self._exact_float(value.number, width)  # fmt: skip
            if width == 16 and self.toward_zero:
                return truncated_half(value.number)
            if value.kind == "bf":
                return Value(value.bits << 16, 32, "f")
            return floating(value.number, width)
        if to in ("snorm", "unorm"):
            return self._normalised(to, value)
        if to == "bf":
            return self._to_bf16(value)
        if value.kind == "f":
            if width == 8:
                raise UnsupportedError("rounding of float to u8")
            return saturate(value, width, to == "i")
        return self._narrowed(to, width, value)

    @staticmethod
    def _exact_float(number: int, width: int) -> Value:
        form, raw = FORMATS[width]
        return Value(
            struct.unpack(raw, struct.pack(form, round_to(Fraction(number), width)))[0], width, "f"
        )

    @staticmethod
    def _narrowed(to: str, width: int, value: Value) -> Value:
        if width >= value.width:
            return integer(value.number, width, to)
        low, high = (
            (-(1 << width - 1), (1 << width - 1) - 1) if to == "i" else (0, (1 << width) - 1)
        )
        return integer(min(max(value.number, low), high), width, to)

    @staticmethod
    def _normalised(to: str, value: Value) -> Value:
        x = value.number
        low, scale = (-1.0, 32767) if to == "snorm" else (0.0, 65535)
        x = 0.0 if math.isnan(x) else min(max(x, low), 1.0)
        return integer(round(Fraction(x) * scale), 16, "i" if to == "snorm" else "u")

    @staticmethod
    def _to_bf16(value: Value) -> Value:
        if is_nan(value):
            return Value(0x7FC0, 16, "bf")
        return Value((value.bits + 0x7FFF + (value.bits >> 16 & 1)) >> 16 & 0xFFFF, 16, "bf")

    def call_fma(self, a: Value, b: Value, c: Value) -> Value:
        return fused(a, b, c)

    def call_abs(self, a: Value) -> Value:
        if a.kind == "f":
            return Value(a.bits & ~(1 << a.width - 1), a.width, "f")
        return integer(abs(a.number), a.width, a.kind)

    def call_sign(self, a: Value) -> Value:
        return Value(a.bits >> a.width - 1, 1, "u")

    def call_exponent(self, a: Value) -> Value:
        mantissa = MANTISSA[a.width]
        return Value(a.bits >> mantissa & ((1 << a.width - 1 - mantissa) - 1), 32, "i")

    def call_mantissa(self, a: Value) -> Value:
        return floating(math.frexp(a.number)[0], a.width)

    def call_isNAN(self, a: Value) -> Value:  # noqa: N802 -- the pseudocode's name
        return Value(int(is_nan(a)), 1, "u")

    def call_isQuietNAN(self, a: Value) -> Value:  # noqa: N802
        return self.call_isNAN(a)  # inputs hold quiet NaNs only

    def call_isSignalNAN(self, a: Value) -> Value:  # noqa: N802
        return Value(0, 1, "u")

    def call_cvtToQuietNAN(self, a: Value) -> Value:  # noqa: N802
        return a

    def _integral(self, a: Value, function: Any) -> Value:
        x = a.number
        if math.isnan(x) or math.isinf(x):
            return a
        result = function(x)
        return floating(math.copysign(float(result), x), a.width)

    def call_trunc(self, a: Value) -> Value:
        return self._integral(a, lambda x: abs(math.trunc(x)))

    def call_floor(self, a: Value) -> Value:
        x = a.number
        if math.isnan(x) or math.isinf(x) or x == 0:
            return a
        return floating(float(math.floor(x)), a.width)

    def call_fract(self, a: Value) -> Value:
        return float_binary("-", a, self.call_floor(a))

    def call_isEven(self, a: Value) -> Value:  # noqa: N802
        return Value(int(math.isfinite(a.number) and math.trunc(a.number) % 2 == 0), 1, "u")

    def call_sqrt(self, a: Value) -> Value:
        x = a.number
        if math.isnan(x) or x < 0:
            return floating(math.nan, a.width)
        if math.isinf(x) or x == 0:
            return a
        root = math.isqrt(int(Fraction(x) * Fraction(4) ** 600))
        return self._exact_root(root, a.width)

    @staticmethod
    def _exact_root(root: int, width: int) -> Value:
        form, raw = FORMATS[width]
        value = Fraction(2 * root + 1, 2) / Fraction(2) ** 600
        return Value(struct.unpack(raw, struct.pack(form, round_to(value, width)))[0], width, "f")

    def call_pow(self, a: Value, b: Value) -> Value:
        try:
            return floating(math.pow(a.number, b.number), b.width)
        except OverflowError:
            return floating(math.inf, b.width)

    def call_log2(self, a: Value) -> Value:
        x = a.number
        if x == 0:
            return floating(-math.inf, a.width)
        if math.isnan(x) or x < 0:
            return floating(math.nan, a.width)
        return floating(x if math.isinf(x) else math.log2(x), a.width)

    def call_ldexp(self, a: Value, b: Value) -> Value:
        x = a.number
        if math.isnan(x) or math.isinf(x) or x == 0:
            return a
        return self._scaled(Fraction(x) * Fraction(2) ** max(min(b.number, 5000), -5000), a.width)

    @staticmethod
    def _scaled(value: Fraction, width: int) -> Value:
        form, raw = FORMATS[width]
        rounded = round_to(value, width)
        return Value(struct.unpack(raw, struct.pack(form, rounded))[0], width, "f")

    def call_signext(self, a: Value) -> Value:
        return integer(a.cast("i", a.width).number, 64, "i")

    def call_signext_from_bit(self, a: Value, width: Value) -> Value:
        n = width.number
        return integer(Value(a.bits & ((1 << n) - 1), n, "i").number if n else 0, 64, "i")
