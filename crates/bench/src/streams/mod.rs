//! Event streams of many ranks, made as they are consumed.
//!
//! Promise: the events of a rank are those that the preloaded library would make of a correct program with that
//! pattern; times rise strictly, and every release comes before what acquires it. Limits: all ranks go at one pace,
//! so that no rank is more than one phase ahead of a neighbour; one thread a rank; stacks are numbers without frames.

mod halo;
mod job;
mod stealing;
mod updates;

use farside_events::{Event, Rank};
use job::Job;
use serde::Serialize;

/// A communication pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Pattern {
    /// Nearest neighbours, fence and put: all ranks meet twice in every iteration.
    HaloFence,
    /// Nearest neighbours, post/start/put/complete/wait: nothing that all ranks take part in.
    HaloPscw,
    /// Nearest neighbours, put and flush under lock_all, then messages: nothing that all ranks take part in.
    HaloMessages,
    /// Accumulates to random ranks under lock_all with flushes, and a barrier now and then.
    RandomUpdates,
    /// Queues that their owners and thieves pop by compare-and-swap: order comes from atomic operations only.
    WorkStealing,
}

impl Pattern {
    /// Makes the whole stream of `ranks` processes and `iterations` rounds.
    pub(crate) fn generate(self, ranks: u32, iterations: u32, sink: &mut dyn FnMut(Rank, &Event)) {
        let mut job = Job::start(ranks, sink);
        match self {
            Self::HaloFence => halo::fence(&mut job, iterations),
            Self::HaloPscw => halo::pscw(&mut job, iterations),
            Self::HaloMessages => halo::messages(&mut job, iterations),
            Self::RandomUpdates => updates::random(&mut job, iterations),
            Self::WorkStealing => stealing::steal(&mut job, iterations),
        }
        job.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum as _;
    use farside_events::EventKind;
    use farside_race::{Detector, Ending, Options};

    #[test]
    fn times_rise_and_calls_are_left_before_the_next_is_entered() {
        for &pattern in Pattern::value_variants() {
            let (mut last, mut inside, mut events) = (0, [false; 5], 0_u32);
            pattern.generate(5, 6, &mut |rank, event| {
                assert!(event.time > last, "{pattern:?}");
                last = event.time;
                events += 1;
                let inside = &mut inside[rank.0 as usize];
                match event.kind {
                    EventKind::Enter { .. } => {
                        assert!(!std::mem::replace(inside, true), "{pattern:?} {event:?}")
                    }
                    EventKind::Leave(_) => assert!(std::mem::replace(inside, false), "{pattern:?} {event:?}"),
                    _ => {}
                }
            });
            assert!(events > 5 * 6 && inside == [false; 5], "{pattern:?}");
        }
    }

    #[test]
    fn every_pattern_is_clean_by_the_engine() {
        for &pattern in Pattern::value_variants() {
            for ranks in [2, 5, 16] {
                let mut detector = Detector::new(Options::default());
                pattern.generate(ranks, 10, &mut |rank, event| detector.event(rank, event));
                let (findings, _) = detector.finish(Ending::Complete);
                assert!(
                    findings.is_empty(),
                    "{pattern:?} on {ranks} ranks: {:?}",
                    findings[0]
                );
            }
        }
    }
}
