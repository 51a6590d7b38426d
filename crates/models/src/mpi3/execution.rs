//! Executions (§3): actions with `po` and `so`, and the orders that follow from them.

use super::Mpi3Model;
use super::action::{Action, ActionKind, Half};
use super::order::Order;
use super::rules::{RuleName, RuleSet, consistency_edges};

/// An execution: what happened, and the synchronisation of its schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Execution {
    /// Which memory model.
    pub model: Mpi3Model,
    /// All actions.
    pub actions: Vec<Action>,
    /// Program order: the actions of each process, virtual ones excepted, in order.
    pub program_order: Vec<Vec<usize>>,
    /// `so`, each edge with the rule or section that makes it.
    pub synchronisation: Vec<(usize, usize, &'static str)>,
}

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
    /// The same execution with its actions in an order that does not depend on the schedule: by process, statement, and
    /// part of the statement. Gives for each action its new index.
    #[must_use]
    pub fn normal(&self) -> (Self, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.actions.len()).collect();
        order.sort_by_key(|&index| (self.actions[index].origin, self.actions[index].statement, index));
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        let actions = order.iter().map(|&old| {
            let mut action = self.actions[old].clone();
            action.of = action.of.map(|of| place[of]);
            action
        });
        let chains = self.program_order.iter();
        let chains = chains.map(|chain| chain.iter().map(|&action| place[action]).collect());
        let edges = self.synchronisation.iter();
        let mut edges: Vec<_> = edges
            .map(|&(from, to, rule)| (place[from], place[to], rule))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let normal = Self {
            model: self.model,
            actions: actions.collect(),
            program_order: chains.collect(),
            synchronisation: edges,
        };
        (normal, place)
    }

    /// `po`
    #[must_use]
    pub fn po(&self) -> Order {
        let mut po = Order::new(self.actions.len());
        for chain in &self.program_order {
            for (position, &from) in chain.iter().enumerate() {
                for &to in &chain[position + 1..] {
                    po.add(from, to);
                }
            }
        }
        po
    }

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

    /// Whether the synchronisation action completes the remote action at its origin, being later in `po`.
    #[must_use]
    pub fn completes_locally(&self, sync: &Action, remote: &Action) -> bool {
        let covers = match sync.kind {
            ActionKind::Sul | ActionKind::Sfl | ActionKind::Sfll => sync.target == remote.target,
            ActionKind::Sula | ActionKind::Sfla | ActionKind::Sflla | ActionKind::Sfe | ActionKind::Sco => {
                true
            }
            _ => false,
        };
        covers && sync.process == remote.process && sync.half == Half::End
    }

    /// The end of the first action that completes the remote action locally.
    #[must_use]
    pub fn local_end(&self, remote: usize) -> Option<usize> {
        let chain = self.program_order.get(self.actions[remote].process.0 as usize)?;
        chain
            .iter()
            .skip_while(|&&action| action != remote)
            .copied()
            .find(|&sync| self.completes_locally(&self.actions[sync], &self.actions[remote]))
    }
}
