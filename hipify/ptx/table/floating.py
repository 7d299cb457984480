"""Arithmetic in single and double precision."""

from __future__ import annotations

from hipify.ptx.emit import Emitter
from hipify.ptx.model import Instruction

# Sums and products that name a rounding must not be fused into others; plain C++ may be.
FORMS = """
add.ftz?.f32                        d, a, b                   => $a + $b
add.f64                             d, a, b                   => $a + $b
sub.ftz?.f32                        d, a, b                   => $a - $b
sub.f64                             d, a, b                   => $a - $b
mul.ftz?.f32                        d, a, b                   => $a * $b
mul.f64                             d, a, b                   => $a * $b
add.sat.ftz?.rn?.f32                d, a, b                   => hipify::fp::saturate($a + $b)
sub.sat.ftz?.rn?.f32                d, a, b                   => hipify::fp::saturate($a - $b)
mul.sat.ftz?.rn?.f32                d, a, b                   => hipify::fp::saturate($a * $b)
add.rn.ftz?.{f32 f64}               d, a, b                   => hipify::fp::add_rn($a, $b)
add.rz.ftz?.f32                     d, a, b                   => hipify::fp::add_rz($a, $b)
add.rm.ftz?.f32                     d, a, b                   => hipify::fp::add_rd($a, $b)
add.rp.ftz?.f32                     d, a, b                   => hipify::fp::add_ru($a, $b)
sub.rn.ftz?.{f32 f64}               d, a, b                   => hipify::fp::add_rn($a, -$b)
sub.rz.ftz?.f32                     d, a, b                   => hipify::fp::add_rz($a, -$b)
sub.rm.ftz?.f32                     d, a, b                   => hipify::fp::add_rd($a, -$b)
sub.rp.ftz?.f32                     d, a, b                   => hipify::fp::add_ru($a, -$b)
mul.rn.ftz?.{f32 f64}               d, a, b                   => hipify::fp::mul_rn($a, $b)
mul.rz.ftz?.f32                     d, a, b                   => hipify::fp::mul_rz($a, $b)
mul.rm.ftz?.f32                     d, a, b                   => hipify::fp::mul_rd($a, $b)
mul.rp.ftz?.f32                     d, a, b                   => hipify::fp::mul_ru($a, $b)

add.rz.f64                          d, a, b                   => hipify::dadd_rz($a, $b)
add.rm.f64                          d, a, b                   => hipify::dadd_rd($a, $b)
add.rp.f64                          d, a, b                   => hipify::dadd_ru($a, $b)
sub.rz.f64                          d, a, b                   => hipify::dsub_rz($a, $b)
sub.rm.f64                          d, a, b                   => hipify::dsub_rd($a, $b)
sub.rp.f64                          d, a, b                   => hipify::dsub_ru($a, $b)
mul.rz.f64                          d, a, b                   => hipify::dmul_rz($a, $b)
mul.rm.f64                          d, a, b                   => hipify::dmul_rd($a, $b)
mul.rp.f64                          d, a, b                   => hipify::dmul_ru($a, $b)
fma.rn.ftz?.f32                     d, a, b, c                => fmaf($a, $b, $c)
fma.rz.ftz?.f32                     d, a, b, c                => hipify::fp::fma_rz($a, $b, $c)
fma.rm.ftz?.f32                     d, a, b, c                => hipify::fp::fma_rd($a, $b, $c)
fma.rp.ftz?.f32                     d, a, b, c                => hipify::fp::fma_ru($a, $b, $c)
fma.rn.sat.ftz?.f32                 d, a, b, c                => hipify::fp::saturate(fmaf($a, $b, $c))
fma.rn.f64                          d, a, b, c                => fma($a, $b, $c)
fma.rz.f64                          d, a, b, c                => hipify::fma_rz($a, $b, $c)
fma.rm.f64                          d, a, b, c                => hipify::fma_rd($a, $b, $c)
fma.rp.f64                          d, a, b, c                => hipify::fma_ru($a, $b, $c)
mad.rn?.ftz?.f32                    d, a, b, c                => fmaf($a, $b, $c)
mad.rn.sat.ftz?.f32                 d, a, b, c                => hipify::fp::saturate(fmaf($a, $b, $c))
mad.rn?.f64                         d, a, b, c                => fma($a, $b, $c)

div.approx.ftz?.f32                 d, a, b                   => $a / $b
div.full.ftz?.f32                   d, a, b                   => $a / $b
div.rn.ftz?.{f32 f64}               d, a, b                   => $a / $b
div.rz.ftz?.f32                     d, a, b                   => hipify::fp::div_rz($a, $b)
div.rm.ftz?.f32                     d, a, b                   => hipify::fp::div_rd($a, $b)
div.rp.ftz?.f32                     d, a, b                   => hipify::fp::div_ru($a, $b)
div.rz.f64                          d, a, b                   => hipify::ddiv_rz($a, $b)
div.rm.f64                          d, a, b                   => hipify::ddiv_rd($a, $b)
div.rp.f64                          d, a, b                   => hipify::ddiv_ru($a, $b)
rcp.approx.f32                      d, a                      => 1.0f / $a
rcp.approx.ftz.f32                  d, a                      => __builtin_amdgcn_rcpf($a)
rcp.rn.ftz?.f32                     d, a                      => 1.0f / $a
rcp.rn.f64                          d, a                      => 1.0 / $a
rcp.approx.ftz.f64                  d, a                      => 1.0 / $a
rcp.rz.ftz?.f32                     d, a                      => hipify::fp::div_rz(1.0f, $a)
rcp.rm.ftz?.f32                     d, a                      => hipify::fp::div_rd(1.0f, $a)
rcp.rp.ftz?.f32                     d, a                      => hipify::fp::div_ru(1.0f, $a)
rcp.rz.f64                          d, a                      => hipify::drcp_rz($a)
rcp.rm.f64                          d, a                      => hipify::drcp_rd($a)
rcp.rp.f64                          d, a                      => hipify::drcp_ru($a)
sqrt.approx.ftz?.f32                d, a                      => sqrtf($a)
sqrt.rn.ftz?.f32                    d, a                      => sqrtf($a)
sqrt.rn.f64                         d, a                      => sqrt($a)
sqrt.rz.ftz?.f32                    d, a                      => hipify::fp::sqrt_rz($a)
sqrt.rm.ftz?.f32                    d, a                      => hipify::fp::sqrt_rd($a)
sqrt.rp.ftz?.f32                    d, a                      => hipify::fp::sqrt_ru($a)
sqrt.rz.f64                         d, a                      => hipify::dsqrt_rz($a)
sqrt.rm.f64                         d, a                      => hipify::dsqrt_rd($a)
sqrt.rp.f64                         d, a                      => hipify::dsqrt_ru($a)
rsqrt.approx.f32                    d, a                      => rsqrtf($a)
rsqrt.approx.ftz.f32                d, a                      => __builtin_amdgcn_rsqf($a)
rsqrt.approx.ftz?.f64               d, a                      => rsqrt($a)

ex2.approx.f32                      d, a                      => exp2f($a)
ex2.approx.ftz.f32                  d, a                      => __builtin_amdgcn_exp2f($a)
lg2.approx.f32                      d, a                      => log2f($a)
lg2.approx.ftz.f32                  d, a                      => __builtin_amdgcn_logf($a)
sin.approx.ftz?.f32                 d, a                      => __sinf($a)
cos.approx.ftz?.f32                 d, a                      => __cosf($a)
tanh.approx.f32                     d, a                      => tanhf($a)

abs.ftz?.f32                        d, a                      => fabsf($a)
abs.f64                             d, a                      => fabs($a)
neg.ftz?.{f32 f64}                  d, a                      => -$a
min.ftz?.f32                        d, a, b                   => fminf($a, $b)
max.ftz?.f32                        d, a, b                   => fmaxf($a, $b)
min.ftz?.f32                        d, a, b, c                => fminf(fminf($a, $b), $c)
max.ftz?.f32                        d, a, b, c                => fmaxf(fmaxf($a, $b), $c)
min.f64                             d, a, b                   => fmin($a, $b)
max.f64                             d, a, b                   => fmax($a, $b)
min.NaN.ftz?.f32                    d, a, b                   => hipify::fp::min_nan($a, $b)
max.NaN.ftz?.f32                    d, a, b                   => hipify::fp::max_nan($a, $b)
min.xorsign.abs.ftz?.f32            d, a, b                   => hipify::fp::min_xorsign($a, $b)
max.xorsign.abs.ftz?.f32            d, a, b                   => hipify::fp::max_xorsign($a, $b)
copysign.f32                        d, a, b                   => copysignf($b, $a)
copysign.f64                        d, a, b                   => copysign($b, $a)
testp.finite.{f32 f64}              d:pred, a                 => __builtin_isfinite($a)
testp.infinite.{f32 f64}            d:pred, a                 => __builtin_isinf($a)
testp.number.{f32 f64}              d:pred, a                 => !__builtin_isnan($a)
testp.notanumber.{f32 f64}          d:pred, a                 => __builtin_isnan($a)
testp.normal.{f32 f64}              d:pred, a                 => __builtin_isnormal($a)
testp.subnormal.f32                 d:pred, a                 => $a != 0.0f && fabsf($a) < 1.17549435e-38f
testp.subnormal.f64                 d:pred, a                 => $a != 0.0 && fabs($a) < 2.2250738585072014e-308

add.rn?.f32.f16                     d, a:U, c                 => hipify::fp::add_rn(hipify::fp16::to_float_f16($a), $c)
add.rn?.f32.bf16                    d, a:U, c                 => hipify::fp::add_rn(hipify::fp16::to_float_bf16($a), $c)
sub.rn?.f32.f16                     d, a:U, c                 => hipify::fp::add_rn(hipify::fp16::to_float_f16($a), -$c)
sub.rn?.f32.bf16                    d, a:U, c                 => hipify::fp::add_rn(hipify::fp16::to_float_bf16($a), -$c)
fma.rn.f32.f16                      d, a:U, b:U, c            => fmaf(hipify::fp16::to_float_f16($a), hipify::fp16::to_float_f16($b), $c)
fma.rn.f32.bf16                     d, a:U, b:U, c            => fmaf(hipify::fp16::to_float_bf16($a), hipify::fp16::to_float_bf16($b), $c)
add.rn?.ftz?.f32x2                  d, a, b                   => hipify::fp::add_f32x2($a, $b)
sub.rn?.ftz?.f32x2                  d, a, b                   => hipify::fp::sub_f32x2($a, $b)
mul.rn?.ftz?.f32x2                  d, a, b                   => hipify::fp::mul_f32x2($a, $b)
fma.rn.ftz?.f32x2                   d, a, b, c                => hipify::fp::fma_f32x2($a, $b, $c)
"""

_FTZ = (
    "the .ftz of {name} is not kept: AMD's code keeps subnormal numbers, which is more exact",
    "compile with -fgpu-flush-denormals-to-zero where the program needs them flushed",
)
# These hardware functions flush by themselves.
_FLUSHING = frozenset(("rcp", "rsqrt", "ex2", "lg2"))


def _announce(emitter: Emitter, instruction: Instruction) -> bool:
    """Tells what the forms leave out, and leaves the C++ to them."""
    words = instruction.modifiers
    if "ftz" in words and not (instruction.opcode in _FLUSHING and "approx" in words):
        emitter.caveat(_FTZ[0].format(name=instruction.name), _FTZ[1])
    return False


ANNOUNCEMENTS = dict.fromkeys(
    (
        *("add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt", "ex2", "lg2"),
        *("sin", "cos", "abs", "neg", "min", "max"),
    ),
    _announce,
)
