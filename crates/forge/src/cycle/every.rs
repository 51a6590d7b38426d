//! Every cycle of given edges.

use super::{Cycle, Edge};

/// Every cycle of at most `longest` of these edges, each once whatever edge it begins with, shorter ones first. An edge
/// may be in a cycle several times.
#[must_use]
pub fn every_cycle(edges: &[Edge], longest: usize) -> Vec<Cycle> {
    let mut found = Vec::new();
    let longest = if edges.is_empty() { 0 } else { longest };
    for length in 2..=longest {
        let mut chosen = vec![0; length];
        loop {
            // Of the turned forms of a sequence the first one in order stands for all.
            let first = (1..length).all(|turn| {
                let turned = chosen[turn..].iter().chain(&chosen[..turn]);
                chosen.iter().le(turned)
            });
            if first && let Ok(cycle) = Cycle::new(chosen.iter().map(|&edge| edges[edge]).collect()) {
                found.push(cycle);
            }
            let Some(place) = chosen.iter().rposition(|&edge| edge + 1 < edges.len()) else {
                break;
            };
            chosen[place] += 1;
            chosen[place + 1..].fill(0);
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    // Without letters, communication may mean an access that another edge of the list names.
    found.retain(|cycle| seen.insert(cycle.turned_first()));
    found
}

impl Cycle {
    /// Its edges, turned to the first form in order.
    fn turned_first(&self) -> Vec<Edge> {
        let turned = |turn: usize| [&self.edges[turn..], &self.edges[..turn]].concat();
        (0..self.edges.len()).map(turned).min().unwrap_or_default()
    }
}
