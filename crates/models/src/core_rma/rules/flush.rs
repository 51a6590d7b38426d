//! Flush actions: F1, F2, F3.

use super::local::by_processor;
use crate::core_rma::{Path, Switches};

/// F1: a flush is hb before the local actions that follow it.
#[must_use]
pub fn f1(path: &Path, switches: Switches, f: usize, l: usize) -> bool {
    path.actions[f].is_flush() && by_processor(path, switches, l) && path.po(f, l)
}

/// F2: all external actions of a statement are hb before a flush that follows its remote action to the same
/// destination.
#[must_use]
pub fn f2(path: &Path, _: Switches, e: usize, f: usize) -> bool {
    let remote = path.parts(e).and_then(|parts| parts.remote());
    path.actions[f].is_flush()
        && remote.is_some_and(|remote| {
            path.po(remote, f) && path.actions[remote].destination == path.actions[f].destination
        })
}

/// F3: a flush is hb before all external actions of a statement whose remote action to the same destination follows it.
/// (The premise names the remote action: deviation 3.)
#[must_use]
pub fn f3(path: &Path, _: Switches, f: usize, e: usize) -> bool {
    let remote = path.parts(e).and_then(|parts| parts.remote());
    path.actions[f].is_flush()
        && remote.is_some_and(|remote| {
            path.po(f, remote) && path.actions[remote].destination == path.actions[f].destination
        })
}
