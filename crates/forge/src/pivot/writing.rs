//! WS as a pivot: two writes `w1` and `w2` to a variable that an instance leaves unordered.
//!
//! *Both ways*: some `r` reads `w1` and comes after `w2`, some `r'` reads `w2` and comes after `w1`; either order makes
//! R1 put one of the reads before the other write. Neither of the two reads as well, for R1 and R2 would order them.
//! Such an instance is a line in which the two writes stand at the same place. A pure read that follows the two sees
//! one of them, and is not put after the other.
//!
//! *One way*: the instance puts `w1` before `w2`, and without that
//!
//! 1. `w2` comes before `w1` all the same: by a path whose last edge is not the one that R1 gives to a read of `w2` (R1
//!    has no premise then); or
//! 2. the two are not ordered, some `r` reads `w1`, and `w2` comes before `r`: with `w1` before `w2`, R1 puts `r`
//!    before `w2`. It is enough to look for a line `w2`, `w1`, `r` in which no other write comes between `w1` and `r`:
//!    if the rest of the line orders the two after all, this is the first case.

use super::actions::Actions;
use super::line::{Line, Row, members};
use super::path;
use super::reading::readers;
use crate::definition::Sequentiality;

/// Whether the order of some two writes is a pivot.
pub(super) fn ws(actions: &Actions, whole: &Line, sequentiality: Sequentiality) -> bool {
    let writes = |w: &usize| actions.all[*w].writes();
    (0..actions.all.len()).filter(writes).any(|w1| {
        members(actions.writers[w1]).any(|w2| match sequentiality {
            Sequentiality::BothWays => w1 < w2 && both_ways(actions, whole, w1, w2),
            Sequentiality::OneWay => against_hb(actions, whole, w1, w2) || against_r1(actions, whole, w1, w2),
        })
    })
}

fn both_ways(actions: &Actions, whole: &Line, w1: usize, w2: usize) -> bool {
    let ordered = whole.has(w1, w2) || whole.has(w2, w1);
    if ordered || reads(actions, w1, w2) {
        return false;
    }
    let variable = actions.all[w1].variable;
    let writers = actions.writers[w1] & !(1 << w2);
    let mut pure: Row = 0;
    let mut candidates: Row = 0;
    for (r, is_pure) in readers(actions) {
        if r != w1 && r != w2 && actions.all[r].variable == variable {
            candidates |= 1 << r;
            pure |= Row::from(is_pure) << r;
        }
    }
    members(candidates).any(|r| {
        let seen = whole.with(w1, r);
        members(candidates & !(1 << r)).any(|other| {
            let Some(line) = seen.and_then(|line| line.with(w2, other)) else {
                return false;
            };
            // Of the other pure reads, each set in turn sees `w1` and the rest `w2`.
            let free = pure & !(1 << r) & !(1 << other);
            let mut see_first = free;
            loop {
                let mut pairs = actions.conflicts;
                pairs.iter_mut().for_each(|row| *row &= !(1 << w1 | 1 << w2));
                pairs[w1] &= !pure | see_first;
                pairs[w2] &= !pure | (free & !see_first);
                let found = path::each(&line, &pairs, w2, r, &mut |line| {
                    path::each(line, &pairs, w1, other, &mut |line| {
                        let behind = line.after[w1] | line.after[w2];
                        let ahead = line.before[r] | line.before[other];
                        !line.has(w1, w2) && !line.has(w2, w1) && behind & ahead & writers == 0
                    })
                });
                if found {
                    return true;
                }
                if see_first == 0 {
                    return false;
                }
                see_first = (see_first - 1) & free;
            }
        })
    })
}

fn against_hb(actions: &Actions, whole: &Line, w1: usize, w2: usize) -> bool {
    let mut pairs = actions.conflicts;
    // Only other writes stand right before `w1`.
    for (action, row) in actions.all.iter().zip(&mut pairs) {
        if !action.writes() {
            *row &= !(1 << w1);
        }
    }
    if !reads(actions, w1, w2) {
        pairs[w2] &= !(1 << w1);
    }
    path::each(whole, &pairs, w2, w1, &mut |_| true)
}

/// Whether one of the two writes reads as well. Then R1 and R2 order them whatever it sees: it sees the other write, or
/// one that comes before or after both.
fn reads(actions: &Actions, w1: usize, w2: usize) -> bool {
    actions.all[w1].reads || actions.all[w2].reads
}

fn against_r1(actions: &Actions, whole: &Line, w1: usize, w2: usize) -> bool {
    let variable = actions.all[w1].variable;
    readers(actions)
        .filter(|&(r, _)| r != w1 && r != w2 && actions.all[r].variable == variable)
        .any(|(r, pure)| {
            let mut pairs = actions.conflicts;
            pairs.iter_mut().for_each(|row| *row &= !(1 << w1));
            pairs[w1] = 0;
            if pure {
                pairs.iter_mut().for_each(|row| *row &= !(1 << r));
            }
            path::each(whole, &pairs, w2, r, &mut |line| {
                let line = line.with(w2, w1).and_then(|line| line.with(w1, r));
                line.is_some_and(|line| line.after[w1] & line.before[r] & actions.writers[r] == 0)
            })
        })
}
