//! Changes of a text, and how a statement is added to others.

use crate::fixed::wrapped;
use crate::language::Language;
use crate::source::Source;
use crate::statement::Step;
use std::borrow::Cow;
use std::ops::Range;

/// A text in the place of a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    range: Range<usize>,
    /// Of edits that begin at one byte, which comes first.
    order: u8,
    text: String,
}

/// On which side of a statement another one is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    After,
    Before,
}

impl Edit {
    /// Puts a text in the place of another.
    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            range,
            order: 1,
            text: text.into(),
        }
    }

    /// Adds a text.
    pub(crate) fn insert(at: usize, order: u8, text: impl Into<String>) -> Self {
        Self {
            range: at..at,
            order,
            text: text.into(),
        }
    }

    /// Where the old text is.
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The new text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn key(&self) -> (usize, u8, usize) {
        (self.range.start, self.order, self.range.end)
    }
}

/// The edits of a file, none of which concerns the text of another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edits(Vec<Edit>);

impl Edits {
    /// Adds edits, or none of them if one overlaps what is there. What is there already is not added again.
    pub(crate) fn add(&mut self, new: &[Edit]) -> bool {
        let overlaps = |one: &Edit, other: &Edit| {
            let (a, b) = (&one.range, &other.range);
            let inside = |at: usize, range: &Range<usize>| range.start < at && at < range.end;
            a.start < b.end && b.start < a.end && !(a.is_empty() || b.is_empty())
                || inside(a.start, b)
                || inside(b.start, a)
        };
        let fresh: Vec<&Edit> = new.iter().filter(|edit| !self.0.contains(edit)).collect();
        // What was moved to one place is not moved to another one, too.
        let takes_out =
            |edit: &&Edit| edit.text.is_empty() && !edit.range.is_empty() && self.0.contains(edit);
        if !fresh.is_empty() && new.iter().any(|edit| takes_out(&edit)) {
            return false;
        }
        if fresh
            .iter()
            .any(|edit| self.0.iter().any(|other| overlaps(edit, other)))
        {
            return false;
        }
        for edit in fresh {
            let same_place = |other: &&mut Edit| other.key() == edit.key() && edit.range.is_empty();
            let strong = |text: &str| text.replace("_local", "");
            let like = self
                .0
                .iter_mut()
                .filter(same_place)
                .find(|other| strong(&other.text) == strong(&edit.text));
            match like {
                // What completes at the target completes at the origin, too.
                Some(other) if edit.text.len() < other.text.len() => other.text.clone_from(&edit.text),
                Some(_) => {}
                None => self.0.push((*edit).clone()),
            }
        }
        true
    }

    /// All of them, in the order of the text.
    pub(crate) fn sorted(&self) -> Vec<&Edit> {
        let mut sorted: Vec<&Edit> = self.0.iter().collect();
        sorted.sort_by_key(|edit| edit.key());
        sorted
    }

    /// The text with all of them.
    pub(crate) fn apply(&self, text: &str) -> String {
        let (mut out, mut done) = (String::with_capacity(text.len() + 256), 0);
        for edit in self.sorted() {
            let start = edit.range.start.max(done);
            out.push_str(&text[done..start]);
            out.push_str(&with_line_ends_of(text, &edit.text));
            done = edit.range.end.max(start);
        }
        out.push_str(&text[done..]);
        out
    }
}

/// What is added to a text, with the line ends that the text has.
pub(crate) fn with_line_ends_of<'a>(text: &str, added: &'a str) -> Cow<'a, str> {
    let first = text.find('\n').and_then(|end| end.checked_sub(1));
    match first.is_some_and(|before| text.as_bytes()[before] == b'\r') {
        true => Cow::Owned(added.replace("\r\n", "\n").replace('\n', "\r\n")),
        false => Cow::Borrowed(added),
    }
}

/// Adds statements beside one, in its block.
pub(crate) fn beside(source: &Source, step: &Step<'_>, side: Side, calls: &[String]) -> Vec<Edit> {
    if side == Side::After && source.is_body(step.statement()) {
        return in_body(source, step, calls);
    }
    if step.block().is_braced() {
        return in_block(source, step, side, calls);
    }
    let statement = step.statement().range();
    let head = step.block().head();
    let outer = source.indentation(head.start).to_owned();
    let inner = if source.is_first(statement.start) {
        source.indentation(statement.start).to_owned()
    } else {
        format!("{outer}{}", source.level(&outer))
    };
    let (open, close) = match source.language() {
        Language::Fortran => (" then", "end if"),
        Language::C | Language::Rust => (" {", "}"),
    };
    let mut edits = vec![Edit::insert(head.end, 0, open)];
    let lines = lines(source, &inner, calls);
    if side == Side::Before {
        edits.push(Edit::insert(head.end, 1, &*lines));
    }
    let gap = head.end..statement.start;
    if !source.is_first(statement.start) {
        edits.push(Edit {
            range: gap,
            order: 2,
            text: format!("\n{inner}"),
        });
    }
    let end = end_of(source, statement.end);
    if side == Side::After {
        edits.push(Edit::insert(end, after(step), lines));
    }
    edits.push(Edit::insert(end, after(step) + 1, format!("\n{outer}{close}")));
    edits
}

/// Adds statements after the one of a construct, which both stand in then.
fn in_body(source: &Source, step: &Step<'_>, calls: &[String]) -> Vec<Edit> {
    let statement = step.statement().range();
    let outer = source.indentation(statement.start).to_owned();
    let inner = format!("{outer}{}", source.level(&outer));
    let lines = lines(source, &inner, calls);
    let end = end_of(source, statement.end);
    vec![
        Edit::insert(statement.start, 0, format!("{{\n{inner}")),
        Edit::insert(end, after(step), lines),
        Edit::insert(end, after(step) + 1, format!("\n{outer}}}")),
    ]
}

/// Of what is added at one byte, what is added in the innermost statement comes first, and then the brace that ends it.
fn after(step: &Step<'_>) -> u8 {
    u8::try_from(step.depth()).map_or(4, |depth| 240_u8.saturating_sub(depth.saturating_mul(4)).max(4))
}

/// An `else` for what takes no branch of an `if`.
pub(crate) fn otherwise(source: &Source, step: &Step<'_>, call: &str) -> Edit {
    let range = step.statement().range();
    let indentation = source.indentation(range.start);
    let inner = format!("{indentation}{}", source.level(indentation));
    if source.language() == Language::Fortran {
        let text = format!("{indentation}else\n{}\n", line(source, &inner, call));
        return Edit::insert(source.line_start(range.end), 1, text);
    }
    let end = end_of(source, range.end);
    let comment = !source.part(range.end..end).trim().is_empty();
    let separator = if comment {
        format!("\n{indentation}")
    } else {
        " ".to_owned()
    };
    let text = format!("{separator}else {{\n{inner}{call}\n{indentation}}}");
    Edit::insert(end, after(step) - 2, text)
}

/// Ends an `if` after a statement in its only branch, and begins it again after calls.
pub(crate) fn split(source: &Source, branch: &Step<'_>, step: &Step<'_>, calls: &[String]) -> Edit {
    let indentation = source.indentation(branch.statement().range().start);
    let head = source.part(step.block().head()).trim();
    let (open, close) = match source.language() {
        Language::Fortran => ("", "end if"),
        Language::C | Language::Rust => (" {", "}"),
    };
    let calls = lines(source, indentation, calls);
    let text = format!("\n{indentation}{close}{calls}\n{indentation}{head}{open}");
    Edit::insert(end_of(source, step.statement().range().end), after(step), text)
}

/// Each call in a line of its own, after a line end.
fn lines(source: &Source, indentation: &str, calls: &[String]) -> String {
    calls
        .iter()
        .map(|call| format!("\n{}", line(source, indentation, call)))
        .collect()
}

/// A statement in a line of its own; in fixed form in several, where it is long.
fn line(source: &Source, indentation: &str, call: &str) -> String {
    match source.is_fixed() {
        true => wrapped(indentation, call),
        false => format!("{indentation}{call}"),
    }
}

/// The end of a statement, with the comment that may follow it.
pub(crate) fn end_of(source: &Source, end: usize) -> usize {
    if source.is_last(end) {
        source.line_end(end)
    } else {
        end
    }
}

fn in_block(source: &Source, step: &Step<'_>, side: Side, calls: &[String]) -> Vec<Edit> {
    let statement = step.statement().range();
    let indentation = source.indentation(statement.start);
    let inline = |call: &String| match source.language() {
        Language::Fortran => format!("; {call}"),
        Language::C | Language::Rust => format!(" {call}"),
    };
    let edit = match side {
        Side::After if source.is_last(statement.end) => Edit::insert(
            source.line_end(statement.end),
            after(step),
            lines(source, indentation, calls),
        ),
        Side::After => Edit::insert(
            statement.end,
            after(step),
            calls.iter().map(inline).collect::<String>(),
        ),
        Side::Before if source.is_first(statement.start) => {
            let at = above_directive(source, source.line_start(statement.start));
            let lines: String = calls
                .iter()
                .map(|call| line(source, indentation, call) + "\n")
                .collect();
            Edit::insert(at, 1, lines)
        }
        Side::Before => {
            let separator = if source.language() == Language::Fortran {
                "; "
            } else {
                " "
            };
            let calls: String = calls.iter().map(|call| format!("{call}{separator}")).collect();
            Edit::insert(statement.start, 1, calls)
        }
    };
    vec![edit]
}

/// The beginning of a line, or of the directives right above it.
fn above_directive(source: &Source, line: usize) -> usize {
    let mut start = line;
    while start > 0 {
        let above = source.line_start(start - 1);
        let text = source.part(above..start).trim_start().to_ascii_lowercase();
        if !(text.starts_with("#pragma")
            || ["!$omp", "c$omp", "*$omp"]
                .iter()
                .any(|mark| text.starts_with(mark)))
        {
            break;
        }
        start = above;
    }
    start
}

/// Takes a statement out of a source, with its line if it stands alone there.
pub(crate) fn without(source: &Source, statement: Range<usize>) -> Edit {
    let alone = source.is_first(statement.start) && source.is_last(statement.end);
    let range = match alone {
        true => source.line_start(statement.start)..source.next_line(statement.end),
        false => statement,
    };
    Edit::replace(range, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The source with `call` beside the statement at `@`.
    fn with(file: &str, text: &str, side: Side, call: &str) -> String {
        let at = text.find('@').expect("a mark");
        let text = text.replacen('@', "", 1);
        let source = Source::read(file, text.clone()).expect("a source");
        let path = source.path(at).expect("a statement");
        let mut edits = Edits::default();
        assert!(edits.add(&beside(
            &source,
            path.last().expect("a step"),
            side,
            &[call.to_owned()]
        )));
        edits.apply(&text)
    }

    #[test]
    fn a_call_stands_beside_a_statement() {
        let table = [
            (
                "a.c",
                "f() {\n    @a(); // why\n    b();\n}\n",
                Side::After,
                "f() {\n    a(); // why\n    c();\n    b();\n}\n",
            ),
            (
                "a.c",
                "f() {\n    @a(1,\n      2);\n}\n",
                Side::After,
                "f() {\n    a(1,\n      2);\n    c();\n}\n",
            ),
            (
                "a.c",
                "f() { @a(); b(); }\n",
                Side::After,
                "f() { a(); c(); b(); }\n",
            ),
            (
                "a.c",
                "f() {\n\tif (x)\n\t\t@a();\n}\n",
                Side::After,
                "f() {\n\tif (x) {\n\t\ta();\n\t\tc();\n\t}\n}\n",
            ),
            (
                "a.cpp",
                "f() {\n    if (x) @a(); else b();\n}\n",
                Side::After,
                "f() {\n    if (x) {\n        a();\n        c();\n    } else b();\n}\n",
            ),
            (
                "a.c",
                "f() {\n  for (;;)\n    @a();\n}\n",
                Side::Before,
                "f() {\n  for (;;) {\n    c();\n    a();\n  }\n}\n",
            ),
            (
                "a.c",
                "f() {\n#pragma omp single\n    @a();\n}\n",
                Side::Before,
                "f() {\n    c();\n#pragma omp single\n    a();\n}\n",
            ),
            (
                "a.f90",
                "program p\n  if (x) @call a(1, &\n    2)\nend program\n",
                Side::After,
                "program p\n  if (x) then\n    call a(1, &\n    2)\n    c();\n  end if\nend program\n",
            ),
            (
                "a.f",
                "      program p\n      if (x) @call a(1,\n     &  2)\n      end\n",
                Side::After,
                "      program p\n      if (x) then\n        call a(1,\n     &  2)\n        c();\n      end if\n      end\n",
            ),
            (
                "a.for",
                "C why\n      program p\n      do 10 i = 1, 2\n        @call a(1)\n   10 continue\n      end\n",
                Side::Before,
                "C why\n      program p\n      do 10 i = 1, 2\n        c();\n        call a(1)\n   10 continue\n      end\n",
            ),
            (
                "a.rs",
                "fn f() {\n    @a()?;\n}\n",
                Side::Before,
                "fn f() {\n    c();\n    a()?;\n}\n",
            ),
        ];
        for (file, text, side, wanted) in table {
            assert_eq!(with(file, text, side, "c();"), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_added_ends_as_the_lines_of_the_file() {
        for side in [Side::After, Side::Before] {
            for text in [
                "f() {\n    @a(); // why\n}\n",
                "f() {\n    if (x)\n        @a();\n}\n",
            ] {
                let windows = |text: &str| text.replace('\n', "\r\n");
                let expected = windows(&with("a.c", text, side, "c();"));
                assert_eq!(with("a.c", &windows(text), side, "c();"), expected);
            }
        }
    }

    #[test]
    fn what_is_there_is_not_added_again() {
        let mut edits = Edits::default();
        assert!(edits.add(&[Edit::insert(3, 3, "\nflush_local(1);")]));
        assert!(edits.add(&[Edit::insert(3, 3, "\nflush(1);")]));
        assert!(edits.add(&[Edit::insert(3, 3, "\nflush_local(1);")]));
        assert_eq!(edits.apply("abc"), "abc\nflush(1);");
        assert!(edits.add(&[Edit::replace(0..2, "")]));
        assert!(!edits.add(&[Edit::replace(1..3, "x")]));
    }
}
