//! Words that we do not use: those of the last table of the glossary.
//!
//! The first cell of a row has the words in backquotes. One that ends with `/` is no name for a file or folder; all
//! others are looked for, as whole words, in documents, comments and literals. Code is left alone.

use crate::files::{self, File, Kind};
use crate::known::{self, Offence};
use crate::prose::{Piece, pieces};
use std::path::Path;

/// The document that says which words these are, and therefore has them.
const GLOSSARY: &str = "docs/glossary.md";
const HEADING: &str = "## Words that we do not use";

/// Whether no more words of this kind are used than known.
pub(crate) fn check(root: &Path, accept: bool) -> Result<bool, String> {
    let glossary =
        std::fs::read_to_string(root.join(GLOSSARY)).map_err(|error| format!("{GLOSSARY}: {error}"))?;
    let words = unwanted(&glossary);
    if words.is_empty() {
        return Err(format!("{GLOSSARY}: no words below `{HEADING}`"));
    }
    let mut offences = Vec::new();
    for file in files::all(root)?.iter().filter(|file| file.name() != GLOSSARY) {
        for word in &words {
            let found = match word.strip_suffix('/') {
                Some(name) => names(file.name(), name).then_some(1).into_iter().collect(),
                None => uses(file, word),
            };
            offences.extend(
                found
                    .into_iter()
                    .map(|line| Offence::new(file.name(), line, word.clone())),
            );
        }
    }
    known::compare(root, "words", &offences, accept)
}

/// The words in backquotes of the first cells of the glossary's last table.
fn unwanted(glossary: &str) -> Vec<String> {
    let Some((_, table)) = glossary.split_once(HEADING) else {
        return Vec::new();
    };
    let cells = table
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.split('|').next());
    cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

/// Whether a part of the path has this name.
fn names(path: &str, name: &str) -> bool {
    path.split('/').any(|part| part.split('.').next() == Some(name))
}

/// The lines in which a text for people has the word.
fn uses(file: &File, word: &str) -> Vec<usize> {
    let text: String = match file.kind() {
        Kind::Markdown | Kind::Plain => file.text().to_owned(),
        Kind::Rust | Kind::C => file
            .text()
            .chars()
            .zip(pieces(file.text(), file.kind() == Kind::Rust))
            .map(|(character, piece)| {
                if piece == Piece::Code && character != '\n' {
                    ' '
                } else {
                    character
                }
            })
            .collect(),
    };
    let lower = word.to_lowercase();
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| has(&line.to_lowercase(), &lower))
        .map(|(number, _)| number)
        .collect()
}

/// Whether a line has a word, and not only as a part of a longer one.
fn has(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let part =
            |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
        !part(line[..at].chars().next_back()) && !part(line[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::{names, unwanted, uses};
    use crate::files::{File, Kind};

    fn lines(kind: Kind, text: &str) -> Vec<usize> {
        uses(&File::new("x", kind, text.into()), "amidst")
    }

    #[test]
    fn code_may_use_any_word() {
        let text = "let amidst = 1; // a note\n// Amidst it\nlet a = \"amidst\";\n/// left-amidst, amidsts, see_amidst";
        assert_eq!(lines(Kind::Rust, text), [2, 3]);
        assert_eq!(lines(Kind::Plain, text), [1, 2, 3]);
    }

    #[test]
    fn the_glossary_says_which_words() {
        let glossary = "# G\n| `no` | x |\n## Words that we do not use\n\n| not | but |\n|---|---|\n| `a`, `b/` | `c` \
            |\n";
        assert_eq!(unwanted(glossary), ["a", "b/"]);
    }

    #[test]
    fn a_name_is_a_whole_part_of_a_path() {
        assert!(names("crates/x/src/utils.rs", "utils") && names("crates/x/utils/mod.rs", "utils"));
        assert!(!names("crates/x/src/my_utils.rs", "utils"));
    }
}
