//! What a conversion of `printf` writes, in the locale "C".
//!
//! Source: C17, 7.21.6.1. Promise: every flag, width and precision; a test compares it with the shell's `printf`. Not
//! known are `%a`, long double and wide characters.

use super::conversion::Conversion;

/// A number without its sign, as a conversion writes it.
struct Digits {
    sign: &'static str,
    prefix: &'static str,
    digits: String,
    /// Whether zeros may fill it up to its width.
    fills: bool,
}

/// What an integer becomes.
pub(super) fn integer(
    conversion: &Conversion,
    value: u64,
    (width, precision): (usize, Option<usize>),
) -> String {
    let bits = 8 * conversion.size().min(8) as u32;
    let unused = 64 - bits;
    let (number, negative) = match conversion.letter() {
        b'd' | b'i' => {
            let value = ((value << unused) as i64) >> unused;
            (value.unsigned_abs(), value < 0)
        }
        _ => (value << unused >> unused, false),
    };
    let is_signed = matches!(conversion.letter(), b'd' | b'i');
    let mut digits = match conversion.letter() {
        b'x' | b'p' => format!("{number:x}"),
        b'X' => format!("{number:X}"),
        b'o' => format!("{number:o}"),
        _ => number.to_string(),
    };
    match precision {
        Some(0) if number == 0 => digits.clear(),
        Some(least) if digits.len() < least => digits.insert_str(0, &"0".repeat(least - digits.len())),
        _ => {}
    }
    let alternative = conversion.has(b'#');
    if alternative && conversion.letter() == b'o' && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = match conversion.letter() {
        b'p' => "0x",
        b'x' if alternative && number != 0 => "0x",
        b'X' if alternative && number != 0 => "0X",
        _ => "",
    };
    let whole = Digits {
        sign: if is_signed { sign(conversion, negative) } else { "" },
        prefix,
        digits,
        fills: precision.is_none(),
    };
    whole.padded(conversion, width)
}

/// What a real number becomes; `None` for `%a`.
pub(super) fn real(
    conversion: &Conversion,
    value: f64,
    (width, precision): (usize, Option<usize>),
) -> Option<String> {
    let letter = conversion.letter().to_ascii_lowercase();
    let (places, alternative) = (precision.unwrap_or(6), conversion.has(b'#'));
    let mut digits = match letter {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        b'f' => fixed(value.abs(), places, alternative),
        b'e' => scientific(value.abs(), places, alternative).0,
        b'g' => {
            let significant = places.max(1);
            let (text, exponent) = scientific(value.abs(), significant - 1, alternative);
            let text = match i32::try_from(significant).is_ok_and(|most| (-4..most).contains(&exponent)) {
                true => fixed(
                    value.abs(),
                    (significant as i32 - 1 - exponent) as usize,
                    alternative,
                ),
                false => text,
            };
            if alternative { text } else { without_zeros(&text) }
        }
        _ => return None,
    };
    if conversion.letter().is_ascii_uppercase() {
        digits.make_ascii_uppercase();
    }
    let whole = Digits {
        sign: sign(conversion, value.is_sign_negative()),
        prefix: "",
        digits,
        fills: value.is_finite(),
    };
    Some(whole.padded(conversion, width))
}

/// What a text becomes.
pub(super) fn text(
    conversion: &Conversion,
    text: &[u8],
    (width, precision): (usize, Option<usize>),
) -> Vec<u8> {
    let shown = &text[..precision.unwrap_or(usize::MAX).min(text.len())];
    let spaces = vec![b' '; width.saturating_sub(shown.len())];
    match conversion.has(b'-') {
        true => [shown, &spaces].concat(),
        false => [&spaces, shown].concat(),
    }
}

impl Digits {
    fn padded(self, conversion: &Conversion, width: usize) -> String {
        let Self {
            sign,
            prefix,
            digits,
            fills,
        } = self;
        let missing = width.saturating_sub(sign.len() + prefix.len() + digits.len());
        match (conversion.has(b'-'), conversion.has(b'0') && fills) {
            (true, _) => format!("{sign}{prefix}{digits}{}", " ".repeat(missing)),
            (_, true) => format!("{sign}{prefix}{}{digits}", "0".repeat(missing)),
            _ => format!("{}{sign}{prefix}{digits}", " ".repeat(missing)),
        }
    }
}

fn sign(conversion: &Conversion, negative: bool) -> &'static str {
    match (negative, conversion.has(b'+'), conversion.has(b' ')) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn fixed(value: f64, places: usize, alternative: bool) -> String {
    let point = if alternative && places == 0 { "." } else { "" };
    format!("{value:.places$}{point}")
}

/// With an exponent of two digits at least, and that exponent.
fn scientific(value: f64, places: usize, alternative: bool) -> (String, i32) {
    let text = format!("{value:.places$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if alternative && places == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    (
        format!("{digits}{point}e{sign}{:02}", exponent.unsigned_abs()),
        exponent,
    )
}

/// Without the zeros at the end of its fraction.
fn without_zeros(text: &str) -> String {
    let (digits, exponent) = text.find('e').map_or((text, ""), |at| text.split_at(at));
    let short = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    format!("{short}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::super::conversion::first_conversion;
    use super::*;
    use std::process::Command;

    /// What the shell's `printf` writes.
    fn of_shell(format: &str, value: &str) -> String {
        let output = Command::new("/usr/bin/printf")
            .arg(format)
            .arg(value)
            .env("LC_ALL", "C")
            .output();
        String::from_utf8(output.expect("coreutils are there").stdout).expect("a text")
    }

    #[test]
    fn integers_are_written_as_the_shell_writes_them() {
        for flags in ["", "-", "0", "+", " ", "#", "+0", "-#", "#0"] {
            for size in ["", "7", ".3", "9.4", ".0"] {
                // `#` means nothing for decimal numbers, and the shell refuses it.
                let letters = ["x", "X", "o", "d", "u"];
                for letter in &letters[..if flags.contains('#') { 3 } else { 5 }] {
                    for value in [0_u64, 5, 255, 70_000] {
                        let format = format!("%{flags}{size}{letter}");
                        let (conversion, amounts) = first_conversion(format.as_bytes()).expect("one");
                        let said = integer(&conversion, value, amounts);
                        assert_eq!(said, of_shell(&format, &value.to_string()), "{format} of {value}");
                    }
                }
            }
        }
        let (conversion, amounts) = first_conversion(b"%5hhd").expect("one");
        assert_eq!(integer(&conversion, 300, amounts), "   44");
        let (conversion, amounts) = first_conversion(b"%d").expect("one");
        assert_eq!(integer(&conversion, 0xffff_fffb, amounts), "-5");
    }

    #[test]
    fn real_numbers_are_written_as_the_shell_writes_them() {
        // The shell computes in long double: these are exact in both.
        let values = [
            0.0,
            0.5,
            2.5,
            -3.25,
            1234.5,
            1e10,
            0.000_122_070_312_5,
            1_000_000.0,
            65536.0,
            999_999.5,
        ];
        for flags in ["", "-", "0", "+", "#", " 0"] {
            for size in ["", "12", ".0", ".3", "10.2", ".10"] {
                for letter in ["f", "e", "g", "G", "E"] {
                    // The last is rounded up to a power of ten, of which glibc 2.36 writes too few zeros with `#`.
                    for value in &values[..if flags == "#" { 9 } else { 10 }] {
                        let format = format!("%{flags}{size}{letter}");
                        let (conversion, amounts) = first_conversion(format.as_bytes()).expect("one");
                        let said = real(&conversion, *value, amounts).expect("known");
                        assert_eq!(said, of_shell(&format, &value.to_string()), "{format} of {value}");
                    }
                }
            }
        }
        let (conversion, amounts) = first_conversion(b"%06f").expect("one");
        assert_eq!(
            real(&conversion, f64::NEG_INFINITY, amounts).as_deref(),
            Some("  -inf")
        );
    }
}
