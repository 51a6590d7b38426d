//! Active target synchronisation (§3.2.4).

use super::View;
use crate::mpi3::action::{ActionKind, Half};

/// (9): `(r*|l*|vac) hb sfe => co` and `sfe hb (r*|l*|vac) => co`; and `sfe coso sfe` between matching fences.
///
/// Either half of the fence is meant: what is before the end of a fence at its process is consistent after it. A
/// virtual action belongs to its origin's fences, too: "a fence can essentially be seen as a single action invoked by
/// all processes", and those of its target alone would not order it before the next epoch's effects there.
pub(super) fn rule_9(view: &View<'_>, edge: &mut dyn FnMut(usize, usize)) {
    let fences = view.all(|a| a.kind == ActionKind::Sfe);
    let others = view.all(|a| a.kind.is_remote() || a.is_memory());
    for &fence in &fences {
        let near = |&&other: &&usize| {
            view.same(other, fence) || view.action(other).origin == view.action(fence).process
        };
        for &other in others.iter().filter(near) {
            if view.hb.has(other, fence) {
                edge(other, fence);
            }
            if view.hb.has(fence, other) {
                edge(fence, other);
            }
        }
        if view.action(fence).half == Half::Start {
            let follows = |&&end: &&usize| view.action(end).half == Half::End && view.hb.has(fence, end);
            for &end in fences.iter().filter(follows) {
                edge(fence, end);
            }
        }
    }
}
