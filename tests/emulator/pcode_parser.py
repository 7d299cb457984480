"""The grammar of AMD's instruction pseudocode: text to nested tuples."""

from __future__ import annotations

import re
from typing import Any


class UnsupportedError(Exception):
    """The pseudocode uses something that this interpreter does not know."""


_TOKEN = re.compile(
    r"\s*(?:(?P<num>0x[0-9a-fA-F]+(?:ULL|LL|U|L)?|\d+\.\d+F?|\d+(?:ULL|LL|U|L)?F?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op><<|>>|<=|>=|==|!=|<>|&&|\|\||\+=|-=|\*\*|\+:|[-+*/%&|^~!<>?:=(){}\[\],;.'])|(?P<new>\n))"
)


def tokenize(text: str) -> list[tuple[str, str]]:
    text = re.sub(r"//[^\n]*", "", text)
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnsupportedError(f"token at {text[at : at + 20]!r}")
        at = match.end()
        kind = match.lastgroup or ""
        if kind != "new":
            found.append((kind, match[kind]))
    return found


class Parser:
    """Pseudocode to nested tuples."""

    def __init__(self, text: str) -> None:
        self.tokens = tokenize(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        k = self.at + ahead
        return self.tokens[k][1] if k < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        text = self.peek()
        if expected is not None and text != expected:
            raise UnsupportedError(f"expected {expected!r}, found {text!r}")
        self.at += 1
        return text

    def accept(self, text: str) -> bool:
        if self.peek() == text:
            self.at += 1
            return True
        return False

    def block(self, *ends: str) -> list[Any]:
        found = []
        while self.peek() not in ends and self.at < len(self.tokens):
            if self.accept(";"):
                continue
            found.append(self.statement())
        return found

    def statement(self) -> Any:
        word = self.peek()
        if word == "if":
            return self.conditional()
        if word == "for":
            self.take()
            name = self.take()
            self.take("in")
            low = self.expression()
            self.take(":")
            high = self.expression()
            self.take("do")
            body = self.block("endfor")
            self.take("endfor")
            return ("for", name, low, high, body)
        if word == "declare":
            return self.declaration()
        if word == "break":
            self.take()
            return ("break",)
        if word == "return":
            self.take()
            return ("return", self.expression())
        if self.peek(1) == "=" and self.peek(2) == "lambda":
            return self.function()
        target = self.postfix()
        op = self.take()
        if op not in ("=", "+=", "-="):
            raise UnsupportedError(f"statement with {op!r}")
        value = self.expression()
        if op != "=":
            value = ("binary", op[0], target, value)
        return ("assign", target, value)

    def declaration(self) -> Any:
        self.take("declare")
        name = self.take()
        self.take(":")
        width = int(self.take())
        self.take("'")
        kind = self.take().lower()
        count = None
        if self.accept("["):
            count = int(self.take())
            self.take("]")
        return ("declare", name, width, kind, count)

    def conditional(self) -> Any:
        self.take("if")
        test = self.expression()
        self.take("then")
        then = self.block("elsif", "else", "endif")
        if self.peek() == "elsif":
            self.tokens[self.at] = ("name", "if")
            return ("if", test, then, [self.conditional()])
        other = self.block("endif") if self.accept("else") else []
        self.take("endif")
        return ("if", test, then, other)

    def function(self) -> Any:
        name = self.take()
        self.take("=")
        self.take("lambda")
        self.take("(")
        parameters = [self.take()]
        while self.accept(","):
            parameters.append(self.take())
        self.take(")")
        self.take("(")
        start = self.at
        try:
            body: Any = [("return", self.expression())]
            self.take(")")
        except UnsupportedError:
            self.at = start
            body = self.block(")")
            self.take(")")
        return ("function", name, parameters, body)

    def expression(self) -> Any:
        test = self.binary(0)
        if self.accept("?"):
            then = self.expression()
            self.take(":")
            return ("?", test, then, self.expression())
        return test

    _LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!=", "<>"), ("<", ">", "<=", ">="),
               ("<<", ">>"), ("+", "-"), ("*", "/", "%"), ("**",))  # fmt: skip

    def binary(self, level: int) -> Any:
        if level == len(self._LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in self._LEVELS[level]:
            op = self.take()
            left = ("binary", op, left, self.binary(level + 1))
        return left

    def unary(self) -> Any:
        if self.peek() in ("-", "~", "!", "+"):
            op = self.take()
            return ("unary", op, self.unary())
        return self.postfix()

    def postfix(self) -> Any:
        node = self.primary()
        while True:
            if self.peek() == "." and self.tokens[self.at + 1][0] == "name":
                self.take()
                node = ("as", node, self.take())
            elif self.accept("["):
                high = self.expression()
                if self.accept("+:"):
                    node = ("span", node, high, self.expression())
                elif self.accept(":"):
                    node = ("slice", node, high, self.expression())
                else:
                    node = ("index", node, high)
                self.take("]")
            else:
                return node

    def primary(self) -> Any:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if kind == "num":
            self.take()
            if self.peek() == "'":
                return self.sized(int(text))
            return ("number", text)
        if self.accept("("):
            node = self.expression()
            self.take(")")
            return node
        if self.accept("{"):
            parts = [self.expression()]
            while self.accept(","):
                parts.append(self.expression())
            self.take("}")
            return ("concat", parts)
        if kind == "name":
            self.take()
            if self.accept("("):
                arguments = []
                while not self.accept(")"):
                    arguments.append(self.expression())
                    self.accept(",")
                return ("call", text, arguments)
            return ("name", text)
        raise UnsupportedError(f"unexpected {text!r}")

    def sized(self, width: int) -> Any:
        """``32'U(x)`` converts, ``1'1U`` and ``8'0xff`` are constants of a width."""
        self.take("'")
        kind, text = self.tokens[self.at]
        self.take()
        if kind == "num":
            return ("constant", width, text)
        self.take("(")
        node = self.expression()
        self.take(")")
        return ("convert", width, text.lower(), node)
