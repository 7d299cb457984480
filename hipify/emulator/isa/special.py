"""Instructions whose handlers are written by hand: their names and operand types.

Types matter here only for the width of constants and for which operand is which; memory
instructions are decoded by `hipify.emulator.memory_operands` and carry empty signatures.
"""

from __future__ import annotations

from collections.abc import Iterator

#: Waits, hints and cache control: the emulated machine executes in order and has no caches.
NO_OPERATION = frozenset(
    [
        "s_nop",
        "s_waitcnt",
        "s_waitcnt_depctr",
        "s_waitcnt_vscnt",
        "s_waitcnt_vmcnt",
        "s_waitcnt_expcnt",
        "s_waitcnt_lgkmcnt",
        "s_wait_loadcnt",
        "s_wait_storecnt",
        "s_wait_samplecnt",
        "s_wait_bvhcnt",
        "s_wait_expcnt",
        "s_wait_dscnt",
        "s_wait_kmcnt",
        "s_wait_loadcnt_dscnt",
        "s_wait_storecnt_dscnt",
        "s_wait_idle",
        "s_wait_event",
        "s_wait_alu",
        "s_clause",
        "s_delay_alu",
        "s_inst_prefetch",
        "s_set_inst_prefetch_distance",
        "s_prefetch_inst",
        "s_prefetch_inst_pc_rel",
        "s_prefetch_data",
        "s_prefetch_data_pc_rel",
        "s_setprio",
        "s_ttracedata",
        "s_ttracedata_imm",
        "s_incperflevel",
        "s_decperflevel",
        "s_icache_inv",
        "s_dcache_inv",
        "s_dcache_wb",
        "s_dcache_inv_vol",
        "s_dcache_wb_vol",
        "s_gl1_inv",
        "buffer_gl0_inv",
        "buffer_gl1_inv",
        "buffer_inv",
        "buffer_wbl2",
        "buffer_invl2",
        "buffer_wbinvl1",
        "buffer_wbinvl1_vol",
        "global_inv",
        "global_wb",
        "global_wbinv",
        "ds_nop",
        "v_nop",
        "v_pipeflush",
        "s_version",
        "s_singleuse_vdst",
        "s_sethalt",
        "s_setkill",
        "s_set_vgpr_msb",
    ]
)

BRANCHES = frozenset(
    [
        "s_branch",
        "s_cbranch_scc0",
        "s_cbranch_scc1",
        "s_cbranch_vccz",
        "s_cbranch_vccnz",
        "s_cbranch_execz",
        "s_cbranch_execnz",
        "s_call_b64",
    ]
)

_CONTROL = """
s_endpgm - =
s_barrier - =
s_barrier_signal - =
s_barrier_wait - =
s_sleep - =
s_trap - =
s_sendmsg - =
s_sendmsg_rtn_b32 u32 =
s_sendmsg_rtn_b64 u64 =
s_getreg_b32 u32 =
s_setreg_b32 - = u32
s_round_mode - =
s_denorm_mode - =
s_getpc_b64 u64 =
s_setpc_b64 - = u64
s_swappc_b64 u64 = u64
s_memtime u64 =
s_memrealtime u64 =
s_movrels_b32 u32 = u32
s_movrels_b64 u64 = u64
s_movreld_b32 u32 = u32
s_movreld_b64 u64 = u64
ds_gws_barrier - =
ds_gws_init - =
"""

_LANES = """
v_readfirstlane_b32 u32 = u32
v_readlane_b32 u32 = u32 u32
v_writelane_b32 u32 = u32 u32
v_permlane16_b32 u32 = u32 u32 u32
v_permlanex16_b32 u32 = u32 u32 u32
v_permlane16_var_b32 u32 = u32 u32
v_permlanex16_var_b32 u32 = u32 u32
v_permlane64_b32 u32 = u32
v_permlane16_swap_b32 u32 = u32
v_permlane32_swap_b32 u32 = u32
v_swap_b32 u32 = u32
v_swap_b16 u16 = u16
v_movrels_b32 u32 = u32
v_movreld_b32 u32 = u32
v_mbcnt_lo_u32_b32 u32 = u32 u32
v_mbcnt_hi_u32_b32 u32 = u32 u32
v_fma_mix_f32 u32 = u32 u32 u32
v_fma_mixlo_f16 u32 = u32 u32 u32
v_fma_mixhi_f16 u32 = u32 u32 u32
v_mad_mix_f32 u32 = u32 u32 u32
v_mad_mixlo_f16 u32 = u32 u32 u32
v_mad_mixhi_f16 u32 = u32 u32 u32
v_pk_mov_b32 pk32 = pk32 pk32
v_pk_fmac_f16 u32 = u32 u32
v_dot4_i32_iu8 u32 = u32 u32 u32
v_dot8_i32_iu4 u32 = u32 u32 u32
v_bitop3_b32 u32 = u32 u32 u32
v_bitop3_b16 u16 = u16 u16 u16
v_cvt_f32_fp8 f32 = u32
v_cvt_f32_bf8 f32 = u32
v_cvt_pk_f32_fp8 u64 = u32
v_cvt_pk_f32_bf8 u64 = u32
v_cvt_pk_fp8_f32 u32 = f32 f32
v_cvt_pk_bf8_f32 u32 = f32 f32
v_cvt_sr_fp8_f32 u32 = f32 u32
v_cvt_sr_bf8_f32 u32 = f32 u32
"""

_SIZES = ("b32", "b64", "b96", "b128")
_NARROW_LOADS = ("u8", "i8", "u16", "i16")


def _flat_names() -> Iterator[str]:
    for space in ("global", "flat", "scratch"):
        for size in (*_SIZES, *_NARROW_LOADS):
            yield f"{space}_load_{size}"
        for kind in ("u8", "i8", "b16"):
            yield f"{space}_load_d16_{kind}"
            yield f"{space}_load_d16_hi_{kind}"
        for size in (*_SIZES, "b8", "b16", "d16_hi_b8", "d16_hi_b16"):
            yield f"{space}_store_{size}"


ATOMICS = (
    *(f"{op}_{kind}{bits}" for bits in (32, 64) for op, kind in (
        ("swap", "b"), ("cmpswap", "b"), ("add", "u"), ("sub", "u"), ("min", "i"), ("min", "u"),
        ("max", "i"), ("max", "u"), ("and", "b"), ("or", "b"), ("xor", "b"), ("inc", "u"),
        ("dec", "u"), ("min", "f"), ("max", "f"), ("add", "f"), ("cmpswap", "f"))),
    "pk_add_f16", "pk_add_bf16", "sub_clamp_u32", "cond_sub_u32",
)  # fmt: skip


def _buffer_names() -> Iterator[str]:
    for name in _flat_names():
        if name.startswith("global_"):
            yield name.replace("global_", "buffer_")
    yield from (f"buffer_atomic_{name}" for name in ATOMICS)


def _shared_names() -> Iterator[str]:
    for size in (*_SIZES, *_NARROW_LOADS):
        yield f"ds_load_{size}"
    for kind in ("u8", "i8", "u16"):
        yield f"ds_load_{kind}_d16"
        yield f"ds_load_{kind}_d16_hi"
    for size in (*_SIZES, "b8", "b16", "b8_d16_hi", "b16_d16_hi"):
        yield f"ds_store_{size}"
    for size in ("b32", "b64"):
        for stride in ("", "_stride64"):
            yield f"ds_load_2addr{stride}_{size}"
            yield f"ds_store_2addr{stride}_{size}"
            yield f"ds_storexchg_2addr{stride}_rtn_{size}"
        yield f"ds_mskor_{size}"
    yield from (f"ds_atomic_{name}" for name in (*ATOMICS, "rsub_u32", "rsub_u64"))
    yield from ("ds_swizzle_b32", "ds_permute_b32", "ds_bpermute_b32", "ds_bpermute_fi_b32")
    yield from ("ds_append", "ds_consume")


def _scalar_memory_names() -> Iterator[str]:
    for prefix in ("s_load", "s_buffer_load"):
        for bits in (32, 64, 96, 128, 256, 512):
            yield f"{prefix}_b{bits}"
        for kind in _NARROW_LOADS:
            yield f"{prefix}_{kind}"
    for bits in (32, 64, 128):
        yield f"s_store_b{bits}"


def memory_names() -> frozenset[str]:
    """All memory instructions, by canonical name."""
    flat = (f"{space}_atomic_{name}" for space in ("global", "flat") for name in ATOMICS)
    return frozenset(
        (*_flat_names(), *flat, *_buffer_names(), *_shared_names(), *_scalar_memory_names())
    )


def signatures() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Name, result types and source types of every operation with a handler of its own."""
    for line in (_CONTROL + _LANES).split("\n"):
        if line:
            head, _, sources = line.partition("=")
            name, result = head.split()
            yield name, () if result == "-" else (result,), tuple(sources.split())
    yield "s_nop", (), ()
    for name in sorted(BRANCHES):
        yield name, (), ()
    for name in sorted(memory_names()):
        yield name, (), ()
