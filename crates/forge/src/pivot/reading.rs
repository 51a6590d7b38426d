//! R1 and R2 as pivots.
//!
//! R2, `w` to `r`: `r` reads `w`, and comes before it. What a read sees puts it after no other write then, and R1 puts
//! it before writes only that come after `w` anyway; so a pure read takes no part in pairs. An `erw` is put in order
//! with the other writes by WS all the same.
//!
//! R1, `r` to `w2`: `r` reads a write `w1` (a first value at least) although `w2` comes after `w1` and before `r`.
//! Without that edge, reading `w1` does not put `r` after `w2`; the path back has to. No further write may come between
//! `w2` and `r`, for R1 would put `r` before that one; of the writes that the path leaves open, those before `r` go
//! before `w2`, the others after `r`.

use super::actions::Actions;
use super::line::Line;
use super::path;

/// Whether some application of R2 is a pivot.
pub(super) fn r2(actions: &Actions, whole: &Line) -> bool {
    readers(actions).any(|(r, pure)| {
        let pairs = if pure {
            let mut pairs = actions.conflicts;
            pairs[r] = 0;
            pairs.iter_mut().for_each(|row| *row &= !(1 << r));
            pairs
        } else {
            actions.conflicts
        };
        super::line::members(actions.writers[r]).any(|w| path::each(whole, &pairs, r, w, &mut |_| true))
    })
}

/// Whether some application of R1 is a pivot.
pub(super) fn r1(actions: &Actions, whole: &Line) -> bool {
    readers(actions).any(|(r, pure)| {
        let writers = actions.writers[r];
        let close = |line: &Line, w2: usize| line.after[w2] & line.before[r] & writers == 0;
        let mut pairs = actions.conflicts;
        pairs.iter_mut().for_each(|row| *row &= !(1 << r));
        super::line::members(writers).any(|w2| match pure {
            true => path::each(whole, &pairs, w2, r, &mut |line| close(line, w2)),
            false => whole.with(w2, r).is_some_and(|line| close(&line, w2)),
        })
    })
}

/// Actions that read, and whether they write nothing.
pub(super) fn readers(actions: &Actions) -> impl Iterator<Item = (usize, bool)> + '_ {
    let readers = actions.all.iter().enumerate().filter(|(_, action)| action.reads);
    readers.map(|(index, action)| (index, !action.writes()))
}
