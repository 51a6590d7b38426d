//! The words of a textual module.

use std::fmt::{self, Display, Formatter};

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line at fault, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl Display for Unreadable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl std::error::Error for Unreadable {}

/// A word, a number, a mark, or a text in quotes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Quoted(String),
    Mark(char),
}

/// Whether a name can be written without quotes or number.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '$')
}

/// The tokens of a text, each with its line; a line that begins with `#` is a comment.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Unreadable> {
    let mut tokens = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim_start().starts_with('#') {
            continue;
        }
        let mut rest = text.chars().peekable();
        while let Some(first) = rest.next() {
            if first.is_whitespace() {
                continue;
            }
            let token = if first == '"' {
                let mut quoted = String::new();
                loop {
                    match rest.next() {
                        Some('"') => break,
                        Some('\\') => quoted.push(escaped(rest.next(), line)?),
                        Some(letter) => quoted.push(letter),
                        None => {
                            return Err(Unreadable {
                                line,
                                expected: "the end of a text in quotes",
                            });
                        }
                    }
                }
                Token::Quoted(quoted)
            } else if is_letter(first) {
                let mut word = String::from(first);
                while let Some(letter) = rest.next_if(|letter| is_letter(*letter)) {
                    word.push(letter);
                }
                Token::Word(word)
            } else {
                Token::Mark(first)
            };
            tokens.push((line, token));
        }
    }
    Ok(tokens)
}

fn escaped(letter: Option<char>, line: usize) -> Result<char, Unreadable> {
    match letter {
        Some('n') => Ok('\n'),
        Some('r') => Ok('\r'),
        Some(letter @ ('"' | '\\')) => Ok(letter),
        _ => Err(Unreadable {
            line,
            expected: "one of \\n, \\r, \\\" and \\\\",
        }),
    }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
