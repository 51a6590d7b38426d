//! Processes on several nodes.
//!
//! Processes that share memory are one node, and a program may ask for it (`MPI_Comm_split_type`). Those of a
//! simulation are all on one, as in most tests; what leaders of nodes do among each other, such a simulation does not
//! come to. So where a program asks, it is simulated once more on two nodes.
//!
//! Promise: what is found so is found by a job whose ranks lie on the nodes in blocks. Not promised: other placements.

use super::coverage::Coverage;
use super::{Exploration, Simulation};

impl Exploration<'_> {
    /// Simulates the program on two nodes, if it asks which processes share memory.
    pub(super) fn other_nodes(&mut self, size: u32, first: &Simulation) {
        let asks = first.notes.asked_for_nodes() && self.entry.is_none() && first.works();
        if !asks || size < 2 || self.clock.is_over() {
            return;
        }
        let per_node = size.div_ceil(2);
        let question = self.question(size, &self.accepted).on_nodes_of(per_node);
        let Some(mut other) = self.made(question) else {
            return;
        };
        self.count(&other);
        // It may be meant for one node.
        if other.notes.misses_rank() || Coverage::gave_up(self.survey, &other) {
            return;
        }
        self.coverage.take(&other);
        self.seen.note(&other.notes);
        self.take_new_findings(size, &mut other, |finding| finding.per_node = Some(per_node));
    }
}
