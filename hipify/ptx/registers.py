"""PTX's special registers as HIP C++ expressions."""

from __future__ import annotations

from typing import NamedTuple


class SpecialRegister(NamedTuple):
    """What a special register becomes; `caveat` is told as a warning. `cpp` is None for none."""

    type: str
    cpp: str | None
    caveat: str = ""
    remedy: str = ""


_LANE = "(__lane_id() & 31)"
_RATE = (
    "it counts at the device's wall clock rate, 100 MHz on most AMD GPUs, "
    "and is scaled to nanoseconds"
)
_CLUSTER = "AMD GPUs have no clusters of blocks"

_AXES = {
    "tid": "threadIdx",
    "ntid": "blockDim",
    "ctaid": "blockIdx",
    "nctaid": "gridDim",
}

SPECIAL_REGISTERS: dict[str, SpecialRegister] = {
    **{
        f"{ptx}.{axis}": SpecialRegister("u32", f"{hip}.{axis}")
        for ptx, hip in _AXES.items()
        for axis in "xyz"
    },
    **{f"{ptx}.w": SpecialRegister("u32", "0") for ptx in ("tid", "ctaid")},
    **{f"{ptx}.w": SpecialRegister("u32", "1") for ptx in ("ntid", "nctaid")},
    "laneid": SpecialRegister("u32", "__lane_id() & 31"),
    "WARP_SZ": SpecialRegister("u32", "32"),
    "lanemask_eq": SpecialRegister("u32", f"1u << {_LANE}"),
    "lanemask_lt": SpecialRegister("u32", f"(1u << {_LANE}) - 1"),
    "lanemask_le": SpecialRegister("u32", f"~0u >> (31 - {_LANE})"),
    "lanemask_gt": SpecialRegister("u32", f"~1u << {_LANE}"),
    "lanemask_ge": SpecialRegister("u32", f"~0u << {_LANE}"),
    "warpid": SpecialRegister(
        "u32",
        "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32",
        "%warpid is the hardware's slot, which AMD GPUs number otherwise; "
        "it becomes the warp's place in its block",
        "check that the code does not index by the hardware's slot",
    ),
    "nwarpid": SpecialRegister(
        "u32", None, "%nwarpid has no counterpart", "use the number of warps in the block"
    ),
    "smid": SpecialRegister(
        "u32",
        "__smid()",
        "__smid() numbers compute units by shader engine, and with gaps",
        "do not size arrays by multiProcessorCount where __smid() indexes them",
    ),
    "nsmid": SpecialRegister(
        "u32", None, "%nsmid has no counterpart", "pass hipDeviceProp_t::multiProcessorCount in"
    ),
    "gridid": SpecialRegister("u64", None, "%gridid has no counterpart", "pass a launch number in"),
    "clock": SpecialRegister("u32", "(unsigned)clock64()"),
    "clock_hi": SpecialRegister("u32", "(unsigned)(clock64() >> 32)"),
    "clock64": SpecialRegister("u64", "(unsigned long long)clock64()"),
    "globaltimer": SpecialRegister(
        "u64",
        "(unsigned long long)wall_clock64() * 10",
        f"%globaltimer becomes wall_clock64(): {_RATE}",
        "check hipDeviceAttributeWallClockRate where the unit matters",
    ),
    "globaltimer_lo": SpecialRegister(
        "u32",
        "(unsigned)((unsigned long long)wall_clock64() * 10)",
        f"%globaltimer_lo becomes wall_clock64(): {_RATE}",
        "check hipDeviceAttributeWallClockRate where the unit matters",
    ),
    "globaltimer_hi": SpecialRegister(
        "u32",
        "(unsigned)((unsigned long long)wall_clock64() * 10 >> 32)",
        f"%globaltimer_hi becomes wall_clock64(): {_RATE}",
        "check hipDeviceAttributeWallClockRate where the unit matters",
    ),
    "dynamic_smem_size": SpecialRegister(
        "u32", None, "%dynamic_smem_size has no counterpart", "pass the launch's size in"
    ),
    "total_smem_size": SpecialRegister(
        "u32", None, "%total_smem_size has no counterpart", "pass the size in"
    ),
    **{
        name: SpecialRegister("u32", None, _CLUSTER, "use the grid's or the block's indices")
        for stem in ("clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid")
        for name in (f"{stem}.x", f"{stem}.y", f"{stem}.z")
    },
    **{
        name: SpecialRegister("u32", None, _CLUSTER, "use the grid's or the block's indices")
        for name in ("cluster_ctarank", "cluster_nctarank", "is_explicit_cluster")
    },
}
