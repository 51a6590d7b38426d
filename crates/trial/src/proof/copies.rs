//! A second buffer for what a put or an accumulate sends, as a suggestion.
//!
//! The statement copies the buffer right before the call, and sends the copy: then nobody stores to what is still sent,
//! but the statement itself, if it comes again too early. Never a result: whoever reads the buffer later would find
//! what was there before.
//!
//! Limits: only of buffers without gaps, of which a copy of bytes is the same. Not in a process of several threads, for
//! nobody looks for a race of the load that copies with a store of another one.

use super::Trials;
use farside_events::{
    Event, EventKind, Interface, Operation, OperationKind, Rank, ThreadId, TypeBlock, TypeId, TypeMap,
};
use farside_findings::{Frame, shown_frame};
use farside_race::{Places, RawFinding, RawSuggestion, Site, Spot as At, What};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// What the statements of a run send: by their places, how many bytes at the most; `None` if a copy is not the same.
pub(super) type Senders = HashMap<Frame, Option<u64>>;

impl<P: Places> Trials<'_, P> {
    /// Second buffers for the operations of a race that send what is stored to.
    pub(super) fn copies(&mut self, finding: &RawFinding) -> Vec<RawSuggestion> {
        let interface = finding.interface().unwrap_or(self.interface);
        let is_in_c = matches!(interface, Interface::Mpi | Interface::Shmem);
        if !is_in_c || !matches!(finding.what, What::Race(_)) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for party in finding.parties.iter().filter(|party| party.sends()) {
            let stack = self.places.stack(party.site);
            // A statement of a library is not one of the program.
            let own = stack.first().filter(|_| shown_frame(&stack) == Some(0));
            let Some(bytes) = own.and_then(|frame| self.sent_at(frame)) else {
                continue;
            };
            let (site, name) = (party.site, party.name.clone());
            let suggestion = RawSuggestion::second_buffer(bytes, At { site, name });
            if !all.contains(&suggestion) {
                all.push(suggestion);
            }
        }
        all
    }

    /// How many bytes a statement sends at the most; `None` if a copy is not the same.
    fn sent_at(&mut self, frame: &Frame) -> Option<u64> {
        if self.senders.is_none() {
            self.senders = Some(self.all_senders());
        }
        self.senders.as_ref()?.get(frame).copied().flatten()
    }

    /// All statements that send something; none if there is no time to look for them.
    fn all_senders(&mut self) -> Senders {
        let mut senders = Senders::default();
        let mut types = PlainTypes::default();
        let mut threads: HashMap<Rank, HashSet<ThreadId>> = HashMap::default();
        let mut ranks: HashSet<(Frame, Rank)> = HashSet::default();
        for next in self.recording.events_until(self.others_until) {
            let Some((_, rank, event)) = next else {
                return Senders::default();
            };
            threads.entry(rank).or_default().insert(event.thread);
            types.take(rank, &event);
            let EventKind::Operation(operation) = &event.kind else {
                continue;
            };
            if !matches!(operation.kind, OperationKind::Put | OperationKind::Accumulate) {
                continue;
            }
            let (pc, stack) = (None, operation.stack);
            let spot = self.spots.of(Site { rank, pc, stack }, self.places);
            let Some(frame) = self.spots.stack(spot).first() else {
                continue;
            };
            let sent = types.sent(rank, operation);
            let known = senders.entry(frame.clone()).or_insert(Some(0));
            *known = known.zip(sent).map(|(known, sent)| known.max(sent));
            ranks.insert((frame.clone(), rank));
        }
        let is_threaded = |rank: &Rank| threads.get(rank).is_some_and(|all| all.len() > 1);
        for (frame, _) in ranks.into_iter().filter(|(_, rank)| is_threaded(rank)) {
            senders.insert(frame, None);
        }
        senders
    }
}

/// Datatypes: the bytes of an element, if it has no gaps.
#[derive(Default)]
struct PlainTypes(HashMap<(Rank, TypeId), Option<u64>>);

impl PlainTypes {
    fn take(&mut self, rank: Rank, event: &Event) {
        if let EventKind::Type { id, map } = &event.kind {
            self.0.insert((rank, *id), bytes(map));
        }
    }

    /// How many bytes an operation sends from one stretch of memory.
    fn sent(&self, rank: Rank, operation: &Operation) -> Option<u64> {
        let origin = operation.origin.as_ref()?;
        let size = (*self.0.get(&(rank, origin.datatype))?)?;
        size.checked_mul(origin.count)
    }
}

/// The bytes of an element without gaps.
fn bytes(map: &TypeMap) -> Option<u64> {
    let extent = u64::try_from(map.extent).ok()?;
    let end = |start: i64, length: u64| u64::try_from(start).ok()?.checked_add(length);
    let is_within = |block: &TypeBlock| {
        let steps = i64::try_from(block.count).ok()?.checked_sub(1)?;
        let last = block.offset.checked_add(block.stride.checked_mul(steps)?)?;
        let ends = [end(block.offset, block.length)?, end(last, block.length)?];
        Some(ends.into_iter().all(|end| end <= extent))
    };
    let is_plain = map.size() == extent && map.blocks.iter().all(|block| is_within(block) == Some(true));
    is_plain.then_some(extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_bytes_is_that_of_a_type_without_gaps() {
        let int = TypeMap::basic("MPI_INT", 4);
        assert_eq!(bytes(&int), Some(4));
        let with_a_gap = TypeMap {
            extent: 8,
            ..int.clone()
        };
        assert_eq!(bytes(&with_a_gap), None);
        let mut below = int;
        below.blocks[0].offset = -4;
        assert_eq!(bytes(&below), None);
    }
}
