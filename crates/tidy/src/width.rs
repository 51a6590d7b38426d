//! Lines of more than 120 characters.
//!
//! A line may be longer where breaking it would change what it says: a row of a table, an address, a literal of Rust or
//! C, a block of output or of a program in C in a document (programs are looked at where they lie), and the label of a
//! program of the suite, which is one line of JSON.

use crate::files::{self, File, Kind};
use crate::known::{self, Offence};
use crate::prose::{Piece, pieces};
use std::path::Path;

/// The longest line, in characters.
const MOST: usize = 120;

/// Whether no more lines are too long than known.
pub(crate) fn check(root: &Path, accept: bool) -> Result<bool, String> {
    let mut offences = Vec::new();
    for file in files::all(root)? {
        offences.extend(
            too_long(&file)
                .map(|(line, length)| Offence::new(file.name(), line, format!("{length} characters"))),
        );
    }
    known::compare(root, "width", &offences, accept)
}

/// The lines that are too long, with their lengths.
fn too_long(file: &File) -> impl Iterator<Item = (usize, usize)> {
    let mut outputs = Outputs::default();
    let of_a_suite = file.name().starts_with("suite/");
    let literals = match file.kind() {
        Kind::Rust | Kind::C => literals(file.text(), file.kind() == Kind::Rust),
        Kind::Markdown | Kind::Plain => Vec::new(),
    };
    let mut found = Vec::new();
    for (number, line) in (1..).zip(file.text().lines()) {
        let length = line.chars().count();
        let output = file.kind() == Kind::Markdown && outputs.holds(line);
        let literal = literals.get(number - 1).copied().unwrap_or(0);
        let excused = output
            || literal > 0 && length - literal <= MOST
            || is_row(line)
            || line.contains("://")
            || of_a_suite && number == 1;
        if length > MOST && !excused {
            found.push((number, length));
        }
    }
    found.into_iter()
}

/// Of each line, how many characters belong to literals.
fn literals(text: &str, nested: bool) -> Vec<usize> {
    let mut counts = vec![0];
    for (character, piece) in text.chars().zip(pieces(text, nested)) {
        match character {
            '\n' => counts.push(0),
            _ if piece == Piece::Literal => *counts.last_mut().expect("there is a line") += 1,
            _ => {}
        }
    }
    counts
}

/// Whether a line is a row of a table, in a document or in a comment.
fn is_row(line: &str) -> bool {
    line.trim_start()
        .trim_start_matches(['/', '!', '#', '*'])
        .trim_start()
        .starts_with('|')
}

/// Whether a line of a document lies in a block of output.
#[derive(Default)]
struct Outputs {
    within: Option<bool>,
}

impl Outputs {
    fn holds(&mut self, line: &str) -> bool {
        let Some(name) = line.trim_start().strip_prefix("```") else {
            return self.within == Some(true);
        };
        self.within = match self.within {
            Some(_) => None,
            None => Some(matches!(name, "text" | "console" | "diff" | "c")),
        };
        false
    }
}

#[cfg(test)]
mod tests {
    use super::too_long;
    use crate::files::{File, Kind};

    fn lines(kind: Kind, text: &str) -> Vec<usize> {
        let file = File::new("x", kind, text.into());
        too_long(&file).map(|(line, _)| line).collect()
    }

    #[test]
    fn the_121st_character_is_too_much() {
        assert_eq!(lines(Kind::Plain, &"é".repeat(120)), [0; 0]);
        assert_eq!(lines(Kind::Plain, &format!("a\n{}", "é".repeat(121))), [2]);
    }

    #[test]
    fn rows_outputs_addresses_and_literals_may_be_long() {
        let long = "x".repeat(120);
        assert_eq!(
            lines(
                Kind::Markdown,
                &format!("| {long} |\n```text\n{long}x\n```\n{long}x")
            ),
            [5]
        );
        assert_eq!(lines(Kind::Markdown, &format!("```sh\n{long}x\n```")), [2]);
        assert_eq!(
            lines(
                Kind::Rust,
                &format!("//! | {long} |\n// {long}\nlet a = \"{long}\";")
            ),
            [2]
        );
        assert_eq!(lines(Kind::Plain, &format!("# https://{long}")), [0; 0]);
    }
}
