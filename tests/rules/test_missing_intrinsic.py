"""The table of functions that our headers have: complete, and in step with headers and database."""

from __future__ import annotations

import pytest

from hipify.mapping import Database
from hipify.pipeline import translate_bytes
from hipify.rules.missing_intrinsic import HEADERS, RULE
from tests.support.host import names_in


@pytest.mark.parametrize("header", sorted(set(HEADERS.values())))
def test_the_header_has_each_function_that_calls_are_led_to(header: str) -> None:
    wanted = {name.removeprefix("__") for name, place in HEADERS.items() if place == header}
    assert wanted - names_in(header) == set()


@pytest.mark.parametrize("name", sorted(HEADERS))
def test_the_database_leaves_the_function_to_the_rule(name: str) -> None:
    entry = Database.load().get(name)
    assert entry is not None
    assert entry.rule == RULE.id


def test_bfloat16_brings_the_overloads_of_half_along() -> None:
    code = (
        b"#include <hip/hip_runtime.h>\n"
        b"__device__ __half2 f(__half2 a, __nv_bfloat162* b) { atomicAdd(b, b[1]); return __hadd2_rn(a, a); }\n"
    )
    assert translate_bytes(code, path="a.cu").support_headers == {"hipify/bfloat16.hpp"}


def test_no_header_without_its_types() -> None:
    code = b"#include <hip/hip_runtime.h>\n__global__ void k(int* p) { atomicAdd(p, __ldg(p)); }\n"
    assert translate_bytes(code, path="a.cu").data == code
