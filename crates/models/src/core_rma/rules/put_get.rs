//! Remote put and remote get: PG.

use crate::core_rma::{Parts, Path, Switches};

/// PG: the external read of a put or get is hb before its external write.
#[must_use]
pub fn pg(path: &Path, _: Switches, a: usize, b: usize) -> bool {
    match path.parts(a) {
        Some(
            Parts::Get { er, ew }
            | Parts::Put { er, ew }
            | Parts::GetNotify { er, ew, .. }
            | Parts::PutNotify { er, ew, .. },
        ) => (a, b) == (er, ew),
        _ => false,
    }
}
