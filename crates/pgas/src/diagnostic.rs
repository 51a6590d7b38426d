//! What is wrong with a text: a message, a place, a hint.
//!
//! Promise: data first; [`Diagnostic::render`] makes the usual form with line, column and the line itself, free of
//! control characters.

use crate::ast::Place;
use std::fmt::Write as _;

/// One error of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What to do about it.
    pub hint: Option<String>,
    /// The value that is outside of the domain, if that is what is wrong.
    pub outside: Option<i64>,
}

impl Diagnostic {
    /// An error without a hint.
    #[must_use]
    pub fn new(message: impl Into<String>, place: Place) -> Self {
        Self {
            message: message.into(),
            place,
            hint: None,
            outside: None,
        }
    }

    /// As one of a value that is outside of the domain.
    #[must_use]
    pub fn of_value(mut self, value: i64) -> Self {
        self.outside = Some(value);
        self
    }

    /// With a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// For people: `error: MESSAGE`, then place, line and a mark, then the hint. `name` is that of the file.
    #[must_use]
    pub fn render(&self, name: &str, text: &str) -> String {
        let (line, column) = line_and_column(text, self.place.0.start);
        let content = text.lines().nth(line - 1).unwrap_or_default();
        let shown: String = content.chars().take(SHOWN_COLUMNS).map(plain).collect();
        let mut out = format!("error: {}\n  --> {name}:{line}:{column}\n", self.message);
        if column <= SHOWN_COLUMNS {
            let margin = " ".repeat(line.to_string().len());
            let rest = shown.chars().count().saturating_sub(column - 1).max(1);
            let width = text
                .get(self.place.0.clone())
                .map_or(1, |marked| marked.chars().take_while(|&c| c != '\n').count())
                .clamp(1, rest);
            // Writing to a string cannot fail.
            let _ = write!(
                out,
                "{margin} |\n{line} | {shown}\n{margin} | {}{}\n",
                " ".repeat(column - 1),
                "^".repeat(width)
            );
        }
        if let Some(hint) = &self.hint {
            let _ = writeln!(out, "  = help: {hint}");
        }
        out
    }
}

/// Longer lines are cut.
const SHOWN_COLUMNS: usize = 160;

/// Line and column of a byte of the text, both from 1; columns are characters.
#[must_use]
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// What a terminal would obey becomes a blank, so that columns stay.
fn plain(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}

/// `name` of `known` that is closest to `wrong`, if one is close.
pub(crate) fn closest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (wrong.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|name| (distance(wrong, name), name))
        .filter(|&(far, _)| far <= allowed)
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein's distance.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_from_one() {
        let text = "ab\nüx\n";
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, 5), (2, 2));
        assert_eq!(line_and_column(text, 4), (2, 1), "within a character");
        assert_eq!(line_and_column(text, 99), (3, 1));
    }

    #[test]
    fn a_rendered_error_marks_the_place() {
        let error = Diagnostic::new("no variable `yy`", Place(8..10)).hint("did you mean `y`?");
        assert_eq!(
            error.render("p.pgas", "barrier\nyy\x1b = 1\n"),
            "error: no variable `yy`\n  --> p.pgas:2:1\n  |\n2 | yy  = 1\n  | ^^\n  = help: did you mean `y`?\n"
        );
    }

    #[test]
    fn close_names_are_found_and_far_ones_are_not() {
        assert_eq!(closest("shmem_pu", ["shmem_put", "shmem_get"]), Some("shmem_put"));
        assert_eq!(closest("barier", ["barrier", "wait"]), Some("barrier"));
        assert_eq!(closest("x", ["queue"]), None);
    }
}
