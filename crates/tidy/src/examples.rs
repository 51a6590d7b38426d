//! Examples of the crate `farside` that the book does not have as they are.
//!
//! Each example has a page `docs/examples/NAME.md`, which the table of the book and that of the examples name. The page
//! says how the example is run, and shows each of its files, whole, after a line `<!-- file: PATH -->`;
//! `scripts/samples --files` writes them there. A page without an example is as wrong as an example without a page.
//!
//! Limits: what an example prints is compared by `scripts/samples --check`, for it must be run for that.

use crate::files::{self, File};
use crate::known::{self, Offence};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Where the examples are, and where their pages.
const EXAMPLES: &str = "crates/rma/examples/";
const PAGES: &str = "docs/examples/";

/// Pages that name all the others, and how they do it.
const TABLES: [(&str, &str); 2] = [("docs/SUMMARY.md", "examples/"), ("docs/examples/README.md", "")];

/// Whether each example has its page.
pub(crate) fn check(root: &Path, accept: bool) -> Result<bool, String> {
    let files = files::all(root)?;
    known::compare(root, "examples", &offences(&files), accept)
}

/// What is missing, or not as it is, in the order of the examples.
fn offences(files: &[File]) -> Vec<Offence> {
    let texts: BTreeMap<&str, &str> = files.iter().map(|file| (file.name(), file.text())).collect();
    let mut examples: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in texts.keys() {
        if let Some(example) = name.strip_prefix(EXAMPLES) {
            let example = example.split(['/', '.']).next().unwrap_or(example);
            examples.entry(example).or_default().push(name);
        }
    }
    let mut offences = Vec::new();
    for (example, sources) in &examples {
        let page = format!("{PAGES}{example}.md");
        match texts.get(page.as_str()) {
            Some(text) => of_page(&page, text, example, sources, &texts, &mut offences),
            None => offences.push(Offence::new(sources[0], 1, format!("it has no page {page}"))),
        }
        for (table, folder) in TABLES {
            let link = format!("]({folder}{example}.md)");
            if !texts.get(table).is_some_and(|text| text.contains(&link)) {
                offences.push(Offence::new(table, 1, format!("it does not link {page}")));
            }
        }
    }
    for name in texts.keys() {
        let page = name.strip_prefix(PAGES).and_then(|page| page.strip_suffix(".md"));
        if page.is_some_and(|page| page != "README" && !examples.contains_key(page)) {
            offences.push(Offence::new(name, 1, "there is no such example".to_owned()));
        }
    }
    offences
}

/// What is wrong with the page of an example: the command that runs it, and its files.
fn of_page(
    page: &str,
    text: &str,
    example: &str,
    sources: &[&str],
    texts: &BTreeMap<&str, &str>,
    offences: &mut Vec<Offence>,
) {
    if !text.contains(&format!("target/release/examples/{example}")) {
        offences.push(Offence::new(
            page,
            1,
            "it does not say how the example is run".to_owned(),
        ));
    }
    let shown = blocks(text);
    for (line, path, block) in &shown {
        if texts.get(path).is_none_or(|source| source.trim_end() != *block) {
            let what = format!("{path} is not as shown; `scripts/samples --files` writes it");
            offences.push(Offence::new(page, *line, what));
        }
    }
    let shown: BTreeSet<&str> = shown.iter().map(|(_, path, _)| *path).collect();
    for source in sources.iter().filter(|source| !shown.contains(*source)) {
        offences.push(Offence::new(page, 1, format!("it does not show {source}")));
    }
}

/// The files that a page shows: the line of the marker, the path, and what stands there for it.
fn blocks(text: &str) -> Vec<(usize, &str, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("<!-- file: ").map(|at| from + at) {
        let rest = &text[at + "<!-- file: ".len()..];
        let (path, rest) = rest.split_once(" -->").unwrap_or((rest, ""));
        // A block that is not there is shown as empty, which no file is.
        let block = rest
            .strip_prefix("\n```rust\n")
            .and_then(|rest| rest.split_once("\n```\n"))
            .map_or("", |(block, _)| block);
        found.push((text[..at].matches('\n').count() + 1, path, block));
        from = at + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{blocks, offences};
    use crate::files::{File, Kind};

    const PAGE: &str = "# a\n\n`target/release/examples/a`\n\n<!-- file: crates/rma/examples/a.rs -->\n```rust\nfn main() {}\n```\n";

    fn wrong(source: &str, page: (&str, &str), table: &str) -> Vec<String> {
        let files = [
            File::new("crates/rma/examples/a.rs", Kind::Rust, source.into()),
            File::new(page.0, Kind::Markdown, page.1.into()),
            File::new("docs/SUMMARY.md", Kind::Markdown, table.into()),
            File::new("docs/examples/README.md", Kind::Markdown, "[a](a.md)".into()),
        ];
        offences(&files)
            .iter()
            .map(|offence| offence.what().to_owned())
            .collect()
    }

    #[test]
    fn a_page_that_shows_its_example_is_in_order() {
        assert_eq!(
            wrong(
                "fn main() {}\n",
                ("docs/examples/a.md", PAGE),
                "[a](examples/a.md)"
            ),
            [""; 0]
        );
    }

    #[test]
    fn an_example_without_a_page_and_a_page_without_an_example_are_told() {
        assert_eq!(
            wrong("fn main() {}\n", ("docs/examples/b.md", PAGE), ""),
            [
                "it has no page docs/examples/a.md",
                "it does not link docs/examples/a.md",
                "there is no such example"
            ]
        );
    }

    #[test]
    fn a_file_that_changed_or_is_not_shown_is_told() {
        let changed = wrong(
            "fn main() { }\n",
            ("docs/examples/a.md", PAGE),
            "[a](examples/a.md)",
        );
        assert_eq!(
            changed,
            ["crates/rma/examples/a.rs is not as shown; `scripts/samples --files` writes it"]
        );
        let not_shown = wrong(
            "fn main() {}\n",
            ("docs/examples/a.md", "# a\n"),
            "[a](examples/a.md)",
        );
        assert_eq!(
            not_shown,
            [
                "it does not say how the example is run",
                "it does not show crates/rma/examples/a.rs"
            ]
        );
    }

    #[test]
    fn blocks_are_found_with_their_lines() {
        assert_eq!(blocks(PAGE), [(5, "crates/rma/examples/a.rs", "fn main() {}")]);
        assert_eq!(blocks("<!-- file: x -->\n\nno block"), [(1, "x", "")]);
    }
}
