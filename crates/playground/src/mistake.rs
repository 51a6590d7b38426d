//! Why a question has no answer, and where a text is wrong, as an editor counts.

use farside_explore::verdict;
use farside_litmus::ParseError;
use farside_models::ModelError;
use farside_pgas::diagnostic::{Diagnostic, line_and_column};
use serde::Serialize;
use std::ops::Range;

/// Why a question has no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The text in the editor is wrong.
    Mistakes(Vec<Mistake>),
    /// The model file of the user is wrong.
    ModelMistakes(Vec<Mistake>),
    /// Something else, in a sentence.
    Fault(String),
}

/// A mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Mistake {
    /// From 1.
    line: usize,
    /// In characters, from 1.
    column: usize,
    /// First unit of UTF-16 that is marked: browsers count in them.
    start: usize,
    /// The unit after the last.
    end: usize,
    /// What is wrong.
    message: String,
    /// What would be right.
    hint: Option<String>,
}

impl Mistake {
    fn new(text: &str, place: &Range<usize>, message: String, hint: Option<String>) -> Self {
        let (line, column) = line_and_column(text, place.start);
        let start = units(text, place.start);
        Self {
            line,
            column,
            start,
            end: units(text, place.end).max(start),
            message,
            hint,
        }
    }

    /// Of a litmus test.
    pub(crate) fn in_test(text: &str, error: &ParseError) -> Self {
        Self::new(text, &error.place, error.message.clone(), error.hint.clone())
    }

    /// Of a litmus test, as a model sees it.
    pub(crate) fn of_model(text: &str, mistake: &verdict::Mistake) -> Self {
        let hint = Some(mistake.hint.to_owned());
        Self::new(text, &mistake.place, mistake.message.clone(), hint)
    }

    /// Of a program.
    pub(crate) fn in_program(text: &str, error: &Diagnostic) -> Self {
        Self::new(text, &error.place.0, error.message.clone(), error.hint.clone())
    }

    /// Of a model file. One that stands in another file is told with its place there.
    pub(crate) fn in_model(text: &str, error: &ModelError) -> Self {
        match &error.file {
            None => Self::new(text, &error.place, error.message.clone(), error.hint.clone()),
            Some(_) => Self::new(text, &(0..0), error.to_string(), None),
        }
    }
}

/// Units of UTF-16 before a byte of the text.
fn units(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text[..at].encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_browsers_count() {
        // The clef has four bytes and two units.
        let mistake = Mistake::new("ä\n\u{1d11e}x", &(7..8), String::new(), None);
        assert_eq!((mistake.line, mistake.column), (2, 2));
        assert_eq!((mistake.start, mistake.end), (4, 5));
    }

    #[test]
    fn any_place_in_any_text_has_units() {
        for text in ["", "ä", "\u{1d11e}\n"] {
            for start in 0..6 {
                for end in 0..6 {
                    let mistake = Mistake::new(text, &(start..end), String::new(), None);
                    assert!(mistake.start <= mistake.end, "{text:?} {start} {end}");
                    assert!(mistake.end <= text.encode_utf16().count());
                }
            }
        }
    }
}
