"""What nvcc said, taken apart: its front end writes `file(line): error: text`."""

from __future__ import annotations

import re

from hipify.toolchain.diagnostics import Diagnostic, Output, parse_output

_PLACE = re.compile(
    r"(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\): "
    r"(?P<kind>catastrophic error|error|warning)(?: (?P<flag>#[\w-]+))?: (?P<text>.*)"
)
_TOOL = re.compile(r"(?:nvcc|ptxas|nvlink)\s*(?P<kind>fatal|error)\s*: (?P<text>.*)")


def parse_nvcc(text: str) -> Output:
    """The diagnostics of nvcc, of its assembler and linker, and of the host's compiler."""
    found = []
    for line in text.splitlines():
        if match := _PLACE.fullmatch(line):
            kind = "warning" if match["kind"] == "warning" else "error"
            place = match["file"], int(match["line"])
            found.append(Diagnostic(kind, match["text"], *place, flag=match["flag"] or ""))
        elif match := _TOOL.fullmatch(line):
            found.append(Diagnostic("error", match["text"]))
        elif "undefined reference to" in line:
            found.append(Diagnostic("error", line.strip()))
    return Output((*found, *parse_output(text).diagnostics), ())
