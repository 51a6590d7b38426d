//! Which edges are drawn, and what their labels say.

use super::Kind;
use farside_verdicts::{Edge, Execution};
use std::collections::BTreeMap;

/// What is drawn of an execution.
pub(super) struct Drawn {
    /// Actions that have a box. First values have one only where something comes before them or a cycle passes.
    pub(super) shown: Vec<bool>,
    /// Between shown actions; one for each pair.
    pub(super) arrows: Vec<Link>,
    /// Actions that read a first value that has no box.
    pub(super) reads_first: Vec<bool>,
    /// Actions on the cycle.
    pub(super) marked: Vec<bool>,
}

/// All edges from one action to another.
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: Kind,
    pub(super) label: String,
}

pub(super) fn choose(execution: &Execution, cycle: &[Edge]) -> Drawn {
    let count = execution.actions.len();
    let inside = |edge: &&Edge| edge.from < count && edge.to < count && edge.from != edge.to;
    let first = |action: usize| execution.actions[action].process.is_none();
    let mut shown: Vec<bool> = (0..count).map(|action| !first(action)).collect();
    let mut marked = vec![false; count];
    for edge in cycle.iter().filter(inside) {
        for action in [edge.from, edge.to] {
            shown[action] = true;
            marked[action] = true;
        }
    }
    for edge in execution.edges.iter().filter(inside) {
        // One first value before another is no news.
        if first(edge.to) && !first(edge.from) {
            shown[edge.to] = true;
        }
    }
    let mut reads_first = vec![false; count];
    let mut pairs: BTreeMap<(usize, usize), Vec<(Kind, String)>> = BTreeMap::new();
    for edge in execution.edges.iter().filter(inside) {
        if !shown[edge.from] {
            reads_first[edge.to] |= edge.relation == "rf";
        } else if shown[edge.to] && !(first(edge.from) && edge.relation != "rf") {
            let pair = pairs.entry((edge.from, edge.to)).or_default();
            pair.push((Kind::of(&edge.relation), label(edge)));
        }
    }
    for edge in cycle.iter().filter(inside) {
        let pair = pairs.entry((edge.from, edge.to)).or_default();
        pair.push((Kind::Cycle, label(edge)));
    }
    let arrows = pairs
        .into_iter()
        .map(|((from, to), edges)| link(from, to, edges))
        .collect();
    Drawn {
        shown,
        arrows,
        reads_first,
        marked,
    }
}

/// Program order is seen from the column, and says its name only where it crosses columns.
fn label(edge: &Edge) -> String {
    match (edge.relation.as_str(), edge.rule.as_str()) {
        ("po", _) => String::new(),
        ("hb", rule) if !rule.is_empty() => rule.to_owned(),
        (relation, "") => relation.to_owned(),
        (relation, rule) => format!("{relation} {rule}"),
    }
}

fn link(from: usize, to: usize, mut edges: Vec<(Kind, String)>) -> Link {
    edges.sort();
    let kind = edges[0].0;
    let mut words: Vec<String> = Vec::new();
    for (_, word) in edges {
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    Link {
        from,
        to,
        kind,
        label: words.join(", "),
    }
}
