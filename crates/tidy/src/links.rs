//! Links of documents, and names of files in documents and comments, that lead nowhere.
//!
//! A link of a document that is no address must lead to a file of the project, and its anchor to a heading there. A
//! name in backquotes that begins with a folder of the project must be that of a file: it tells when a file has moved.
//!
//! Limits: names with a blank, a wildcard, a variable or a word in capitals are taken for patterns; links by reference
//! are not looked at, nor those within Rust's documentation (rustdoc does that).

use crate::files::{self, File, Kind};
use crate::known::{self, Offence};
use crate::prose::{Piece, pieces};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// The folders with which a name of a file begins.
const FOLDERS: [&str; 11] = [
    "bench/",
    "crates/",
    "docs/",
    "examples/",
    "fuzz/",
    "litmus-tests/",
    "models/",
    "robust-tests/",
    "scripts/",
    "suite/",
    ".ci/",
];

/// Whether no more links than known lead nowhere.
pub(crate) fn check(root: &Path, accept: bool) -> Result<bool, String> {
    let files = files::all(root)?;
    let headings: HashMap<&str, Vec<String>> = files
        .iter()
        .filter(|file| file.kind() == Kind::Markdown)
        .map(|file| (file.name(), anchors(file.text())))
        .collect();
    let mut offences = Vec::new();
    for file in &files {
        let mut add = |line, what: String| offences.push(Offence::new(file.name(), line, what));
        for (line, name) in named_files(file) {
            if !root.join(&name).exists() {
                add(line, format!("there is no {name}"));
            }
        }
        if file.kind() == Kind::Markdown {
            for (line, target) in links(file.text()) {
                if let Some(what) = dead(root, file.name(), &target, &headings) {
                    add(line, what);
                }
            }
        }
    }
    known::compare(root, "links", &offences, accept)
}

/// Why a link leads nowhere, if it does.
fn dead(root: &Path, from: &str, target: &str, headings: &HashMap<&str, Vec<String>>) -> Option<String> {
    let (path, anchor) = target
        .split_once('#')
        .map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    let to = if path.is_empty() {
        PathBuf::from(from)
    } else {
        plain(&folder.join(path))
    };
    if !root.join(&to).exists() {
        return Some(format!("there is no {}", to.display()));
    }
    let known = headings.get(to.to_str()?)?;
    let anchor = anchor?;
    (!known.iter().any(|one| one == anchor)).then(|| format!("{} has no heading #{anchor}", to.display()))
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The targets of the links of a document, but for addresses, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose_lines(text) {
        // What stands between backquotes is no link.
        let shown: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for part in shown.split("](").skip(1) {
            let target = part.split([')', ' ']).next().unwrap_or_default();
            if !target.contains("://") && !target.starts_with("mailto:") && !target.is_empty() {
                found.push((number, target.to_owned()));
            }
        }
    }
    found
}

/// The lines of a document that are not in a fenced block.
fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut within = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        within ^= fence;
        !within && !fence
    })
}

/// The anchors of the headings of a document, as forges make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose_lines(text).filter_map(|(_, line)| line.strip_prefix('#'));
    headings
        .map(|heading| {
            let title = heading.trim_start_matches('#').trim().to_lowercase();
            title
                .chars()
                .filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

/// Names of files in backquotes that begin with a folder of the project, with their lines.
fn named_files(file: &File) -> Vec<(usize, String)> {
    let text: String = match file.kind() {
        Kind::Markdown => file.text().to_owned(),
        // A comment of a script or a test is as likely a template as a name.
        Kind::Plain => return Vec::new(),
        Kind::Rust | Kind::C => file
            .text()
            .chars()
            .zip(pieces(file.text(), file.kind() == Kind::Rust))
            .map(|(character, piece)| {
                if piece == Piece::Comment || character == '\n' {
                    character
                } else {
                    ' '
                }
            })
            .collect(),
    };
    let mut found = Vec::new();
    for (number, line) in prose_lines(&text) {
        for name in line.split('`').skip(1).step_by(2) {
            let pattern = name.contains(['*', '{', '$', ' ', '<', '[', '(', '|', ':'])
                || name
                    .split(['/', '.', '-'])
                    .any(|part| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()));
            if FOLDERS.iter().any(|folder| name.starts_with(folder)) && !pattern {
                found.push((number, name.to_owned()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{anchors, dead, links, named_files, plain};
    use crate::files::{File, Kind};
    use std::collections::HashMap;
    use std::path::Path;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "[a](b.md#c) and `[x](y)`\n```\n[n](o)\n```\n[w](https://x) ![p](q.png)";
        assert_eq!(links(text), [(1, "b.md#c".to_owned()), (5, "q.png".to_owned())]);
    }

    #[test]
    fn anchors_are_those_of_forges() {
        assert_eq!(
            anchors("# A b\n## `--fit`: what, and why\n```\n# no\n```"),
            ["a-b", "--fit-what-and-why"]
        );
    }

    #[test]
    fn a_link_leads_to_a_file_and_a_heading() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let headings = HashMap::from([("Cargo.toml", vec!["here".to_owned()])]);
        assert_eq!(dead(root, "src/x.md", "../Cargo.toml#here", &headings), None);
        assert!(dead(root, "src/x.md", "../Cargo.toml#there", &headings).is_some());
        assert!(dead(root, "src/x.md", "Cargo.toml", &headings).is_some());
        assert_eq!(plain(Path::new("a/../b/./c")), Path::new("b/c"));
    }

    #[test]
    fn names_of_files_are_found_in_comments() {
        let text =
            "// see `crates/x/src/lib.rs` and `crates/*/src`, `suite/NAME.c`\nlet a = \"`docs/x.md`\";";
        let file = File::new("x", Kind::Rust, text.into());
        assert_eq!(named_files(&file), [(1, "crates/x/src/lib.rs".to_owned())]);
    }
}
