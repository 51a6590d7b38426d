//! The happens-before relation of a computation (paper 003, section 3), and its cycles.

use crate::computation::{Event, Kind};
use std::collections::{BTreeMap, VecDeque};

/// The three relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// po: a process issued one after the other.
    ProgramOrder,
    /// cf: both access the same address, one of them writes, and no write is in between.
    Conflict,
    /// Events of one command, or of one barrier.
    Identity,
}

/// An edge between events, by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From.
    pub from: usize,
    /// To.
    pub to: usize,
    /// Why.
    pub relation: Relation,
}

/// A shortest non-trivial cycle, if there is one; each edge begins where the one before it ends.
#[must_use]
pub fn cycle(events: &[Event]) -> Option<Vec<Edge>> {
    let class = classes(events);
    let edges: Vec<Edge> = program_order(events)
        .chain(conflicts(events))
        .filter(|edge| class[edge.from] != class[edge.to])
        .collect();
    let mut outgoing: BTreeMap<usize, Vec<&Edge>> = BTreeMap::new();
    for edge in &edges {
        outgoing.entry(class[edge.from]).or_default().push(edge);
    }
    let mut best: Option<Vec<&Edge>> = None;
    for &start in outgoing.keys() {
        let found = around(start, &outgoing, &class);
        if let Some(found) = found
            && best.as_ref().is_none_or(|best| found.len() < best.len())
        {
            best = Some(found);
        }
    }
    best.map(|cycle| tied(&cycle, events))
}

/// Whether there is a non-trivial cycle.
pub(crate) fn cyclic(events: &[Event]) -> bool {
    let class = classes(events);
    let mut incoming = vec![0_usize; events.len()];
    let mut outgoing = vec![Vec::new(); events.len()];
    let edges = program_order(events).chain(conflicts(events));
    for (from, to) in edges.map(|edge| (class[edge.from], class[edge.to])) {
        if from != to {
            incoming[to] += 1;
            outgoing[from].push(to);
        }
    }
    // What nothing is before is taken away, until that is nothing.
    let mut first: Vec<usize> = (0..events.len()).filter(|&event| incoming[event] == 0).collect();
    let mut taken = 0;
    while let Some(event) = first.pop() {
        taken += 1;
        for &next in &outgoing[event] {
            incoming[next] -= 1;
            if incoming[next] == 0 {
                first.push(next);
            }
        }
    }
    taken < events.len()
}

/// Events that are one for the identity relation have the same number.
fn classes(events: &[Event]) -> Vec<usize> {
    let mut first: BTreeMap<(bool, usize), usize> = BTreeMap::new();
    events
        .iter()
        .enumerate()
        .map(|(index, event)| {
            let key = event
                .barrier
                .map_or((false, event.command), |barrier| (true, barrier));
            *first.entry(key).or_insert(index)
        })
        .collect()
}

/// All pairs, not only successors: a cycle is shorter so, and says the same.
fn program_order(events: &[Event]) -> impl Iterator<Item = Edge> {
    let issued = |event: &Event| !matches!(event.kind, Kind::Popa | Kind::Popb);
    events
        .iter()
        .enumerate()
        .filter(move |(_, event)| issued(event))
        .flat_map(move |(from, first)| {
            events
                .iter()
                .enumerate()
                .skip(from + 1)
                .filter(move |(_, second)| issued(second) && second.rank == first.rank)
                .map(move |(to, _)| Edge {
                    from,
                    to,
                    relation: Relation::ProgramOrder,
                })
        })
}

fn conflicts(events: &[Event]) -> impl Iterator<Item = Edge> {
    events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.address.is_some())
        .flat_map(move |(from, first)| {
            let mut hidden = false;
            events
                .iter()
                .enumerate()
                .skip(from + 1)
                .filter(move |(_, second)| second.address == first.address)
                .take_while(move |(_, second)| {
                    // The next write is the last that is in conflict.
                    let seen = !hidden;
                    hidden |= second.writes;
                    seen
                })
                .filter(move |(_, second)| first.writes || second.writes)
                .map(move |(to, _)| Edge {
                    from,
                    to,
                    relation: Relation::Conflict,
                })
        })
}

/// A shortest way from a class back to it.
fn around<'e>(
    start: usize,
    outgoing: &BTreeMap<usize, Vec<&'e Edge>>,
    class: &[usize],
) -> Option<Vec<&'e Edge>> {
    let mut came: BTreeMap<usize, &Edge> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for &edge in outgoing.get(&at).into_iter().flatten() {
            let next = class[edge.to];
            if next == start {
                let mut way = vec![edge];
                let mut here = at;
                while here != start {
                    let before = came[&here];
                    way.push(before);
                    here = class[before.from];
                }
                way.reverse();
                return Some(way);
            }
            came.entry(next).or_insert_with(|| {
                queue.push_back(next);
                edge
            });
        }
    }
    None
}

/// Adds the identity edges between the end of an edge and the start of the next.
fn tied(cycle: &[&Edge], events: &[Event]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (index, edge) in cycle.iter().enumerate() {
        edges.push(**edge);
        let next = cycle[(index + 1) % cycle.len()];
        if edge.to != next.from {
            // Two effects of one command are tied over the command itself.
            let (from, to) = (edge.to, next.from);
            let own = events.iter().position(|event| {
                event.command == events[from].command && !matches!(event.kind, Kind::Popa | Kind::Popb)
            });
            match own {
                Some(own) if own != from && own != to && events[from].barrier.is_none() => {
                    edges.push(Edge {
                        from,
                        to: own,
                        relation: Relation::Identity,
                    });
                    edges.push(Edge {
                        from: own,
                        to,
                        relation: Relation::Identity,
                    });
                }
                _ => edges.push(Edge {
                    from,
                    to,
                    relation: Relation::Identity,
                }),
            }
        }
    }
    edges
}
