"""Writes the HIP-on-CUDA headers: those kept by hand, and lists of names made from the database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from hipify.mapping import Database
from hipify.nvidia.names import Alternative, Name, reversed_names
from hipify.tree import disk

BY_HAND = Path(__file__).resolve().parent.parent / "support" / "nvidia"
"""The headers that are kept by hand; they include the generated ones."""

NAMES = "hip_on_cuda/names"
LISTS: dict[str, tuple[str, ...]] = {
    "runtime": ("runtime", "driver"),
    "complex": ("complex",),
    "device": ("device",),
    "rtc": ("rtc",),
    "blas": ("blas",),
    "fft": ("fft",),
    "rand": ("rand",),
    "sparse": ("sparse",),
    "solver": ("solver",),
    "cub": ("cub",),
    "thrust": ("thrust",),
    "nccl": ("nccl",),
    "nvtx": ("nvtx",),
}
"""The generated lists, and the libraries of the database that each is made from."""

_PART_OF_HIPCUB = b"""\
// Made by hipify from its database: do not edit.
#include <hipcub/hipcub.hpp>
"""
_DEFINED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)"
    r"|^(?:template <[^>]*>\n)?(?:HIP_ON_CUDA_API|inline) [\w :]*?[ *&](\w+)\("
    r"|^(?:typedef )?struct (\w+)"
    r"|^typedef [^;{]*?[ *](\w+);",
    re.MULTILINE,
)


def headers(database: Database) -> dict[str, bytes]:
    """All headers by their path below the include folder, with forward slashes."""
    found = {
        path.relative_to(BY_HAND).as_posix(): path.read_bytes()
        for path in sorted(BY_HAND.rglob("*.h*"))
    }
    taken = defined_by_hand(data.decode("utf-8") for data in found.values())
    for title, libraries in LISTS.items():
        names = [name for name in reversed_names(database, libraries) if name.hip not in taken]
        found[f"{NAMES}/{title}.h"] = _list(title, names).encode("utf-8")
    found[f"{NAMES}/errors.h"] = _errors(database).encode("utf-8")
    return _parts_of_hipcub(database) | found


def _parts_of_hipcub(database: Database) -> dict[str, bytes]:
    """The headers of single algorithms: all of hipCUB comes with each of them."""
    entries = (database.header(path) for path in database.headers())
    paths = {entry.hip for entry in entries if entry and (entry.hip or "").startswith("hipcub/")}
    return dict.fromkeys(sorted(filter(None, paths)), _PART_OF_HIPCUB)


def write_headers(folder: Path, database: Database | None = None) -> int:
    """Writes all headers below `folder`, those that differ from what is there; tells how many.

    Raises SourceError for a folder that cannot be written.
    """
    written = 0
    for name, data in headers(database or Database.load()).items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            disk.write(path, data)
            written += 1
    return written


def defined_by_hand(texts: Iterable[str]) -> frozenset[str]:
    """The names that headers define: macros, functions, structures and types."""
    return frozenset(
        next(filter(None, match.groups())) for text in texts for match in _DEFINED.finditer(text)
    )


def _list(title: str, names: Iterable[Name]) -> str:
    guard = f"HIP_ON_CUDA_NAMES_{title.upper()}_H"
    lines = ["// Made by hipify from its database: do not edit.", "", f"#ifndef {guard}"]
    lines += [f"#define {guard}", "", "#include <cuda_runtime_api.h>", ""]
    # Names with the same conditions share one #if, so the order is by condition first.
    by_condition = sorted(names, key=lambda name: [one.condition for one in name.alternatives])
    for _, group in groupby(by_condition, key=lambda n: [one.condition for one in n.alternatives]):
        lines += [*_block(list(group)), ""]
    return "\n".join([*lines, f"#endif  // {guard}", ""])


def _block(names: list[Name]) -> Iterator[str]:
    """The definitions of names whose alternatives hold for the same versions."""
    conditions = [one.condition for one in names[0].alternatives]
    for place, condition in enumerate(conditions):
        if condition:
            yield f"#{'elif' if place else 'if'} {condition}"
        elif place:
            yield "#else"
        for name in names:
            yield _definition(name.hip, name.alternatives[place])
    if any(conditions):
        yield "#endif"


def _definition(hip: str, one: Alternative) -> str:
    entry = one.entry
    if entry.library == "driver" and entry.kind in ("function", "type") and _is_call(entry.cuda):
        return f"#define {hip} HIP_ON_CUDA_DRIVER({entry.cuda})"
    if entry.cuda.startswith("CUDA_ERROR_"):
        return f"#define {hip} ((cudaError_t){entry.cuda})"
    return f"#define {hip} {entry.cuda}"


def _is_call(cuda: str) -> bool:
    """Whether a name of the driver is that of a function: types begin with a capital."""
    return cuda.startswith("cu") and cuda[2:3].isupper()


def _errors(database: Database) -> str:
    """The names of HIP's errors by their code, for `hipGetErrorName`."""
    rows = [
        (f"static_cast<int>({name.alternatives[0].entry.cuda})", name)
        for name in reversed_names(database, ("runtime", "driver"))
        if re.match(r"hip(Error[A-Z]|Success$)", name.hip) and not name.alternatives[0].condition
        if name.alternatives[0].entry.kind == "enum constant"
    ]
    lines = [f'  {{{code}, "{name.hip}"}},' for code, name in rows]
    body = " \\\n".join(["#define HIP_ON_CUDA_ERROR_NAMES", *lines])
    guard = "HIP_ON_CUDA_NAMES_ERRORS_H"
    return (
        "// Made by hipify from its database: do not edit.\n\n"
        f"#ifndef {guard}\n#define {guard}\n\n{body}\n\n#endif  // {guard}\n"
    )
