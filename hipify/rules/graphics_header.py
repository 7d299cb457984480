"""The headers for graphics: CUDA's bring the runtime along, HIP's need it before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipify.context import Context
from hipify.edits import Edit
from hipify.finding import Finding, Severity
from hipify.rules import Rewrite, Rule
from hipify.sites import Site, SiteKind

_HEADERS = frozenset(("cuda_gl_interop.h", "cudaGL.h"))
_RUNTIME = re.compile(
    rb"#[ \t]*include[ \t]*[<\"](?:hip/hip_runtime(?:_api)?|cuda|cuda_runtime(?:_api)?)\.h"
)


def visit(site: Site, context: Context) -> Iterator[Finding]:
    """Includes the runtime's header before, unless that is done."""
    if site.name not in _HEADERS or context.options.target != "hip":
        return
    line = context.source.line_span(site.span.start)
    if _RUNTIME.search(context.data, 0, line.start):
        return
    text = b"#include <hip/hip_runtime.h>" + context.source.newline
    yield Finding(RULE.id, Severity.NOTE, site.span, "", "", (Edit(line.start, line.start, text),))


RULE = Rule(
    id="graphics-header",
    summary="HIP's header for OpenGL needs the runtime's before it, which CUDA's includes itself.",
    visit=visit,
    kinds=frozenset((SiteKind.INCLUDE,)),
    rewrites=(
        Rewrite(
            "#include <GL/gl.h>\n#include <cuda_gl_interop.h>\n#include <cuda_runtime.h>\nvoid f() {}\n",
            "#include <GL/gl.h>\n#include <hip/hip_runtime.h>\n#include <hip/hip_gl_interop.h>\n#include <hip/hip_runtime.h>\nvoid f() {}\n",
        ),
    ),
    keeps=("#include <hip/hip_runtime.h>\n#include <hip/hip_gl_interop.h>\n",),
)
