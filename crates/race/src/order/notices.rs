//! Puts that notify their target, and words that a target waits for: order without a call of the standard.
//!
//! Source: the crate `farside`; Belli and Hoefler, *Notified Access*, IPDPS 2015. A notice says that the bytes of its
//! own put are visible at the target, and that all that its origin did before has happened. It says nothing of other
//! puts of that origin: these need a flush before.
//!
//! Notices of one origin, window and number are taken in the order of their puts. If the transport changed it, nobody
//! can tell, and a program may rely on one put of several only when it has all of their notices: so no race is reported
//! that is none. Where the transport does not say whose notice it is, the same holds for those of all origins.
//!
//! A word that is waited for ([`farside_events::EventKind::Seen`]) is that of a put, an atomic operation or a direct
//! store of this one word; which of them, its value decides (`atomics`).
//!
//! Deviation: of words that one place in the code puts to a target, without a synchronisation between, seeing one
//! counts as seeing all. So a race may go unnoticed, and none is reported that is none.

use super::{Edge, Threads};
use crate::finding::Link;
use crate::record::Op;
use farside_clocks::{Component, VectorClock};
use farside_events::{Rank, WinId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// A put whose notice was not taken yet.
#[derive(Debug)]
struct Notified {
    op: Rc<Op>,
    /// What its origin knew when it was issued.
    clock: VectorClock,
}

/// All of them, by window, target and number.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    pending: HashMap<(WinId, Rank, u32), VecDeque<Notified>>,
}

impl Notices {
    /// A put was issued that gives its target a notice.
    pub(crate) fn give(&mut self, threads: &mut Threads, component: Component, number: u32, op: &Rc<Op>) {
        // What the origin does from now on is not known to the taker of the notice.
        let clock = threads.release(component);
        let queue = self.pending.entry((op.win(), op.target(), number));
        queue.or_default().push_back(Notified {
            op: Rc::clone(op),
            clock,
        });
    }

    /// A notice was taken.
    pub(crate) fn take(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        source: Option<Rank>,
        number: u32,
    ) -> Option<Edge> {
        let key = (win, threads.rank(component), number);
        let queue = self.pending.get_mut(&key)?;
        let is_meant = |put: &Notified| source.is_none_or(|source| put.op.rank() == source);
        let place = queue.iter().position(is_meant);
        let put = place.and_then(|place| queue.remove(place));
        if queue.is_empty() {
            self.pending.remove(&key);
        }
        let put = put?;
        threads.acquire(component, &put.clock);
        put.op.notice(threads.tick(component));
        Some((put.op.mark(), Link::Notice))
    }
}
