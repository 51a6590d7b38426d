//! Constants in a text, and the bytes that they give to a variable.

use super::{Fault, is_blank, separates};

/// The kind of a variable, with its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 1, 2, 4 or 8 bytes.
    Integer(u64),
    /// 4 or 8 bytes.
    Real(u64),
    /// 1, 2, 4 or 8 bytes.
    Logical(u64),
    Character(u64),
}

impl Kind {
    /// The bytes of a variable.
    pub(crate) fn size(self) -> u64 {
        match self {
            Self::Integer(size) | Self::Real(size) | Self::Logical(size) | Self::Character(size) => size,
        }
    }
}

/// The constant with which a text begins: the bytes of the variable, and the length of the constant. In a namelist,
/// strings have delimiters.
pub(super) fn constant(text: &[u8], kind: Kind, named: bool) -> Result<(Vec<u8>, usize), Fault> {
    if let (Kind::Character(size), Some(quote @ (b'\'' | b'"'))) = (kind, text.first()) {
        let (value, length) = delimited(text, *quote)?;
        return Ok((padded(value, size), length));
    }
    let length = text
        .iter()
        .position(|byte| separates(*byte))
        .unwrap_or(text.len());
    let word = &text[..length];
    // Some compilers take `;` for a separator, and `!` for the start of a comment.
    if word.contains(&b';') || named && word.contains(&b'!') {
        return Err(Fault::Unclear);
    }
    let bytes = match kind {
        Kind::Integer(size) => integer(word, size)?,
        Kind::Real(size) => real(word, size)?,
        Kind::Logical(size) => logical(word, size)?,
        Kind::Character(_) if named => return Err(Fault::Unclear),
        Kind::Character(size) => padded(word.to_vec(), size),
    };
    Ok((bytes, length))
}

/// A text as a variable of this length holds it.
pub(super) fn padded(mut value: Vec<u8>, size: u64) -> Vec<u8> {
    value.resize(size.min(1 << 26) as usize, b' ');
    value
}

/// A string and its delimiters; a delimiter in it is doubled, and the ends of lines are no part of it.
fn delimited(text: &[u8], quote: u8) -> Result<(Vec<u8>, usize), Fault> {
    let mut value = Vec::new();
    let mut at = 1;
    loop {
        match text[at.min(text.len())..] {
            [first, second, ..] if first == quote && second == quote => {
                value.push(quote);
                at += 2;
            }
            [first, ref rest @ ..] if first == quote => {
                let ended = rest.first().is_none_or(|byte| separates(*byte));
                return if ended {
                    Ok((value, at + 1))
                } else {
                    Err(Fault::Unclear)
                };
            }
            [b'\r' | b'\n', ..] | [] => return Err(Fault::Unclear),
            [byte, ..] => {
                value.push(byte);
                at += 1;
            }
        }
    }
}

fn integer(word: &[u8], size: u64) -> Result<Vec<u8>, Fault> {
    if matches!(word, b"+" | b"-") {
        return Err(Fault::Unclear);
    }
    let digits = word
        .strip_prefix(b"-")
        .or(word.strip_prefix(b"+"))
        .unwrap_or(word);
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(Fault::Bad);
    }
    let value: i64 = text(word).parse().map_err(|_| Fault::Bad)?;
    let bits = 8 * size.clamp(1, 8) as u32;
    let fits = bits == 64 || (-(1 << (bits - 1))..1 << (bits - 1)).contains(&value);
    match fits {
        true => Ok(value.to_le_bytes()[..size.clamp(1, 8) as usize].to_vec()),
        false => Err(Fault::Bad),
    }
}

fn real(word: &[u8], size: u64) -> Result<Vec<u8>, Fault> {
    let written = text(word).to_ascii_lowercase().replace(['d', 'q'], "e");
    let unsigned = written.strip_prefix(['+', '-']).unwrap_or(&written);
    // Infinities, what is no number, complex numbers; signs alone; exponents without a letter.
    if unsigned.starts_with(['i', 'n', '(']) || unsigned.is_empty() {
        return Err(Fault::Unclear);
    }
    let mantissa = unsigned.split('e').next().unwrap_or(unsigned);
    if mantissa.contains(['+', '-']) {
        return Err(Fault::Unclear);
    }
    if !written.bytes().all(|byte| b"+-.e0123456789".contains(&byte)) {
        return Err(Fault::Bad);
    }
    let finite = |finite: bool| if finite { Ok(()) } else { Err(Fault::Unclear) };
    match size {
        4 => {
            let value: f32 = written.parse().map_err(|_| Fault::Bad)?;
            finite(value.is_finite()).map(|()| value.to_le_bytes().to_vec())
        }
        8 => {
            let value: f64 = written.parse().map_err(|_| Fault::Bad)?;
            finite(value.is_finite()).map(|()| value.to_le_bytes().to_vec())
        }
        _ => Err(Fault::Unclear),
    }
}

fn logical(word: &[u8], size: u64) -> Result<Vec<u8>, Fault> {
    let value = match word.strip_prefix(b".").unwrap_or(word) {
        [b't' | b'T', ..] => 1,
        [b'f' | b'F', ..] => 0,
        _ => return Err(Fault::Bad),
    };
    let plain = word
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || *byte == b'.');
    match plain {
        true => Ok(u64::to_le_bytes(value)[..size.clamp(1, 8) as usize].to_vec()),
        false => Err(Fault::Unclear),
    }
}

fn text(word: &[u8]) -> &str {
    debug_assert!(!word.iter().any(|byte| is_blank(*byte)));
    std::str::from_utf8(word).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> Result<f64, Fault> {
        let (bytes, _) = constant(text.as_bytes(), Kind::Real(8), false)?;
        Ok(f64::from_le_bytes(bytes.try_into().unwrap()))
    }

    #[test]
    fn real_numbers_are_read_as_fortran_writes_them() {
        for (text, value) in [
            ("1", 1.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("-2.5e-3", -2.5e-3),
            ("1d3", 1000.0),
            ("1.5D+2", 150.0),
            ("2.E1,", 20.0),
        ] {
            assert_eq!(double(text), Ok(value), "{text}");
        }
        for bad in ["abc", "1.2.3", "12abc", "\"5\"", "1e"] {
            assert_eq!(double(bad), Err(Fault::Bad), "{bad}");
        }
        for unclear in ["inf", "NaN", "(1", "-", "1+5", "1e999"] {
            assert_eq!(double(unclear), Err(Fault::Unclear), "{unclear}");
        }
        let single = constant(b"0.1", Kind::Real(4), false).unwrap();
        assert_eq!(single, (0.1_f32.to_le_bytes().to_vec(), 3));
    }

    #[test]
    fn logical_values_begin_with_a_letter_of_theirs() {
        let value =
            |text: &str| constant(text.as_bytes(), Kind::Logical(4), false).map(|(bytes, _)| bytes[0]);
        for text in ["T", "t", ".true.", ".T", "True"] {
            assert_eq!(value(text), Ok(1), "{text}");
        }
        assert_eq!(value(".false."), Ok(0));
        assert_eq!((value("yes"), value("1")), (Err(Fault::Bad), Err(Fault::Bad)));
    }

    #[test]
    fn texts_have_delimiters_or_end_at_a_separator() {
        let value = |text: &str, named| {
            let read = constant(text.as_bytes(), Kind::Character(6), named);
            read.map(|(bytes, length)| (String::from_utf8(bytes).unwrap(), length))
        };
        let ok = |text: &str, length| Ok((text.to_owned(), length));
        assert_eq!(value("run/x", false), ok("run   ", 3));
        assert_eq!(value("'it''s' 3", false), ok("it's  ", 7));
        assert_eq!(value("\"a, b/c\",", true), ok("a, b/c", 8));
        assert_eq!(value("abcdefgh", false), ok("abcdef", 8));
        for unclear in ["'open", "'a'b", "a;b"] {
            assert_eq!(value(unclear, false), Err(Fault::Unclear), "{unclear}");
        }
        assert_eq!(value("bare", true), Err(Fault::Unclear));
    }
}
