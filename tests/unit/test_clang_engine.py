"""What clang says of names, calls and launches, and what happens where it has no answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipify.errors import ToolchainError
from hipify.lexer import lex
from hipify.options import Options
from hipify.pipeline import Engine, Translation
from hipify.translators.clang.flags import Settings
from hipify.translators.clang.oracle import Oracle
from hipify.translators.clang.session import Session
from hipify.translators.clang.visitor import Verdict
from hipify.translators.clang_ast import ClangTranslation
from tests.clang_engine import require_clang

pytestmark = pytest.mark.usefixtures("clang_cache")


@pytest.fixture(scope="module")
def session(clang_cache: Path) -> Session:
    require_clang()
    return Session(Settings(stubs_only=True), Engine.default().database)


def oracle_of(session: Session, code: bytes, path: Path = Path("unit.cu")) -> Oracle:
    return session.oracle(path, lex(code, Engine.default().vocabulary))


def verdicts(session: Session, code: bytes, name: bytes) -> list[str]:
    oracle = oracle_of(session, code)
    spans = lex(code, Engine.default().vocabulary).identifiers
    found = [oracle.verdict(s.start) for s in spans if code[s.start : s.end] == name]
    return [verdict.value if verdict else "" for verdict in found]


def translated(code: bytes, path: str = "unit.cu", **options: object) -> Translation:
    require_clang()
    translate = ClangTranslation(Settings(stubs_only=True))
    return translate(code, Options(**options), path)  # type: ignore[arg-type]


HEAD = b"#include <cuda_runtime.h>\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (b"void f() { cudaFree(0); }", ["cuda"]),
        (b"void f() { ::cudaFree(0); }", ["cuda"]),
        (b"template <class T> void f(T t) { cudaFree(t); }", ["cuda"]),
        (b"auto f = [](auto p) { return cudaFree(p); };", ["cuda"]),
        (b"void f() { auto g = &cudaFree<int>; }", ["cuda"]),
        (b"#define F(x) cudaFree(x)\nvoid f() { F(0); }", ["cuda"]),
        (b"#define F(x) cudaFree(x)\n", [""]),
        (b"#define E(x) (void)(x)\nvoid f() { E(cudaFree(0)); }", ["cuda"]),
        (b"#if 0\nvoid f() { cudaFree(0); }\n#endif\n", [""]),
        (b"#undef cudaFree\nvoid f() { cudaFreeze(0); }\nint x = cudaFree;", ["", "cuda"]),
        (b"namespace a { void cudaFree(int); void f() { cudaFree(0); } }", ["own", "own"]),
        (b"namespace a { void cudaFree(int*); }\nusing namespace a;\nvoid f() { a::cudaFree(0); }", ["own", "own"]),
        (b"struct A { void cudaFree(); void f() { cudaFree(); } };", ["own", "member"]),
        (b"struct A { int cudaFree; };\nint f(A* a) { return a->cudaFree; }", ["own", "member"]),
        (b"int f(int cudaFree) { return cudaFree; }", ["own", "own"]),
        (b"#define cudaFree mine\n", ["macro"]),
    ],
)  # fmt: skip
def test_whose_a_name_is(session: Session, code: bytes, expected: list[str]) -> None:
    assert verdicts(session, HEAD + code, b"cudaFree") == expected


def test_a_macro_that_means_two_things_is_in_doubt(session: Session) -> None:
    code = HEAD + (
        b"#define F(x) cudaFree(x)\nvoid f() { F(0); }\n"
        b"namespace a { void cudaFree(char); void f() { F('a'); } }\n"
    )
    assert verdicts(session, code, b"cudaFree") == ["both", "own"]


def test_a_name_that_nobody_declares_is_left_to_the_tokens(session: Session) -> None:
    code = HEAD.replace(b"runtime", b"fp16") + b"void f() { cusparseDsctr(1, 2); }\n"
    assert verdicts(session, code, b"cusparseDsctr") == [""]


def test_a_call_that_clang_takes_for_a_declaration_is_left_to_the_tokens(
    session: Session,
) -> None:
    code = HEAD + b"} cudaFree(p);\nvoid f(int* p) { cudaFree(p); }\n"
    assert verdicts(session, code, b"cudaFree")[0] == ""


def test_types_constants_and_namespaces(session: Session) -> None:
    code = b"#include <cub/cub.cuh>\nnamespace c = cub;\ncudaStream_t s; int e = cudaSuccess;\n"
    oracle = oracle_of(session, code)
    for name in (b"cub;", b"cudaStream_t", b"cudaSuccess"):
        assert oracle.verdict(code.index(name)) is Verdict.CUDA


@pytest.mark.parametrize(
    ("launch", "config", "args"),
    [
        (b"k<<<1, 2>>>(p)", [b"1", b"2"], [b"p"]),
        (b"k<<<dim3(1, 2), 32, 0, s>>>(p)", [b"dim3(1, 2)", b"32", b"0", b"s"], [b"p"]),
        (b"k<<<a < b, c>d>>>(p)", [b"a < b", b"c>d"], [b"p"]),
        (b"t<int, 3><<<1, 2>>>(p, p)", [b"1", b"2"], [b"p", b"p"]),
    ],
)
def test_parts_of_launches_are_exact(
    session: Session, launch: bytes, config: list[bytes], args: list[bytes]
) -> None:
    code = HEAD + (
        b"__global__ void k(int*);\ntemplate <class T, int N> __global__ void t(T*, T*);\n"
        b"void f(int* p, int a, int b, int c, int d, cudaStream_t s) { " + launch + b"; }\n"
    )
    found = oracle_of(session, code).launch(code.index(b"<<<"))
    assert found is not None
    assert found.call is not None
    assert [code[s.start : s.end] for s in found.config] == config
    assert [code[s.start : s.end] for s in found.call.args] == args
    assert code[found.kernel.start : found.call.close] == launch


def test_arguments_of_calls_are_exact(session: Session) -> None:
    code = HEAD + b"void f(int a, int b) { cudaMemcpy(0, (void*)(a < b), a > b, a); }\n"
    call = oracle_of(session, code).call(lex(code, {b"cudaMemcpy"}).identifiers[0])
    assert call is not None
    assert [code[s.start : s.end] for s in call.args] == [b"0", b"(void*)(a < b)", b"a > b", b"a"]


def test_device_functions_behind_macros_are_known(session: Session) -> None:
    code = HEAD + b"#define KERNEL __global__ void\nKERNEL k(int* p) { *p = 1; }\nvoid h() {}\n"
    (function,) = oracle_of(session, code).device_functions()
    assert (function.kernel, function.name) == (True, b"k")
    assert code[function.body.start : function.body.end] == b"{ *p = 1; }"


def test_what_the_preprocessor_leaves_out_is_known(session: Session) -> None:
    code = HEAD + b"#if 0\nint x;\n#else\nint y;\n#endif\n"
    oracle = oracle_of(session, code)
    assert oracle.is_inactive(code.index(b"x;"))
    assert not oracle.is_inactive(code.index(b"y;"))


def test_no_user_symbol_is_renamed_and_no_finding_asks_about_it() -> None:
    code = HEAD + b"namespace a { void cudaFrob(); void f() { cudaFrob(); } }\n"
    assert not [f for f in translated(code).findings if f.rule == "unknown-name"]


def test_doubtful_names_are_counted() -> None:
    code = HEAD + b"void f() { cudaFree(0); }\n#if 0\nvoid g() { cudaFree(0); }\n#endif\n"
    result = translated(code)
    assert (result.doubtful, result.engine) == (1, "ast-stubs")
    assert result.data.count(b"hipFree") == 2


def test_errors_are_reported_and_the_file_is_translated(tmp_path: Path) -> None:
    path = tmp_path / "broken.cu"
    code = (
        HEAD + b'#include "nowhere.h"\nvoid f() { cudaFree(undeclared(; }\nint x = cudaSuccess;\n'
    )
    result = translated(code, str(path))
    assert b"hipFree(undeclared(;" in result.data
    assert b"int x = hipSuccess" in result.data
    (finding,) = [f for f in result.findings if f.rule == "parse-error"]
    assert "'nowhere.h' file not found" in finding.message
    assert result.source.position(finding.span.start) == (2, 10)


def test_without_strictness_one_note_sums_errors_up(tmp_path: Path) -> None:
    require_clang()
    translate = ClangTranslation(Settings(stubs_only=True), strict=False)
    code = HEAD + b'#include "nowhere.h"\nvoid f() { cudaFree(0); }\n'
    result = translate(code, Options(), str(tmp_path / "a.cu"))
    (finding,) = [f for f in result.findings if f.rule == "parse-error"]
    assert finding.severity.label == "note"
    assert b"hipFree(0)" in result.data


def test_a_header_is_read_where_a_source_includes_it(tmp_path: Path) -> None:
    (tmp_path / "use.cu").write_bytes(HEAD + b'#define WANTED\n#include "part.cuh"\n')
    code = b"#ifdef WANTED\ninline void f() { cudaFree(0); }\n#endif\n"
    (tmp_path / "part.cuh").write_bytes(code)
    require_clang()
    session = Session(Settings(stubs_only=True, root=tmp_path), Engine.default().database)
    oracle = oracle_of(session, code, tmp_path / "part.cuh")
    assert oracle.verdict(code.index(b"cudaFree")) is Verdict.CUDA
    alone = Session(Settings(stubs_only=True), Engine.default().database)
    assert oracle_of(alone, code, tmp_path / "part.cuh").verdict(code.index(b"cudaFree")) is None


def test_a_compile_database_says_how_to_parse(tmp_path: Path) -> None:
    code = HEAD + b"#ifdef WANTED\nvoid f() { cudaFree(0); }\n#endif\n"
    path = tmp_path / "a.cu"
    path.write_bytes(code)
    (tmp_path / "compile_commands.json").write_text(
        json.dumps(
            [
                {
                    "file": "a.cu",
                    "directory": str(tmp_path),
                    "command": "nvcc -arch=sm_70 -DWANTED -c a.cu",
                }
            ]
        )
    )
    require_clang()
    settings = Settings(stubs_only=True, compile_db=tmp_path)
    oracle = oracle_of(Session(settings, Engine.default().database), code, path)
    assert oracle.verdict(code.index(b"cudaFree")) is Verdict.CUDA


def test_the_device_pass_sees_other_branches() -> None:
    require_clang()
    code = HEAD + b"__device__ void f() {\n#ifdef __CUDA_ARCH__\n__syncwarp();\n#endif\n}\n"
    for device, expected in ((False, None), (True, Verdict.CUDA)):
        session = Session(Settings(stubs_only=True, device=device), Engine.default().database)
        assert oracle_of(session, code).verdict(code.index(b"__syncwarp")) is expected


def test_bytes_that_are_no_utf_8_are_no_obstacle() -> None:
    code = b"// \xff\xfe\r\n" + HEAD + b"/* \xe4 */ void f() { cudaFree(0); }"
    assert translated(code).data.endswith(b"/* \xe4 */ void f() { hipFree(0); }")


def test_half2_members_are_cast_where_hip_has_integers() -> None:
    from hipify.headers.cuda import find_headers

    if find_headers() is None:
        pytest.skip("no CUDA headers: pip install 'hipify[cuda]'")
    require_clang()
    code = (
        b"#include <cuda_fp16.h>\n__device__ half f(half2 v, float4 w) { w.x = 1; return v.x; }\n"
    )
    translate = ClangTranslation(Settings())
    assert b"return reinterpret_cast<half&>(v.x);" in translate(code, Options(rocm=(6, 3))).data
    assert b"return v.x;" in translate(code, Options()).data


def test_a_folder_without_headers_is_refused(tmp_path: Path) -> None:
    require_clang()
    with pytest.raises(ToolchainError, match=r"cuda_runtime\.h"):
        Session(Settings(cuda=tmp_path), Engine.default().database)


@pytest.mark.parametrize("engine", ["ast", "auto"])
def test_the_command_line_chooses_the_engine_and_the_summary_tells(
    engine: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from hipify.cli import main

    require_clang()
    source = tmp_path / "a.cu"
    source.write_bytes(HEAD + b"#ifdef WANTED\nvoid f() { cudaFree(0); }\n#endif\n")
    words = ["translate", "--no-config", "--engine", engine, "-DWANTED", str(source)]
    assert main([*words, "-o", str(tmp_path / "a.hip")]) == 0
    assert b"hipFree(0)" in (tmp_path / "a.hip").read_bytes()
    err = capfd.readouterr().err
    assert "1 read by clang with " in err
    assert "0 uncertain names" in err
