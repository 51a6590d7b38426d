//! Places between two calls of one statement, `put(...), notify(...);`: what stands after the whole statement comes too
//! late there, and what stands before it too early.
//!
//! A list of nothing but calls is split into two statements. What else has several calls (`&&`, `?:`, calls in
//! arguments, a macro) stays whole.

use crate::call::Call;
use crate::edit::{Edit, Side, beside};
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Statement, Step};
use farside_findings::Place;
use std::ops::Range;

/// Words before a parenthesis that call nothing.
const NO_CALLS: [&str; 12] = [
    "sizeof", "alignof", "_Alignof", "typeof", "decltype", "if", "while", "for", "switch", "return",
    "defined", "do",
];

/// Whether what stands beside a whole statement stands beside the call at a place in it, too.
///
/// # Errors
/// Another call of the statement lies between.
pub(super) fn check_beside(
    source: &Source,
    step: &Step<'_>,
    (at, side): (usize, Side),
    place: &Place,
) -> Result<(), Refusal> {
    match is_between(source, step.statement(), at, side) {
        true => Err(Refusal::BetweenCalls(place.clone())),
        false => Ok(()),
    }
}

fn is_between(source: &Source, statement: &Statement, at: usize, side: Side) -> bool {
    if source.language() != Language::C {
        return false;
    }
    let start = statement.range().start;
    let end = statement
        .blocks()
        .first()
        .map_or(statement.range().end, |block| block.range().start);
    let Some(own) = call_at(source, at..end) else {
        return false;
    };
    // Of a macro, all calls have one place.
    if calls_of_macro(source.text(), own.name()) > 1 {
        return true;
    }
    match side {
        Side::After => is_called(source, own.end()..end, |_| true),
        Side::Before => is_called(source, start..end, |call| call.end() <= at),
    }
}

/// The call that begins at the first byte of a range, which may have the names of namespaces before its own.
fn call_at(source: &Source, range: Range<usize>) -> Option<Call> {
    let call = Call::find(source, range.clone(), &is_name)?;
    let code = source.code(range.start..call.name_range().start);
    let is_path = code
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(byte));
    is_path.then_some(call)
}

fn is_name(word: &str) -> bool {
    !NO_CALLS.contains(&word) && !word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a part of a source has such a call, also in arguments of others.
fn is_called(source: &Source, range: Range<usize>, wanted: impl Fn(&Call) -> bool) -> bool {
    let next = |from: usize| Call::find(source, from..range.end, &is_name);
    std::iter::successors(next(range.start), |call| next(call.name_range().end)).any(|call| wanted(&call))
}

/// How many calls of communication the macro of a name has in its text; none if the file does not define it.
fn calls_of_macro(text: &str, name: &str) -> usize {
    let mut body = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let defined = directive.and_then(|rest| rest.strip_prefix("define"));
        let of_name = defined.and_then(|rest| rest.trim_start().strip_prefix(name));
        let Some(mut rest) = of_name.and_then(|rest| rest.strip_prefix('(')) else {
            continue;
        };
        rest = rest.split_once(')').map_or("", |(_, body)| body);
        body.push_str(rest);
        while body.ends_with('\\') {
            body.pop();
            body.push(' ');
            body.push_str(lines.next().unwrap_or_default());
        }
        break;
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut pieces = body.split('(').collect::<Vec<_>>();
    pieces.pop();
    let words = pieces.into_iter().map(|piece| {
        let piece = piece.trim_end();
        let from = piece.rfind(|c| !is_word(c)).map_or(0, |last| last + 1);
        &piece[from..]
    });
    words.filter(|word| communicates(word)).count()
}

/// Whether a call of this name communicates, and does not end the program.
fn communicates(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_of_library = ["mpi_", "pmpi_", "shmem_", "gaspi_"]
        .iter()
        .any(|start| name.starts_with(start));
    is_of_library && !["mpi_abort", "shmem_global_exit"].contains(&name.as_str())
}

/// The edits that add calls after the one at a place, where its statement is a list of calls; `None` if it is no such
/// list, or that call is its last one.
pub(super) fn split(source: &Source, step: &Step<'_>, at: usize, calls: &[String]) -> Option<Vec<Edit>> {
    let statement = step.statement();
    let is_plain = source.language() == Language::C
        && statement.kind() == Kind::Simple
        && !source.is_body(statement)
        && !source.is_under_directive(statement)
        && !source.is_labelled(statement);
    let range = statement.range();
    if !is_plain || source.part(range.clone()).contains(['#', '/', '\\']) {
        return None;
    }
    let code = source.code(range.clone());
    let is_blank = |at: &usize| code[*at - range.start].is_ascii_whitespace();
    let mut from = range.start;
    let mut gap = None;
    loop {
        from = (from..range.end).find(|at| !is_blank(at))?;
        let call = Call::find(source, from..range.end, &is_name)?;
        if call.name_range().start != from || calls_of_macro(source.text(), call.name()) > 0 {
            return None;
        }
        let separator = (call.end()..range.end).find(|at| !is_blank(at))?;
        match code[separator - range.start] {
            b',' => {
                let next = (separator + 1..range.end).find(|at| !is_blank(at))?;
                if from == at {
                    gap = Some(call.end()..next);
                }
                from = next;
            }
            b';' if separator + 1 == range.end => break,
            _ => return None,
        }
    }
    let gap = gap?;
    let outer = source.indentation(range.start);
    let indentation = match step.block().is_braced() || source.is_first(range.start) {
        true => outer.to_owned(),
        false => format!("{outer}{}", source.level(outer)),
    };
    let lines: String = calls
        .iter()
        .map(|call| format!("\n{indentation}{call}"))
        .collect();
    let mut edits: Vec<Edit> = match step.block().is_braced() {
        true => Vec::new(),
        false => beside(source, step, Side::After, &[]),
    };
    edits.retain(|edit| !(edit.range().is_empty() && edit.text().is_empty()));
    edits.push(Edit::replace(gap, format!(";{lines}\n{indentation}")));
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Edits;

    /// What becomes of a source where `fence();` is added after the call at `@`; `None` if it is refused.
    fn with(text: &str, side: Side) -> Option<String> {
        let at = text.find('@').expect("a mark");
        let text = text.replacen('@', "", 1);
        let source = Source::read("a.c", text.clone()).expect("a source");
        let path = source.path(at).expect("a statement");
        let step = path.last().expect("a step");
        let calls = ["fence();".to_owned()];
        let place = Place::default();
        let new = match check_beside(&source, step, (at, side), &place) {
            Ok(()) => beside(&source, step, side, &calls),
            Err(_) if side == Side::After => split(&source, step, at, &calls)?,
            Err(_) => return None,
        };
        let mut edits = Edits::default();
        assert!(edits.add(&new));
        Some(edits.apply(&text))
    }

    #[test]
    fn what_belongs_between_two_calls_splits_the_list_or_is_refused() {
        let body = |inner: &str| format!("void f(void) {{\n    {inner}\n}}\n");
        let after = |inner: &str| with(&body(inner), Side::After);
        let table = [
            (
                "@put(x, 1), put(y, (1, 2));",
                "put(x, 1);\n    fence();\n    put(y, (1, 2));",
            ),
            (
                "if (me)\n        @put(x), put(y);",
                "if (me) {\n        put(x);\n        fence();\n        put(y);\n    }",
            ),
            ("put(x), @put(y);", "put(x), put(y);\n    fence();"),
            ("check(@put(x));", "check(put(x));\n    fence();"),
            ("@put(f(x), sizeof(y));", "put(f(x), sizeof(y));\n    fence();"),
        ];
        for (before, wanted) in table {
            assert_eq!(after(before), Some(body(wanted)), "{before}");
        }
        for refused in [
            "@put(x) && put(y);",
            "int a = @put(x), b = put(y);",
            "@put(x), a = put(y);",
            "me ? @put(x) : put(y);",
            "all(@put(x), put(y));",
        ] {
            assert_eq!(after(refused), None, "{refused}");
        }
        assert_eq!(with(&body("put(x), @get(y);"), Side::Before), None);
        assert!(with(&body("check(@get(y), f(x));"), Side::Before).is_some());
    }

    #[test]
    fn a_macro_of_two_calls_stays_whole() {
        let macros = "#define TELL(p) shmem_int_p(&box, 1, p), \\\n    shmem_int_p(&flag, 1, p)\n\
            #define CHECK(call) do { if ((call) != 0) { puts(\"no\"); MPI_Abort(w, (1)); } } while (0)\n";
        let function = |call: &str| format!("{macros}void f(void) {{\n    @{call}(1);\n}}\n");
        assert_eq!(with(&function("TELL"), Side::After), None);
        assert!(with(&function("CHECK"), Side::After).is_some());
    }
}
