//! Paths through an order and through pairs of actions that may be put in it either way.

use super::line::{Line, Row, members};
use crate::MOST_ACTIONS;

/// Puts pairs of `pairs` in order, in all ways that make a path from `from` to `to` and no cycle, until `found` takes
/// one; whether it did.
///
/// Orders passed on may hold more pairs than the path needs; each set of pairs is tried once.
pub(super) fn each(
    line: &Line,
    pairs: &[Row; MOST_ACTIONS],
    from: usize,
    to: usize,
    found: &mut dyn FnMut(&Line) -> bool,
) -> bool {
    may_reach(line, pairs, from, to) && extend(line, *pairs, from, to, found)
}

/// Whether there is a path at all if cycles are left aside.
fn may_reach(line: &Line, pairs: &[Row; MOST_ACTIONS], from: usize, to: usize) -> bool {
    let mut reached: Row = 1 << from;
    let mut next = reached;
    while next != 0 {
        if reached & 1 << to != 0 {
            return true;
        }
        let step = members(next).fold(0, |step, x| step | line.after[x] | pairs[x]);
        next = step & !reached;
        reached |= step;
    }
    reached & 1 << to != 0
}

fn extend(
    line: &Line,
    mut pairs: [Row; MOST_ACTIONS],
    from: usize,
    to: usize,
    found: &mut dyn FnMut(&Line) -> bool,
) -> bool {
    if line.has(from, to) {
        return found(line);
    }
    let reached = line.after[from] | 1 << from;
    for x in members(reached) {
        for y in members(pairs[x] & !reached & !line.before[x]) {
            // From here on, orders without this pair.
            pairs[x] &= !(1 << y);
            if let Some(line) = line.with(x, y)
                && may_reach(&line, &pairs, from, to)
                && extend(&line, pairs, from, to, found)
            {
                return true;
            }
        }
    }
    false
}
