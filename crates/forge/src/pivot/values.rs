//! Whether a compare and swap may succeed, or fail, in an order of actions.
//!
//! Only the reads that its comparison depends on are decided: what each of them sees, and for every other write to
//! the variable whether it comes before that write or after the read.

use super::actions::{Actions, Source};
use super::line::{Line, members};
use crate::MOST_ACTIONS;

/// What a read sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    First,
    Write(usize),
}

/// What reads see, so far.
type Sees = [Option<Seen>; MOST_ACTIONS];

/// Whether, in some line that keeps the order, what the compare and swap of action `a` compares is as asked for: equal,
/// unequal, or none of the two, for a value depends on itself.
pub(super) fn cas_may(
    actions: &Actions,
    line: &Line,
    a: usize,
    asked_for: impl Fn(Option<bool>) -> bool,
) -> bool {
    let statement = actions.all[a].statement;
    let swap = actions.all.iter().find_map(|action| match action.source {
        Source::Swap { stored, compare, .. } if action.statement == statement => {
            Some([stored, compare].map(usize::from))
        }
        _ => None,
    });
    let Some([stored, compare]) = swap else {
        return false;
    };
    let asked = 1 << stored | 1 << compare;
    decide(actions, line, &[None; MOST_ACTIONS], asked, &|sees| {
        let values = [stored, compare].map(|read| value(actions, sees, read, 0));
        asked_for(match values {
            [Some(stored), Some(compare)] => Some(stored == compare),
            _ => None,
        })
    })
}

fn decide(actions: &Actions, line: &Line, sees: &Sees, asked: u16, holds: &dyn Fn(&Sees) -> bool) -> bool {
    let open = members(asked).find(|&read| sees[read].is_none());
    let Some(read) = open else {
        return holds(sees) && settle(actions, line, sees);
    };
    let writers = actions.writers[read];
    let mut sees = *sees;
    sees[read] = Some(Seen::First);
    if line.before[read] & writers == 0 {
        let later = members(writers).try_fold(*line, |line, w| line.with(read, w));
        if later.is_some_and(|line| decide(actions, &line, &sees, asked, holds)) {
            return true;
        }
    }
    members(writers).any(|w| {
        let mut sees = sees;
        sees[read] = Some(Seen::Write(w));
        let asked = asked
            | match actions.all[w].source {
                Source::Nothing | Source::Number(_) => 0,
                Source::Copy(read) => 1 << read,
                Source::Sum(stored, operand) => 1 << stored | 1 << operand,
                Source::Swap {
                    stored,
                    compare,
                    swap,
                } => 1 << stored | 1 << compare | 1 << swap,
            };
        let between = |line: &Line| line.after[w] & line.before[read] & writers != 0;
        line.with(w, read)
            .filter(|line| !between(line))
            .is_some_and(|line| decide(actions, &line, &sees, asked, holds))
    })
}

/// Whether every other write can be put before the write that is seen, or after the read.
fn settle(actions: &Actions, line: &Line, sees: &Sees) -> bool {
    for (read, seen) in sees.iter().enumerate() {
        let Some(Seen::Write(w)) = *seen else {
            continue;
        };
        let open = actions.writers[read] & !(1 << w) & !line.before[w] & !line.after[read];
        if let Some(other) = members(open).next() {
            let ways = [line.with(other, w), line.with(read, other)];
            return ways.iter().flatten().any(|line| settle(actions, line, sees));
        }
    }
    true
}

/// What a read has in the end; none if it depends on itself.
fn value(actions: &Actions, sees: &Sees, read: usize, depth: usize) -> Option<i64> {
    if depth > MOST_ACTIONS {
        return None;
    }
    let read_by = |other: u8| value(actions, sees, usize::from(other), depth + 1);
    match sees[read]? {
        Seen::First => {
            let variable = actions.all[read].variable?;
            let first = actions.first.iter().find(|(name, _)| *name == variable);
            first.map(|&(_, value)| value)
        }
        Seen::Write(w) => match actions.all[w].source {
            Source::Nothing => None,
            Source::Number(number) => Some(number),
            Source::Copy(other) => read_by(other),
            Source::Sum(stored, operand) => Some(read_by(stored)?.wrapping_add(read_by(operand)?)),
            Source::Swap {
                stored,
                compare,
                swap,
            } => {
                let [stored, compare, swap] = [read_by(stored)?, read_by(compare)?, read_by(swap)?];
                Some(if stored == compare { swap } else { stored })
            }
        },
    }
}
