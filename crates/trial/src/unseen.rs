//! How often a process passes a place in a loop in which it does nothing.
//!
//! Its events tell that it came to the loop and left it, not how many rounds there were. A fence in that loop is for
//! all processes of the window. So a process that makes none of the two accesses passes the place as often as those
//! that make them, between the same fences of the run. Whether it comes there at all, the text tells.

use crate::cut::{Cut, Position};
use crate::edit::{Edit, Where};
use crate::recording::Recording;
use crate::spots::{Spot, Spots, sites};
use crate::work::Work;
use farside_events::{Call, CallKind, Event, EventKind, Rank, ThreadId, WinId};
use farside_race::{Code, Places, Site};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// By edit and process: for each time that it is seen to pass the place, how often it does so.
#[derive(Default)]
pub(crate) struct Unseen(HashMap<(usize, Rank), VecDeque<u64>>);

/// Where a thread is.
#[derive(Default)]
struct Walk {
    positions: Vec<Option<Position>>,
    /// The call that it is in, and what it has done there.
    visit: Option<(Spot, Vec<CallKind>)>,
}

impl Unseen {
    /// For changes in which these take part; `None` if there is no time to see.
    pub(crate) fn of(
        (edits, comers): (&[Edit], &[Option<BTreeSet<Rank>>]),
        recording: &Recording,
        (spots, places): (&mut Spots, &mut impl Places),
        until: Work,
    ) -> Option<Self> {
        let wanted: Vec<(usize, &Cut, WinId)> = (0..).zip(edits).filter_map(fence).collect();
        if wanted.is_empty() {
            return Some(Self::default());
        }
        let mut walks: HashMap<(Rank, ThreadId), Walk> = HashMap::default();
        let mut fences: HashMap<(Rank, WinId), u64> = HashMap::default();
        // By edit, process and the number of its fences before.
        let mut passed: BTreeMap<(usize, Rank, u64), u64> = BTreeMap::new();
        for next in recording.events_until(until) {
            let (_, rank, Event { thread, kind, .. }) = next?;
            let walk = walks.entry((rank, thread)).or_default();
            let here: Vec<Spot> = sites(rank, &kind)
                .into_iter()
                .map(|site: Site| spots.of(site, places))
                .collect();
            if walk.comes_to(&here, &kind) {
                walk.positions.resize(wanted.len(), None);
                for (number, (edit, cut, win)) in wanted.iter().enumerate() {
                    let from = walk.positions[number].take();
                    let mut from = from.unwrap_or_else(Position::outside);
                    for to in cut.stops(&from, here.iter().map(|spot| spots.stack(*spot))) {
                        if cut.is_passed(&from, &to) {
                            let before = fences.get(&(rank, *win)).copied().unwrap_or(0);
                            *passed.entry((*edit, rank, before)).or_default() += 1;
                        }
                        from = to;
                    }
                    walk.positions[number] = Some(from);
                }
            }
            if let EventKind::Enter {
                call: Call::Fence { win, .. },
                ..
            } = kind
            {
                *fences.entry((rank, win)).or_default() += 1;
            }
        }
        let mut unseen = Self::default();
        for ((edit, rank, before), times) in &passed {
            let Some(comers) = comers[*edit].as_ref().filter(|comers| !comers.contains(rank)) else {
                continue;
            };
            let of_comers = comers
                .iter()
                .filter_map(|comer| passed.get(&(*edit, *comer, *before)));
            let all = of_comers.copied().max().unwrap_or(0);
            let queue = unseen.0.entry((*edit, *rank)).or_default();
            queue.push_back(all);
            queue.extend((1..*times).map(|_| 0));
        }
        Some(unseen)
    }

    /// How often a process passes the place of an edit, now that it is seen to pass it.
    pub(crate) fn times(&mut self, edit: usize, rank: Rank) -> u64 {
        let queue = self.0.get_mut(&(edit, rank));
        queue.and_then(VecDeque::pop_front).unwrap_or(1)
    }
}

impl Walk {
    /// Whether a thread comes to places: what one call does in several steps is one.
    fn comes_to(&mut self, here: &[Spot], kind: &EventKind) -> bool {
        let kind = match kind {
            EventKind::Enter { call, .. } => CallKind::of(call),
            EventKind::Operation(operation) => CallKind::Operation {
                kind: operation.kind,
                request: operation.request.is_some(),
            },
            _ => {
                self.visit = self.visit.take().filter(|_| here.is_empty());
                return !here.is_empty();
            }
        };
        match (&mut self.visit, here) {
            (Some((spot, kinds)), [here]) if spot == here && !kinds.contains(&kind) => {
                kinds.push(kind);
                false
            }
            (visit, [here]) => {
                *visit = Some((*here, vec![kind]));
                true
            }
            _ => false,
        }
    }
}

/// The place of a fence that those are to make who do not come to it, too.
fn fence((number, edit): (usize, &Edit)) -> Option<(usize, &Cut, WinId)> {
    match edit {
        Edit::Add {
            code: Code::Fence,
            window: Some(win),
            place: Where::Across(cut, Some(_)),
            ..
        } => Some((number, cut, *win)),
        _ => None,
    }
}
