//! The definitions word by word.
//!
//! Every reads-from, times every order of the atomic writes to each variable: for each, the least happens-before that
//! the rules of [`farside_models::core_rma::rules`] demand. No pruning, no bit rows: slow, and easy to check against
//! the paper.

pub(super) mod happens_before;
pub(super) mod relational;
pub(super) mod values;

use super::{Budget, ExploreError, States};
use farside_litmus::ast::Observable;
use farside_models::core_rma::expression::{Requirement, RequirementKind};
use farside_models::core_rma::rules::{conflict, no_c, read_conflict, ws};
use farside_models::core_rma::{CoreModel, Path, Rule};
use relational::{Matrix, Meaning, Relations, closed};

/// An execution: reads-from by reader, and happens-before.
pub(in crate::core_rma) struct Candidate<'c> {
    pub(in crate::core_rma) path: &'c Path,
    pub(in crate::core_rma) model: &'c CoreModel,
    /// For each action that reads: the write that it reads.
    pub(in crate::core_rma) reads_from: &'c [Option<usize>],
    pub(in crate::core_rma) hb: &'c Matrix,
}

/// For each action, the writes that it may read; `None` of one that reads nothing.
pub(in crate::core_rma) fn sources(path: &Path) -> Vec<Vec<Option<usize>>> {
    let actions = 0..path.actions.len();
    actions
        .clone()
        .map(|r| match path.actions[r].reads {
            None => vec![None],
            Some(variable) => actions
                .clone()
                .filter(|&w| w != r && path.actions[w].writes == Some(variable))
                .map(Some)
                .collect(),
        })
        .collect()
}

/// Adds the final states of all executions of `path`.
pub(super) fn explore(
    path: &Path,
    model: &CoreModel,
    observables: &[Observable],
    budget: &mut Budget,
    states: &mut States,
) -> Result<(), ExploreError> {
    let demanded = happens_before::demanded_by_program(path, model);
    let orders = write_orders(path, model);
    let choices = sources(path);
    each(&choices, &mut |reads_from| {
        budget.step()?;
        // An order of writes adds edges only: it cannot mend a cycle.
        if happens_before::least(path, model, &demanded, reads_from, &[]).is_none() {
            return Ok(());
        }
        each(&orders, &mut |orders| {
            budget.step()?;
            let Some(hb) = happens_before::least(path, model, &demanded, reads_from, orders) else {
                return Ok(());
            };
            let candidate = Candidate {
                path,
                model,
                reads_from,
                hb: &hb,
            };
            if candidate.is_consistent() {
                values::final_states(&candidate, observables, states);
            }
            Ok(())
        })
    })
}

impl Candidate<'_> {
    /// The rules and requirements that do not order.
    pub(super) fn is_consistent(&self) -> bool {
        let hb = |a: usize, b: usize| self.hb[a][b];
        let readers = (0..self.path.actions.len()).filter_map(|r| Some((r, self.reads_from[r]?)));
        for (r, w) in readers {
            if !self.read_conflict(r) && !no_c(self.path, hb, w, r) {
                return false;
            }
        }
        self.broken_requirement().is_none()
    }

    /// The first requirement of the model that the execution does not meet.
    pub(in crate::core_rma) fn broken_requirement(&self) -> Option<&Requirement> {
        if self.model.requirements.is_empty() {
            return None;
        }
        let relations = Relations::new(self.path, self.model, self.reads_from, self.hb);
        self.model.requirements.iter().find(|requirement| {
            let met = match (requirement.kind, relations.meaning(&requirement.expression)) {
                (RequirementKind::Empty, Meaning::Set(set)) => set.iter().all(|&member| !member),
                (RequirementKind::Empty, Meaning::Relation(relation)) => {
                    relation.iter().flatten().all(|&related| !related)
                }
                (RequirementKind::Irreflexive, Meaning::Relation(relation)) => {
                    (0..relation.len()).all(|a| !relation[a][a])
                }
                (RequirementKind::Acyclic, Meaning::Relation(relation)) => {
                    let closure = closed(relation);
                    (0..closure.len()).all(|a| !closure[a][a])
                }
                (RequirementKind::Acyclic | RequirementKind::Irreflexive, Meaning::Set(_)) => true,
            };
            !met
        })
    }

    /// `conflict(r)`, where rule C makes conflicts matter.
    pub(in crate::core_rma) fn read_conflict(&self, r: usize) -> bool {
        self.model.has(Rule::C) && read_conflict(self.path, |a, b| self.hb[a][b], r)
    }

    /// `wconflict(w)`, where rule C makes conflicts matter.
    pub(in crate::core_rma) fn write_conflict(&self, w: usize) -> bool {
        self.model.has(Rule::C)
            && (0..self.path.actions.len()).any(|other| {
                self.path.actions[other].is_writer() && conflict(self.path, |a, b| self.hb[a][b], w, other)
            })
    }
}

/// For each variable with atomic writes: every order of them that WS may choose. First values come first anyway.
pub(super) fn write_orders(path: &Path, model: &CoreModel) -> Vec<Vec<Vec<usize>>> {
    if !model.has(Rule::Ws) {
        return Vec::new();
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for w in (0..path.actions.len()).filter(|&w| path.actions[w].is_writer()) {
        match groups.iter_mut().find(|group| ws(path, group[0], w)) {
            Some(group) => group.push(w),
            None => groups.push(vec![w]),
        }
    }
    groups.iter().map(|group| permutations(group)).collect()
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(index);
        for mut permutation in permutations(&rest) {
            permutation.insert(0, first);
            all.push(permutation);
        }
    }
    all
}

/// Calls `visit` for every way to take one of each choice.
pub(super) fn each<T: Clone>(
    choices: &[Vec<T>],
    visit: &mut dyn FnMut(&[T]) -> Result<(), ExploreError>,
) -> Result<(), ExploreError> {
    fn from<T: Clone>(
        choices: &[Vec<T>],
        taken: &mut Vec<T>,
        visit: &mut dyn FnMut(&[T]) -> Result<(), ExploreError>,
    ) -> Result<(), ExploreError> {
        let Some(options) = choices.get(taken.len()) else {
            return visit(taken);
        };
        for option in options {
            taken.push(option.clone());
            from(choices, taken, visit)?;
            taken.pop();
        }
        Ok(())
    }
    from(choices, &mut Vec::with_capacity(choices.len()), visit)
}
