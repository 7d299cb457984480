"""From files to translated files: reading, workers, atomic writes.

`translate_file` does one job, `translate_paths` many of them in worker processes, `translate_tree`
a whole folder. Each calls only the one before it; the first calls the pure `translate_bytes`.
"""

from hipify.tree.file import translate_file
from hipify.tree.folder import translate_tree
from hipify.tree.paths import default_workers, translate_paths
from hipify.tree.results import (
    Action,
    FileResult,
    Job,
    Outcome,
    PlacedFinding,
    Summary,
    TreeResult,
    Use,
    Work,
)

__all__ = [
    "Action",
    "FileResult",
    "Job",
    "Outcome",
    "PlacedFinding",
    "Summary",
    "TreeResult",
    "Use",
    "Work",
    "default_workers",
    "translate_file",
    "translate_paths",
    "translate_tree",
]
