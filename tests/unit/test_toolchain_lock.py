"""The lock file and the package set that it pins."""

from __future__ import annotations

import pytest

from hipify.errors import ToolchainError, UsageError
from hipify.toolchain.lock import Pin, parse_lock, shipped_lock
from hipify.toolchain.package_set import LIBRARIES, package_set, successor

SHA = "ab" * 32


def test_lines_comments_and_epochs() -> None:
    pins = parse_lock(f"# head\n\nclang-21 1:21.1.8-14 {SHA}  # why\n")
    assert pins == {"clang-21": Pin("clang-21", "1:21.1.8-14", SHA)}


@pytest.mark.parametrize(
    "line", ["hipcc 7.0", f"hipcc 7.0 {SHA}ff", f"hipcc 7.0 x {SHA}", "hipcc 1 zz"]
)
def test_a_bad_line_is_named_with_its_number(line: str) -> None:
    with pytest.raises(ToolchainError, match=r"rocm\.lock:2"):
        parse_lock(f"# head\n{line}\n")


def test_a_package_twice_is_refused() -> None:
    with pytest.raises(ToolchainError, match="hipcc is named twice"):
        parse_lock(f"hipcc 1 {SHA}\nhipcc 2 {SHA}\n")


def test_the_shipped_lock_pins_every_package_of_the_default_set() -> None:
    lock = shipped_lock()
    unpinned = set(package_set(21, LIBRARIES).names) - lock.keys()
    assert unpinned == set()


def test_every_pin_is_of_use() -> None:
    assert shipped_lock().keys() - set(package_set(21, LIBRARIES).names) == set()


def test_large_libraries_only_on_request() -> None:
    assert "librocblas4" not in package_set(21).rocm
    asked = package_set(21, ["rocsolver"])
    assert "librocblas4" in asked.rocm
    assert asked.needed("librocsolver0"), "what was asked for is not left out"
    with pytest.raises(UsageError, match="rocblas"):
        package_set(21, ["cublas"])
    with pytest.raises(UsageError, match="21, 22"):
        package_set(3)


@pytest.mark.parametrize(
    ("name", "offered", "expected"),
    [
        ("libhipblas2", ["libhipblas3", "libhipblas-dev", "libhipblaslt1"], "libhipblas3"),
        ("libelf1t64", ["libelf1", "libelf2t64", "libelf-dev"], "libelf2t64"),
        ("libamdhip64-6", ["libamdhip64-7", "libamdhip64-10", "libamdhip64-dev"], "libamdhip64-10"),
        ("libhipblas2", ["libhipblas2"], None),
        ("hipcc", ["hipcc-extra"], None),
    ],
)
def test_a_library_whose_number_went_up_is_found(
    name: str, offered: list[str], expected: str | None
) -> None:
    assert successor(name, offered) == expected
