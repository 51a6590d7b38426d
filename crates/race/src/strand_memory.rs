//! Which memory of a process is the same for all strands of its threads.
//!
//! Strands that one thread ran one after the other might have run on two threads at the same time; then what belongs to
//! the thread (its stack, scratch buffers that it allocated) would have been other memory. Only of memory that is known
//! to be the same, whichever thread runs the strand, is it a race that nothing orders them: windows, and what the
//! recording names ([`farside_events::EventKind::Common`]).

use farside_events::{Rank, ThreadId};
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// What the recordings name, by process and the thread that named it.
#[derive(Debug, Default)]
pub(crate) struct StrandMemory {
    named: HashMap<Rank, Vec<Named>>,
}

/// Who named what.
type Named = (ThreadId, Vec<Range<u64>>);

impl StrandMemory {
    /// A thread names memory that is the same for all strands; what it named before does not hold any more.
    pub(crate) fn name(&mut self, rank: Rank, thread: ThreadId, ranges: &[(u64, u64)]) {
        let ranges = ranges.iter().map(|&(start, end)| start..end).collect();
        let named = self.named.entry(rank).or_default();
        match named.iter_mut().find(|(by, _)| *by == thread) {
            Some((_, before)) => *before = ranges,
            None => named.push((thread, ranges)),
        }
    }

    /// Whether all of a range is named.
    pub(crate) fn has(&self, rank: Rank, range: &Range<u64>) -> bool {
        let named = self.named.get(&rank).into_iter().flatten();
        named
            .flat_map(|(_, ranges)| ranges)
            .any(|part| part.start <= range.start && range.end <= part.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_thread_names_takes_the_place_of_what_it_named_before() {
        let mut memory = StrandMemory::default();
        let (one, other) = (ThreadId(0), ThreadId(1));
        memory.name(Rank(0), one, &[(100, 200), (300, 400)]);
        memory.name(Rank(0), other, &[(500, 600)]);
        assert!(memory.has(Rank(0), &(300..400)) && memory.has(Rank(0), &(550..560)));
        assert!(!memory.has(Rank(0), &(150..350)) && !memory.has(Rank(1), &(300..400)));
        memory.name(Rank(0), one, &[(100, 200)]);
        assert!(!memory.has(Rank(0), &(300..400)) && memory.has(Rank(0), &(500..600)));
    }
}
