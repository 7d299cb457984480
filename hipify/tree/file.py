"""One file: read, translated, written. Whatever goes wrong is a result, never an exception."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hipify.edits import Edit
from hipify.errors import HipifyError, MappingError, SourceError
from hipify.options import Options
from hipify.pipeline import Translation
from hipify.tree import disk
from hipify.tree.disk import absolute
from hipify.tree.lines import Change, changes, line_map, unified_diff
from hipify.tree.results import (
    Action,
    FileResult,
    Job,
    Outcome,
    PlacedFinding,
    Summary,
    Use,
    Work,
)

_INCLUDE_FOLDERS = ("", "include", "inc")


def translate_file(job: Job, work: Work) -> FileResult:
    """Does one job.

    Raises nothing but MappingError, which would be the same for every other file.
    """
    try:
        if job.action is Action.FAIL:
            return _failed(job, job.target)
        if job.action is Action.COPY:
            disk.copy(job.source, _output(job))
            return FileResult(job.source, job.name, Outcome.COPIED, job.output)
        if job.action is Action.LINK:
            disk.link(job.target, _output(job), job.source.is_dir())
            return FileResult(job.source, job.name, Outcome.LINKED, job.output)
        return _translated(job, work)
    except MappingError:
        raise
    except HipifyError as error:
        return _failed(job, str(error))
    except OSError as error:
        return _failed(job, disk.reason(error))
    except Exception as error:
        import traceback

        kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _failed(job, f"internal error: {kind}", traceback.format_exc())


def renamed(path: Path, options: Options) -> Path:
    """The name that a translated file gets."""
    extension = options.renamed_files.get(path.suffix)
    return path if extension is None else path.with_suffix(extension)


def way_up(folder: Path, root: Path) -> str:
    """The relative path from `folder` up to `root`, `../` for each step; empty if not below it."""
    return "../" * len(folder.relative_to(root).parts) if folder.is_relative_to(root) else ""


def local_header_exists(
    name: str,
    folder: Path,
    root: Path,
    kept: frozenset[Path] = frozenset(),
    names: frozenset[str] = frozenset(),
) -> bool:
    """Whether an include finds a file of the tree, other than the `kept` ones.

    It may lie beside the including file, in a folder between it and `root`, or in an `include` or
    `inc` folder of one of these; for a name with `**/` before it, anywhere: its last part is one of
    `names`.
    """
    if name.startswith("**/"):
        return name.rpartition("/")[2] in names
    chain = [folder, *folder.parents]
    if root in chain:
        chain = chain[: chain.index(root) + 1]
    else:
        chain = [folder]
    places = (above / inner / name for above in chain for inner in _INCLUDE_FOLDERS)
    found = next((place for place in places if place.is_file()), None)
    return found is not None and not (kept and absolute(found) in kept)


def summary_of(translation: Translation, made: list[Change], places: bool) -> Summary:
    """What is kept of a translation, places turned into lines and columns.

    The uses of names are many, so they are kept only where their `places` are asked for.
    """
    position = translation.source.position
    used = translation.used if places else ()
    return Summary(
        tuple(
            PlacedFinding(*position(f.span.start), f.severity, f.rule, f.message, f.remedy)
            for f in translation.findings
        ),
        tuple(Use(name, *position(span.start)) for name, span in used),
        translation.edits,
        line_map(made),
        translation.support_headers,
        translation.engine,
        translation.doubtful,
    )


def _translated(job: Job, work: Work) -> FileResult:
    data, status = (job.data, None) if job.data is not None else disk.read(job.source)
    disk.require_text(data)
    translation = work.translate(
        data,
        work.options,
        os.fspath(job.source),
        exists=partial(
            local_header_exists,
            folder=absolute(job.source.parent),
            root=work.root,
            kept=work.kept,
            names=work.names,
        ),
        way_up=way_up(absolute(job.source.parent), work.root),
    )
    for finding in translation.findings:
        if finding.rule == "edit-conflict":  # the text stayed as it was: that is no translation
            raise SourceError(f"{finding.message} ({finding.remedy})")
    edits: Sequence[Edit] = translation.edits
    if job.action is not Action.DIFF:  # only these move lines, and only the map needs them then
        edits = [e for e in edits if b"\n" in e.text or b"\n" in data[e.start : e.end]]
    made = list(changes(translation.source, edits))
    summary = summary_of(translation, made, work.places)
    target = _target(job, work)
    changed = translation.changed or target.name != job.source.name
    outcome = Outcome.TRANSLATED if changed else Outcome.UNCHANGED
    result = partial(FileResult, job.source, job.name, outcome, translation=summary)
    if job.action is Action.SHOW:
        return result(shown=translation.data)
    if job.action is Action.DIFF:
        return result(shown=_diff(job, target, data, made) if changed else b"")
    if job.action is Action.WRITE:
        disk.write(target, translation.data, status)
        for other in job.aliases:
            disk.alias(target, other, translation.data, status)
        return result(output=target)
    if job.action is Action.REPLACE and changed:
        assert status is not None
        backup = _replace(job, work, (data, translation.data), status)
        return result(output=target, backup=backup)
    return result()


def _target(job: Job, work: Work) -> Path:
    """Where the translation belongs, or would if it were written."""
    return job.output or renamed(job.source, work.options)


def _replace(
    job: Job, work: Work, texts: tuple[bytes, bytes], status: os.stat_result
) -> Path | None:
    """Puts a translation in the place of its source; returns the backup."""
    (before, after), target = texts, _target(job, work)
    disk.require_replaceable(job.source, status)
    backup = disk.back_up(job.source, before, status) if work.backup else None
    if target.name == job.source.name:
        disk.replace(job.source, after, status)
    else:
        disk.rename_to(job.source, target, after, status)
    for other in job.aliases:
        disk.alias(target, other, after, status)
    return backup


def _diff(job: Job, target: Path, data: bytes, made: list[Change]) -> bytes:
    name = Path(job.name) if job.data is None else job.source
    old, new = (
        os.fsencode(path.as_posix().lstrip("/")) for path in (name, name.with_name(target.name))
    )
    return unified_diff(old, new, data, made)


def _output(job: Job) -> Path:
    assert job.output is not None
    return job.output


def _failed(job: Job, error: str, trace: str | None = None) -> FileResult:
    if job.output is not None and job.action is Action.WRITE and os.path.lexists(job.output):
        error += f" (what an earlier run wrote to {job.output} is still there)"
    return FileResult(job.source, job.name, Outcome.FAILED, error=error, trace=trace)
