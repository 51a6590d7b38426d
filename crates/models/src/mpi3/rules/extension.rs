//! General active target synchronisation (MPI-4.1 §12.5.2), which the paper leaves out: an extension (deviation 9).

use super::View;
use super::passive::{completed_is_consistent, completes, publishes};
use crate::mpi3::action::{Action, ActionKind, Half};

/// Post publishes the stores of its process, as (14); complete completes at the origin, as (12) and (13); wait
/// completes at the target: `vac hb swa => co` and `swa hb (l*|vac) => co`.
pub(super) fn general_active_target(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    publishes(view, |a| a.kind == ActionKind::Spo, edge);
    let complete = |a: &Action| a.kind == ActionKind::Sco && a.half == Half::End;
    completes(view, complete, edge);
    completed_is_consistent(view, complete, edge);
    for wait in view.all(|a| a.kind == ActionKind::Swa && a.half == Half::End) {
        for other in view.all(Action::is_memory) {
            if !view.same(wait, other) {
                continue;
            }
            if view.action(other).kind == ActionKind::Vac && view.hb.has(other, wait) {
                edge(other, wait);
            }
            if view.hb.has(wait, other) {
                edge(wait, other);
            }
        }
    }
}
