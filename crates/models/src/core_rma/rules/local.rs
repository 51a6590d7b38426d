//! Local order: LO.

use crate::core_rma::{Parts, Path, Switch, Switches};

/// LO: a local action is hb before all that follow it in its process.
#[must_use]
pub fn lo(path: &Path, switches: Switches, l: usize, a: usize) -> bool {
    by_processor(path, switches, l) && path.po(l, a)
}

/// The set *Local*; with `put-reads-at-once`, the read of a put's source is the processor's as well (deviation 7).
pub(super) fn by_processor(path: &Path, switches: Switches, action: usize) -> bool {
    let source_of_put = || matches!(path.parts(action), Some(Parts::Put { er, .. }) if er == action);
    path.actions[action].is_local() || (switches.has(Switch::PutReadsAtOnce) && source_of_put())
}
