//! Functions of the C library that make numbers of texts.
//!
//! Source: C17, 7.22.1. Promise: what a text gives of which every character is known is what the C library gives for
//! it in the locale "C", 0 for one without a number included; `errno` is left as it is. Not known here are hexadecimal
//! real numbers: what they give is unknown, as is what any text gives that comes from outside.

use super::answered;
use crate::caller::Caller;
use crate::flow::Flow;
use crate::value::{Scalar, source};
use farside_events::AccessKind;

/// A sample that is neither 0 nor 1, as a small size is.
const SAMPLE: u64 = 4;

/// What a function takes for a number, and what it gives.
#[derive(Clone, Copy)]
enum Kind {
    Integer { base: u64, signed: bool, bits: u32 },
    Real { single: bool },
}

/// A function that makes a number of a text; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default();
    let integer = |base: u64, signed: bool, bits: u32| Kind::Integer { base, signed, bits };
    // glibc's headers of C23 have names of their own.
    let plain = name.strip_prefix("__isoc23_").unwrap_or(name);
    let (kind, end) = match plain {
        "atoi" => (integer(10, true, 32), 0),
        "atol" | "atoll" => (integer(10, true, 64), 0),
        "strtol" | "strtoll" | "strtoimax" => (integer(at(2).bits, true, 64), at(1).bits),
        "strtoul" | "strtoull" | "strtoumax" => (integer(at(2).bits, false, 64), at(1).bits),
        "atof" => (Kind::Real { single: false }, 0),
        "strtod" => (Kind::Real { single: false }, at(1).bits),
        "strtof" => (Kind::Real { single: true }, at(1).bits),
        _ => return None,
    };
    let text = at(0);
    let bytes = caller.memory(text.bits).string(text.bits);
    let size = bytes.len() as u64 + 1;
    caller.library_access(name, AccessKind::Load, text.bits, size);
    caller.converts(&bytes);
    let known = text.is_known() && caller.memory(text.bits).known_bytes(text.bits, size).is_some();
    let (value, read) = number(&bytes, kind);
    if end != 0 {
        caller.put_long(end, text.bits + read as u64);
    }
    if let (Kind::Integer { .. }, Some(bits)) = (kind, value)
        && let Some(number) = answered::number(caller, text.bits, &bytes, bits)
    {
        return Some(Flow::Return(number));
    }
    let value = value.filter(|_| known).map(Scalar::known);
    Some(Flow::Return(value.unwrap_or_else(|| Scalar {
        bits: match kind {
            Kind::Integer { .. } => SAMPLE,
            Kind::Real { .. } => 0,
        },
        symbol: source((name, caller.place())),
    })))
}

/// The number with which a text begins, 0 if there is none, and the bytes up to its end; `None`: not known here.
fn number(text: &[u8], kind: Kind) -> (Option<u64>, usize) {
    // `isspace` in the locale "C": Rust has no vertical tab among its blanks.
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let blank = text.iter().take_while(|byte| is_blank(byte)).count();
    let rest = &text[blank..];
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let (value, length) = match kind {
        Kind::Integer { base, signed, bits } => {
            let (value, length) = integer(&rest[sign..], base, sign == 1 && rest[0] == b'-', signed);
            let value = if bits == 32 {
                u64::from(value as u32)
            } else {
                value
            };
            (Some(value), length)
        }
        Kind::Real { single } => real(&rest[sign..], sign == 1 && rest[0] == b'-', single),
    };
    match length {
        0 => (value, 0),
        length => (value, blank + sign + length),
    }
}

/// An integer without its sign, and how many bytes it has; 0 if it is none.
fn integer(text: &[u8], base: u64, negative: bool, signed: bool) -> (u64, usize) {
    let is_digit = |base: u32| move |byte: &u8| char::from(*byte).is_digit(base);
    let hexadecimal = text.len() > 2
        && text[0] == b'0'
        && text[1].eq_ignore_ascii_case(&b'x')
        && text[2].is_ascii_hexdigit();
    let (base, begin) = match base {
        0 | 16 if hexadecimal => (16, 2),
        0 if text.first() == Some(&b'0') => (8, 0),
        0 => (10, 0),
        base if (2..=36).contains(&base) => (base as u32, 0),
        _ => return (0, 0),
    };
    let is_digit = is_digit(base);
    let digits = text[begin..].iter().take_while(|byte| is_digit(byte)).count();
    if digits == 0 {
        return (0, 0);
    }
    let digit = |byte: &u8| u128::from(char::from(*byte).to_digit(base).unwrap_or(0));
    let add = |sum: u128, byte: &u8| sum.saturating_mul(u128::from(base)).saturating_add(digit(byte));
    let magnitude = text[begin..begin + digits].iter().fold(0, add);
    let value = match (signed, negative) {
        (true, false) => magnitude.min(i64::MAX as u128) as u64,
        (true, true) => (magnitude.min(1 << 63) as u64).wrapping_neg(),
        (false, _) if magnitude > u128::from(u64::MAX) => u64::MAX,
        (false, negative) => {
            let value = magnitude as u64;
            if negative { value.wrapping_neg() } else { value }
        }
    };
    (value, begin + digits)
}

/// A real number without its sign: its bits, and how many bytes it has; 0 if it is none.
fn real(text: &[u8], negative: bool, single: bool) -> (Option<u64>, usize) {
    if text.len() > 1 && text[0] == b'0' && text[1].eq_ignore_ascii_case(&b'x') {
        return (None, 1);
    }
    let letters = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
        .count();
    let found = (1..=letters.min(400)).rev().find_map(|length| {
        // What follows the sign has none of its own.
        let text = std::str::from_utf8(&text[..length]).ok()?;
        let value: f64 = text.parse().ok().filter(|_| !text.starts_with(['+', '-']))?;
        let single = if single { text.parse::<f32>().ok()? } else { 0.0 };
        Some((value, single, length))
    });
    let (value, narrow, length) = found.unwrap_or((0.0, 0.0, 0));
    let minus = if negative { -1.0 } else { 1.0 };
    let bits = match single {
        true => u64::from((narrow * minus as f32).to_bits()),
        false => (value * minus).to_bits(),
    };
    (Some(if length == 0 { 0 } else { bits }), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strtol(text: &str, base: u64) -> (i64, usize) {
        let kind = Kind::Integer {
            base,
            signed: true,
            bits: 64,
        };
        let (value, read) = number(text.as_bytes(), kind);
        (value.expect("integers are known") as i64, read)
    }

    /// The values are those of glibc 2.36.
    #[test]
    fn integers_are_those_of_strtol() {
        assert_eq!(strtol("12abc", 10), (12, 2));
        assert_eq!(strtol(" \t-7", 10), (-7, 4));
        assert_eq!(strtol("abc", 10), (0, 0));
        assert_eq!(strtol("", 10), (0, 0));
        assert_eq!(strtol("-", 10), (0, 0));
        assert_eq!(strtol("+-3", 10), (0, 0));
        assert_eq!(strtol("0x1f", 0), (31, 4));
        assert_eq!(strtol("0x", 0), (0, 1));
        assert_eq!(strtol("010", 0), (8, 3));
        assert_eq!(strtol("z", 36), (35, 1));
        assert_eq!(strtol("99999999999999999999", 10), (i64::MAX, 20));
        assert_eq!(strtol("-99999999999999999999", 10), (i64::MIN, 21));
    }

    #[test]
    fn real_numbers_are_those_of_strtod() {
        let strtod = |text: &str| {
            let (value, read) = number(text.as_bytes(), Kind::Real { single: false });
            (value.map(f64::from_bits), read)
        };
        assert_eq!(strtod("2.5e-3x"), (Some(2.5e-3), 6));
        assert_eq!(strtod(" -.5,"), (Some(-0.5), 4));
        assert_eq!(strtod("1e+"), (Some(1.0), 1));
        assert_eq!(strtod("x"), (Some(0.0), 0));
        assert_eq!(strtod("--1"), (Some(0.0), 0));
        assert_eq!(strtod("0x1p3").0, None);
    }
}
