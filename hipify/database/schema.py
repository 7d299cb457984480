"""Checks the documents of the mapping database against `mappings/schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from hipify.database.source import CAVEATS, FAMILIES
from hipify.errors import MappingError

SCHEMA = "schema.json"

_FILES = {CAVEATS: "#/$defs/caveats_file", FAMILIES: "#/$defs/families_file"}


class Schema:
    """The schema of a folder of mappings, ready to check many documents."""

    def __init__(self, root: Path) -> None:
        """Raises MappingError when the folder's schema cannot be read."""
        path = root / SCHEMA
        try:
            self._schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise MappingError(f"{path}: no usable schema: {error}; restore the file") from None

    def faults(self, relative: str, document: Any) -> Iterator[tuple[tuple[str, ...], str]]:
        """Where a document departs from the schema, as (path of keys, what is wrong).

        `relative` is the file's path below the mappings folder; it decides which part applies.
        """
        part = _FILES.get(relative)
        schema = {"$ref": part, "$defs": self._schema["$defs"]} if part else self._schema
        for error in Draft202012Validator(schema).iter_errors(document):
            yield tuple(str(key) for key in error.absolute_path), _said(error)


def _said(error: ValidationError) -> str:
    """The message of the innermost cause, cut to a readable length."""
    cause = best_match([error]) or error
    text: str = cause.message
    if error.validator == "not":
        text = "has both a caveat and a because; keep one"
    return text if len(text) <= 200 else text[:200] + "..."
