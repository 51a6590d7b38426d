//! Write sequentiality: WS.

use crate::core_rma::{Path, ReadWrite};

/// WS: whether the two must be ordered by hb, one way or the other: atomic writes to the same variable.
#[must_use]
pub fn ws(path: &Path, w1: usize, w2: usize) -> bool {
    let [first, second] = [&path.actions[w1], &path.actions[w2]];
    w1 != w2
        && first.writes.is_some()
        && first.writes == second.writes
        && first.is_atomic()
        && second.is_atomic()
}

/// WS of read-writes that are split in two (deviation 11): if `p` writes before `q` does, then also before `q` reads.
#[must_use]
pub fn ws_apart(path: &Path, p: ReadWrite, q: ReadWrite) -> bool {
    p.is_split() && q.is_split() && ws(path, p.write, q.write)
}
