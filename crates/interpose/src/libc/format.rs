//! Format strings and the arguments that they call for (C17 7.21.6.1 and 7.21.6.2).
//!
//! Limit: positional arguments (`%1$s`) end the reading; what follows in that format is not seen.

use super::Call;
use super::strings::read_within;
use crate::machine::VaList;

/// One directive of a format.
#[derive(Debug, PartialEq)]
struct Directive {
    conversion: u8,
    /// `h`, `l`, ... with `H` for `hh` and `q` for `ll`; 0: none.
    length: u8,
    /// `*` as width of `printf`; suppresses the assignment in `scanf`.
    star: bool,
    width: Option<usize>,
    precision: Precision,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Precision {
    None,
    Star,
    Is(usize),
}

/// The next directive, and what follows it.
fn directive(mut text: &[u8]) -> Option<(Directive, &[u8])> {
    let start = text.iter().position(|&byte| byte == b'%')?;
    text = &text[start + 1..];
    let mut found = Directive {
        conversion: 0,
        length: 0,
        star: false,
        width: None,
        precision: Precision::None,
    };
    while let [b'-' | b'+' | b' ' | b'#' | b'0' | b'\'' | b'I', rest @ ..] = text {
        text = rest;
    }
    if let [b'*', rest @ ..] = text {
        found.star = true;
        text = rest;
    }
    (found.width, text) = number(text);
    if text.first() == Some(&b'$') {
        return None;
    }
    if let [b'.', rest @ ..] = text {
        (found.precision, text) = if let [b'*', rest @ ..] = rest {
            (Precision::Star, rest)
        } else {
            let (value, rest) = number(rest);
            (Precision::Is(value.unwrap_or(0)), rest)
        };
    }
    if text.first() == Some(&b'$') {
        return None;
    }
    (found.length, text) = match text {
        [b'h', b'h', rest @ ..] => (b'H', rest),
        [b'l', b'l', rest @ ..] => (b'q', rest),
        [
            length @ (b'h' | b'l' | b'q' | b'L' | b'j' | b'z' | b't' | b'm'),
            rest @ ..,
        ] if !rest.is_empty() => {
            // `%m` alone is a conversion of `printf`, a length only before `s`, `c` or `[` of `scanf`.
            if *length == b'm' && !matches!(rest[0], b's' | b'c' | b'[') {
                (0, text)
            } else {
                (*length, rest)
            }
        }
        _ => (0, text),
    };
    let (&conversion, mut rest) = text.split_first()?;
    found.conversion = conversion;
    if conversion == b'[' {
        // A bracket that comes first belongs to the set.
        let first = usize::from(rest.first() == Some(&b'^'));
        let skip = first + usize::from(rest.get(first) == Some(&b']'));
        let end = rest.get(skip..)?.iter().position(|&byte| byte == b']')?;
        rest = &rest[skip + end + 1..];
    }
    Some((found, rest))
}

fn number(text: &[u8]) -> (Option<usize>, &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(digits);
    let value = digits.iter().fold(0usize, |value, digit| {
        value.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
    });
    ((!digits.is_empty()).then_some(value), rest)
}

/// Bytes of an integer with this length modifier.
fn integer_size(length: u8) -> usize {
    match length {
        b'H' => 1,
        b'h' => 2,
        b'l' | b'q' | b'L' | b'j' | b'z' | b't' => 8,
        _ => 4,
    }
}

/// The accesses of a `printf` to its arguments.
///
/// # Safety
/// The format is readable up to its zero byte, and the arguments are what it calls for.
pub(super) unsafe fn printed(call: Call, format: u64, mut arguments: VaList) {
    // SAFETY: The caller's promise.
    let mut text = unsafe { bytes(format) };
    while let Some((found, rest)) = directive(text) {
        text = rest;
        // SAFETY: The caller's promise.
        unsafe {
            if found.star {
                arguments.integer();
            }
            let precision = match found.precision {
                Precision::None => None,
                Precision::Is(value) => Some(value),
                Precision::Star => usize::try_from(arguments.integer() as i32).ok(),
            };
            match found.conversion {
                b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b'p' | b'C' => {
                    arguments.integer();
                }
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                    arguments.skip_float(found.length == b'L');
                }
                b's' if found.length == 0 => {
                    let text = arguments.integer();
                    if text != 0 {
                        call.loads(text, read_within(text, precision.unwrap_or(usize::MAX)));
                    }
                }
                b's' | b'S' => {
                    arguments.integer();
                }
                b'n' => {
                    let to = arguments.integer();
                    call.stores(to, integer_size(found.length));
                }
                b'%' | b'm' => {}
                // Not a conversion that we know: what its arguments are is not known either.
                _ => return,
            }
        }
    }
}

/// The accesses of a `scanf` that assigned `assigned` values.
///
/// # Safety
/// As for [`printed`].
pub(super) unsafe fn scanned(call: Call, format: u64, mut arguments: VaList, mut assigned: i32) {
    // SAFETY: The caller's promise.
    let mut text = unsafe { bytes(format) };
    while let Some((found, rest)) = directive(text) {
        text = rest;
        if found.star || found.conversion == b'%' {
            continue;
        }
        if assigned <= 0 && found.conversion != b'n' {
            return;
        }
        // SAFETY: The caller's promise; what was assigned is readable.
        unsafe {
            let to = arguments.integer();
            if found.length == b'm' {
                call.stores(to, 8);
            } else {
                let len = match found.conversion {
                    b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'n' => integer_size(found.length),
                    b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match found.length {
                        b'l' => 8,
                        b'L' => 16,
                        _ => 4,
                    },
                    b'p' => 8,
                    b'c' if found.length == 0 => found.width.unwrap_or(1),
                    b's' | b'[' if found.length == 0 => read_within(to, usize::MAX),
                    _ => 0,
                };
                call.stores(to, len);
            }
        }
        if found.conversion != b'n' {
            assigned -= 1;
        }
    }
}

/// A text without its zero byte.
///
/// # Safety
/// It is readable up to its zero byte.
unsafe fn bytes<'a>(text: u64) -> &'a [u8] {
    // SAFETY: The caller's promise.
    unsafe { std::slice::from_raw_parts(text as *const u8, super::strings::length_within(text, usize::MAX)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut text: &str) -> Vec<(char, char, Option<usize>, Precision, bool)> {
        let mut list = Vec::new();
        while let Some((found, rest)) = directive(text.as_bytes()) {
            list.push((
                found.conversion as char,
                if found.length == 0 {
                    ' '
                } else {
                    found.length as char
                },
                found.width,
                found.precision,
                found.star,
            ));
            text = std::str::from_utf8(rest).unwrap();
        }
        list
    }

    #[test]
    fn directives() {
        use Precision::{Is, None as Without, Star};
        assert_eq!(
            all("a %-5d%% %lld %*.*f %.3s %hhu %Lg %m\n"),
            [
                ('d', ' ', Some(5), Without, false),
                ('%', ' ', None, Without, false),
                ('d', 'q', None, Without, false),
                ('f', ' ', None, Star, true),
                ('s', ' ', None, Is(3), false),
                ('u', 'H', None, Without, false),
                ('g', 'L', None, Without, false),
                ('m', ' ', None, Without, false),
            ]
        );
        assert_eq!(
            all("%10[^]a]%*d%ms%5c"),
            [
                ('[', ' ', Some(10), Without, false),
                ('d', ' ', None, Without, true),
                ('s', 'm', None, Without, false),
                ('c', ' ', Some(5), Without, false),
            ]
        );
        assert_eq!(all("%1$s %2$d"), []);
        assert_eq!(all("100%"), []);
        assert_eq!(all("%"), []);
        assert_eq!(all("%[abc"), []);
    }
}
