//! Errors in model files.

use std::ops::Range;

/// An error in a model file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{line}:{column}: {message}{}", prefix(.file), suffix(.hint))]
pub struct ModelError {
    /// The included model in which it stands; none for the text itself.
    pub file: Option<String>,
    /// Bytes of that text.
    pub place: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: Option<String>,
}

fn prefix(file: &Option<String>) -> String {
    file.as_ref().map_or(String::new(), |file| format!("{file}:"))
}

fn suffix(hint: &Option<String>) -> String {
    hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"))
}

impl ModelError {
    pub(super) fn new(
        file: Option<&str>,
        text: &str,
        place: Range<usize>,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Self {
        let before = text.get(..place.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            file: file.map(str::to_owned),
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            place,
            message: message.into(),
            hint,
        }
    }
}

/// The known word that is closest to a wrong one, if it is close.
pub(super) fn nearest<'w>(wrong: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    if wrong.len() > 64 {
        return None;
    }
    known
        .into_iter()
        .map(|word| (distance(wrong, word), word))
        .min()
        .filter(|&(distance, word)| distance <= 1 + word.len() / 4)
        .map(|(_, word)| word)
}

/// Edits between two words, case aside.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.to_lowercase().chars().collect::<Vec<_>>());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
