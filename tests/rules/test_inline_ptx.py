"""asm statements in whole files: what they become, where they stay, what is told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipify.finding import Severity
from hipify.options import Options
from hipify.pipeline import Translation, translate_bytes
from hipify.ptx.table import table


def _translate(code: str, options: Options = Options()) -> Translation:  # noqa: B008 - frozen
    return translate_bytes(code.encode(), options, "test.cu")


def _body(statements: str, options: Options = Options()) -> str:  # noqa: B008 - frozen
    """The translation of statements inside a device function with a few variables."""
    head = (
        "#include <hip/hip_runtime.h>\n__device__ void f(unsigned a, int b, unsigned *p, float x, "
        "unsigned long long l) {\n  unsigned r, q;\n"
    )
    result = _translate(f"{head}{statements}\n}}\n", options)
    errors = [f.message for f in result.findings if f.severity is Severity.ERROR]
    assert not errors, errors
    return result.data.decode().split("  unsigned r, q;\n")[1].removesuffix("\n}\n")


def _errors(statements: str) -> list[str]:
    result = _translate(f"__device__ void f(unsigned a) {{ unsigned r, q;\n{statements}\n}}\n")
    assert statements in result.data.decode()
    return [f.message for f in result.findings if f.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("statement", "cpp"),
    [
        ('asm("mov.u32 %0, %%laneid;" : "=r"(r));', "r = __lane_id() & 31;"),
        ('asm("mov.u32 %0, %%tid.x;" : "=r"(r));', "r = threadIdx.x;"),
        ('asm volatile("membar.gl;" ::: "memory");', "__threadfence();"),
        ('asm volatile("bar.sync 0;");', "__syncthreads();"),
        ('asm("trap;");', "__builtin_trap();"),
        (
            'asm("mul.wide.u32 %0, %1, %2;" : "=l"(l) : "r"(a), "r"(r));',
            "l = (unsigned long long)a * r;",
        ),
        ('asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(r) : "r"(a), "r"(b));', "r = a * b + r;"),
        ('asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(b), "r"(b));', "r = (unsigned)b + b;"),
        ('asm("bfe.u32 %0, %1, 8, 4;" : "=r"(r) : "r"(a));', "r = (a >> 8) & 0xf;"),
        (
            'asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(r) : "r"(a));',
            "r = __byte_perm(a, 0, 0x0123);",
        ),
        (
            'asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(q));',
            "r = a ^ b ^ q;",
        ),
        ('asm("ld.global.nc.u32 %0, [%1];" : "=r"(r) : "l"(p));', "r = *p;"),
        (
            'asm("ld.global.u32 %0, [%1+4];" : "=r"(r) : "l"(p));',
            "r = *(const unsigned *)((const char *)p + 4);",
        ),
        (
            'asm("st.global.cs.u32 [%0], %1;" :: "l"(p), "r"(a));',
            "__builtin_nontemporal_store(a, p);",
        ),
        (
            'asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(a));',
            "r = atomicAdd(p, a);",
        ),
        (
            'asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=f"(x) : "f"(x));',
            "x = hipify::shfl_xor_sync(0xffffffffu, x, 16);",
        ),
        ('asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(x) : "f"(x));', "x = fmaf(x, x, 1.0f);"),
        ('asm("mov.b32 %0, %1;" : "=r"(r) : "f"(x));', "r = __float_as_uint(x);"),
        ('asm volatile("" : "+r"(r) :: "memory");', 'asm volatile("" : "+v"(r) :: "memory");'),
    ],
)
def test_one_instruction_becomes_one_statement(statement: str, cpp: str) -> None:
    assert _body(f"  {statement}") == f"  {cpp}"


def test_several_instructions_become_a_block() -> None:
    text = '  asm("{ .reg .u32 t; add.u32 t, %1, 1; mul.lo.u32 %0, t, t; }" : "=r"(r) : "r"(a));'
    assert _body(text) == "  {\n      unsigned t = a + 1;\n      r = t * t;\n  }"


def test_registers_get_out_of_the_way_of_operands() -> None:
    text = '  asm("{ .reg .u32 a; add.u32 a, %1, 1; mul.lo.u32 %0, a, %1; }" : "=r"(r) : "r"(a));'
    assert _body(text) == "  {\n      unsigned a_ = a + 1;\n      r = a_ * a;\n  }"


def test_registers_named_like_words_of_cpp() -> None:
    text = '  asm("{ .reg .u32 int; add.u32 int, %1, 1; mov.u32 %0, int; }" : "=r"(r) : "r"(a));'
    assert "unsigned int_ = a + 1;" in _body(text)


def test_predicates_become_conditions() -> None:
    text = '  asm("{ .reg .pred p; setp.ge.s32 p, %1, 0; @!p mov.u32 %0, 7; }" : "+r"(r) : "r"(b));'
    assert _body(text) == "  {\n      bool p = b >= 0;\n      if (!p) r = 7u;\n  }"


def test_a_register_that_is_first_set_under_a_condition_is_declared_before() -> None:
    text = (
        '  asm("{ .reg .pred p; .reg .u32 t; setp.eq.u32 p, %1, 0; @p mov.u32 t, 1;'
        ' @!p mov.u32 t, 2; mov.u32 %0, t; }" : "=r"(r) : "r"(a));'
    )
    lines = [line.strip() for line in _body(text).splitlines()]
    assert lines[1:] == [
        *("unsigned t;", "bool p = a == 0u;", "if (p) t = 1u;", "if (!p) t = 2u;", "r = t;", "}"),
    ]


def test_branches_become_gotos() -> None:
    text = (
        '  asm("{ .reg .pred p; .reg .u32 n; mov.u32 %0, 0; mov.u32 n, %1; LOOP: add.u32 %0, %0, n;'
        ' sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra LOOP; }" : "=r"(r) : "r"(a));'
    )
    lines = [line.strip() for line in _body(text).splitlines()]
    assert lines[-2:] == ["if (p) goto LOOP_4;", "}"]
    assert "LOOP_4:;" in lines


def test_inputs_that_an_output_overwrites_are_read_first() -> None:
    """PTX reads all operands into registers before the first instruction runs."""
    text = '  asm("add.u32 %0, %2, 1; add.u32 %1, %3, 2;" : "=r"(r), "=r"(q) : "r"(a), "r"(r));'
    assert "const unsigned in3 = r;" in _body(text)
    # Through a pointer and a reference one cannot know.
    text = (
        '  asm("add.u32 %0, %2, 1; add.u32 %1, %3, 2;" : "=r"(p[0]), "=r"(q) : "r"(a), "r"(p[1]));'
    )
    assert "const unsigned in3 = p[1];" in _body(text)
    text = '  asm("add.u32 %0, %2, 1; add.u32 %1, %3, 2;" : "=r"(r), "=r"(q) : "r"(a), "r"(p[1]));'
    assert "in3" not in _body(text)


def test_operands_with_effects_are_evaluated_once() -> None:
    assert _body('  asm("min.u32 %0, %1, %1;" : "=r"(r) : "r"(p[a++]));').count("a++") == 1
    assert _body('  asm("min.u32 %0, %1, 5;" : "=r"(r) : "r"(p[a++]));').count("a++") == 1
    # Even an operand that no instruction reads.
    assert _body('  asm("mov.u32 %0, 5;" : "=r"(r) : "r"(p[a++]));').count("a++") == 1


def test_a_block_keeps_if_and_else_together() -> None:
    text = '  if (a) asm("add.u32 %0, %1, 1; add.u32 %0, %0, %1;" : "=r"(r) : "r"(a)); else r = 0;'
    assert "} else r = 0;" in _body(text)


def test_statements_in_macros() -> None:
    code = (
        '#include <hip/hip_runtime.h>\n#define ADD2(d, x) \\\n  asm volatile("add.u32 %0, %1, 1;\\n\\t" \\\n'
        '      "add.u32 %0, %0, %1;" : "=r"(d) : "r"(x))\n'
    )
    assert _translate(code).data.decode() == (
        "#include <hip/hip_runtime.h>\n#define ADD2(d, x) \\\n  do { \\\n"
        "      const unsigned in1_ptx = (x); \\\n      d = in1_ptx + 1; \\\n"
        "      d = (unsigned)d + in1_ptx; \\\n  } while (0)\n"
    )


def test_macro_arguments_keep_their_precedence() -> None:
    code = '#include <hip/hip_runtime.h>\n#define M(d, x, y) asm("mul.lo.u32 %0, %1, %2;" : "=r"(d) : "r"(x), "r"(y));\n'
    assert "d = (unsigned)(x) * (y);" in _translate(code).data.decode()


def test_edits_of_other_rules_go_along_with_operands() -> None:
    code = (
        "#include <cuda_runtime.h>\n__device__ void f(unsigned *p) {\n"
        '  asm("st.global.u32 [%0], %1;" :: "l"(p), "r"((unsigned)cudaMemcpyHostToDevice));\n}\n'
    )
    assert "*p = (unsigned)hipMemcpyHostToDevice;" in _translate(code).data.decode()


def test_windows_line_ends_survive() -> None:
    code = (
        "#include <hip/hip_runtime.h>\r\n__device__ void f(unsigned &r, unsigned a) {\r\n"
        '\tasm("{ .reg .u32 t; add.u32 t, %1, 1; mul.lo.u32 %0, t, t; }" : "=r"(r) : "r"(a));\r\n}\r\n'
    )
    data = _translate(code).data
    assert b"\t{\r\n\t\tunsigned t = a + 1;\r\n\t\tr = t * t;\r\n\t}\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_device_code_in_raw_strings_is_translated() -> None:
    code = (
        '#include <hip/hiprtc.h>\nconst char *s = R"(__device__ int f() { int r; '
        'asm("mov.u32 %0, %%tid.x;" : "=r"(r)); return r; })";\n'
    )
    assert "r = threadIdx.x;" in _translate(code).data.decode()


@pytest.mark.parametrize(
    "code",
    [
        'void f() { asm volatile("" ::: "memory"); }\n',
        '__device__ void f() { asm volatile("" ::: "memory"); }\n',
        'void f(long t) { asm volatile("rdtsc" : "=A"(t)); }\n',
        'void f(unsigned a) { asm volatile("bswap %0" : "+r"(a)); }\n',
        '__device__ void f(float a) { asm volatile("v_exp_f32 %0, %1" : "=v"(a) : "v"(a)); }\n',
        '__device__ void f() { asm volatile("s_waitcnt lgkmcnt(0)"); }\n',
        'extern int x asm("other");\n',
        "void f() { __asm { mov eax, 1 } }\n",
        '// asm("mov.u32 %0, %%laneid;");\n',
    ],
)
def test_other_assembly_stays_without_a_word(code: str) -> None:
    result = _translate("#include <hip/hip_runtime.h>\n" + code)
    assert result.data.decode().endswith(code)
    assert not [f for f in result.findings if f.rule == "inline-ptx"]


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            'asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%1};");',
            "mma.sync",
        ),
        ('asm volatile("wmma.load.a.sync.aligned.m16n16k16.row.f16 {%0}, [%1];");', "wmma.load"),
        ('asm volatile("wgmma.fence.sync.aligned;");', "wgmma.fence"),
        ('asm volatile("tcgen05.wait::ld.sync.aligned;");', "tcgen05"),
        ('asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}, [%1];");', "ldmatrix"),
        ('asm volatile("cp.async.wait_all;");', "cp.async.wait_all"),
        ('asm volatile("cp.async.bulk.tensor.2d.x [%0], [%1, {%2}];");', "cp.async.bulk"),
        ('asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(a));', "mbarrier.init"),
        ('asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");', "setmaxnreg"),
        ('asm volatile("multimem.red.add.u32 [%0], %1;");', "multimem"),
        ('asm volatile("bar.sync 1, 64;");', "part of the block"),
        ('asm volatile("bar.arrive 1, 64;");', "split barriers"),
        ('asm volatile("barrier.cluster.arrive;");', "clusters"),
        ('asm("mov.u32 %0, %%nsmid;" : "=r"(r));', "nsmid"),
        ('asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));', "clusters"),
        ('asm("mov.u32 %0, %%nothing;" : "=r"(r));', "%nothing is not known"),
        ('asm("mov.u32 %0, undeclared;" : "=r"(r));', "undeclared is not declared"),
        ('asm("addc.u32 %0, %1, 0;" : "=r"(r) : "r"(a));', "carry flag"),
        (
            'asm("frobnicate.rn.u32 %0, %1;" : "=r"(r) : "r"(a));',
            "frobnicate.rn.u32 is not translated",
        ),
        ('asm("frobnicate %0, %1;" : "=r"(r) : "r"(a));', "no known PTX"),
        ('asm("add.u32 %0, %1;" : "=r"(r) : "r"(a));', "add.u32 is not translated"),
        ('asm("add.u64 %0, %1, 1;" : "=r"(r) : "r"(a));', "64"),
        ('asm("{ @p bra L; add.u32 %0, %1, 1; }" : "=r"(r) : "r"(a));', "p is not declared"),
        ('asm("add.u32 %0, %1, 1; bra L;" : "=r"(r) : "r"(a));', "outside of its asm statement"),
        ('asm("add.u32 %0, %1, " ONE ";" : "=r"(r) : "r"(a));', "ONE"),
        ('asm("add.u32 %0, %5, 1;" : "=r"(r) : "r"(a));', "no operand %5"),
        ('asm("exit;");', "ends the thread"),
    ],
)
def test_what_cannot_be_translated_stays_with_an_error(statement: str, says: str) -> None:
    errors = _errors(statement)
    assert len(errors) == 1
    assert says in errors[0]


def test_an_error_stands_at_the_instruction() -> None:
    code = (
        '__device__ void f(unsigned r) {\n  asm("{\\n\\t"\n      "add.u32 %0, %0, 1;\\n\\t"\n'
        '      "frob.rn.u32 %0, %0;\\n\\t"\n      "}" : "+r"(r));\n}\n'
    )
    result = _translate(code)
    (found,) = [f for f in result.findings if f.rule == "inline-ptx"]
    assert result.source.position(found.span.start) == (4, 8)


def test_a_carry_chain_over_two_statements_stays_whole() -> None:
    errors = _errors(
        'asm("add.cc.u32 %0, %1, 1;" : "=r"(r) : "r"(a));\nasm("addc.u32 %0, 0, 0;" : "=r"(q));'
    )
    assert ["leaves the carry" in errors[0], "must have left" in errors[1]] == [True, True]


def test_a_carry_that_nobody_reads_is_dropped() -> None:
    assert _body('  asm("add.cc.u32 %0, %1, 1;" : "=r"(r) : "r"(a));') == "  r = a + 1;"


def test_conditionals_inside_a_statement_are_an_error() -> None:
    errors = _errors('asm("add.u32 %0, %1, 1;"\n#if A\n "trap;"\n#endif\n : "=r"(r) : "r"(a));')
    assert len(errors) == 1
    assert "preprocessor directives" in errors[0]


def test_conditionals_among_the_operands_are_an_error() -> None:
    errors = _errors(
        'asm volatile(\n#if A\n "add.u32 %0, %1, 1;" : "=r"(r)\n#else\n "add.u32 %0, %1, 2;"'
        ' : "=r"(r)\n#endif\n : "r"(a));'
    )
    assert len(errors) == 1


def test_a_statement_that_begins_in_two_branches_is_an_error() -> None:
    errors = _errors(
        '#if A\nasm volatile(\n#else\nif (a) asm volatile(\n#endif\n "add.u32 %0, %1, 1;" : "=r"(r)'
        ' : "r"(a));'
    )
    assert errors


def test_polling_loads_are_not_moved_out_of_loops() -> None:
    text = '  while (!r) asm volatile("ld.global.u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");'
    assert "r = *(const volatile unsigned *)p;" in _body(text)
    text = '  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r) : "l"(p));'
    assert "__hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)" in _body(text)
    text = '  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(r) : "l"(p));'
    assert "__hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM)" in _body(text)


def test_pointers_survive_moves() -> None:
    text = '  float *g; asm("cvta.to.global.u64 %0, %1;" : "=l"(g) : "l"(p));'
    assert "g = (float *)(unsigned long long)p;" in _body(text)


def test_results_of_unknown_types_may_be_pointers() -> None:
    code = (
        "#include <hip/hip_runtime.h>\nstruct S { float *p; };\n__device__ void f(S &s, float *g) {\n"
        '  asm("cvta.to.global.u64 %0, %1;" : "=l"(s.p) : "l"(g));\n}\n'
    )
    assert "hipify::ptx::assign(s.p, (unsigned long long)g);" in _translate(code).data.decode()


def test_module_level_ptx_is_an_error() -> None:
    result = _translate('asm(".global .u32 counter;");\n')
    assert any(".global" in f.message for f in result.findings if f.severity is Severity.ERROR)


def test_wave_policies() -> None:
    lane = '  asm("mov.u32 %0, %%laneid;" : "=r"(r));'
    assert _body(lane, Options(wave_policy="native")) == "  r = __lane_id();"
    shuffle = 'asm("shfl.sync.idx.b32 %0, %1, 0, 0x1f, -1;" : "=r"(r) : "r"(a));'
    code = f"__device__ void f(unsigned a) {{ unsigned r; {shuffle} }}\n"
    report = _translate(code, Options(wave_policy="report"))
    assert shuffle in report.data.decode()
    assert any("half a wave" in f.message for f in report.findings)


def test_approximations_are_told_where_they_differ() -> None:
    result = _translate(
        '__device__ void f(float &x) { asm("add.ftz.f32 %0, %0, %0;" : "+f"(x)); }\n'
    )
    (found,) = [f for f in result.findings if f.rule == "inline-ptx"]
    assert found.severity is Severity.NOTE
    assert "subnormal" in found.message


_OPCODES = sorted(table().opcodes())
_MODIFIERS = st.sampled_from(
    (
        *("u32", "s32", "b32", "f32", "u64", "b64", "f64", "f16x2", "pred", "lo", "hi", "wide"),
        *("cc", "rn", "sync", "global", "shared", "v2", "v4", "add", "cas", "eq", "and", "sat"),
        *("clamp", "l", "idx", "relaxed", "gpu", "volatile", "cg", "u8", "ballot", "all", "red"),
        *("popc", "rni", "b128"),
    )
)
_OPERANDS = st.sampled_from(
    (
        *("%0", "%1", "%2", "%3", "%4", "p", "t", "x", "0", "-1", "0x1f", "0f3F800000", "[%4]"),
        *("[%4+8]", "[%1]", "{%0, %1}", "{t, x}", "t|p", "!p", "_", "%1.b1", "%%laneid", "[t]"),
        *("1.5", "%9"),
    )
)
_INSTRUCTIONS = st.builds(
    lambda guard, opcode, modifiers, operands: (
        f"{guard}{'.'.join((opcode, *modifiers))} {', '.join(operands)};"
    ),
    st.sampled_from(("", "@p ", "@!p ")),
    st.sampled_from(_OPCODES),
    st.lists(_MODIFIERS, max_size=4),
    st.lists(_OPERANDS, max_size=5),
)


@settings(max_examples=400)
@given(st.lists(_INSTRUCTIONS, min_size=1, max_size=3))
def test_no_instruction_crashes_the_translation(instructions: list[str]) -> None:
    """Anything is translated, or kept with an error; never both, never neither."""
    text = "{ .reg .pred p; .reg .b32 t; .reg .f32 x; " + " ".join(instructions) + " }"
    code = (
        "__device__ void f(unsigned a, unsigned *p0, float g) { unsigned r, q; double d;\n"
        f'asm volatile("{text}" : "=r"(r), "=f"(g) : "r"(a), "d"(d), "l"(p0));\n}}\n'
    )
    result = _translate(code)
    kept = b"asm volatile" in result.data
    errors = [
        found
        for found in result.findings
        if found.rule == "inline-ptx" and found.severity is Severity.ERROR
    ]
    assert kept == bool(errors)


def test_a_second_run_changes_nothing() -> None:
    code = (
        "#include <hip/hip_runtime.h>\n__device__ void f(unsigned &r, unsigned a) {\n"
        '  asm("{ .reg .u32 t; bfe.u32 t, %1, %1, 3; mul.lo.u32 %0, t, t; }" : "=r"(r) : "r"(a));\n}\n'
    )
    once = _translate(code).data
    assert translate_bytes(once, path="test.cu").data == once
