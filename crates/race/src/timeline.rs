//! What each rank did last, for the pictures in the report. Nothing is judged by it.

use crate::finding::{RawLaneEvent, RawTimeline, Site};
use crate::record::{Op, Record};
use farside_events::Rank;
use farside_findings::Arrow;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

const KEPT_MARKS: usize = 12;
const KEPT_EDGES: usize = 64;

/// An event worth drawing.
#[derive(Clone, Debug)]
struct Mark {
    sequence: u64,
    label: Label,
    site: Site,
    op: Option<Rc<Op>>,
}

/// What a mark says; put into words only when it is drawn.
#[derive(Clone, Debug)]
pub(crate) enum Label {
    /// A call, and the rank that it is directed to.
    Call(&'static str, Option<Rank>),
    /// A call by a name that is only known at run time.
    Named(Rc<str>),
}

/// An event of a lane.
type End = (Rank, u64);

/// The last events of all ranks.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    next: u64,
    lanes: HashMap<Rank, VecDeque<Mark>>,
    edges: VecDeque<(End, End, &'static str)>,
}

impl Timeline {
    /// The next place in the order of events.
    pub(crate) fn advance(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Enters an event; gives its place.
    pub(crate) fn mark(&mut self, rank: Rank, label: Label, site: Site) -> u64 {
        let sequence = self.advance();
        self.push(
            rank,
            Mark {
                sequence,
                label,
                site,
                op: None,
            },
        );
        sequence
    }

    /// Enters an operation at the place that it already has.
    pub(crate) fn operation(&mut self, op: &Rc<Op>) {
        let label = Label::Call(op.name(), Some(op.target));
        self.push(
            op.rank,
            Mark {
                sequence: op.issued_mark,
                label,
                site: op.site,
                op: Some(Rc::clone(op)),
            },
        );
    }

    fn push(&mut self, rank: Rank, mark: Mark) {
        let lane = self.lanes.entry(rank).or_default();
        if lane.len() == KEPT_MARKS {
            lane.pop_front();
        }
        lane.push_back(mark);
    }

    /// The place of the last event of a rank.
    pub(crate) fn latest(&self, rank: Rank) -> u64 {
        self.lanes
            .get(&rank)
            .and_then(|lane| lane.back())
            .map_or(0, |mark| mark.sequence)
    }

    /// An order between two ranks.
    pub(crate) fn edge(&mut self, from: (Rank, u64), to: (Rank, u64), label: &'static str) {
        if self.edges.len() == KEPT_EDGES {
            self.edges.pop_front();
        }
        self.edges.push_back((from, to, label));
    }

    /// The last events of the ranks of `parties`, with the parties themselves.
    pub(crate) fn excerpt(&self, parties: &[&Record]) -> RawTimeline {
        let mut ranks: Vec<Rank> = parties.iter().map(|party| party.access.rank).collect();
        ranks.extend(
            parties
                .iter()
                .filter_map(|party| party.operation().map(|op| op.target)),
        );
        ranks.sort_unstable();
        ranks.dedup();
        // Place, rank, label, site, party, completion.
        type Entry = (u64, Rank, String, Site, Option<u32>, Option<u64>);
        let mut all: Vec<Entry> = Vec::new();
        for &rank in &ranks {
            for mark in self.lanes.get(&rank).into_iter().flatten() {
                let party = parties
                    .iter()
                    .position(|party| party.access.rank == rank && party.mark.get() == mark.sequence);
                let until = mark.op.as_ref().and_then(|op| op.completed_mark.get());
                all.push((
                    mark.sequence,
                    rank,
                    words(&mark.label),
                    mark.site,
                    party.map(|index| index as u32),
                    until,
                ));
            }
        }
        for (index, party) in parties.iter().enumerate() {
            if !all
                .iter()
                .any(|entry| entry.0 == party.mark.get() && entry.1 == party.access.rank)
            {
                let label = match party.operation() {
                    Some(op) => words(&Label::Call(op.name(), Some(op.target))),
                    None => party.name().to_owned(),
                };
                let until = party.operation().and_then(|op| op.completed_mark.get());
                all.push((
                    party.mark.get(),
                    party.access.rank,
                    label,
                    party.site,
                    Some(index as u32),
                    until,
                ));
            }
        }
        all.sort_by_key(|entry| (entry.0, entry.1));
        let places: Vec<u64> = all.iter().map(|entry| entry.0).collect();
        let order = |sequence: u64| places.partition_point(|place| *place < sequence) as u32;
        let lanes = ranks.iter().map(|&rank| {
            let events = all.iter().filter(|entry| entry.1 == rank);
            let lane = events.map(|(sequence, _, label, site, party, until)| RawLaneEvent {
                order: order(*sequence),
                label: label.clone(),
                site: *site,
                party: *party,
                open_until: until.map(order),
            });
            (rank, lane.collect())
        });
        let shown = |end: &(Rank, u64)| all.iter().any(|entry| entry.0 == end.1 && entry.1 == end.0);
        let arrows = self
            .edges
            .iter()
            .filter(|(from, to, _)| shown(from) && shown(to))
            .map(|(from, to, label)| Arrow {
                from: (from.0.0, order(from.1)),
                to: (to.0.0, order(to.1)),
                label: (*label).to_owned(),
            });
        RawTimeline {
            lanes: lanes.collect(),
            arrows: arrows.collect(),
        }
    }
}

fn words(label: &Label) -> String {
    match label {
        Label::Call(name, Some(target)) => format!("{name} to {}", target.0),
        Label::Call(name, None) => (*name).to_owned(),
        Label::Named(name) => name.to_string(),
    }
}
