"""The counts of `hipify db stats`."""

from __future__ import annotations

import json
from argparse import ArgumentParser

import pytest

from hipify.commands import db
from hipify.database.compiled import pack
from hipify.database.statistics import Counts, count, total
from hipify.mapping import Database


def test_counts_by_library() -> None:
    common = {"kind": "function", "section": "s"}
    entries = [
        {"cuda": "a", "library": "x", "hip": "a", **common},
        {"cuda": "b", "library": "x", "hip": "c", "roc": "d", "caveat": "Differs.", **common},
        {"cuda": "e", "library": "x", "caveat": "None.", **common},
        {
            "cuda": "f",
            "library": "y",
            "hip": "g",
            "rocm_versions": {"experimental": True},
            **common,
        },
    ]
    headers = [{"cuda": "z.h", "library": "z", "section": "s", "hip": ""}]
    counts = count(Database(pack(entries, headers, [])))
    assert counts["x"] == Counts(total=3, mapped=2, same=1, unsupported=1, partial=1, roc=1)
    assert counts["y"] == Counts(total=1, mapped=1, experimental=1)
    assert counts["z"] == Counts(headers=1)
    assert total(counts) == Counts(4, 3, 1, 1, 1, 1, 1, 1)


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_command_counts_the_real_database(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    db.configure(parser)
    assert db.run(parser.parse_args(["stats", "--format", form])) == 0
    out = capsys.readouterr().out
    if form == "json":
        table = json.loads(out)
        everything = table.pop("all")
        assert everything["total"] == sum(row["total"] for row in table.values()) > 14000
        assert all(row["mapped"] + row["unsupported"] == row["total"] for row in table.values())
    else:
        lines = out.splitlines()
        assert lines[0].split()[:3] == ["library", "total", "mapped"]
        assert lines[-1].startswith("all ")
