"""Our headers bring along those that they include, and are found with no include folder named."""

from __future__ import annotations

import re

from hipify.tree.support import INCLUDE_FOLDER, with_dependencies


def test_a_header_brings_those_that_it_includes() -> None:
    assert with_dependencies(["hipify/cooperative_groups.hpp"]) == [
        "hipify/cooperative_groups.hpp",
        "hipify/warp32.hpp",
    ]


def test_headers_name_each_other_as_neighbours() -> None:
    for path in (INCLUDE_FOLDER / "hipify").glob("*.hpp"):
        for name in re.findall(r'#include "([^"]+)"', path.read_text()):
            assert (path.parent / name).is_file(), f"{path.name} includes {name}"
            assert "/" not in name
