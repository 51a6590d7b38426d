//! Puts that notify their target, and words that a target waits for: order without a call of the standard.
//!
//! Source: the crate `farside`; Belli and Hoefler, *Notified Access*, IPDPS 2015. A notice says that the bytes of its own
//! put are visible at the target, and that all that its origin did before has happened. It says nothing of other puts of
//! that origin: these need a flush before.
//!
//! Notices of one origin, window and number are taken in the order of their puts. If the transport changed it, nobody
//! can tell, and a program may rely on a put of several only when it has all of their notices: so no race is reported
//! that is none. Where the transport does not say whose notice it is, the same holds for those of all origins.
//!
//! A word that is waited for ([`farside_events::EventKind::Seen`]) is that of a put, an atomic operation or a direct
//! store of this one word; which, is decided by its value (`atomics.rs`).
//!
//! Deviation: of words that one place in the code puts to a target, without a synchronisation between, seeing one counts as
//! seeing all. So a race may go unnoticed, and none is reported that is none.

use crate::detector::Detector;
use crate::record::Op;
use farside_clocks::{Component, VectorClock};
use farside_events::{Rank, WinId};
use std::collections::{HashMap, VecDeque};
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

impl Detector {
    /// A put was issued that gives its target a notice.
    pub(crate) fn notify(&mut self, component: Component, number: u32, op: &Rc<Op>) {
        // What the origin does from now on is not known to who takes the notice.
        let clock = self.job.release(component);
        let queue = self.notices.pending.entry((op.win, op.target, number));
        queue.or_default().push_back(Notified {
            op: Rc::clone(op),
            clock,
        });
    }

    /// A notice was taken.
    pub(crate) fn notice(&mut self, component: Component, win: WinId, source: Option<Rank>, number: u32) {
        let rank = self.job.thread(component).rank;
        let key = (win, rank, number);
        let Some(queue) = self.notices.pending.get_mut(&key) else {
            return;
        };
        let is_meant = |put: &Notified| source.is_none_or(|source| put.op.rank == source);
        let place = queue.iter().position(is_meant);
        let put = place.and_then(|place| queue.remove(place));
        if queue.is_empty() {
            self.notices.pending.remove(&key);
        }
        let Some(put) = put else { return };
        self.job.acquire(component, &put.clock);
        self.see(component, &put.op);
        let here = (rank, self.timeline.latest(rank));
        self.timeline
            .edge((put.op.rank, put.op.issued_mark), here, "notice");
    }

    /// The thread knows from now on that an operation is done at its target.
    pub(crate) fn see(&mut self, component: Component, op: &Rc<Op>) {
        let at = self.job.tick(component);
        if op.noticed.get().is_none() {
            op.noticed.set(Some(at));
        }
    }
}
