"""Counts of converted names, in the words and layouts that AMD's tools print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hipify.compat.translate import Translated
from hipify.mapping import HeaderEntry, MappingEntry
from hipify.sites import SiteKind

_SECTIONS = (
    ("virtual memory", "virtual_memory"),
    ("stream ordered", "ordered_memory"),
    ("stream memory", "stream_memory"),
    ("multicast", "multicast"),
    ("unified", "unified"),
    ("primary context", "context"),
    ("peer", "peer"),
    ("memory", "memory"),
    ("error log", "error_log"),
    ("error", "error"),
    ("initialization", "init"),
    ("version", "version"),
    ("device management", "device"),
    ("context", "context"),
    ("module", "module"),
    ("library", "library"),
    ("stream", "stream"),
    ("event", "event"),
    ("external resource", "external_resource"),
    ("execution", "execution"),
    ("graphics", "graphics"),
    ("graph", "graph"),
    ("occupancy", "occupancy"),
    ("texture", "texture"),
    ("surface", "surface"),
    ("tensor", "tensor"),
    ("driver entry", "driver_entry_point"),
    ("c++", "cpp"),
    ("coredump", "coredump"),
    ("green", "green_context"),
    ("interactions", "driver_interact"),
    ("profiler", "profiler"),
    ("opengl", "openGL"),
    ("direct3d 9", "D3D9"),
    ("direct3d 10", "D3D10"),
    ("direct3d 11", "D3D11"),
    ("vdpau", "VDPAU"),
    ("egl", "EGL"),
    ("thread", "thread"),
)
_KINDS = {
    "type": "type",
    "enum constant": "numeric_literal",
    "define": "define",
    "device function": "device_function",
    "device type": "device_type",
    "library device function": "device_library",
    "namespace": "library",
}
# fmt: off
TYPES = (
    "error", "init", "version", "device", "context", "module", "library", "memory",
    "virtual_memory", "ordered_memory", "multicast", "unified", "stream", "event",
    "external_resource", "stream_memory", "execution", "graph", "occupancy", "texture", "surface",
    "tensor", "peer", "graphics", "driver_entry_point", "cpp", "coredump", "green_context",
    "error_log", "driver_interact", "profiler", "openGL", "D3D9", "D3D10", "D3D11", "VDPAU", "EGL",
    "thread", "complex", "device_library", "device_function", "device_type", "include",
    "include_cuda_main_header", "include_cuda_main_header_v2", "type", "literal",
    "numeric_literal", "define", "extern_shared", "kernel_launch",
)
# fmt: on
"""AMD's words for kinds of names, in the order that they are printed in."""
APIS = {
    "driver": "CUDA Driver API",
    "runtime": "CUDA RT API",
    "device": "CUDA RT API",
    "complex": "cuComplex API",
    "blas": "cuBLAS API",
    "rand": "cuRAND API",
    "dnn": "cuDNN API",
    "fft": "cuFFT API",
    "sparse": "cuSPARSE API",
    "solver": "cuSOLVER API",
    "cub": "CUB API",
    "caffe2": "CAFFE2 API",
    "rtc": "RTC API",
    "tensor": "cuTENSOR API",
}


def reference_type(entry: MappingEntry | HeaderEntry) -> str:
    """AMD's word for what a name is: `memory`, `stream`, `type`, `include`, ..."""
    if isinstance(entry, HeaderEntry):
        return {"v1": "include_cuda_main_header", "v2": "include_cuda_main_header_v2"}.get(
            entry.main, "include"
        )
    if entry.kind in _KINDS:
        return _KINDS[entry.kind]
    if entry.library == "complex":
        return "complex"
    if entry.library not in ("runtime", "driver"):
        return "library"
    section = entry.section.lower()
    return next((word for start, word in _SECTIONS if start in section), "library")


@dataclass
class References:
    """How often what was found; `names` maps each CUDA name to its number."""

    names: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    apis: Counter[str] = field(default_factory=Counter)

    def count(self, name: str, kind: str, api: str) -> None:
        """One more use of a name."""
        self.names[name] += 1
        self.types[kind] += 1
        self.apis[api] += 1

    def add(self, other: References) -> None:
        """All of another file's."""
        self.names += other.names
        self.types += other.types
        self.apis += other.apis

    @property
    def total(self) -> int:
        """The number of uses."""
        return self.names.total()


@dataclass
class Statistics:
    """One file's figures, or the sum of many. Sizes are bytes, `seconds` are wall-clock."""

    name: str
    converted: References = field(default_factory=References)
    unconverted: References = field(default_factory=References)
    renamed: dict[str, str] = field(default_factory=dict)
    """The HIP name of each converted CUDA name."""
    replaced_bytes: int = 0
    total_bytes: int = 0
    changed_lines: int = 0
    total_lines: int = 0
    warnings: int = 0
    seconds: float = 0.0
    failed: bool = False

    def add(self, other: Statistics) -> None:
        """Takes another file's figures in."""
        self.converted.add(other.converted)
        self.unconverted.add(other.unconverted)
        self.renamed.update(other.renamed)
        self.replaced_bytes += other.replaced_bytes
        self.total_bytes += other.total_bytes
        self.changed_lines += other.changed_lines
        self.total_lines += other.total_lines
        self.warnings += other.warnings
        self.seconds += other.seconds
        self.failed = self.failed or other.failed


def statistics_of(name: str, translated: Translated, warnings: int) -> Statistics:
    """The figures of one translated file."""
    source, edits = translated.translation.source, translated.translation.edits
    result = Statistics(
        name,
        replaced_bytes=sum(edit.end - edit.start for edit in edits),
        total_bytes=len(source.data),
        changed_lines=len({source.position(edit.start)[0] for edit in edits}),
        total_lines=source.data.count(b"\n"),
        warnings=warnings,
        seconds=translated.seconds,
    )
    for entry in _entries(translated):
        resolution = translated.resolve(entry)
        where = result.unconverted if resolution.name is None else result.converted
        where.count(entry.cuda, reference_type(entry), APIS.get(entry.library, entry.library))
        if resolution.name is not None:
            result.renamed[entry.cuda] = resolution.name
    if translated.options.launch_syntax == "hip":
        for _ in range(translated.launches):
            result.converted.count("cudaLaunchKernel", "kernel_launch", APIS["runtime"])
            result.renamed["cudaLaunchKernel"] = "hipLaunchKernelGGL"
    return result


def _entries(translated: Translated) -> Iterator[MappingEntry | HeaderEntry]:
    database = translated.engine.database
    for site in translated.includes:
        assert site.kind is SiteKind.INCLUDE
        header = database.header(site.name)
        if header is not None:
            yield header
    for name, _ in translated.translation.used:
        entry = database.get(name)
        if entry is not None:
            yield entry


def perl_statistics(figures: Statistics) -> str:
    """The block that hipify-perl prints for a file, or for all under the name GLOBAL."""
    lines = [
        "",
        f"[HIPIFY] info: file '{figures.name}' statistics:",
        f"  CONVERTED refs count: {figures.converted.total}",
        f"  TOTAL lines of code: {figures.total_lines}",
        f"  WARNINGS: {figures.warnings}",
        "[HIPIFY] info: CONVERTED refs by names:",
    ]
    lines += [
        f"  {name} => {figures.renamed[name]}: {count}"
        for name, count in sorted(figures.converted.names.items())
    ]
    return "\n".join(lines) + "\n"


def clang_statistics(figures: Statistics) -> str:
    """The block that hipify-clang prints for a file, or for all under the name GLOBAL."""
    lines = ["", f"[HIPIFY] info: file '{figures.name}' statistics:"]
    if _is_invalid(figures):
        lines += ["", "  ERROR: Statistics is invalid due to failed hipification.", ""]
    lines += [f"  {key}: {value}" for key, value in _measures(figures)]
    for title, references in _groups(figures):
        for what, counts in _tables(references):
            lines.append(f"[HIPIFY] info: {title} refs by {what}:")
            lines += [f"  {key}: {count}" for key, count in counts]
    return "\n".join(lines) + "\n"


def csv_statistics(figures: Statistics) -> str:
    """The same block as hipify-clang writes it to a CSV file, fields divided by `;`."""
    heads = {"type": "CUDA ref type", "API": "CUDA API", "names": "CUDA ref name"}
    lines = ["", f"file '{figures.name}' statistics:"]
    if _is_invalid(figures):
        lines += ["", "  ERROR: Statistics is invalid due to failed hipification.", ""]
    lines += [f"{key};{value}" for key, value in _measures(figures)]
    for _, references in _groups(figures):
        for what, counts in _tables(references):
            lines += ["", f"{heads[what]};Count"]
            lines += [f"{key};{count}" for key, count in counts]
    return "\n".join(lines) + "\n"


def totals(files: Iterable[Statistics]) -> tuple[Statistics, list[tuple[str, int]]]:
    """The sum of all files under the name GLOBAL, and the numbers of files."""
    figures, converted, processed = Statistics("GLOBAL"), 0, 0
    for each in files:
        figures.add(each)
        processed += 1
        converted += bool(each.changed_lines and not _is_invalid(each))
    return figures, [("CONVERTED files", converted), ("PROCESSED files", processed)]


def _is_invalid(figures: Statistics) -> bool:
    return figures.failed or not figures.total_bytes or not figures.total_lines


def _measures(figures: Statistics) -> Iterator[tuple[str, object]]:
    done, left = figures.converted.total, figures.unconverted.total
    yield "CONVERTED refs count", done
    yield "UNCONVERTED refs count", left
    yield "CONVERSION %", f"{_percent(done, done + left):.1f}"
    yield "REPLACED bytes", figures.replaced_bytes
    yield "TOTAL bytes", figures.total_bytes
    yield "CHANGED lines of code", figures.changed_lines
    yield "TOTAL lines of code", figures.total_lines
    yield (
        "CODE CHANGED (in bytes) %",
        f"{_percent(figures.replaced_bytes, figures.total_bytes):.1f}",
    )
    yield "CODE CHANGED (in lines) %", f"{_percent(figures.changed_lines, figures.total_lines):.1f}"
    yield "TIME ELAPSED s", f"{figures.seconds:.2f}"


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _groups(figures: Statistics) -> Iterator[tuple[str, References]]:
    yield "CONVERTED", figures.converted
    yield "UNCONVERTED", figures.unconverted


def _tables(references: References) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    if not references.total:
        return
    yield "type", [(kind, references.types[kind]) for kind in TYPES if references.types[kind]]
    known = dict.fromkeys(APIS.values())
    order = [*known, *sorted(api for api in references.apis if api not in known)]
    yield "API", [(api, references.apis[api]) for api in order if references.apis[api]]
    yield "names", sorted(references.names.items())
