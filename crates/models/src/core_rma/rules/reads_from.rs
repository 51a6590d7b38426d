//! Reads-from relation: R1, R2.

use crate::core_rma::Path;

/// R1: an atomic read `r` of `w1` is hb before every atomic write `w2` to the variable that `w1` is hb before.
/// (`r != w2`: deviation 1.)
#[must_use]
pub fn r1(
    path: &Path,
    rf: impl Fn(usize, usize) -> bool,
    hb: impl Fn(usize, usize) -> bool,
    r: usize,
    w2: usize,
) -> bool {
    let [reader, writer] = [&path.actions[r], &path.actions[w2]];
    r != w2
        && reader.is_reader()
        && reader.is_atomic()
        && writer.is_writer()
        && writer.is_atomic()
        && (0..path.actions.len()).any(|w1| {
            let first = &path.actions[w1];
            first.is_atomic() && first.writes == writer.writes && rf(w1, r) && hb(w1, w2)
        })
}

/// R2: an atomic read is hb after the atomic write that it reads.
#[must_use]
pub fn r2(path: &Path, rf: impl Fn(usize, usize) -> bool, w: usize, r: usize) -> bool {
    rf(w, r) && path.actions[w].is_atomic() && path.actions[r].is_atomic()
}
