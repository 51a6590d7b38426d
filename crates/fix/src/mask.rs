//! A source with blanks in the place of all that is no code: comments, texts, and directives of the preprocessor.
//!
//! Promise: every byte stays where it is, and line ends stay what they are. A text keeps its quotes.

use crate::language::Language;

/// The source, blanked.
pub(crate) fn masked(language: Language, text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    match language {
        Language::C | Language::Rust => braces(language, bytes, &mut out),
        Language::Fortran => fortran(bytes, &mut out),
    }
    out
}

fn blank(out: &mut [u8], from: usize, to: usize) {
    let to = to.min(out.len());
    for byte in &mut out[from.min(to)..to] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// The end of the line that `at` is in: the index of its line end.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes[at..].iter().position(|byte| *byte == b'\n');
    rest.map_or(bytes.len(), |length| at + length)
}

fn braces(language: Language, bytes: &[u8], out: &mut [u8]) {
    let mut at = 0;
    let mut line_is_blank = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            continued(language, bytes, at)
        } else if rest.starts_with(b"/*") {
            let close = rest.windows(2).skip(2).position(|pair| pair == b"*/");
            close.map_or(bytes.len(), |length| at + length + 4)
        } else if rest[0] == b'#' && line_is_blank && language == Language::C {
            continued(language, bytes, at)
        } else if let Some(end) = raw_text(language, bytes, at) {
            blank(out, at + 1, end - 1);
            at = end;
            continue;
        } else if rest[0] == b'"' || (rest[0] == b'\'' && is_character(language, bytes, at)) {
            let end = text_end(bytes, at);
            blank(out, at + 1, end.saturating_sub(1));
            line_is_blank = false;
            at = end;
            continue;
        } else {
            line_is_blank = rest[0] == b'\n' || (line_is_blank && rest[0].is_ascii_whitespace());
            at += 1;
            continue;
        };
        blank(out, at, end);
        at = end;
    }
}

/// The end of a line that a backslash may continue.
fn continued(language: Language, bytes: &[u8], from: usize) -> usize {
    let mut end = line_end(bytes, from);
    while language == Language::C && end < bytes.len() && bytes[..end].trim_ascii_end().ends_with(b"\\") {
        end = line_end(bytes, end + 1);
    }
    end
}

/// The end of a raw text that begins here: `R"x(...)x"` of C++, `r#"..."#` of Rust.
fn raw_text(language: Language, bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let close = match language {
        Language::C => {
            let inner = rest.strip_prefix(b"R\"")?;
            let open = inner.iter().take(17).position(|byte| *byte == b'(')?;
            [b")", &inner[..open], b"\""].concat()
        }
        Language::Rust => {
            let inner = rest.strip_prefix(b"r")?;
            let hashes = inner.iter().take_while(|byte| **byte == b'#').count();
            let before = at.checked_sub(1).map(|before| bytes[before]);
            let is_word = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if is_word || inner.get(hashes) != Some(&b'"') {
                return None;
            }
            [b"\"", &inner[..hashes]].concat()
        }
        Language::Fortran => return None,
    };
    let start = at + if language == Language::C { 3 } else { 2 };
    let found = bytes
        .get(start..)?
        .windows(close.len())
        .position(|part| part == close);
    Some(found.map_or(bytes.len(), |found| start + found + close.len()))
}

/// Whether a quote begins a character: it may be a separator in a number of C++, or a lifetime of Rust.
fn is_character(language: Language, bytes: &[u8], at: usize) -> bool {
    match language {
        Language::Rust => bytes.get(at + 1) == Some(&b'\\') || bytes.get(at + 2) == Some(&b'\''),
        _ => {
            !(at > 0
                && bytes[at - 1].is_ascii_hexdigit()
                && bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit))
        }
    }
}

/// The end of a text whose quote stands at `at`.
fn text_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != bytes[at] {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

fn fortran(bytes: &[u8], out: &mut [u8]) {
    let mut quote = None;
    let mut at = 0;
    let mut line_is_blank = true;
    while at < bytes.len() {
        let byte = bytes[at];
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), b'\n') => quote = None,
            (Some(_), _) => blank(out, at, at + 1),
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'!') => {
                let end = line_end(bytes, at);
                blank(out, at, end);
                at = end;
                continue;
            }
            (None, b'#') if line_is_blank => {
                let end = line_end(bytes, at);
                blank(out, at, end);
                at = end;
                continue;
            }
            (None, _) => {}
        }
        line_is_blank = byte == b'\n' || (line_is_blank && byte.is_ascii_whitespace());
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_code_is_blank() {
        let table = [
            (Language::C, "a; // b {\nc", "a;       \nc"),
            (Language::C, "a; /* }\n */ c", "a;     \n    c"),
            (Language::C, "p(\"}\\\"\", '{');", "p(\"   \", ' ');"),
            (Language::C, "#define A {\\\n  {\nb;", "            \n   \nb;"),
            (Language::C, "R\"x(\")x\" + 1'000", "R      \" + 1'000"),
            (Language::Rust, "f::<'a>('{'); r#\"{\"#", "f::<'a>(' '); r    #"),
            (Language::Fortran, "x = '!' ! {\ny", "x = ' '    \ny"),
        ];
        for (language, text, wanted) in table {
            let found = String::from_utf8(masked(language, text)).unwrap();
            assert_eq!(found, wanted, "{text}");
        }
    }
}
