"""Launches and calls are split at depth 0, with template brackets told from comparisons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify.arguments import call_at, launch_at


def _launch(text: str) -> tuple[str, list[str], list[str] | None]:
    data = text.encode()
    launch = launch_at(data, data.index(b"<<<"), 0, len(data))
    assert launch is not None

    def show(span: tuple[int, int]) -> str:
        return data[span[0] : span[1]].decode()

    args = [show(a) for a in launch.call.args] if launch.call else None
    return show(launch.kernel), [show(c) for c in launch.config], args


@pytest.mark.parametrize(
    ("text", "kernel", "config", "args"),
    [
        ("(n > 3 ? k<1,2> : k<3,4>)<<<1, n>>>(p);", "(n > 3 ? k<1,2> : k<3,4>)", ["1", "n"], ["p"]),
        ("return k<<<1,1>>>();", "k", ["1", "1"], []),
        ("k<<<std::min(n, 65535), dim3(32,4), f(a,b)*4, s>>>(x);", "k", ["std::min(n, 65535)", "dim3(32,4)", "f(a,b)*4", "s"], ["x"]),
        ("sort<512,8><<<1,512>>>(a);", "sort<512,8>", ["1", "512"], ["a"]),
        ("x = ns::A<T>::template k<3> <<<g, Foo<3>>>>(a<b, e<f>(g));", "ns::A<T>::template k<3>", ["g", "Foo<3>"], ["a<b", "e<f>(g)"]),
        ("p->k[0]<<<a>>1, b>>>(1)", "p->k[0]", ["a>>1", "b"], ["1"]),
        ("M(k)<<<1,1>>>(a)", "M(k)", ["1", "1"], ["a"]),
        ("::k<<<1,2>>>(c)", "::k", ["1", "2"], ["c"]),
        ("this->template k<1><<<1,2>>>(c)", "this->template k<1>", ["1", "2"], ["c"]),
        ("{k<<<dim3{1,2,3}, 4>>>({a,b})", "k", ["dim3{1,2,3}", "4"], ["{a,b}"]),
        ("f<(a>b)><<<1,2>>>(c)", "f<(a>b)>", ["1", "2"], ["c"]),
        ("k<T><<<(n+1)/2,2>>>(a<b ? c : d)", "k<T>", ["(n+1)/2", "2"], ["a<b ? c : d"]),
        ("k<<<1,2>>>", "k", ["1", "2"], None),
    ],
)  # fmt: skip
def test_launch_parts(text: str, kernel: str, config: list[str], args: list[str] | None) -> None:
    assert _launch(text) == (kernel, config, args)


@pytest.mark.parametrize(
    "text", ["<<<<<<< HEAD", "k<<<1,2", "k<<<1,(2>>>(x)", "<<<1,2>>>(x)", "k<<<>>>(x)"]
)
def test_what_is_no_launch(text: str) -> None:
    data = text.encode()
    assert launch_at(data, data.index(b"<<<"), 0, len(data)) is None


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("(a, b)", ["a", "b"]),
        ("()", []),
        ("( f(a, b) , {c, d}, e[f, g] )", ["f(a, b)", "{c, d}", "e[f, g]"]),
        ("(k<1, 2>, x)", ["k<1, 2>", "x"]),
        ("(a < b, c > d)", ["a < b", "c > d"]),
        ("(a->b, c)", ["a->b", "c"]),
        ("(std::map<int, A<B>>::x, y)", ["std::map<int, A<B>>::x", "y"]),
    ],
)
def test_call_arguments(text: str, args: list[str]) -> None:
    data = text.encode()
    call = call_at(data, 0, len(data))
    assert call is not None
    assert [data[a.start : a.end].decode() for a in call.args] == args
    assert call.close == len(data)


@given(st.lists(st.sampled_from("k<>(),[]{};: \n-&"), max_size=40).map("".join))
def test_any_punctuation_ends(text: str) -> None:
    data = (text + "k<<<1,2>>>(x)").encode()
    launch = launch_at(data, len(text) + 1, 0, len(data))
    if launch is not None:
        assert launch.kernel.end <= launch.open < launch.close
