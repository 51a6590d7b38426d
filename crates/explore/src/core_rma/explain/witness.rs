//! An execution for an allowed outcome.

use super::execution;
use super::graph::Graph;
use crate::answer::{Execution, Outcome};
use crate::core_rma::fast::{self, Found, Sink};
use crate::core_rma::question::Question;
use crate::core_rma::{Budget, refuse};
use crate::{ExploreError, Limits};
use farside_litmus::ast::{Program, Value};
use farside_models::core_rma::rules::ws;
use farside_models::core_rma::{CoreModel, Path, Rule};

/// An execution with this outcome, if there is one.
pub(in crate::core_rma) fn witness(
    program: &Program,
    model: &CoreModel,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Execution>, ExploreError> {
    let question = Question::new(program);
    let mut budget = Budget::new(limits);
    for path in question.paths(program, model, limits)? {
        let path = path.map_err(|unfit| refuse(program, model, unfit, limits))?;
        let mut wanted = Wanted {
            question: &question,
            outcome,
            found: None,
        };
        fast::search(&path, model, &question.observables, &mut budget, &mut wanted)?;
        if let Some((reads_from, line)) = wanted.found {
            return Ok(whole(program, &path, model, &reads_from, &line));
        }
    }
    Ok(None)
}

/// Takes the first execution with the outcome.
struct Wanted<'w> {
    question: &'w Question,
    outcome: &'w Outcome,
    found: Option<(Vec<Option<usize>>, Vec<usize>)>,
}

impl Sink for Wanted<'_> {
    fn wants(&self, state: &[Value]) -> bool {
        self.found.is_none()
            && self.question.admits(state)
            && self.question.show(state.to_vec()) == *self.outcome
    }

    fn take(&mut self, _: Vec<Value>, found: Found<'_>) {
        self.found = Some((found.reads_from(), found.line()));
    }

    fn is_done(&self) -> bool {
        self.found.is_some()
    }
}

/// The execution whose writes are ordered as they stand in the line.
fn whole(
    program: &Program,
    path: &Path,
    model: &CoreModel,
    reads_from: &[Option<usize>],
    line: &[usize],
) -> Option<Execution> {
    let mut graph = Graph::new(path, model).ok()?;
    graph.close(reads_from).ok()?;
    if model.has(Rule::Ws) {
        for (index, &w1) in line.iter().enumerate() {
            for &w2 in line[index + 1..].iter().filter(|&&w2| ws(path, w1, w2)) {
                graph.order_writes(w1, w2).ok()?;
            }
        }
    }
    graph.close(reads_from).ok()?;
    Some(execution::show(program, path, model, reads_from, &graph))
}
