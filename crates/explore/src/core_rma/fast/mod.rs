//! Happens-before on bit rows, kept closed while edges are added.
//!
//! Two searches. [`demanded`] serves models with R1, R2 and WS and paths whose accesses are all atomic: there, a
//! reads-from for the reads that an outcome depends on extends to a whole execution exactly if every write can be put
//! before or after each of these reads (any line of actions that keeps the order says what the other reads see and how
//! WS orders). [`exhaustive`] serves the rest: conflicts depend on the whole of hb, so all that has a bearing on hb is
//! tried.

mod demanded;
mod edges;
mod exhaustive;
mod relational;
mod saturate;
mod scene;
mod values;

use super::{Budget, ExploreError, States};
use farside_litmus::ast::{Observable, Value};
use farside_models::core_rma::{CoreModel, Path, Rule};
use farside_relations::{MAX, Order, Set};
use scene::Scene;

/// Where searches put what they find.
pub(super) trait Sink {
    /// Whether an execution with this final state is of interest.
    fn wants(&self, state: &[Value]) -> bool;
    /// Takes a final state with its execution.
    fn take(&mut self, state: Vec<Value>, found: Found<'_>);
    /// Whether the search can end.
    fn is_done(&self) -> bool;
}

/// An execution as far as it had to be decided. Reads that are left open see the last write before them in the line.
pub(super) struct Found<'f> {
    reads_from: &'f [Option<u8>; MAX],
    order: &'f Order,
    scene: &'f Scene<'f>,
    /// Whether reads without a write see the last one before them in the line; else they have a conflict.
    extends: bool,
}

impl Found<'_> {
    /// By action: the write that it reads.
    pub(super) fn reads_from(&self) -> Vec<Option<usize>> {
        let line = self.line();
        let last = |r: usize| {
            let before = line.iter().rev().skip_while(|&&action| action != r).skip(1);
            before.copied().find(|&w| self.scene.writers[r].has(w))
        };
        let open = |r: usize| self.extends && self.scene.readers.has(r);
        (0..self.scene.size)
            .map(|r| {
                self.reads_from[r]
                    .map(usize::from)
                    .or_else(|| last(r).filter(|_| open(r)))
            })
            .collect()
    }

    /// All actions in a line that keeps the order, those that happen together in a row.
    pub(super) fn line(&self) -> Vec<usize> {
        let mut line = Vec::with_capacity(self.scene.size);
        let mut left = Set::first(self.scene.size);
        let ready = |action: usize, left: Set| !self.order.before(action).meets(left);
        let next_group = |left: Set| {
            let groups = left.members().map(|action| self.scene.together[action]);
            groups
                .into_iter()
                .find(|&group| group.members().all(|action| ready(action, left - group)))
        };
        while let Some(group) = next_group(left) {
            while let Some(next) = (group & left).members().find(|&action| ready(action, left)) {
                left.remove(next);
                line.push(next);
            }
        }
        line
    }
}

impl Sink for States {
    fn wants(&self, state: &[Value]) -> bool {
        !self.contains(state)
    }

    fn take(&mut self, state: Vec<Value>, _: Found<'_>) {
        self.insert(state);
    }

    fn is_done(&self) -> bool {
        false
    }
}

/// Gives the sink every final state that it wants.
pub(super) fn search(
    path: &Path,
    model: &CoreModel,
    observables: &[Observable],
    budget: &mut Budget,
    sink: &mut dyn Sink,
) -> Result<(), ExploreError> {
    let scene = Scene::new(path, model);
    let Ok(order) = saturate::by_program(&scene) else {
        return Ok(());
    };
    let plain = [Rule::R1, Rule::R2, Rule::Ws].iter().all(|&rule| scene.has(rule)) && !scene.is_dynamic();
    if !model.requirements.is_empty() {
        let relations = relational::Relations::new(&scene, None);
        let mut fixed = model
            .requirements
            .iter()
            .filter(|requirement| !requirement.dynamic);
        if !fixed.all(|requirement| relations.meets(requirement.kind, &requirement.expression)) {
            return Ok(());
        }
    }
    if plain && scene.atomic == Set::first(scene.size) {
        demanded::search(&scene, order, observables, budget, sink)
    } else {
        exhaustive::search(&scene, order, observables, budget, sink)
    }
}
