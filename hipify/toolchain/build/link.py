"""Which units make which program, and the link of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from hipify.errors import HipifyError
from hipify.targets import Target
from hipify.toolchain.build.command import Compiler
from hipify.toolchain.build.compile import UnitResult
from hipify.toolchain.call import call, failure_text
from hipify.toolchain.diagnostics import Diagnostic, merged, parse_output

LIBRARY_OF_HEADER = {
    "hipblas": "hipblas",
    "hipblaslt": "hipblaslt",
    "hipfft": "hipfft",
    "hiprand": "hiprand",
    "hipsolver": "hipsolver",
    "hipsparse": "hipsparse",
    "miopen": "MIOpen",
    "rccl": "rccl",
    "rocblas": "rocblas",
    "rocfft": "rocfft",
    "rocrand": "rocrand",
    "rocsolver": "rocsolver",
    "rocsparse": "rocsparse",
    "roctracer": "roctx64",
    "rocm_smi": "rocm_smi64",
}
HIPRTC_HEADER = "hip/hiprtc.h"


@dataclass
class Program:
    """One program: the unit with `main` and those linked with it."""

    name: str
    units: list[UnitResult]
    output: Path | None = None
    ok: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def reason(self) -> str:
        """Why it was not linked; empty when it was tried."""
        broken = [result.unit.name for result in self.units if not result.ok]
        return f"{', '.join(broken)} failed" if broken else ""


def programs(results: Sequence[UnitResult]) -> list[Program]:
    """The programs that the units make.

    A tree with one `main` is one program. Otherwise each unit with a `main` is one, with the units
    without one in its folder and below, as far as no folder with a `main` of its own intervenes.
    """
    mains = [result for result in results if result.unit.has_main]
    others = [result for result in results if not result.unit.has_main]
    if len(mains) == 1:
        return [Program(_name(mains[0]), [mains[0], *others])]
    homes = {_folder(main) for main in mains}
    found = []
    for main in mains:
        mine = [other for other in others if _home(_folder(other), homes) == _folder(main)]
        found.append(Program(_name(main), [main, *mine]))
    return found


def _folder(result: UnitResult) -> PurePosixPath:
    return PurePosixPath(result.unit.name).parent


def _home(folder: PurePosixPath, homes: set[PurePosixPath]) -> PurePosixPath | None:
    return next((place for place in (folder, *folder.parents) if place in homes), None)


def _name(result: UnitResult) -> str:
    return str(PurePosixPath(result.unit.name).with_suffix(""))


def link(
    program: Program,
    targets: Sequence[Target],
    compiler: Compiler,
    folder: Path,
    extra: Sequence[str],
) -> None:
    """Links one program into `folder`; what went wrong is in its diagnostics."""
    if program.reason:
        return
    objects = [result.object for result in program.units if result.object is not None]
    flags = list(dict.fromkeys(word for result in program.units for word in result.unit.link))
    flags += [*extra, *libraries(program)]
    output = folder / program.name
    rdc = any(result.unit.rdc for result in program.units)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        done = call(compiler.link(objects, targets, output, flags, rdc), check=False)
    except (HipifyError, OSError) as error:
        program.diagnostics.append(Diagnostic("error", str(error)))
        return
    program.ok = done.ok
    program.diagnostics = merged(parse_output(done.stderr).diagnostics)
    if done.ok:
        program.output = output
    elif not any(item.is_error for item in program.diagnostics):
        program.diagnostics.append(Diagnostic("error", failure_text(done)))


def libraries(program: Program) -> list[str]:
    """Link options for the GPU libraries whose headers the units were compiled with."""
    names: dict[str, None] = {}
    for result in program.units:
        if result.object is None:
            continue
        listed = result.object.with_name(result.object.name + ".d")
        text = listed.read_text("utf-8", "replace") if listed.is_file() else ""
        for folder, library in LIBRARY_OF_HEADER.items():
            if f"/include/{folder}/" in text:
                names[library] = None
        if HIPRTC_HEADER in text:
            names["hiprtc"] = None
    return [f"-l{name}" for name in names]
