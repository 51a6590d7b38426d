//! Text to tokens.
//!
//! Comments are `(* ... *)`, nested, and `//` to the end of the line. Names may hold letters, digits, `_` and `'`.

use crate::error::{Errors, ParseError};
use std::ops::Range;

/// A token with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind<'a>,
    pub(crate) place: Range<usize>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind<'a> {
    /// A name or word.
    Word(&'a str),
    /// A number without sign; what does not fit in 64 bits is an error of its own.
    Number(u64),
    /// The text between two `"`.
    Quoted(&'a str),
    /// Everything else.
    Symbol(&'static str),
}

impl TokenKind<'_> {
    pub(crate) fn is(self, symbol: &str) -> bool {
        matches!(self, TokenKind::Symbol(own) if own == symbol)
    }

    /// As an error names it.
    pub(crate) fn shown(self) -> String {
        match self {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Quoted(_) => String::from("a quoted text"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
        }
    }
}

/// Stands for what is no token.
const FOREIGN: &str = "?";
/// Characters that a name may have.
const MOST_CHARACTERS: usize = 64;

/// Longer ones first, so that `<=` is not `<` and `=`.
const SYMBOLS: [&str; 31] = [
    "/\\", "\\/", "&&", "||", "==", "!=", "<>", "<=", ">=", "{", "}", "(", ")", "[", "]", ";", "|", ":", ",",
    "=", "<", ">", "+", "-", "*", "!", "~", "@", ".", "%", "/",
];

/// The tokens of `text` from `start` on.
///
/// Characters that begin no token are reported once a run, and stand there as [`FOREIGN`]: whatever the parser has to
/// say of that token is at the same place, and is not said.
pub(crate) fn tokens<'a>(text: &'a str, start: usize, errors: &mut Errors) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    let mut at = start;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("(*") {
            at += comment(rest, at, errors);
        } else {
            let (kind, length) = token(rest, at, errors);
            let place = at..at + length;
            tokens.push(Token { kind, place });
            at += length;
        }
    }
    tokens
}

/// Length of the comment at the beginning of `rest`.
fn comment(rest: &str, at: usize, errors: &mut Errors) -> usize {
    let (mut depth, mut end) = (0_usize, 0);
    while let Some(next) = rest[end..].find(['(', '*']).map(|found| end + found) {
        let tail = &rest[next..];
        if tail.starts_with("(*") {
            depth += 1;
            end = next + 2;
        } else if tail.starts_with("*)") {
            depth -= 1;
            end = next + 2;
            if depth == 0 {
                return end;
            }
        } else {
            end = next + 1;
        }
    }
    errors.push(ParseError::new(at..at + 2, "this comment is not closed").hint("close it with `*)`"));
    rest.len()
}

fn token<'a>(rest: &'a str, at: usize, errors: &mut Errors) -> (TokenKind<'a>, usize) {
    let first = rest.as_bytes()[0];
    let run = |belongs: fn(char) -> bool| rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let length = run(|c| c.is_ascii_digit());
        let number = rest[..length].parse().ok();
        if number.is_none() {
            errors.push(
                ParseError::new(at..at + length, "this number is too large")
                    .hint("values are 64-bit integers"),
            );
        }
        return (TokenKind::Number(number.unwrap_or(0)), length);
    }
    if first.is_ascii_alphabetic() || first == b'_' {
        let length = run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'');
        let shown = length.min(MOST_CHARACTERS);
        if shown < length {
            let error = ParseError::new(at..at + length, "this name is too long");
            errors.push(error.hint(format!("at most {MOST_CHARACTERS} characters")));
        }
        return (TokenKind::Word(&rest[..shown]), length);
    }
    if first == b'"' {
        // Up to the other quote, if that is on this line.
        let end = rest[1..].find(['"', '\n']).map_or(rest.len(), |end| end + 1);
        if rest[end..].starts_with('"') {
            return (TokenKind::Quoted(&rest[1..end]), end + 1);
        }
        let error = ParseError::new(at..at + end, "this text is not closed on its line");
        errors.push(error.hint("close it with `\"`"));
        return (TokenKind::Symbol(FOREIGN), end);
    }
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        return (TokenKind::Symbol(symbol), symbol.len());
    }
    let foreign = |c: char| {
        let known = c.is_whitespace() || c.is_ascii_alphanumeric() || c == '_' || c == '"';
        !known && !SYMBOLS.iter().any(|symbol| symbol.starts_with(c))
    };
    let length = run(foreign).max(rest.chars().next().map_or(1, char::len_utf8));
    let error = ParseError::new(at..at + length, "no statement has such characters");
    errors.push(error.hint("names have letters, digits, `_` and `'`"));
    (TokenKind::Symbol(FOREIGN), length)
}
