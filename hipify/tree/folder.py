"""A whole folder into another one, so that the result builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hipify.errors import UsageError
from hipify.options import Options
from hipify.pipeline import translate_bytes
from hipify.tree.paths import translate_paths
from hipify.tree.plan import make_plan
from hipify.tree.results import Action, FileResult, Translate, TreeResult, Work
from hipify.tree.support import install
from hipify.walk import Selection


def translate_tree(
    root: Path,
    out: Path,
    options: Options | None = None,
    *,
    selection: Selection | None = None,
    workers: int | None = None,
    translate: Translate = translate_bytes,
    on_result: Callable[[FileResult], None] = lambda result: None,
) -> TreeResult:
    """Translates the tree under `root` into the folder `out`, other files copied along.

    `on_result` hears of each file as it is done, in the order of the walk. A file that fails is a
    result; it has no output, and the others go on. Headers of ours that the output needs are put
    into `out` as well.

    Raises UsageError where `root` is no folder or holds no source file, or where `out` is `root`;
    SourceError where a header of ours cannot be written.
    """
    if not root.is_dir():
        raise UsageError(f"{root}: is no folder")
    options = options or Options()
    plan = make_plan([root], Action.WRITE, options, selection or Selection(), out)
    work = Work(options, plan.root, translate=translate, kept=plan.kept, names=plan.names)
    result = TreeResult(ignored=plan.ignored)
    needed: set[str] = set()
    for done in translate_paths(plan.jobs, work, workers):
        on_result(done)
        result.files.append(done)
        if done.translation is not None:
            needed |= done.translation.support_headers
    result.support = install(needed, out)
    return result
