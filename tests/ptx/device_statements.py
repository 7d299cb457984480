"""asm statements whose meaning needs a GPU: memory, atomics, warps, barriers, special registers."""

from __future__ import annotations

# Each is a body in which p is a generic pointer to unsigned, s an address in shared memory, r, q
# and f are variables of 32 bits, l one of 64, d a double, h one of 16.
_LOADS = tuple(
    f'asm volatile("ld{mods}.u32 %0, [%1];" : "=r"(r) : "l"(p){tail});'
    for mods in (
        *("", ".global", ".global.nc", ".global.cg", ".global.ca", ".global.cs", ".global.cv"),
        *(".volatile.global", ".relaxed.gpu.global", ".acquire.sys.global", ".acquire.global.gpu"),
        *(
            ".global.L1::no_allocate",
            ".global.nc.L1::evict_last.L2::128B",
            ".const",
            ".relaxed.cta",
        ),
    )
    for tail in ("", ' : "memory"')
)
_STORES = tuple(
    f'asm volatile("st{mods}.u32 [%0], %1;" :: "l"(p), "r"(r) : "memory");'
    for mods in (
        *("", ".global", ".global.cg", ".global.wb", ".global.cs", ".global.wt", ".volatile"),
        *(".release.gpu.global", ".relaxed.sys.global", ".global.L1::no_allocate"),
    )
)
_VECTORS = (
    'asm("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(r), "=r"(q), "=r"(a), "=r"(b) : "l"(p));',
    'asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f), "=f"(g), "=f"(f), "=f"(g) : "l"(p));',
    'asm volatile("ld.shared.v2.u32 {%0, %1}, [%2+8];" : "=r"(r), "=r"(q) : "r"(s));',
    'asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(l), "=l"(m) : "l"(p));',
    'asm volatile("ld.acquire.sys.global.v4.b32 {%0, %1, %2, %3}, [%4];"'
    ' : "=r"(r), "=r"(q), "=r"(a), "=r"(b) : "l"(p) : "memory");',
    'asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" :: "l"(p), "f"(f), "f"(g), "f"(f), "f"(g));',
    'asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(s), "f"(f), "f"(g));',
    'asm volatile("st.release.sys.global.v2.u32 [%0], {%1, %2};" :: "l"(p), "r"(r), "r"(q) : "memory");',
    'asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"'
    ' : "=r"(r), "=r"(q), "=r"(a), "=r"(b) : "l"(p));',
    'asm volatile("ld.shared.u8 %0, [%1];" : "=r"(r) : "r"(s));',
    'asm volatile("ld.global.s8 %0, [%1+3];" : "=r"(r) : "l"(p));',
    'asm volatile("ld.global.f64 %0, [%1+-16];" : "=d"(d) : "l"(p));',
    'asm volatile("ld.global.b16 %0, [%1];" : "=h"(h) : "l"(p));',
    'asm volatile("st.shared.b16 [%0+2], %1;" :: "r"(s), "h"(h));',
    'asm volatile("st.shared::cta.f32 [%0], %1;" :: "r"(s), "f"(f));',
    'asm volatile("{ .reg .pred p; setp.ne.b32 p, %5, 0; mov.b32 %0, 0; mov.b32 %1, 0;'
    ' mov.b32 %2, 0; mov.b32 %3, 0; @p ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"'
    ' : "=r"(r), "=r"(q), "=r"(a), "=r"(b) : "l"(p), "r"((int)s));',
    'asm volatile("{ .reg .u64 t; createpolicy.fractional.L2::evict_first.b64 t, 1.0;'
    ' ld.global.L2::cache_hint.v4.b32 {%0, %1, %2, %3}, [%4], t; }"'
    ' : "=r"(r), "=r"(q), "=r"(a), "=r"(b) : "l"(p));',
)
_SPACES = (
    'asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(r) : "l"(p));',
    'asm("cvta.to.global.u64 %0, %1;" : "=l"(l) : "l"(p));',
    'asm("cvta.shared.u64 %0, %1;" : "=l"(l) : "l"(m));',
    *(
        f'asm("{{ .reg .pred p; isspacep.{space} p, %1; selp.u32 %0, 1, 0, p; }}" : "=r"(r) : "l"(p));'
        for space in ("shared", "global", "local")
    ),
    'asm volatile("prefetch.global.L2 [%0];" :: "l"(p));',
    'asm volatile("prefetch.global.L1 [%0+128];" :: "l"(p));',
)
_ATOMICS = (
    *(
        f'asm volatile("atom.global.{op}.{type_} %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(q) : "memory");'
        for op, type_ in (
            *(("add", "u32"), ("add", "s32"), ("min", "s32"), ("max", "u32"), ("inc", "u32")),
            *(("dec", "u32"), ("and", "b32"), ("or", "b32"), ("xor", "b32"), ("exch", "b32")),
        )
    ),
    *(
        f'asm volatile("atom{mods}.add.u32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(q) : "memory");'
        for mods in (
            *(".acq_rel.gpu.global", ".release.sys.global", ".relaxed.cta", ".acquire.cluster"),
            *(".sys.global", ".cta.global", ".global.sys"),
        )
    ),
    'asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(q), "r"(a));',
    'asm volatile("atom.acq_rel.sys.global.cas.b64 %0, [%1], %2, %3;" : "=l"(l) : "l"(p), "l"(m), "l"(m));',
    'asm volatile("atom.release.gpu.exch.b32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(q));',
    'asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(f) : "l"(p), "f"(g));',
    'asm volatile("atom.global.add.f64 %0, [%1], %2;" : "=d"(d) : "l"(p), "d"(d));',
    'asm volatile("atom.global.max.s64 %0, [%1], %2;" : "=l"(l) : "l"(p), "l"(m));',
    'asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(l) : "l"(p), "l"(m));',
    'asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(r) : "r"(s), "r"(q));',
    'asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(q));',
    'asm volatile("atom.global.add.noftz.bf16 %0, [%1], %2;" : "=h"(h) : "l"(p), "h"(h));',
    'asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(f));',
    'asm volatile("red.relaxed.global.add.noftz.f16x2 [%0], %1;" :: "l"(p), "r"(r));',
    'asm volatile("red.release.gpu.global.add.s32 [%0], %1;" :: "l"(p), "r"(r) : "memory");',
    'asm volatile("red.shared.max.u32 [%0], %1;" :: "r"(s), "r"(r));',
    'asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" :: "l"(p), "f"(f), "f"(g), "f"(f), "f"(g));',
)
_WARPS = (
    *(
        f'asm volatile("shfl.sync.{mode}.b32 %0, %1, %2, {clamp}, 0xffffffff;" : "=r"(r) : "r"(q), "r"(a));'
        for mode, clamp in (("idx", "0x1f"), ("up", "0x0"), ("down", "0x1f"), ("bfly", "0x181f"))
    ),
    'asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 31, -1;" : "=f"(f) : "f"(g));',
    'asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, 0x1f, %4; selp.u32 %1, 1, 0, p; }"'
    ' : "=r"(r), "=r"(q) : "r"(a), "r"(b), "r"(~0u));',
    'asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(q), "r"(a), "r"(b), "r"(~0u));',
    *(
        f'asm volatile("{{ .reg .pred p, o; setp.ne.u32 p, %1, 0; vote.sync.{mode}.pred o, p, %2;'
        f' selp.u32 %0, 1, 0, o; }}" : "=r"(r) : "r"(q), "r"(~0u));'
        for mode in ("all", "any", "uni")
    ),
    'asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"'
    ' : "=r"(r) : "r"(q));',
    'asm volatile("activemask.b32 %0;" : "=r"(r));',
    'asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(q), "r"(~0u));',
    'asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %1, %2; }" : "=r"(r) : "l"(l), "r"(~0u));',
    *(
        f'asm volatile("redux.sync.{op} %0, %1, 0xffffffff;" : "=r"(r) : "r"(q));'
        for op in ("add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32")
    ),
    'asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(~0u));',
)
_CONTROL = (
    *(
        f'asm volatile("{text};" ::: "memory");'
        for text in (
            *("bar.sync 0", "barrier.sync.aligned 0", "bar.warp.sync 0xffffffff", "membar.cta"),
            *("membar.gl", "membar.sys", "fence.acq_rel.gpu", "fence.sc.sys", "fence.acquire.cta"),
            *("griddepcontrol.wait", "griddepcontrol.launch_dependents", "brkpt"),
        )
    ),
    'asm volatile("nanosleep.u32 %0;" :: "r"(r));',
    'asm volatile("nanosleep.u32 100;");',
    'asm volatile("{ .reg .pred p, o; setp.ne.u32 p, %1, 0; bar.red.or.pred o, 0, p; selp.u32 %0, 1, 0, o; }"'
    ' : "=r"(r) : "r"(q));',
    'asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(r) : "r"(q));',
    'if (r == 12345) asm volatile("trap;");',
)
_REGISTERS = (
    *(
        f'asm volatile("mov.u32 %0, %%{name};" : "=r"(r));'
        for name in (
            *("tid.x", "tid.y", "ntid.z", "ctaid.x", "nctaid.y", "laneid", "warpid", "smid"),
            *("lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge"),
            *("clock", "clock_hi", "globaltimer_lo", "globaltimer_hi"),
        )
    ),
    'asm volatile("mov.u64 %0, %%clock64;" : "=l"(l));',
    'asm volatile("mov.u64 %0, %globaltimer;" : "=l"(l));',
    'asm volatile("{ .reg .u32 t, n; mov.u32 t, %%ctaid.x; mov.u32 n, %%ntid.x; mov.u32 %0, %%tid.x; mad.lo.u32 %0, t, n, %0; }" : "=r"(r));',
)
STATEMENTS: tuple[str, ...] = (
    *(*_LOADS, *_STORES, *_VECTORS, *_SPACES, *_ATOMICS, *_WARPS, *_CONTROL, *_REGISTERS),
)
"""Every statement of this module."""
OLD_STATEMENTS: tuple[str, ...] = (
    'asm volatile("shfl.idx.b32 %0, %1, %2, 0x1f;" : "=r"(r) : "r"(q), "r"(a));',
    'asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(r) : "r"(q));',
)
"""Statements that GPUs before Volta took."""
