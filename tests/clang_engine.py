"""The AST engine for tests; those that need what is not installed skip and say what that is."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from hipify.headers.cuda import find_headers
from hipify.translators.clang.flags import Settings
from hipify.translators.clang_ast import ClangTranslation


def require_clang() -> None:
    """Skips the test where the bindings are not installed."""
    if find_spec("clang") is None:
        pytest.skip("libclang is not installed: pip install 'hipify[clang]'")


def engines(headers: str) -> ClangTranslation:
    """The engine with `real` CUDA headers, as far as they are installed, or with `stubs` alone."""
    require_clang()
    if headers == "real" and find_headers() is None:
        pytest.skip("no CUDA headers: pip install 'hipify[cuda]'")
    return ClangTranslation(Settings(stubs_only=headers == "stubs"))
