//! Executions (§3): actions with `po` and `so`, and the orders that follow from them.

use super::MemoryModel;
use super::action::{Action, ActionKind, Half};
use super::order::Order;

/// An execution: what happened, and the synchronisation of its schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Execution {
    /// Which memory model.
    pub memory: MemoryModel,
    /// All actions.
    pub actions: Vec<Action>,
    /// Program order: the actions of each process, virtual ones excepted, in order.
    pub program_order: Vec<Vec<usize>>,
    /// `so`, each edge with the rule or section that makes it.
    pub synchronisation: Vec<(usize, usize, &'static str)>,
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
            memory: self.memory,
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
