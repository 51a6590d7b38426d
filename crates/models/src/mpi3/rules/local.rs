//! Sync, and loads and stores (§3.2.5, end).

use super::View;
use crate::mpi3::MemoryModel;
use crate::mpi3::action::{Action, ActionKind};

/// (18): `(l*|vac) hb sws => co` and `sws hb (l*|vac) => co` at one process. An effect at the origin counts once its
/// operation is complete there.
pub(super) fn rule_18(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    for sync in view.all(|a| a.kind == ActionKind::Sws) {
        for other in view.all(Action::is_memory) {
            if !view.same(sync, other) {
                continue;
            }
            // The only way on from a virtual action in `hb` is through what completes it.
            let over = match view.action(other).kind {
                ActionKind::Vac => Some(other),
                _ => view.over(other),
            };
            if over.is_some_and(|over| view.hb.has(over, sync)) {
                edge(other, sync);
            }
            if view.hb.has(sync, other) {
                edge(sync, other);
            }
        }
    }
}

/// (19): `l* po r* => co`: what the process did before is seen by what the operation does at its origin (deviation 2).
pub(super) fn rule_19(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    for local in view.all(Action::is_own_access) {
        for effect in view.all(Action::is_origin_effect) {
            if view.po.has(local, effect) {
                edge(local, effect);
            }
        }
    }
}

/// (20), unified model: `l* hb vac => co` at one process.
pub(super) fn rule_20(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    if view.x.memory != MemoryModel::Unified {
        return;
    }
    for local in view.all(|a| a.kind.is_local()) {
        let Some(over) = view.over(local) else { continue };
        for vac in view.all(|a| a.kind == ActionKind::Vac) {
            if view.same(local, vac) && view.hb.has(over, vac) {
                edge(local, vac);
            }
        }
    }
}

/// (20) the other way round, unified model: `vas hb l* => co` at one process (deviation 1).
pub(super) fn rule_20_reversed(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    if view.x.memory != MemoryModel::Unified {
        return;
    }
    for vas in view.all(|a| a.kind == ActionKind::Vas) {
        for local in view.all(|a| a.kind.is_local()) {
            if view.same(vas, local) && view.hb.has(vas, local) {
                edge(vas, local);
            }
        }
    }
}

/// A read that is done leaves nothing to be made visible: `hb` is enough for what comes after it (deviation 4). When an
/// operation has read its buffer is for (12), (13), (16) and (17) to say to its own process. These edges are not part
/// of the closure.
pub(super) fn read_done(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    let reads = view.all(|a| a.is_memory() && !a.writes);
    for read in reads {
        let over = match view.action(read).kind {
            ActionKind::Vac => Some(read),
            _ => view.over(read),
        };
        let Some(over) = over else { continue };
        for later in view.all(Action::is_memory) {
            let own = view.action(read).is_origin_effect() && view.action(later).kind.is_local();
            if !own && view.same(read, later) && view.hb.has(over, later) {
                edge(read, later);
            }
        }
    }
}
