//! In-order routing: IR.

use crate::core_rma::{Path, Switch, Switches};

/// IR: remote actions of a process with the same destination keep their program order. Destinations other than the
/// process itself, unless `IR-self` (deviation 2).
#[must_use]
pub fn ir(path: &Path, switches: Switches, e1: usize, e2: usize) -> bool {
    let [first, second] = [&path.actions[e1], &path.actions[e2]];
    path.is_remote(e1)
        && path.is_remote(e2)
        && path.po(e1, e2)
        && first.destination == second.destination
        && (first.destination != first.source || switches.has(Switch::IrSelf))
}
