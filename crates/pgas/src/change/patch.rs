//! Changes in the text itself.

use super::Change;
use crate::ast::DeclarationKind;
use crate::ast::Program;
use crate::printer;
use std::ops::Range;

/// A piece of the text that is replaced.
struct Cut {
    start: usize,
    end: usize,
    by: String,
}

/// The text with the changes, each marked by a comment where it has a line for itself. Comments and layout of the rest
/// stay.
#[must_use]
pub fn patch(text: &str, program: &Program, changes: &[Change]) -> String {
    patch_with(text, program, changes, Vec::new())
}

/// Likewise, with further texts in the place of ranges of bytes, in the order of the text.
#[must_use]
pub fn patch_with(
    text: &str,
    program: &Program,
    changes: &[Change],
    further: Vec<(Range<usize>, String)>,
) -> String {
    let further = further
        .into_iter()
        .map(|(Range { start, end }, by)| Cut { start, end, by });
    let mut cuts: Vec<Cut> = changes
        .iter()
        .flat_map(|change| cut(text, program, change))
        .chain(further)
        .collect();
    // From the end, so that places before stay; what is put into one gap stays in order.
    cuts.reverse();
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.start));
    let mut patched = text.to_owned();
    for cut in cuts {
        if patched.is_char_boundary(cut.start) && patched.is_char_boundary(cut.end) && cut.start <= cut.end {
            patched.replace_range(cut.start..cut.end, &cut.by);
        }
    }
    patched
}

fn cut(text: &str, program: &Program, change: &Change) -> Vec<Cut> {
    match change {
        Change::Insert { gap, statement, kind } => {
            let new = printer::head(statement);
            let start = line_start(text, gap.statement);
            let margin = text.get(start..gap.statement).unwrap_or_default();
            let alone_before = margin.trim().is_empty();
            let end = line_end(text, gap.end);
            let alone_behind = is_end(text.get(gap.end..end).unwrap_or_default());
            let mark = format!("// inserted: {}", kind.name());
            vec![match (gap.behind, alone_before, alone_behind) {
                (true, _, true) => {
                    let margin: String = line_margin(text, gap.statement);
                    insertion(end, format!("{}{margin}{new} {mark}", line_break(text, end)))
                }
                (true, _, false) => insertion(gap.end, format!("; {new}")),
                (false, true, _) => {
                    let line_break = line_break(text, line_end(text, gap.statement));
                    insertion(start, format!("{margin}{new} {mark}{line_break}"))
                }
                (false, false, _) => insertion(gap.statement, format!("{new}; ")),
            }]
        }
        Change::Move { place, to, .. } => {
            let mut cuts = vec![Cut {
                start: place.0.start,
                end: place.0.end,
                by: to.to_string(),
            }];
            cuts.extend(mark(text, place.0.end, "// changed: queue"));
            cuts
        }
        Change::Order { queue, place } => {
            let count = program
                .declarations
                .iter()
                .find(|declaration| declaration.name.text == *queue)
                .filter(|declaration| matches!(declaration.kind, DeclarationKind::Queue(_)))
                .and_then(|declaration| declaration.count);
            let rest = text.get(place.0.end..).unwrap_or_default();
            let begin = match count {
                Some(_) => place.0.end + rest.find(']').map_or(0, |at| at + 1),
                None => place.0.end,
            };
            // The words of the order end where the next declaration, a comment or the line does.
            let words = text.get(begin..).unwrap_or_default();
            let end = begin + words.find([',', ';', '\n', '/', '#']).unwrap_or(words.len());
            let by = if words.get(..end - begin).is_some_and(|words| words.ends_with(' ')) {
                " ordered "
            } else {
                " ordered"
            };
            let mut cuts = vec![Cut {
                start: begin,
                end,
                by: by.to_owned(),
            }];
            cuts.extend(mark(text, end, "// changed: order"));
            cuts
        }
        Change::Strengthen {
            statement,
            end,
            with,
            kind,
            ..
        } => {
            let mut cuts = vec![replacement(text, *statement, *end, &printer::head(with))];
            cuts.extend(mark(text, *end, &format!("// changed: {}", kind.name())));
            cuts
        }
        Change::Remove { statement, end } => {
            // Where statements end with a semicolon, it alone is one that does nothing.
            let nothing = if is_closed(text, *statement, *end) {
                ""
            } else {
                "skip"
            };
            let mut cuts = vec![replacement(text, *statement, *end, nothing)];
            cuts.extend(mark(text, *end, "// changed: left out"));
            cuts
        }
        Change::Replace { statement, end, with } => {
            vec![replacement(text, *statement, *end, &printer::head(with))]
        }
    }
}

/// Something else in place of a statement, which keeps its semicolon.
fn replacement(text: &str, start: usize, end: usize, by: &str) -> Cut {
    let close = if is_closed(text, start, end) { ";" } else { "" };
    Cut {
        start,
        end,
        by: format!("{by}{close}"),
    }
}

/// Whether a statement ends with a semicolon of its own.
fn is_closed(text: &str, start: usize, end: usize) -> bool {
    text.get(start..end)
        .is_some_and(|statement| statement.ends_with(';'))
}

fn insertion(at: usize, by: String) -> Cut {
    Cut {
        start: at,
        end: at,
        by,
    }
}

/// A comment at the end of the line, if there is none.
fn mark(text: &str, at: usize, comment: &str) -> Option<Cut> {
    let end = line_end(text, at);
    let rest = text.get(at..end)?;
    (!rest.contains("//") && !rest.contains('#')).then(|| insertion(end, format!(" {comment}")))
}

fn is_end(rest: &str) -> bool {
    let rest = rest.trim().trim_start_matches(';').trim();
    rest.is_empty() || rest.starts_with("//") || rest.starts_with('#')
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.find('\n').unwrap_or(rest.len());
    at + rest[..length].trim_end_matches('\r').len()
}

/// What ends the line that ends there.
fn line_break(text: &str, end: usize) -> &'static str {
    match text.get(end..).is_some_and(|rest| rest.starts_with('\r')) {
        true => "\r\n",
        false => "\n",
    }
}

/// White space before the first word of the line.
fn line_margin(text: &str, at: usize) -> String {
    let line = text.get(line_start(text, at)..at).unwrap_or_default();
    line.chars().take_while(|c| c.is_whitespace()).collect()
}
