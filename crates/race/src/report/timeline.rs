//! What each rank did last, for the pictures in the report. Nothing is judged by it.

use crate::finding::{Link, Name, RawArrow, RawLaneEvent, RawTimeline, Site};
use crate::record::{Op, Record};
use farside_events::Rank;
use std::collections::VecDeque;
use std::rc::Rc;

const KEPT_MARKS: usize = 12;
const KEPT_EDGES: usize = 64;

/// An event worth drawing.
#[derive(Clone, Debug)]
struct Mark {
    sequence: u64,
    name: Name,
    /// The rank that it is directed to.
    target: Option<Rank>,
    site: Site,
    op: Option<Rc<Op>>,
}

/// An event of a lane.
type End = (Rank, u64);

/// The last events of all ranks.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    /// By rank.
    lanes: Vec<VecDeque<Mark>>,
    edges: VecDeque<(End, End, Link)>,
}

impl Timeline {
    /// Enters a call at its place in the sequence.
    pub(super) fn call(&mut self, sequence: u64, (name, target): (Name, Option<Rank>), site: Site) {
        let mark = Mark {
            sequence,
            name,
            target,
            site,
            op: None,
        };
        self.push(site.rank, mark);
    }

    /// Enters an operation at the place that it already has.
    pub(super) fn operation(&mut self, op: &Rc<Op>) {
        let (rank, sequence) = op.mark();
        let mark = Mark {
            sequence,
            name: op.name(),
            target: Some(op.target()),
            site: op.site(),
            op: Some(Rc::clone(op)),
        };
        self.push(rank, mark);
    }

    fn push(&mut self, rank: Rank, mark: Mark) {
        let index = rank.0 as usize;
        if index >= self.lanes.len() {
            self.lanes.resize_with(index + 1, VecDeque::new);
        }
        let lane = &mut self.lanes[index];
        if lane.len() == KEPT_MARKS {
            lane.pop_front();
        }
        lane.push_back(mark);
    }

    /// The place of the last event of a rank.
    pub(super) fn latest(&self, rank: Rank) -> u64 {
        self.lanes
            .get(rank.0 as usize)
            .and_then(|lane| lane.back())
            .map_or(0, |mark| mark.sequence)
    }

    /// An order between two ranks.
    pub(super) fn edge(&mut self, from: End, to: End, link: Link) {
        if self.edges.len() == KEPT_EDGES {
            self.edges.pop_front();
        }
        self.edges.push_back((from, to, link));
    }

    /// The last events of the ranks of `parties`, with the parties themselves.
    pub(super) fn excerpt(&self, parties: &[&Record]) -> RawTimeline {
        let mut ranks: Vec<Rank> = parties.iter().map(|party| party.rank()).collect();
        let operations = parties.iter().filter_map(|party| party.operation());
        ranks.extend(operations.map(|op| op.target()));
        ranks.sort_unstable();
        ranks.dedup();
        // Place in the sequence, and the event with the places of the sequence in it.
        let mut all: Vec<(u64, Rank, RawLaneEvent, Option<u64>)> = Vec::new();
        let event = |name, target, site, party: Option<usize>| RawLaneEvent {
            order: 0,
            name,
            target,
            site,
            party: party.map(|index| index as u32),
            open_until: None,
        };
        for &rank in &ranks {
            for mark in self.lanes.get(rank.0 as usize).into_iter().flatten() {
                let is_mark = |party: &&Record| party.rank() == rank && party.mark() == mark.sequence;
                let party = parties.iter().position(is_mark);
                let until = mark.op.as_ref().and_then(|op| op.completed_mark());
                let event = event(mark.name.clone(), mark.target, mark.site, party);
                all.push((mark.sequence, rank, event, until));
            }
        }
        for (index, party) in parties.iter().enumerate() {
            if !all
                .iter()
                .any(|entry| entry.0 == party.mark() && entry.1 == party.rank())
            {
                let op = party.operation();
                let until = op.and_then(|op| op.completed_mark());
                let event = event(party.name(), op.map(|op| op.target()), party.site(), Some(index));
                all.push((party.mark(), party.rank(), event, until));
            }
        }
        all.sort_by_key(|entry| (entry.0, entry.1));
        let places: Vec<u64> = all.iter().map(|entry| entry.0).collect();
        let order = |sequence: u64| places.partition_point(|place| *place < sequence) as u32;
        let lanes = ranks.iter().map(|&rank| {
            let events = all.iter().filter(|entry| entry.1 == rank);
            let lane = events.map(|(sequence, _, event, until)| RawLaneEvent {
                order: order(*sequence),
                open_until: until.map(order),
                ..event.clone()
            });
            (rank, lane.collect())
        });
        let shown = |end: &End| all.iter().any(|entry| entry.0 == end.1 && entry.1 == end.0);
        let mut arrows: Vec<RawArrow> = Vec::new();
        for (from, to, link) in self.edges.iter().filter(|(from, to, _)| shown(from) && shown(to)) {
            let arrow = RawArrow {
                from: (from.0, order(from.1)),
                to: (to.0, order(to.1)),
                link: *link,
            };
            // What is seen, and then taken, reaches the same call.
            if !arrows.contains(&arrow) {
                arrows.push(arrow);
            }
        }
        RawTimeline {
            lanes: lanes.collect(),
            arrows,
        }
    }
}
