//! Where the reader of a model file is: tokens, places, errors.

use super::super::error::ModelError;
use super::super::lexer::{Kind, MOST_ERRORS};
use super::{KEYWORDS, Parser};
use std::ops::Range;

impl<'t> Parser<'t, '_, '_> {
    /// A name, in quotes or as a word.
    pub(super) fn named_text(&mut self, what: &str) -> Option<&'t str> {
        match self.kind() {
            Kind::Text(name) => {
                self.advance();
                Some(name)
            }
            Kind::Word(name) if !KEYWORDS.contains(&name) => {
                self.advance();
                Some(name)
            }
            _ => {
                self.error_here(format!("expected {what}"), None);
                None
            }
        }
    }

    pub(super) fn kind(&self) -> Kind<'t> {
        self.tokens[self.next].kind
    }

    /// The token after the one at hand.
    pub(super) fn after(&self) -> Kind<'t> {
        self.tokens
            .get(self.next + 1)
            .map_or(Kind::End, |token| token.kind)
    }

    pub(super) fn place(&self) -> Range<usize> {
        self.tokens[self.next].place.clone()
    }

    pub(super) fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind(), Kind::Symbol(found) if found == symbol)
    }

    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn error(&mut self, place: Range<usize>, message: String, hint: Option<String>) {
        if self.shared.errors.len() < MOST_ERRORS {
            self.shared
                .errors
                .push(ModelError::new(self.file, self.text, place, message, hint));
        }
    }

    /// An error at the token at hand.
    pub(super) fn error_here(&mut self, message: String, hint: Option<String>) {
        let found = match self.kind() {
            Kind::Word(word) if word.len() <= 40 => format!(", found `{word}`"),
            Kind::Symbol(symbol) => format!(", found `{symbol}`"),
            Kind::End => ", found the end".into(),
            Kind::Word(_) | Kind::Text(_) => String::new(),
        };
        let place = self.place();
        self.error(place, message + &found, hint);
    }
}
