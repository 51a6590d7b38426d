//! A place in a list of tokens.

use crate::error::ParseError;
use crate::lexer::{Token, TokenKind};
use std::ops::Range;

/// A place in a list of tokens.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    /// Where the text that the tokens come from ends.
    end: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    pub(super) fn new(tokens: &'t [Token<'a>], end: usize) -> Self {
        Self { tokens, at: 0, end }
    }

    pub(super) fn peek(&self) -> Option<TokenKind<'a>> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<TokenKind<'a>> {
        self.tokens.get(self.at + ahead).map(|token| token.kind)
    }

    /// The token taken last.
    pub(super) fn peek_before(&self) -> Option<TokenKind<'a>> {
        let last = self.at.checked_sub(1)?;
        self.tokens.get(last).map(|token| token.kind)
    }

    pub(super) fn next(&mut self) -> Option<&'t Token<'a>> {
        let token = self.tokens.get(self.at);
        self.at += usize::from(token.is_some());
        token
    }

    pub(super) fn ended(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The bytes of the next token; of nothing after the last one at the end.
    pub(super) fn place(&self) -> Range<usize> {
        match self.tokens.get(self.at) {
            Some(token) => token.place.clone(),
            None => self
                .tokens
                .last()
                .map_or(self.end..self.end, |last| last.place.end..last.place.end),
        }
    }

    /// The bytes of the token taken last.
    pub(super) fn last_place(&self) -> Range<usize> {
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or(0..0, |token| token.place.clone())
    }

    /// The bytes from the token at index `from` to the last one taken.
    pub(super) fn since(&self, from: usize) -> Range<usize> {
        let start = self.tokens.get(from).map_or(self.end, |token| token.place.start);
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        start..last.map_or(start, |token| token.place.end.max(start))
    }

    pub(super) fn index(&self) -> usize {
        self.at
    }

    /// Takes the symbol if it comes next.
    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let found = self.peek().is_some_and(|kind| kind.is(symbol));
        self.at += usize::from(found);
        found
    }

    /// Takes the word if it comes next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(TokenKind::Word(word));
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, symbol: &str, hint: &str) -> Result<(), ParseError> {
        if self.take(symbol) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{symbol}`")).hint(hint))
    }

    /// An error at the next token, which is not what is `wanted`.
    pub(super) fn unexpected(&self, wanted: &str) -> ParseError {
        let found = match self.tokens.get(self.at) {
            None => String::from("the end"),
            // The separator that stands for the end of a cell.
            Some(token) if token.place.is_empty() => String::from("the end of the cell"),
            Some(token) => token.kind.shown(),
        };
        ParseError::new(self.place(), format!("{wanted} is expected here, not {found}"))
    }

    /// Where the parenthesis closes that opens here: how many tokens ahead. Looks no further than this statement.
    pub(super) fn closing(&self) -> Option<usize> {
        let mut depth = 0_usize;
        for (ahead, token) in self.tokens.get(self.at..)?.iter().enumerate() {
            match token.kind {
                TokenKind::Symbol("(") => depth += 1,
                TokenKind::Symbol(")") if depth <= 1 => return (depth == 1).then_some(ahead),
                TokenKind::Symbol(")") => depth -= 1,
                TokenKind::Symbol(";" | "{" | "}") => return None,
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Leaves out the rest.
    pub(super) fn give_up(&mut self) {
        self.at = self.tokens.len();
    }

    /// Goes on after the next `;`, or before the `}` that closes the current block.
    pub(super) fn recover(&mut self) {
        let mut depth = 0_usize;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Symbol("{") => depth += 1,
                TokenKind::Symbol("}") if depth == 0 => return,
                TokenKind::Symbol("}") => depth -= 1,
                TokenKind::Symbol(";") if depth == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}
