//! Words, texts and symbols of a model file.

use super::ModelError;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// `IR`, `same-statement`, `0`
    Word(&'t str),
    /// `"coreRMA+nonatomic"`, without the quotes.
    Text(&'t str),
    /// `|`, `^-1`
    Symbol(&'static str),
    /// The end.
    End,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) place: Range<usize>,
}

/// Longer ones first.
const SYMBOLS: [&str; 20] = [
    "^-1", "^+", "^*", "^?", "{}", "|", "&", "\\", ";", "*", "+", "?", "[", "]", "(", ")", "=", ",", "~", "^",
];

/// Errors that a text may have before reading ends.
pub(super) const MOST_ERRORS: usize = 20;

/// All tokens, the last one [`Kind::End`], and what could not be read.
pub(super) fn tokens<'t>(file: Option<&str>, text: &'t str) -> (Vec<Token<'t>>, Vec<ModelError>) {
    let mut tokens = Vec::new();
    let mut errors = Vec::new();
    let mut at = 0;
    while at < text.len() && errors.len() < MOST_ERRORS {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap_or(' ');
        let mut error = |place: Range<usize>, message: String, hint: Option<&str>| {
            errors.push(ModelError::new(
                file,
                text,
                place,
                message,
                hint.map(str::to_owned),
            ));
        };
        let (kind, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if let Some(comment) = rest.strip_prefix("(*") {
            match comment.find("*)") {
                Some(end) => (None, end + 4),
                None => {
                    error(
                        at..at + 2,
                        "this comment does not end".into(),
                        Some("close it with `*)`"),
                    );
                    (None, rest.len())
                }
            }
        } else if first == '"' {
            let line = rest[1..].split('\n').next().unwrap_or_default();
            match line.find('"') {
                Some(end) => (Some(Kind::Text(&line[..end])), end + 2),
                None => {
                    error(
                        at..at + 1,
                        "this text does not end on its line".into(),
                        Some("close it with `\"`"),
                    );
                    (None, 1 + line.len())
                }
            }
        } else if first.is_ascii_alphanumeric() || first == '_' {
            let length = word(rest);
            (Some(Kind::Word(&rest[..length])), length)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Some(Kind::Symbol(symbol)), symbol.len())
        } else {
            error(
                at..at + first.len_utf8(),
                format!("{first:?} does not belong here"),
                Some("comments stand between `(*` and `*)`"),
            );
            (None, first.len_utf8())
        };
        if let Some(kind) = kind {
            tokens.push(Token {
                kind,
                place: at..at + length,
            });
        }
        at += length;
    }
    tokens.push(Token {
        kind: Kind::End,
        place: text.len()..text.len(),
    });
    (tokens, errors)
}

/// Letters, digits, `_`, and `-` or `.` between them.
fn word(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let part = |index: usize| {
        bytes
            .get(index)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut end = 0;
    while part(end) || (matches!(bytes.get(end), Some(b'-' | b'.')) && end > 0 && part(end + 1)) {
        end += 1;
    }
    end
}
