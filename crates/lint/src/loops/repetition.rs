//! Whether the rounds of a loop repeat: then further rounds bring nothing new.
//!
//! A loop whose end the outside world decides is followed for some rounds. The fixed point that is asked for is one of what the
//! detector is told: the calls of MPI with their arguments, and the accesses to memory that operations are concerned with. A round
//! that says what an earlier one said leaves the detector with pairs of accesses (by place, bytes and order) that it has
//! seen, and so does every round that would come after it. Values in memory play no part, but for those that become arguments.
//!
//! Limit: what a round does to memory that nobody watches is not compared. A loop whose accesses move through such memory towards a
//! window is taken to repeat if its calls do.

use foldhash::quality::FixedState;
use rustc_hash::FxHashSet as HashSet;
use std::hash::{BuildHasher as _, Hash};

/// What a process told the detector, an entry each.
#[derive(Debug, Default)]
pub(crate) struct History {
    entries: Vec<u64>,
    /// How many of them are calls.
    calls: usize,
}

/// What the rounds of a loop were like.
#[derive(Debug)]
pub(crate) struct Repetition {
    start: usize,
    calls: usize,
    seen: HashSet<u64>,
    repeats: bool,
}

impl History {
    pub(crate) fn call(&mut self, call: impl Hash) {
        self.calls += 1;
        self.access(call);
    }

    pub(crate) fn access(&mut self, access: impl Hash) {
        self.entries.push(FixedState::default().hash_one(access));
    }
}

impl Repetition {
    /// A loop that begins now.
    pub(crate) fn beginning(history: &History) -> Self {
        Self {
            start: history.entries.len(),
            calls: history.calls,
            seen: HashSet::default(),
            repeats: false,
        }
    }

    /// A round has ended.
    pub(crate) fn round(&mut self, history: &History) {
        let said = FixedState::default().hash_one(&history.entries[self.start..]);
        let known = !self.seen.insert(said);
        self.repeats = known && history.calls > self.calls;
        (self.start, self.calls) = (history.entries.len(), history.calls);
    }

    /// Whether the last round had calls, and said what an earlier one said.
    pub(crate) fn repeats(&self) -> bool {
        self.repeats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_repeat_that_call_the_same_on_the_same() {
        let mut history = History::default();
        history.call("before");
        let mut rounds = Repetition::beginning(&history);
        let mut round = |calls: &[(&str, u64)]| {
            for call in calls {
                history.call(call);
            }
            rounds.round(&history);
            rounds.repeats()
        };
        assert!(!round(&[("put", 0), ("flush", 0)]));
        assert!(!round(&[("put", 8), ("flush", 0)]));
        assert!(
            round(&[("put", 0), ("flush", 0)]),
            "every other round is the same"
        );
        assert!(!round(&[("put", 16), ("flush", 0)]));
        assert!(!round(&[]) && !round(&[]), "nothing was called");
    }
}
