//! A statement that is moved with what stands around it.
//!
//! What an `if` or a loop has alone in it goes with the whole `if` or loop. A statement among others of an `if` goes
//! without them, under the same condition, if that has the same value there. So as many make the call or the access as
//! before, and as often.

use super::Repair;
use super::statement::{moved, taken};
use crate::call::Call;
use crate::edit::{Edit, Side, beside};
use crate::language::Language;
use crate::passing::{Moving, keep_value, may_pass};
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Step};
use std::ops::Range;

impl Repair<'_> {
    /// Moves the statement at the end of a way to where its call was tried, outside of the block that it is in; `None`
    /// if no such place is known, or what is around the statement stays.
    pub(super) fn move_enclosing(
        &self,
        name: &str,
        source: &Source,
        path: &[Step<'_>],
        mut moving: Moving,
    ) -> Result<Option<Vec<Edit>>, Refusal> {
        let Some((own, around)) = path.split_last() else {
            return Ok(None);
        };
        // What is taken out of the text, and the steps from it to what it leaves.
        let (mut whole, mut steps) = (*own, vec![*own]);
        for outer in around.iter().rev() {
            let statement = outer.statement();
            let [block] = statement.blocks() else {
                return Ok(None);
            };
            if source.is_under_directive(statement) || source.is_labelled(statement) {
                return Ok(None);
            }
            let Some(head) = head(source, block.head()) else {
                return Ok(None);
            };
            let is_alone = block.statements().len() == 1 && steps.len() == 1;
            match statement.kind() {
                Kind::If { complete: false } if sets(&head) => return Ok(None),
                Kind::If { complete: false } if is_alone => {}
                Kind::If { complete: false } if keep_value(source, block.statements(), &head) => {}
                Kind::Loop if is_alone && (head.contains([';', ':']) || !sets(&head)) => {}
                _ => return Ok(None),
            }
            moving.goes_with(&head);
            match is_alone {
                true => (whole, steps) = (*outer, vec![*outer]),
                false => steps.push(*outer),
            }
            // Right beside the `if` that it leaves, or further away.
            let beside = [Side::Before, Side::After].map(|side| (*outer, side));
            let near = beside
                .into_iter()
                .filter(|_| !is_alone)
                .find(|place| self.tried.was_there(name, source, place));
            let Some((to, side)) = near.or_else(|| self.destination(name, source, outer).ok()) else {
                continue;
            };
            for inner in &steps[..steps.len() - 1] {
                let last = match side {
                    Side::After => inner.block().statements().len() - 1,
                    Side::Before => 0,
                };
                may_pass(source, (inner, &moving), &inner.sibling(last))?;
                moving
                    .local(source, inner.block().statements())
                    .map_or(Ok(()), Err)?;
            }
            may_pass(source, (outer, &moving), &to)?;
            return Ok(Some(match steps.len() {
                1 => moved(source, &whole, (&to, side)),
                _ => under_conditions(source, &whole, &steps[1..], (&to, side)),
            }));
        }
        Ok(None)
    }
}

/// What is asked or counted before a block: without words of the language, if it calls nothing.
fn head(source: &Source, range: Range<usize>) -> Option<String> {
    let code = String::from_utf8_lossy(source.code(range.clone())).into_owned();
    let is_word = |name: &str| ["if", "for", "while", "switch"].contains(&&*name.to_ascii_lowercase());
    if Call::find(source, range, &|name| !is_word(name)).is_some() {
        return None;
    }
    let (_, inner) = code.split_once('(')?;
    let (inner, _) = inner.rsplit_once(')')?;
    Some(inner.to_owned())
}

/// Whether a condition gives something a value.
fn sets(condition: &str) -> bool {
    let gives = condition.match_indices('=').any(|(at, _)| {
        let (before, after) = (&condition[..at], &condition[at + 1..]);
        !(after.starts_with('=') || before.ends_with(['=', '!', '<', '>', '/']))
    });
    gives || condition.contains("++") || condition.contains("--")
}

/// Takes a statement out, and writes it beside another one under the conditions of these `if`s, the innermost first.
fn under_conditions(
    source: &Source,
    step: &Step<'_>,
    branches: &[Step<'_>],
    (to, side): (&Step<'_>, Side),
) -> Vec<Edit> {
    let (text, removal) = taken(source, step);
    let old = source.indentation(step.statement().range().start);
    let outer = source.indentation(to.statement().range().start);
    let (open, close) = match source.language() {
        Language::Fortran => ("", "end if"),
        Language::C | Language::Rust => (" {", "}"),
    };
    let level = source.level(outer);
    let (mut lines, mut indentation) = (Vec::new(), outer.to_owned());
    for branch in branches.iter().rev() {
        let head = source.part(branch.statement().blocks()[0].head()).trim();
        let then = match source.language() {
            Language::Fortran if !head.to_ascii_lowercase().ends_with("then") => " then",
            _ => open,
        };
        lines.push(format!("{indentation}{head}{then}"));
        indentation.push_str(level);
    }
    for line in text.lines() {
        let line = line.strip_prefix(old).unwrap_or(line);
        lines.push(format!("{indentation}{line}"));
    }
    for _ in branches {
        indentation.truncate(indentation.len() - level.len());
        lines.push(format!("{indentation}{close}"));
    }
    let text = lines.join("\n").trim_start().to_owned();
    std::iter::once(removal)
        .chain(beside(source, to, side, &[text]))
        .collect()
}
