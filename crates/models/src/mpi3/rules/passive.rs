//! Passive target synchronisation (§3.2.5): lock, unlock, flush.

use super::View;
use crate::mpi3::action::{Action, ActionKind, Half};

/// (10): `(sls|sle|sla) hb l* => co` at one process.
pub(super) fn rule_10(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    for lock in view.all(|a| a.kind.is_lock()) {
        for local in view.all(|a| a.kind.is_local()) {
            if view.same(lock, local) && view.hb.has(lock, local) {
                edge(lock, local);
            }
        }
    }
}

/// (11): `vas hb (sls|sle|sla) => co` if the vas took effect at the process that locks.
pub(super) fn rule_11(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    for vas in view.all(|a| a.kind == ActionKind::Vas) {
        for lock in view.all(|a| a.kind.is_lock()) {
            if view.same(vas, lock) && view.hb.has(vas, lock) {
                edge(vas, lock);
            }
        }
    }
}

/// (12): `r* po (sul|sula) => co`, with the target that the unlock names; a flush has the same semantics.
///
/// `r*` stands for its effects on the origin's memory; for what it does at the target there is (15).
pub(super) fn rule_12(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    completes(view, |sync| sync.kind.is_unlock() || sync.kind.is_flush(), edge);
}

/// (16): `r* po sfll => co` if `r*.t = sfll.t`.
pub(super) fn rule_16(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    completes(view, |sync| sync.kind == ActionKind::Sfll, edge);
}

/// (17): `r* po sflla => co`.
pub(super) fn rule_17(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    completes(view, |sync| sync.kind == ActionKind::Sflla, edge);
}

/// Effects at the origin before the synchronisation that completes their operation.
pub(super) fn completes(
    view: &View<'_>,
    wanted: impl Fn(&Action) -> bool,
    edge: &mut dyn FnMut(usize, usize),
) {
    for effect in view.all(Action::is_origin_effect) {
        let Some(remote) = view.action(effect).of else {
            continue;
        };
        for sync in view.all(|sync| wanted(sync) && view.x.completes_locally(sync, view.action(remote))) {
            if view.po.has(remote, sync) {
                edge(effect, sync);
            }
        }
    }
}

/// (13): `(sul|sula) po l* => co` if and only if the value accessed by `l*` was accessed by an `r*` that the unlock
/// completes. Flushes, local ones too (deviation 5), do the same.
pub(super) fn rule_13(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    let kinds = |a: &Action| a.kind.is_unlock() || a.kind.is_flush() || a.kind.is_local_flush();
    completed_is_consistent(view, kinds, edge);
}

/// A synchronisation before local accesses to what the operations that it completes accessed at their origin.
pub(super) fn completed_is_consistent(
    view: &View<'_>,
    wanted: impl Fn(&Action) -> bool,
    edge: &mut dyn FnMut(usize, usize),
) {
    for sync in view.all(wanted) {
        let accessed = view.all(|effect| {
            effect.is_origin_effect()
                && effect.of.is_some_and(|remote| {
                    view.po.has(remote, sync)
                        && view.x.completes_locally(view.action(sync), view.action(remote))
                })
        });
        for local in view.all(|a| a.kind.is_local()) {
            let used = || {
                accessed
                    .iter()
                    .any(|&effect| view.action(effect).location == view.action(local).location)
            };
            if view.po.has(sync, local) && used() {
                edge(sync, local);
            }
        }
    }
}

/// (14): `ls po (sul|sula) => co` and `(sul|sula) po vas => co`: an unlock makes the stores of its process public.
///
/// What comes after at that process is any virtual action (deviation 6).
pub(super) fn rule_14(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    publishes(view, |a| a.kind.is_unlock() && a.half == Half::End, edge);
}

/// Local stores before a synchronisation of their process, and that before what takes effect there afterwards.
pub(super) fn publishes(
    view: &View<'_>,
    wanted: impl Fn(&Action) -> bool,
    edge: &mut dyn FnMut(usize, usize),
) {
    for sync in view.all(wanted) {
        for store in view.all(|a| a.kind == ActionKind::Ls) {
            let over = view.over(store);
            if over.is_some_and(|over| view.po.has(over, sync) || over == sync) {
                edge(store, sync);
            }
        }
        for effect in view.all(|a| matches!(a.kind, ActionKind::Vac | ActionKind::Vas)) {
            if view.same(sync, effect) && view.hb.has(sync, effect) {
                edge(sync, effect);
            }
        }
    }
}

/// (15): `vas hb vac => co` and `vac hb vas => co` at one target.
pub(super) fn rule_15(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    for vas in view.all(|a| a.kind == ActionKind::Vas) {
        for vac in view.all(|a| a.kind == ActionKind::Vac) {
            if view.same(vas, vac) && view.hb.has(vas, vac) {
                edge(vas, vac);
            }
            if view.same(vas, vac) && view.hb.has(vac, vas) {
                edge(vac, vas);
            }
        }
    }
}
