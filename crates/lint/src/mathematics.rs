//! Functions of numbers: those of the C library, and the intrinsics that LLVM makes of them and of arithmetic.
//!
//! Results are those of this machine, which may differ from others in the last place.

use crate::value::{Scalar, derived, mask, signed};
use std::num::FpCategory;

/// Whether a function computes, but not here: an intrinsic of LLVM that is not known.
pub(crate) fn is_left_out(name: &str) -> bool {
    let asks = ["llvm.readcyclecounter", "llvm.readsteadycounter"].contains(&name);
    name.starts_with("llvm.") && !asks
}

/// The value of a function that only computes; `None` if it is not known here.
pub(crate) fn value(name: &str, a: &[Scalar]) -> Option<Scalar> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let operands = &a[..a.len().min(3)];
    let bits = match name.strip_prefix("llvm.") {
        // `llvm.fma.f32`, `llvm.abs.i64`: the type is part of the name.
        Some(rest) => match rest.split_once('.')? {
            // A `long double` has the precision of a `double` here.
            (plain, "f64" | "f80") => double(plain, at(0), at(1), at(2))?,
            (plain, "f32") => single(plain, at(0), at(1), at(2))?,
            ("powi", "f64.i32") => at(0).double().powi(at(1).signed32()).to_bits(),
            ("powi", "f32.i32") => {
                let number = f32::from_bits(at(0).bits as u32);
                u64::from(number.powi(at(1).signed32()).to_bits())
            }
            ("lround" | "llround" | "lrint" | "llrint", types) => {
                let (to, from) = types.split_once('.')?;
                let width = to.strip_prefix('i')?.parse().ok()?;
                nearest(plain_name(rest), width, wide(from, at(0))?)
            }
            ("ldexp", types) => scaled(types.split_once('.')?.0, at(0), at(1))?,
            ("is", types) => class(types.strip_prefix("fpclass.")?, at(0), at(1).bits)?,
            (plain, width) => {
                let width = width
                    .strip_prefix('i')?
                    .parse()
                    .ok()
                    .filter(|width| *width <= 64)?;
                integer(plain, width, at(0).bits, at(1).bits, at(2).bits)?
            }
        },
        None => match name {
            "abs" => mask(signed(at(0).bits, 32).unsigned_abs(), 32),
            "labs" | "llabs" => (at(0).bits as i64).unsigned_abs(),
            "lround" | "llround" | "lrint" | "llrint" => nearest(name, 64, wide("f64", at(0))?),
            "lroundf" | "llroundf" | "lrintf" | "llrintf" => nearest(name, 64, wide("f32", at(0))?),
            "ldexp" | "scalbn" | "scalbln" | "ldexpl" | "scalbnl" | "scalblnl" => {
                scaled("f64", at(0), at(1))?
            }
            "ldexpf" | "scalbnf" | "scalblnf" => scaled("f32", at(0), at(1))?,
            "ilogb" => mask(i64::from(libm::ilogb(at(0).double())) as u64, 32),
            "nextafterf" => {
                let [x, y] = [0, 1].map(|index| f32::from_bits(at(index).bits as u32));
                u64::from(libm::nextafterf(x, y).to_bits())
            }
            // A complex number is passed as its parts.
            "cabs" => at(0).double().hypot(at(1).double()).to_bits(),
            _ => match double(name, at(0), at(1), at(2)) {
                Some(bits) => bits,
                // `sqrtf` is `sqrt` of 32 bits, and `sqrtl` that of a `long double`.
                None => match name.strip_suffix('l') {
                    Some(plain) => double(plain, at(0), at(1), at(2))?,
                    None => single(name.strip_suffix('f')?, at(0), at(1), at(2))?,
                },
            },
        },
    };
    Some(Scalar {
        bits,
        symbol: derived(name, operands),
    })
}

/// The parts of the value of a function of complex numbers, which are passed as their parts (`double _Complex`, as
/// clang and flang pass it on x86-64); `None` if it is not known here.
pub(crate) fn complex(name: &str, a: &[Scalar]) -> Option<[Scalar; 2]> {
    let [x, y, z, w] = [0, 1, 2, 3].map(|index| a.get(index).copied().unwrap_or_default().double());
    let (parts, operands) = match name {
        "cexp" => ([x.exp() * y.cos(), x.exp() * y.sin()], 2),
        "__muldc3" => ([x * z - y * w, x * w + y * z], 4),
        "__divdc3" => {
            let norm = z * z + w * w;
            ([(x * z + y * w) / norm, (y * z - x * w) / norm], 4)
        }
        _ => return None,
    };
    // Scaling, infinities and what is no number are not followed.
    if !parts.iter().all(|part| part.is_finite()) {
        return None;
    }
    let operands = &a[..a.len().min(operands)];
    Some([0, 1].map(|part| Scalar {
        bits: parts[part].to_bits(),
        symbol: derived((name, part), operands),
    }))
}

/// The parts of the value of a function of integers that may overflow: the result, and whether it did; `None` if it is
/// none of them.
pub(crate) fn overflowing(name: &str, a: &[Scalar]) -> Option<[Scalar; 2]> {
    let (operation, width) = name.strip_prefix("llvm.")?.split_once(".with.overflow.i")?;
    let width: u32 = width.parse().ok().filter(|width| (2..=64).contains(width))?;
    let operands = a.get(..2)?;
    let [x, y] = [0, 1].map(|index| match operation.starts_with('s') {
        true => i128::from(signed(operands[index].bits, width)),
        false => i128::from(mask(operands[index].bits, width)),
    });
    let exact = match operation.get(1..)? {
        "add" => x + y,
        "sub" => x - y,
        // The product of two numbers without a sign may need all bits.
        "mul" => x.checked_mul(y).unwrap_or(i128::MAX),
        _ => return None,
    };
    let low = mask(x.wrapping_mul(y) as u64, width);
    let result = if operation.ends_with("mul") {
        low
    } else {
        mask(exact as u64, width)
    };
    let kept = match operation.starts_with('s') {
        true => i128::from(signed(result, width)),
        false => i128::from(result),
    };
    Some(
        [(result, 0_u8), (u64::from(kept != exact), 1)].map(|(bits, part)| Scalar {
            bits,
            symbol: derived((name, part), operands),
        }),
    )
}

/// The halves of a quotient or remainder of integers of 128 bits, of which the halves are given, by the names that
/// compilers call them by; `None` if it is none of them. What is divided by zero is zero.
pub(crate) fn divided(name: &str, a: &[Scalar]) -> Option<[Scalar; 2]> {
    type OfTwo = fn(i128, i128) -> i128;
    let divide: OfTwo = match name {
        "__divti3" => |x, y| x.checked_div(y).unwrap_or(0),
        "__modti3" => |x, y| x.checked_rem(y).unwrap_or(0),
        "__udivti3" => |x, y| (x as u128).checked_div(y as u128).unwrap_or(0) as i128,
        "__umodti3" => |x, y| (x as u128).checked_rem(y as u128).unwrap_or(0) as i128,
        _ => return None,
    };
    let halves = a.first_chunk::<4>()?;
    let whole = |at: usize| i128::from(halves[at].bits) | i128::from(halves[at + 1].bits) << 64;
    let result = divide(whole(0), whole(2));
    Some([(result, 0_u8), (result >> 64, 1)].map(|(bits, part)| Scalar {
        bits: bits as u64,
        symbol: derived((name, part), halves),
    }))
}

/// A number of this type, in 64 bits.
fn wide(ty: &str, x: Scalar) -> Option<f64> {
    match ty {
        "f64" => Some(x.double()),
        "f32" => Some(f64::from(f32::from_bits(x.bits as u32))),
        _ => None,
    }
}

/// The name of an intrinsic without its types.
fn plain_name(rest: &str) -> &str {
    rest.split('.').next().unwrap_or(rest)
}

/// The nearest integer of a number: a half goes away from zero, or with the functions that round as the machine does to
/// the even one.
fn nearest(name: &str, width: u32, x: f64) -> u64 {
    let rounded = if name.contains("rint") {
        x.round_ties_even()
    } else {
        x.round()
    };
    mask(rounded as i64 as u64, width)
}

/// A number of this type times a power of two.
fn scaled(ty: &str, x: Scalar, power: Scalar) -> Option<u64> {
    let value = libm::ldexp(wide(ty, x)?, power.signed32());
    Some(match ty {
        "f32" => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    })
}

/// Whether a number of this type is of one of the classes of a set (LLVM's `is.fpclass`).
fn class(ty: &str, x: Scalar, set: u64) -> Option<u64> {
    let (category, negative, quiet) = match ty {
        "f64" => (
            x.double().classify(),
            x.double().is_sign_negative(),
            x.bits >> 51 & 1,
        ),
        "f32" => {
            let number = f32::from_bits(x.bits as u32);
            (number.classify(), number.is_sign_negative(), x.bits >> 22 & 1)
        }
        _ => return None,
    };
    let bit = match (category, negative) {
        (FpCategory::Nan, _) => quiet as u32,
        (FpCategory::Infinite, true) => 2,
        (FpCategory::Normal, true) => 3,
        (FpCategory::Subnormal, true) => 4,
        (FpCategory::Zero, true) => 5,
        (FpCategory::Zero, false) => 6,
        (FpCategory::Subnormal, false) => 7,
        (FpCategory::Normal, false) => 8,
        (FpCategory::Infinite, false) => 9,
    };
    Some(set >> bit & 1)
}

fn double(name: &str, x: Scalar, y: Scalar, z: Scalar) -> Option<u64> {
    real(name, x.double(), y.double(), z.double()).map(f64::to_bits)
}

fn single(name: &str, x: Scalar, y: Scalar, z: Scalar) -> Option<u64> {
    let wide = |value: Scalar| f64::from(f32::from_bits(value.bits as u32));
    // The product of two numbers of 32 bits is exact in 64, so that this rounds as the function of 32 bits does, or
    // within its last place.
    real(name, wide(x), wide(y), wide(z)).map(|value| u64::from((value as f32).to_bits()))
}

fn real(name: &str, x: f64, y: f64, z: f64) -> Option<f64> {
    Some(match name {
        "fma" | "fmuladd" => x.mul_add(y, z),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "fabs" => x.abs(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "trunc" => x.trunc(),
        "round" => x.round(),
        "rint" | "nearbyint" | "roundeven" => x.round_ties_even(),
        "copysign" => x.copysign(y),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "atan2" => x.atan2(y),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "pow" => x.powf(y),
        "exp10" => 10_f64.powf(x),
        "expm1" => x.exp_m1(),
        "log1p" => x.ln_1p(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "erf" => libm::erf(x),
        "erfc" => libm::erfc(x),
        "tgamma" => libm::tgamma(x),
        "lgamma" => libm::lgamma(x),
        "remainder" => libm::remainder(x, y),
        "nextafter" => libm::nextafter(x, y),
        "fdim" => libm::fdim(x, y),
        "logb" => f64::from(libm::ilogb(x)),
        "hypot" => x.hypot(y),
        "fmod" => x % y,
        "fmax" | "maxnum" | "maximum" => x.max(y),
        "fmin" | "minnum" | "minimum" => x.min(y),
        _ => return None,
    })
}

fn integer(name: &str, width: u32, x: u64, y: u64, z: u64) -> Option<u64> {
    let (x, y) = (mask(x, width), mask(y, width));
    let (a, b) = (signed(x, width), signed(y, width));
    let result = match name {
        "abs" => a.unsigned_abs(),
        "smax" => a.max(b) as u64,
        "smin" => a.min(b) as u64,
        "umax" => x.max(y),
        "umin" => x.min(y),
        "ctpop" => u64::from(x.count_ones()),
        "ctlz" => u64::from((x << (64 - width)).leading_zeros().min(width)),
        "cttz" => u64::from(x.trailing_zeros().min(width)),
        "bswap" => x.swap_bytes() >> (64 - width),
        "fshl" | "fshr" => {
            let z = (z % u64::from(width)) as u32;
            let both = u128::from(x) << width | u128::from(y);
            let shift = if name == "fshl" { width - z } else { z };
            (both >> shift) as u64
        }
        _ => return None,
    };
    Some(mask(result, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str, operands: &[u64]) -> Option<u64> {
        let operands: Vec<Scalar> = operands.iter().copied().map(Scalar::known).collect();
        value(name, &operands).map(|value| value.bits)
    }

    #[test]
    fn the_width_of_a_number_is_in_the_name_of_its_function() {
        let (two, three, four) = (2f64.to_bits(), 3f64.to_bits(), 4f64.to_bits());
        assert_eq!(
            known("llvm.fmuladd.f64", &[two, three, four]),
            Some(10f64.to_bits())
        );
        assert_eq!(known("sqrt", &[four]), Some(two));
        let narrow = |value: f32| u64::from(value.to_bits());
        assert_eq!(known("llvm.sqrt.f32", &[narrow(4.0)]), Some(narrow(2.0)));
        assert_eq!(known("sqrtf", &[narrow(4.0)]), Some(narrow(2.0)));
        assert_eq!(known("llvm.memcpy.p0.p0.i64", &[1, 2, 3]), None);
        assert_eq!(known("compute", &[1]), None);
    }

    #[test]
    fn numbers_of_few_bits_have_their_own_sign() {
        assert_eq!(known("llvm.abs.i32", &[0xffff_fffb, 0]), Some(5));
        assert_eq!(known("llvm.smax.i8", &[0xff, 1]), Some(1));
        assert_eq!(known("llvm.umax.i8", &[0xff, 1]), Some(0xff));
        assert_eq!(known("llvm.ctlz.i16", &[1, 0]), Some(15));
        assert_eq!(known("llvm.bswap.i32", &[0x0102_0304]), Some(0x0403_0201));
        assert_eq!(known("llvm.fshl.i8", &[0x81, 0x81, 1]), Some(0x03));
        assert_eq!(
            known("llvm.lround.i32.f64", &[(-2.5_f64).to_bits()]),
            Some(0xffff_fffd)
        );
    }

    #[test]
    fn real_numbers_become_integers_and_are_sorted_into_classes() {
        let bits = |number: f64| number.to_bits();
        assert_eq!(known("lround", &[bits(2.5)]), Some(3));
        assert_eq!(known("lrint", &[bits(2.5)]), Some(2));
        assert_eq!(
            known("llrintf", &[u64::from((-1.5_f32).to_bits())]),
            Some(-2_i64 as u64)
        );
        assert_eq!(known("ldexp", &[bits(0.625), 6]), Some(bits(40.0)));
        assert_eq!(known("ilogb", &[bits(0.25)]), Some(0xffff_fffe));
        assert_eq!(
            known("tgamma", &[bits(5.0)]).map(f64::from_bits).map(f64::round),
            Some(24.0)
        );
        let (nan, infinite) = (0b11, 1 << 2 | 1 << 9);
        assert_eq!(known("llvm.is.fpclass.f64", &[bits(f64::NAN), nan]), Some(1));
        assert_eq!(known("llvm.is.fpclass.f64", &[bits(f64::INFINITY), nan]), Some(0));
        assert_eq!(
            known("llvm.is.fpclass.f64", &[bits(f64::NEG_INFINITY), infinite]),
            Some(1)
        );
    }

    #[test]
    fn what_overflows_says_so() {
        let both = |name: &str, x: u64, y: u64| {
            let parts = overflowing(name, &[x, y].map(Scalar::known));
            parts.map(|parts| parts.map(|part| part.bits))
        };
        assert_eq!(
            both("llvm.sadd.with.overflow.i32", 2_000_000_000, 2_000_000_000),
            Some([4_000_000_000, 1])
        );
        assert_eq!(
            both("llvm.uadd.with.overflow.i32", 2_000_000_000, 2_000_000_000),
            Some([4_000_000_000, 0])
        );
        assert_eq!(both("llvm.ssub.with.overflow.i8", 0x80, 1), Some([0x7f, 1]));
        assert_eq!(
            both("llvm.umul.with.overflow.i64", u64::MAX, 2),
            Some([u64::MAX - 1, 1])
        );
        assert_eq!(both("llvm.smul.with.overflow.i64", 3, 5), Some([15, 0]));
        assert_eq!(both("llvm.sadd.sat.i32", 1, 1), None);
    }

    #[test]
    fn complex_numbers_are_pairs() {
        let given = [3.0_f64, 4.0, 1.0, 2.0].map(|part| Scalar::known(part.to_bits()));
        let parts = |name| complex(name, &given).map(|parts| parts.map(Scalar::double));
        assert_eq!(parts("__muldc3"), Some([-5.0, 10.0]));
        assert_eq!(parts("__divdc3"), Some([2.2, -0.4]));
        assert_eq!(parts("compute"), None);
    }

    #[test]
    fn what_is_computed_from_the_unknown_is_unknown() {
        let unknown = Scalar { bits: 4, symbol: 9 };
        assert!(
            !value("llvm.abs.i32", &[unknown, Scalar::known(0)])
                .unwrap()
                .is_known()
        );
    }
}
