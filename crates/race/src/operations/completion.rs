//! Operations become complete.

use crate::detector::Detector;
use crate::record::Op;
use farside_clocks::Component;
use farside_events::{Rank, RequestId, WinId};
use smallvec::SmallVec;
use std::rc::Rc;

impl Detector {
    /// Completes the operations of `rank` on `win` that the caller knows to have been issued; `wanted` chooses. Gives the
    /// targets at which something is done now.
    pub(crate) fn complete(
        &mut self,
        component: Component,
        win: WinId,
        time: u64,
        remotely: bool,
        wanted: impl Fn(&Op) -> bool,
    ) -> SmallVec<[Rank; 1]> {
        let mut done = SmallVec::new();
        let rank = self.job.thread(component).rank;
        let at = self.job.tick(component);
        let clock = self.job.thread(component).clock.clone();
        let mark = self.timeline.advance();
        let Some(pending) = self.job.process(rank).pending.get_mut(&win) else {
            return done;
        };
        pending.retain(|op| {
            if wanted(op) && clock.covers(op.issued) {
                if remotely {
                    op.complete_remotely(at);
                } else {
                    op.complete_locally(at);
                }
                if op.is_complete() {
                    op.completed_time.set(Some(time));
                    op.completed_mark.set(Some(mark));
                    if !done.contains(&op.target) {
                        done.push(op.target);
                    }
                }
            }
            !op.is_complete()
        });
        done
    }

    /// The request of an operation completed: locally, and for what only reads altogether.
    pub(crate) fn request_done(&mut self, component: Component, request: RequestId, time: u64) {
        let rank = self.job.thread(component).rank;
        let at = self.job.tick(component);
        if let Some(op) = self.job.process(rank).requests.remove(&request) {
            op.complete_locally(at);
            if op.is_complete() {
                op.completed_time.set(Some(time));
                op.completed_mark.set(Some(self.timeline.advance()));
                if let Some(pending) = self.job.process(rank).pending.get_mut(&op.win) {
                    pending.retain(|other| !Rc::ptr_eq(other, &op));
                }
                self.locks_granted(rank, op.win, &[op.target]);
            }
        }
    }
}
