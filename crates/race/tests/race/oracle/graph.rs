//! The graph of a run: a node for every action and every completion, an edge for every order that the standard gives.

use super::Races;
use super::program::Actor;
use farside_events::{AccumulateOp, OperationKind, RequestId, WinId};
use std::collections::BTreeSet;

/// One access to bytes, for the oracle.
pub(crate) struct Touch {
    pub(crate) owner: u32,
    pub(crate) bytes: std::ops::Range<u64>,
    pub(crate) local: bool,
    pub(crate) write: bool,
    /// The process that does it.
    pub(crate) by: u32,
    /// The window through which it is an update, and its operator: accumulates of two windows are not atomic to each
    /// other.
    pub(crate) update: Option<(WinId, AccumulateOp)>,
    pub(crate) line: u64,
    pub(crate) start: usize,
    /// Whatever completes it: it is done once any of them is. Two threads may each flush.
    pub(crate) completions: Vec<usize>,
    pub(crate) order: usize,
}

#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) before: Vec<Vec<usize>>,
}

impl Graph {
    pub(crate) fn node(&mut self) -> usize {
        self.before.push(Vec::new());
        self.before.len() - 1
    }

    pub(crate) fn edge(&mut self, from: usize, to: usize) {
        self.before[to].push(from);
    }

    pub(crate) fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.before.len()];
        let mut open = vec![to];
        while let Some(node) = open.pop() {
            if node == from {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&self.before[node]);
            }
        }
        false
    }
}

pub(crate) struct Pending {
    pub(crate) rank: u32,
    pub(crate) target: u32,
    pub(crate) win: WinId,
    pub(crate) issue: usize,
    pub(crate) kind: OperationKind,
    /// Touches at origin and target.
    pub(crate) touches: (usize, usize),
    pub(crate) request: Option<RequestId>,
}

pub(crate) struct Run {
    pub(crate) graph: Graph,
    pub(crate) last: Vec<usize>,
    pub(crate) touches: Vec<Touch>,
    pub(crate) pending: Vec<Pending>,
}

impl Run {
    pub(crate) fn index((rank, thread): Actor) -> usize {
        (rank * 2 + thread) as usize
    }

    /// The next node of an actor's program order.
    pub(crate) fn step(&mut self, actor: Actor) -> usize {
        let node = self.graph.node();
        let previous = std::mem::replace(&mut self.last[Self::index(actor)], node);
        self.graph.edge(previous, node);
        node
    }

    pub(crate) fn complete(&mut self, actor: Actor, remotely: bool, wanted: impl Fn(&Pending) -> bool) {
        let node = self.step(actor);
        for index in 0..self.pending.len() {
            let op = &self.pending[index];
            if op.rank == actor.0 && wanted(op) && self.graph.reaches(op.issue, node) {
                let (origin, target) = op.touches;
                let done_at_target = remotely || op.kind == OperationKind::Get;
                self.touches[origin].completions.push(node);
                if done_at_target {
                    self.touches[target].completions.push(node);
                }
            }
        }
    }

    /// All enter, then all leave, by actors of one thread number.
    pub(crate) fn meet(&mut self, thread: u32, members: &[u32], ordered: impl Fn(u32, u32) -> bool) {
        let entries: Vec<(u32, usize)> = members
            .iter()
            .map(|&rank| (rank, self.step((rank, thread))))
            .collect();
        for &to in members {
            let exit = self.step((to, thread));
            for (_, entry) in entries.iter().filter(|(from, _)| ordered(*from, to)) {
                self.graph.edge(*entry, exit);
            }
        }
    }

    /// Two accumulates of the same elements may meet if they have one operator, or one origin that called one before
    /// the other (MPI-4.1 §12.2.1, §12.7.2).
    fn updates_agree(&self, a: &Touch, b: &Touch) -> bool {
        let (Some((win, operator)), Some((other_win, other))) = (a.update, b.update) else {
            return false;
        };
        let in_order = a.by == b.by && self.graph.reaches(a.start, b.start);
        win == other_win && a.bytes.start % 4 == b.bytes.start % 4 && (operator == other || in_order)
    }

    pub(crate) fn races(&self) -> Races {
        let mut races = BTreeSet::new();
        for b in &self.touches {
            for a in self
                .touches
                .iter()
                .filter(|a| a.order < b.order || (a.order == b.order && !std::ptr::eq(*a, b)))
            {
                let overlap =
                    a.owner == b.owner && a.bytes.start < b.bytes.end && b.bytes.start < a.bytes.end;
                let both_local = a.local && b.local;
                let agree = self.updates_agree(a, b);
                if !overlap || !(a.write || b.write) || both_local || agree {
                    continue;
                }
                if a.order == b.order && std::ptr::from_ref(a) > std::ptr::from_ref(b) {
                    continue;
                }
                let ordered = a
                    .completions
                    .iter()
                    .any(|&done| self.graph.reaches(done, b.start));
                if !ordered {
                    races.insert((a.line.min(b.line), a.line.max(b.line)));
                }
            }
        }
        races
    }
}
