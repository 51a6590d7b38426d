//! Threads that meet where they did not.

use super::{Editor, Moment};
use farside_events::{Event, EventKind, Rank};
use farside_race::Places;

impl<P: Places> Editor<'_, P> {
    /// An event, unless its thread has to wait, and what others may do then who have waited.
    pub(super) fn meet_threads(&mut self, rank: Rank, (number, event): (u64, Event)) {
        let Some(meetings) = &mut self.known.meetings else {
            return;
        };
        let event = meetings.hold_back(rank, number, event);
        let mut next = event.map(|event| (rank, number, event));
        while let Some((rank, number, event)) = next {
            let at = Moment {
                rank,
                time: event.time,
                thread: event.thread,
            };
            let learned = self.known.meetings.as_ref().and_then(|all| all.learns_by(number));
            if let Some(object) = learned {
                self.put(at, EventKind::Acquire { object });
            }
            self.change(rank, event);
            let told = self.known.meetings.as_mut().map(|all| all.pass(number));
            for object in told.into_iter().flatten() {
                self.put(at, EventKind::Release { object });
            }
            next = self.known.meetings.as_mut().and_then(|all| all.free());
        }
    }
}
