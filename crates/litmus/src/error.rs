//! What is wrong with a text, where, and what would be right.

use std::fmt;
use std::ops::Range;

/// A mistake in the text of a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    /// Bytes of the text.
    pub place: Range<usize>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl ParseError {
    pub(crate) fn new(place: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
            hint: None,
        }
    }

    /// Adds a hint, unless there is one.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint.get_or_insert_with(|| hint.into());
        self
    }

    /// Line and column of the mistake's first character in `text`, both from 1; a column counts characters.
    #[must_use]
    pub fn position(&self, text: &str) -> (usize, usize) {
        let mut end = self.place.start.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (line, before[start..].chars().count() + 1)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// More errors than this help nobody.
const MOST_ERRORS: usize = 20;

/// The errors of a text; after [`MOST_ERRORS`] no more are kept.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<ParseError>);

impl Errors {
    /// Keeps the error, unless its place has one already: that follows from the first.
    pub(crate) fn push(&mut self, error: ParseError) {
        if !self.full() && !self.0.iter().any(|known| known.place == error.place) {
            self.0.push(error);
        }
    }

    /// Whether reading on is of no use.
    pub(crate) fn full(&self) -> bool {
        self.0.len() >= MOST_ERRORS
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the order of their places.
    pub(crate) fn sorted(mut self) -> Vec<ParseError> {
        self.0.sort_by_key(|error| (error.place.start, error.place.end));
        self.0
    }
}

/// ` (did you mean ...?)` material: the candidate nearest to `name`, if one is near.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| match name.eq_ignore_ascii_case(candidate) {
            true => (0, candidate),
            false => (strsim::damerau_levenshtein(name, candidate), candidate),
        })
        .filter(|(distance, candidate)| *distance <= (candidate.len().max(name.len()) + 1) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
