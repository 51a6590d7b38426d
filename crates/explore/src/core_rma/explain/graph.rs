//! Happens-before with the rule that made each edge.

use farside_models::core_rma::rules::{ORDERING, ga_atomic, r1, r2, ws, ws_apart};
use farside_models::core_rma::{ActionKind, CoreModel, Path, Rule, Switch};

use crate::core_rma::naive::relational::{Matrix, Meaning, Relations};

/// An edge with the rules that demand it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Labelled {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) rules: Vec<String>,
}

/// Edges that close a cycle, in order.
pub(super) type Cycle = Vec<Labelled>;

/// Happens-before as far as it has been derived.
#[derive(Clone)]
pub(super) struct Graph<'g> {
    path: &'g Path,
    model: &'g CoreModel,
    /// Edges that rules demand.
    edges: Vec<Labelled>,
    /// Their transitive closure.
    pub(super) hb: Matrix,
}

impl<'g> Graph<'g> {
    /// What the program alone demands.
    pub(super) fn new(path: &'g Path, model: &'g CoreModel) -> Result<Self, Cycle> {
        let size = path.actions.len();
        let mut graph = Self {
            path,
            model,
            edges: Vec::new(),
            hb: vec![vec![false; size]; size],
        };
        let first = |action: usize| path.actions[action].kind == ActionKind::FirstValue;
        for a in 0..size {
            for b in 0..size {
                if first(a) && !first(b) {
                    graph.add(a, b, FIRST_VALUE)?;
                }
                for (rule, demands) in ORDERING {
                    if model.has(rule) && demands(path, model.switches, a, b) {
                        graph.add(a, b, rule.name())?;
                    }
                }
            }
        }
        graph.close(&vec![None; size])?;
        Ok(graph)
    }

    /// Adds an edge.
    pub(super) fn add(&mut self, a: usize, b: usize, rule: &str) -> Result<(), Cycle> {
        if let Some(edge) = self.edges.iter_mut().find(|edge| (edge.from, edge.to) == (a, b)) {
            if !edge.rules.iter().any(|known| known == rule) {
                edge.rules.push(rule.to_owned());
            }
            return Ok(());
        }
        let edge = Labelled {
            from: a,
            to: b,
            rules: vec![rule.to_owned()],
        };
        if a == b || self.hb[b][a] {
            let mut cycle = vec![edge];
            cycle.extend(self.way(b, a));
            return Err(cycle);
        }
        self.edges.push(edge);
        let size = self.hb.len();
        let later: Vec<usize> = (0..size).filter(|&y| y == b || self.hb[b][y]).collect();
        for x in (0..size).filter(|&x| x == a || self.hb[x][a]).collect::<Vec<_>>() {
            for &y in &later {
                self.hb[x][y] = true;
            }
        }
        Ok(())
    }

    /// The fewest edges from `a` to `b`; none if they are the same.
    pub(super) fn way(&self, a: usize, b: usize) -> Vec<Labelled> {
        let mut came: Vec<Option<usize>> = vec![None; self.hb.len()];
        let mut queue = std::collections::VecDeque::from([a]);
        let mut seen = vec![false; self.hb.len()];
        seen[a] = true;
        while let Some(at) = queue.pop_front() {
            for (index, edge) in self.edges.iter().enumerate() {
                if edge.from == at && !seen[edge.to] {
                    seen[edge.to] = true;
                    came[edge.to] = Some(index);
                    queue.push_back(edge.to);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = b;
        while at != a
            && let Some(index) = came[at]
        {
            at = self.edges[index].from;
            way.push(self.edges[index].clone());
        }
        way.reverse();
        way
    }

    /// Adds what R2, R1, `GA-atomic` and the model's orders demand, until nothing is missing.
    pub(super) fn close(&mut self, reads_from: &[Option<usize>]) -> Result<(), Cycle> {
        let (path, model) = (self.path, self.model);
        let size = path.actions.len();
        let rf = |w: usize, r: usize| reads_from[r] == Some(w);
        loop {
            let mut missing: Vec<(usize, usize, String)> = Vec::new();
            for a in 0..size {
                for b in 0..size {
                    let mut demand = |rule: &str| missing.push((a, b, rule.to_owned()));
                    if model.has(Rule::R2) && r2(path, rf, a, b) {
                        demand("R2");
                    }
                    if model.has(Rule::R1) && r1(path, rf, |x, y| self.hb[x][y], a, b) {
                        demand("R1");
                    }
                    if model.switches.has(Switch::GaAtomic) && ga_atomic(path, |x, y| self.hb[x][y], a, b) {
                        demand("GA-atomic");
                    }
                }
            }
            if !model.orders.is_empty() {
                let relations = Relations::new(path, model, reads_from, &self.hb);
                for order in &model.orders {
                    if let Meaning::Relation(relation) = relations.meaning(&order.expression) {
                        for (a, row) in relation.iter().enumerate() {
                            for (b, _) in row.iter().enumerate().filter(|&(_, &related)| related) {
                                missing.push((a, b, order.name.clone()));
                            }
                        }
                    }
                }
            }
            let before = self.hb.clone();
            for (a, b, rule) in missing {
                // What already follows needs an edge of its own only if the rule looks at the program and rf alone.
                let derived = rule == "R1" || rule == "GA-atomic";
                if !(derived && self.hb[a][b]) {
                    self.add(a, b, &rule)?;
                }
            }
            if self.hb == before {
                return Ok(());
            }
        }
    }

    /// WS: the write `w1` is before `w2`.
    pub(super) fn order_writes(&mut self, w1: usize, w2: usize) -> Result<(), Cycle> {
        self.add(w1, w2, "WS")?;
        for p in self.path.split().filter(|p| p.write == w1) {
            for q in self.path.split().filter(|q| q.write == w2) {
                if ws_apart(self.path, p, q) {
                    self.add(p.write, q.read, "WS")?;
                }
            }
        }
        Ok(())
    }

    /// Two atomic writes that WS must order and that are not ordered; then pairs that must be kept apart.
    pub(super) fn unordered_writes(&self) -> Option<(usize, usize)> {
        let size = self.path.actions.len();
        let pairs = (0..size).flat_map(|w1| (w1 + 1..size).map(move |w2| (w1, w2)));
        pairs
            .filter(|&(w1, w2)| self.model.has(Rule::Ws) && ws(self.path, w1, w2))
            .find(|&(w1, w2)| !self.hb[w1][w2] && !self.hb[w2][w1])
    }

    /// Edges that do not follow from others, those of first values left out.
    pub(super) fn shown(&self) -> Vec<Labelled> {
        let size = self.hb.len();
        self.edges
            .iter()
            .filter(|edge| {
                let first = self.path.actions[edge.from].kind == ActionKind::FirstValue;
                let between = |middle: usize| self.hb[edge.from][middle] && self.hb[middle][edge.to];
                !first && !(0..size).any(between)
            })
            .cloned()
            .collect()
    }
}

/// The label of edges from first values.
const FIRST_VALUE: &str = "first value";
