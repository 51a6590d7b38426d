//! Statements beside others of a source, for callers that know where they belong.

use crate::edit::{Edits, Side, beside, with_line_ends_of};
use crate::source::Source;
use crate::statement::{Kind, Step};
use std::ops::Range;

/// A statement that is added to a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The bytes of the statement that it stands beside.
    pub beside: Range<usize>,
    /// After that statement; before it otherwise.
    pub behind: bool,
    /// What is added, with what ends it.
    pub statement: String,
    /// The comment that marks it where it has a line for itself.
    pub mark: String,
}

/// A text in the place of a range of bytes.
pub type Piece = (Range<usize>, String);

/// What changes in a source with these statements, in the order of the text. Each stands in the block of the statement
/// that it stands beside: where that is all of a body without braces, the body gets them. `None` if the source is not
/// understood, or one of the statements has others in it.
#[must_use]
pub fn added(file: &str, text: &str, additions: &[Addition]) -> Option<Vec<Piece>> {
    let source = Source::read(file, text.to_owned()).ok()?;
    let mut edits = Edits::default();
    for addition in additions {
        let path = path(&source, addition)?;
        let step = path.last()?;
        let side = if addition.behind {
            Side::After
        } else {
            Side::Before
        };
        let added = match has_own_line(&source, step, side) {
            true => format!("{} {}", addition.statement, addition.mark),
            false => addition.statement.clone(),
        };
        if !edits.add(&beside(&source, step, side, &[added])) {
            return None;
        }
    }
    let pieces = edits.sorted().into_iter();
    Some(
        pieces
            .map(|edit| (edit.range(), with_line_ends_of(text, edit.text()).into_owned()))
            .collect(),
    )
}

/// The way to the statement that something is added to; `None` if that is none without others in it.
fn path<'s>(source: &'s Source, addition: &Addition) -> Option<Vec<Step<'s>>> {
    let Range { start, end } = addition.beside;
    let text = source.part(start..end);
    // A branch that begins on the line of its `else`.
    let later = ["}", "else"].iter().any(|word| text.starts_with(word));
    let last = start + text.trim_end().len().checked_sub(1)?;
    let path = source.path(if later { last } else { start }).ok()?;
    let step = path.last()?;
    (step.statement().kind() == Kind::Simple).then_some(path)
}

/// Whether what is added has a line for itself.
fn has_own_line(source: &Source, step: &Step<'_>, side: Side) -> bool {
    let range = step.statement().range();
    match side {
        _ if !step.block().is_braced() => true,
        Side::After => source.is_last(range.end) || source.is_body(step.statement()),
        Side::Before => source.is_first(range.start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `g()` beside the statement `f();`.
    fn with(text: &str, behind: bool) -> Option<String> {
        let start = text.find("f();")?;
        let addition = Addition {
            beside: start..start + 4,
            behind,
            statement: "g();".to_owned(),
            mark: "// new".to_owned(),
        };
        let mut new = text.to_owned();
        for (range, piece) in added("a.c", text, &[addition])?.into_iter().rev() {
            new.replace_range(range, &piece);
        }
        Some(new)
    }

    #[test]
    fn a_body_without_braces_gets_them() {
        for (text, behind, expected) in [
            (
                "void m(void) {\n    if (x)\n        f();\n    h();\n}\n",
                true,
                "void m(void) {\n    if (x) {\n        f();\n        g(); // new\n    }\n    h();\n}\n",
            ),
            (
                "void m(void) {\n    if (x)\n        h();\n    else if (y)\n        f();\n    h();\n}\n",
                true,
                "void m(void) {\n    if (x)\n        h();\n    else if (y) {\n        f();\n        g(); // new\n    }\n    h();\n}\n",
            ),
            (
                "void m(void) {\r\n    f();\r\n}\r\n",
                true,
                "void m(void) {\r\n    f();\r\n    g(); // new\r\n}\r\n",
            ),
            (
                "void m(void) {\r\n    f();\r\n}\r\n",
                false,
                "void m(void) {\r\n    g(); // new\r\n    f();\r\n}\r\n",
            ),
            (
                "void m(void) { f(); h(); }\n",
                true,
                "void m(void) { f(); g(); h(); }\n",
            ),
        ] {
            assert_eq!(with(text, behind).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_no_statement_of_its_own_gets_none() {
        assert_eq!(with("void m(void) {\n    while (f();\n", true), None);
    }
}
