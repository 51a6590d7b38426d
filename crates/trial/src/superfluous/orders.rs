//! The changed events in other orders that could have been.
//!
//! Races are decided by what is ordered, in whatever order the events come. Some rules on the use of calls are not:
//! that memory is still there, that a notification was taken. So a process runs ahead of the others as far as it can,
//! or comes after them: what it has to wait for, gates tell (`farside-causes`).

use farside_causes::{Gate, Gates, Moment};
use farside_events::{Event, Rank};
use std::collections::{BTreeMap, VecDeque};

/// Which process does what first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Favour {
    /// This one goes first whenever it can.
    Ahead(Rank),
    /// This one goes when no other can.
    Behind(Rank),
}

/// Nobody can go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stuck;

/// Hands all events on to `judge`, those of each process in their order.
pub(super) fn reorder(
    events: Vec<(Rank, Event)>,
    favour: Favour,
    mut judge: impl FnMut(Rank, &Event),
) -> Result<(), Stuck> {
    let mut queues: BTreeMap<Rank, VecDeque<(usize, Event)>> = BTreeMap::new();
    for (place, (rank, event)) in events.into_iter().enumerate() {
        queues.entry(rank).or_default().push_back((place, event));
    }
    let (mut gates, mut causes, mut last) = (Gates::default(), Vec::new(), 0);
    while !queues.is_empty() {
        let rank = next(&queues, &gates, favour).ok_or(Stuck)?;
        let Some(queue) = queues.get_mut(&rank) else {
            return Err(Stuck);
        };
        let Some((_, mut event)) = queue.pop_front() else {
            return Err(Stuck);
        };
        if queue.is_empty() {
            queues.remove(&rank);
        }
        last = event.time.max(last);
        event.time = last;
        gates.pass(rank, &event, Moment::new(0, last), &mut causes);
        causes.clear();
        judge(rank, &event);
    }
    Ok(())
}

/// Who goes next: of those who can the favoured one, or the first of the run.
fn next(queues: &BTreeMap<Rank, VecDeque<(usize, Event)>>, gates: &Gates, favour: Favour) -> Option<Rank> {
    let heads = queues.iter().filter_map(|(rank, queue)| {
        let (place, event) = queue.front()?;
        let gate = gates.gate(*rank, event);
        // A value that nobody leaves any more lay there.
        let late = match gate {
            Gate::Open => false,
            Gate::Value => true,
            Gate::Lock | Gate::Partner => return None,
        };
        let rest = match favour {
            Favour::Ahead(favoured) => *rank != favoured,
            Favour::Behind(favoured) => *rank == favoured,
        };
        Some(((late, rest, *place), *rank))
    });
    heads.min().map(|(_, rank)| rank)
}
