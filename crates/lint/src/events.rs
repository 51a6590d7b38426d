//! The events of a simulation: what they are told to, and what it found.

use crate::site::At;
use farside_events::{Event, EventKind, Rank, ThreadId, WinId};
use farside_race::{Detector, Ending, Options, RawFinding, Site};
use std::hash::{Hash, Hasher};

/// The events of all processes, in the order in which they were made.
pub(crate) struct Events {
    detector: Detector,
    /// The number of events, which is the time of the last one.
    time: u64,
    #[cfg(test)]
    sent: Vec<(u32, Event)>,
}

impl Events {
    pub(crate) fn new() -> Self {
        Self {
            detector: Detector::new(Options::default()),
            time: 0,
            #[cfg(test)]
            sent: Vec::new(),
        }
    }

    /// Hands on what a thread did.
    pub(crate) fn send(&mut self, at: At, kind: EventKind) {
        self.time += 1;
        let event = Event {
            time: self.time,
            thread: ThreadId(at.thread as u32),
            kind,
        };
        self.detector.event(Rank(at.rank), &event);
        #[cfg(test)]
        self.sent.push((at.rank, event));
    }

    /// How many findings there are so far.
    pub(crate) fn found(&self) -> usize {
        self.detector.findings().len()
    }

    /// No more events come; what was found.
    pub(crate) fn conclude(&mut self, ending: &Ending) -> Vec<RawFinding> {
        self.detector.conclude(ending);
        self.detector.findings().to_vec()
    }

    /// The name of a window and where it was made, as far as they are known.
    pub(crate) fn window_label(&self, window: WinId) -> (Option<&str>, Option<Site>) {
        self.detector.window_label(window)
    }

    /// All events, with the ranks that made them.
    #[cfg(test)]
    pub(crate) fn sent(&self) -> &[(u32, Event)] {
        &self.sent
    }
}

/// Two runs that were handed as many events have the same hash: values are not compared.
impl Hash for Events {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.time.hash(state);
    }
}
