//! Text to words. Line ends separate statements and are words of their own; `//` and `#` begin a comment.

use crate::ast::Place;
use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word<'t> {
    /// A name or keyword.
    Name(&'t str),
    /// A number that fits.
    Number(i64),
    /// What stands between double quotes.
    Quoted(&'t str),
    /// Punctuation or an operator.
    Sign(&'static str),
    /// Line end or `;`.
    End,
    /// The end of the text.
    Eof,
}

/// A word and its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) word: Word<'t>,
    pub(crate) at: Range<usize>,
}

/// Longest first, so that `<=` is not `<` and `=`.
const SIGNS: &[&str] = &[
    "||", "&&", "==", "!=", "<=", ">=", "<-", "..", "(", ")", "{", "}", "[", "]", ",", ":", "=", "<", ">",
    "+", "-", "*", "/", "%", "!", "&",
];

/// All words; characters that belong to none are errors and left out.
pub(crate) fn words(text: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut tokens = Vec::new();
    let mut errors = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (word, length) = if first == '\n' || first == ';' {
            (Some(Word::End), 1)
        } else if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("//") || first == '#' {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = span(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            (Some(Word::Name(&rest[..length])), length)
        } else if first.is_ascii_digit() {
            number(rest, at, &mut errors)
        } else if first == '"' {
            quoted(rest, at, &mut errors)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Some(Word::Sign(sign)), sign.len())
        } else {
            let length = first.len_utf8();
            errors.push(Diagnostic::new(
                format!("`{}` is no part of the language", first.escape_default()),
                Place(at..at + length),
            ));
            (None, length)
        };
        tokens.extend(word.map(|word| Token {
            word,
            at: at..at + length,
        }));
        at += length;
    }
    tokens.push(Token {
        word: Word::Eof,
        at: at..at,
    });
    (tokens, errors)
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// A number, or a name that begins with digits such as `1to1`.
fn number<'t>(rest: &'t str, at: usize, errors: &mut Vec<Diagnostic>) -> (Option<Word<'t>>, usize) {
    let length = span(rest, |c| c.is_ascii_alphanumeric() || c == '_');
    let text = &rest[..length];
    if text.chars().any(|c| !c.is_ascii_digit()) {
        return (Some(Word::Name(text)), length);
    }
    if let Ok(value) = text.parse::<u32>() {
        return (Some(Word::Number(i64::from(value))), length);
    }
    errors.push(Diagnostic::new(
        format!("the number is larger than {}", u32::MAX),
        Place(at..at + length),
    ));
    (Some(Word::Number(0)), length)
}

fn quoted<'t>(rest: &'t str, at: usize, errors: &mut Vec<Diagnostic>) -> (Option<Word<'t>>, usize) {
    let inner = span(&rest[1..], |c| c != '"' && c != '\n');
    let closed = rest[1 + inner..].starts_with('"');
    if !closed {
        errors.push(Diagnostic::new(
            "the quotation does not end on its line",
            Place(at..at + 1),
        ));
    }
    (
        Some(Word::Quoted(&rest[1..=inner])),
        1 + inner + usize::from(closed),
    )
}
