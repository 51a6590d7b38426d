//! Conflicts (paper, section 5.2): no-C, C.

use crate::core_rma::Path;

/// `conflict(a, b)`: unordered, the same variable, one of them writes, one of them is not atomic.
#[must_use]
pub fn conflict(path: &Path, hb: impl Fn(usize, usize) -> bool, a: usize, b: usize) -> bool {
    let [first, second] = [&path.actions[a], &path.actions[b]];
    a != b
        && first.variable().is_some()
        && first.variable() == second.variable()
        && (first.is_writer() || second.is_writer())
        && !(first.is_atomic() && second.is_atomic())
        && !hb(a, b)
        && !hb(b, a)
}

/// `conflict(r)`: some write conflicts with the read.
#[must_use]
pub fn read_conflict(path: &Path, hb: impl Fn(usize, usize) -> bool, r: usize) -> bool {
    (0..path.actions.len()).any(|w| path.actions[w].is_writer() && conflict(path, &hb, r, w))
}

/// `wconflict(w)`: some other write conflicts with the write.
#[must_use]
pub fn write_conflict(path: &Path, hb: impl Fn(usize, usize) -> bool, w: usize) -> bool {
    (0..path.actions.len()).any(|other| path.actions[other].is_writer() && conflict(path, &hb, w, other))
}

/// no-C, its premise on a read without conflict: what it reads is neither hb after it nor overwritten in hb before it
/// (deviation 8). Where all who take part are atomic, R1 and R2 say so.
#[must_use]
pub fn no_c(path: &Path, hb: impl Fn(usize, usize) -> bool, w: usize, r: usize) -> bool {
    let atomic = |action: usize| path.actions[action].is_atomic();
    let from_later = hb(r, w) && !(atomic(r) && atomic(w));
    let overwritten = (0..path.actions.len()).any(|other| {
        other != w
            && other != r
            && path.actions[other].writes == path.actions[w].writes
            && !(atomic(r) && atomic(w) && atomic(other))
            && hb(w, other)
            && hb(other, r)
    });
    !from_later && !overwritten
}
