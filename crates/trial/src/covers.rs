//! Groups of `MPI_Win_start` that lack a target: each start of a statement covers, besides, what is issued in its
//! epoch.
//!
//! A start meets posts, so each process that posts does it for all that start towards it then.
//!
//! Limit: a process that starts towards another one in some of its exposure epochs only is posted for in all of them.

use crate::recording::Recording;
use crate::spots::{Spot, Spots};
use crate::work::Work;
use farside_events::{Call, Event, EventKind, Rank, WinId};
use farside_race::{Places, Site};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeSet, VecDeque};

/// The group of a start, and what it lacks.
type Start = (Vec<Rank>, BTreeSet<Rank>);

/// What starts and posts of windows lack.
#[derive(Debug, Default)]
pub(crate) struct Covers {
    /// By process and window: the group of each start of the statement, and what it lacks, the next one first.
    starts: HashMap<(Rank, WinId), VecDeque<Start>>,
    /// By process and window: who starts towards it.
    towards: HashMap<(Rank, WinId), BTreeSet<Rank>>,
}

impl Covers {
    /// Of the starts of a statement. `None` if there is no time to look.
    pub(crate) fn of(
        start: Spot,
        recording: &Recording,
        (spots, places): (&mut Spots, &mut impl Places),
        until: Work,
    ) -> Option<Self> {
        let mut covers = Self::default();
        // Whose epoch the statement has opened.
        let mut open: HashMap<(Rank, WinId), bool> = HashMap::default();
        for next in recording.events_until(until) {
            let (_, rank, Event { kind, .. }) = next?;
            match kind {
                EventKind::Enter {
                    call: Call::Start { win, group, .. },
                    stack,
                } => {
                    for target in &group {
                        covers.towards.entry((*target, win)).or_default().insert(rank);
                    }
                    let spot = spots.of(
                        Site {
                            rank,
                            pc: None,
                            stack,
                        },
                        places,
                    );
                    let is_it = spots.are_one_statement(spot, start);
                    open.insert((rank, win), is_it);
                    if is_it {
                        let starts = covers.starts.entry((rank, win)).or_default();
                        starts.push_back((group, BTreeSet::new()));
                    }
                }
                EventKind::Enter {
                    call: Call::Complete { win },
                    ..
                } => {
                    open.remove(&(rank, win));
                }
                EventKind::Operation(operation) if open.get(&(rank, operation.win)) == Some(&true) => {
                    let last = covers
                        .starts
                        .get_mut(&(rank, operation.win))
                        .and_then(VecDeque::back_mut);
                    if let (Some((group, lacks)), Some(target)) = (last, operation.target)
                        && !group.contains(&target)
                    {
                        lacks.insert(target);
                        covers
                            .towards
                            .entry((target, operation.win))
                            .or_default()
                            .insert(rank);
                    }
                }
                _ => {}
            }
        }
        Some(covers)
    }

    /// The group of the first start of a process that lacks a target, as it is and as it would be.
    pub(crate) fn wider(&self, at: (Rank, WinId), target: Rank) -> Option<[Vec<Rank>; 2]> {
        let mut starts = self.starts.get(&at)?.iter();
        let (group, lacks) = starts.find(|(_, lacks)| lacks.contains(&target))?;
        let wider = group.iter().chain(lacks).copied().collect();
        Some([group.clone(), wider])
    }

    /// Gives the next start of the statement its group.
    pub(crate) fn widen(&mut self, at: (Rank, WinId), group: &mut Vec<Rank>) {
        let next = self.starts.get_mut(&at).and_then(VecDeque::pop_front);
        group.extend(next.into_iter().flat_map(|(_, lacks)| lacks));
    }

    /// Lets a process post for all that start towards it, on a window that the statement starts on.
    pub(crate) fn post(&self, at: (Rank, WinId), group: &mut Vec<Rank>) {
        if !self.starts.keys().any(|(_, win)| *win == at.1) {
            return;
        }
        let starting = self.towards.get(&at).into_iter().flatten();
        let new: Vec<Rank> = starting.filter(|other| !group.contains(other)).copied().collect();
        group.extend(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_gets_what_its_epoch_needs_and_its_targets_post_for_it() {
        let lacks = BTreeSet::from([Rank(2)]);
        let mut covers = Covers::default();
        covers
            .starts
            .insert((Rank(0), WinId(1)), VecDeque::from([(vec![Rank(1)], lacks)]));
        covers
            .towards
            .insert((Rank(2), WinId(1)), BTreeSet::from([Rank(0), Rank(1)]));
        let groups = covers.wider((Rank(0), WinId(1)), Rank(2));
        assert_eq!(groups, Some([vec![Rank(1)], vec![Rank(1), Rank(2)]]));
        assert_eq!(covers.wider((Rank(0), WinId(1)), Rank(3)), None);
        let (mut start, mut next, mut post) = (vec![Rank(1)], vec![Rank(1)], vec![Rank(1)]);
        covers.widen((Rank(0), WinId(1)), &mut start);
        covers.widen((Rank(0), WinId(1)), &mut next);
        covers.post((Rank(2), WinId(1)), &mut post);
        assert_eq!((start, next), (vec![Rank(1), Rank(2)], vec![Rank(1)]));
        assert_eq!(post, [Rank(1), Rank(0)]);
    }
}
