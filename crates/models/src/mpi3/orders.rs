//! The orders that follow from an execution (§3), under chosen rules.

use super::execution::Execution;
use super::order::Order;
use super::rules::{RuleName, RuleSet, consistency_edges};

/// The orders of an execution.
#[derive(Clone, Debug)]
pub struct Orders {
    /// `po`
    pub po: Order,
    /// `hb`: closure of `po` and `so`.
    pub hb: Order,
    /// `co`: closure of the edges of the rules, and beside it those of reads that are done.
    pub co: Order,
    /// The edges of `co` with the rule that makes each.
    pub co_edges: Vec<(usize, usize, RuleName)>,
}

impl Orders {
    /// (1): `x cohb y`.
    #[must_use]
    pub fn cohb(&self, x: usize, y: usize) -> bool {
        self.hb.has(x, y) && self.co.has(x, y)
    }
}

impl Execution {
    /// All orders, under these rules.
    #[must_use]
    pub fn orders(&self, rules: RuleSet) -> Orders {
        let po = self.po();
        let mut hb = po.clone();
        for &(from, to, rule) in &self.synchronisation {
            if rule != RuleName::Seen.name() || rules.has(RuleName::Seen) {
                hb.add(from, to);
            }
        }
        let hb = hb.closed();
        let co_edges = consistency_edges(self, &po, &hb, rules);
        let mut co = Order::new(self.actions.len());
        let (read_done, edges): (Vec<_>, Vec<_>) =
            co_edges.iter().partition(|(_, _, rule)| *rule == RuleName::Read);
        for &(from, to, _) in edges {
            co.add(from, to);
        }
        let mut co = co.closed();
        for &(from, to, _) in read_done {
            co.add(from, to);
        }
        Orders { po, hb, co, co_edges }
    }
}
