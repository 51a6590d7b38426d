//! Other orders of the processes.
//!
//! Who comes first at a lock, an atomic operation or a receive from any source decides what comes after it, and what is
//! ordered: a lock that is always taken again by the process that gave it back shows nothing of what is wrong with
//! giving it back. So where a simulation met such a thing, the program is simulated again with processes of other
//! speeds.
//!
//! Promise: what is found so was found by a simulation, in an order that a run may have. Which orders those are is
//! drawn, the same ones each time. Not promised: all orders.

use super::question::Question;
use super::{Exploration, Simulation};
use crate::execute::Order;
use farside_findings::Finding;

/// Orders for each number of processes.
const ORDERS: u64 = 8;
/// All of them together get as many steps as the first simulation, but at least these.
const STEPS: u64 = 300_000;

impl Exploration<'_> {
    /// Simulates the program in other orders, if that may show more; not single functions, whose callers are unknown.
    pub(super) fn other_orders(&mut self, size: u32, first: &Simulation) {
        if !self.may_depend_on_order(size, first) {
            return;
        }
        let allowed = first.steps.max(STEPS);
        let mut steps = 0;
        for seed in 0..ORDERS {
            if steps > allowed || self.clock.is_over() {
                break;
            }
            let other = self.question(size, &self.accepted).in_order(Order::Drawn(seed));
            let Some(mut other) = self.made(other) else {
                break;
            };
            steps += other.spent;
            self.count(&other);
            if other.notes.misses_rank() {
                continue;
            }
            self.coverage.take(&other);
            self.take_new_findings(size, &mut other, |finding| finding.other_order = true);
        }
    }

    /// Those that will be asked for.
    pub(super) fn likely_orders(&self, size: u32, first: &Simulation) -> Vec<Question> {
        if !self.may_depend_on_order(size, first) {
            return Vec::new();
        }
        let fitting = 1 + first.steps.max(STEPS) / first.steps.max(1);
        let question = self.question(size, &self.accepted);
        (0..ORDERS.min(fitting))
            .map(|seed| question.clone().in_order(Order::Drawn(seed)))
            .collect()
    }

    fn may_depend_on_order(&self, size: u32, first: &Simulation) -> bool {
        first.depends_on_order && size >= 2 && first.works() && self.entry.is_none()
    }

    /// Takes those that were not found before, with the word of what they need.
    pub(super) fn take_new_findings(
        &mut self,
        size: u32,
        other: &mut Simulation,
        needs: impl Fn(&mut Finding),
    ) {
        let known = |id: &str| {
            let analysis = &self.analysis;
            let mut all = analysis.findings.iter().chain(&analysis.possible);
            all.any(|finding| finding.id == id)
        };
        let certain = other.certain;
        let mut nth = 0;
        other.findings.retain_mut(|finding| {
            let is_new = !known(&finding.id);
            if is_new {
                needs(finding);
            }
            other.certain -= usize::from(!is_new && nth < certain);
            nth += 1;
            is_new
        });
        self.take_findings(size, other);
    }
}
