//! What excludes a forbidden outcome.

use super::execution::{happens_before, resolve, show};
use super::graph::{Cycle, Graph, Labelled};
use super::witness::witness;
use crate::answer::{Outcome, Refusal};
use crate::core_rma::naive::{Candidate, values};
use crate::core_rma::question::Question;
use crate::core_rma::{Budget, refuse};
use crate::{ExploreError, Limits};
use farside_litmus::ast::{Observable, Program, Value};
use farside_models::core_rma::rules::ws;
use farside_models::core_rma::value::{Source, Term};
use farside_models::core_rma::{CoreModel, Path, Rule};

/// How many executions that would give the outcome's values are looked at.
pub(super) const MOST_CANDIDATES: usize = 2000;

/// Added to the rank of what is far from the outcome.
const FAR: usize = 1000;

/// How many choices are made in looking for them.
const MOST_CHOICES: usize = 200_000;

/// Why the outcome is not allowed; none if it is.
pub(in crate::core_rma) fn refusal(
    program: &Program,
    model: &CoreModel,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Refusal>, ExploreError> {
    if witness(program, model, outcome, limits)?.is_some() {
        return Ok(None);
    }
    let question = Question::new(program);
    let mut closest = Closest {
        program,
        model,
        question: &question,
        outcome,
        candidates: 0,
        choices: 0,
        best: None,
        budget: Budget::new(limits),
    };
    for path in question.paths(program, model, limits)? {
        let path = path.map_err(|unfit| refuse(program, model, unfit, limits))?;
        closest.path(&path)?;
    }
    Ok(Some(
        closest.best.map_or_else(
            || Refusal {
                execution: None,
                cycle: Vec::new(),
                reason:
                    "rule no-C excludes it: whatever is read from where, these values do not come together"
                        .into(),
            },
            |(_, refusal)| refusal,
        ),
    ))
}

/// The best reason so far.
struct Closest<'c> {
    program: &'c Program,
    model: &'c CoreModel,
    question: &'c Question,
    outcome: &'c Outcome,
    candidates: usize,
    choices: usize,
    /// With its rank: an hb without cycle comes first, then short cycles, then reads of what comes later anyway.
    best: Option<(usize, Refusal)>,
    budget: Budget,
}

impl Closest<'_> {
    /// Tries every reads-from of the reads that the outcome depends on, order aside.
    fn path(&mut self, path: &Path) -> Result<(), ExploreError> {
        let program = match Graph::new(path, self.model) {
            Ok(graph) => graph,
            Err(cycle) => {
                let reason = format!("hb of the program alone has a cycle, by {}", rules(&cycle));
                let cycle = cycle.iter().map(happens_before).collect();
                let execution = None;
                self.best.get_or_insert((
                    usize::MAX,
                    Refusal {
                        execution,
                        cycle,
                        reason,
                    },
                ));
                return Ok(());
            }
        };
        let mut demanded = Vec::new();
        for observable in &self.question.observables {
            if let Observable::Register(rank, register) = observable {
                reads(
                    path,
                    &path.registers[rank.0 as usize][register.0 as usize],
                    &mut demanded,
                );
            }
        }
        for (term, _) in &path.branches {
            reads(path, term, &mut demanded);
        }
        let mut reads_from = vec![None; path.actions.len()];
        self.choose(path, &program, &demanded, &mut reads_from)
    }

    fn choose(
        &mut self,
        path: &Path,
        program: &Graph<'_>,
        demanded: &[usize],
        reads_from: &mut Vec<Option<usize>>,
    ) -> Result<(), ExploreError> {
        self.budget.step()?;
        self.choices += 1;
        if self.candidates >= MOST_CANDIDATES || self.choices >= MOST_CHOICES {
            return Ok(());
        }
        let Some(&r) = demanded.iter().find(|&&r| reads_from[r].is_none()) else {
            if self.has_values(path, reads_from) {
                self.candidates += 1;
                self.judge(path, program, reads_from);
            }
            return Ok(());
        };
        for w in writes_to(path, r) {
            reads_from[r] = Some(w);
            let mut demanded = demanded.to_vec();
            if let Some(source) = &path.written[w] {
                sources(path, source, &mut demanded);
            }
            self.choose(path, program, &demanded, reads_from)?;
        }
        reads_from[r] = None;
        Ok(())
    }

    /// Whether the known values of the outcome's registers come out, conflicts and order aside; an undefined one may be
    /// anything, and so may final values of variables.
    fn has_values(&self, path: &Path, reads_from: &[Option<usize>]) -> bool {
        let size = path.actions.len();
        let everything = vec![vec![true; size]; size];
        let candidate = Candidate {
            path,
            model: self.model,
            reads_from,
            hb: &everything,
        };
        let values = values::Values::new(&candidate);
        values.branches_hold()
            && self
                .outcome
                .0
                .iter()
                .zip(&self.question.observables)
                .all(|(wanted, observable)| match (wanted, observable) {
                    (Value::Known(_), Observable::Register(rank, register)) => {
                        let term = &path.registers[rank.0 as usize][register.0 as usize];
                        values.term(term, 0) == Some(*wanted)
                    }
                    _ => true,
                })
    }

    /// Why this reads-from does not give the outcome.
    fn judge(&mut self, path: &Path, program: &Graph<'_>, reads_from: &[Option<usize>]) {
        let mut graph = program.clone();
        match graph.close(reads_from) {
            Err(cycle) => self.cycle(path, reads_from, &graph, cycle, ""),
            Ok(()) => self.finish(path, reads_from, &graph, 0),
        }
    }

    /// Chooses the last write to each variable whose final value is asked for, then orders the others.
    fn finish(&mut self, path: &Path, reads_from: &[Option<usize>], graph: &Graph<'_>, next: usize) {
        let wanted = self.outcome.0.iter().zip(&self.question.observables).enumerate();
        let wanted = wanted
            .skip(next)
            .find_map(|(index, (value, observable))| match (value, observable) {
                (Value::Known(number), Observable::Variable(variable)) if self.model.has(Rule::Ws) => {
                    Some((index, *number, *variable))
                }
                _ => None,
            });
        let Some((index, number, variable)) = wanted else {
            return self.order(path, reads_from, graph);
        };
        let writers: Vec<usize> = (0..path.actions.len())
            .filter(|&w| path.actions[w].writes == Some(variable))
            .collect();
        for &last in &writers {
            if matches!(path.written[last], Some(Source::Term(Term::Number(written))) if written != number) {
                continue;
            }
            let mut ordered = graph.clone();
            let others = writers.iter().filter(|&&w| ws(path, w, last));
            let result = others
                .map(|&w| ordered.order_writes(w, last))
                .collect::<Result<Vec<()>, Cycle>>()
                .and_then(|_| ordered.close(reads_from));
            match result {
                Ok(()) => self.finish(path, reads_from, &ordered, index + 1),
                Err(cycle) => self.cycle(path, reads_from, &ordered, cycle, ""),
            }
        }
    }

    fn order(&mut self, path: &Path, reads_from: &[Option<usize>], graph: &Graph<'_>) {
        match order_all(graph, reads_from, &mut 0) {
            Err((cycle, graph)) => {
                let also = "; however WS orders the writes, there is one";
                self.cycle(path, reads_from, &graph, cycle, also);
            }
            Ok(graph) => {
                let reason = self.values_differ(path, reads_from, &graph);
                self.offer(0, path, reads_from, &graph, Vec::new(), reason);
            }
        }
    }

    /// Hb has no cycle; so a rule on values, or a requirement of the model, excludes the outcome.
    fn values_differ(&self, path: &Path, reads_from: &[Option<usize>], graph: &Graph<'_>) -> String {
        let candidate = Candidate {
            path,
            model: self.model,
            reads_from,
            hb: &graph.hb,
        };
        if let Some(requirement) = candidate.broken_requirement() {
            return format!(
                "the model requires `{}`, which this execution breaks",
                requirement.name
            );
        }
        for (r, w) in reads_from.iter().enumerate() {
            if let Some(w) = *w
                && (candidate.read_conflict(r) || candidate.write_conflict(w))
                && self.outcome.0.iter().all(|value| *value != Value::Undefined)
            {
                return "rule C excludes it: a read that it depends on has a conflict, so its value is undefined".into();
            }
        }
        if self.outcome.0.contains(&Value::Undefined) {
            return "rule no-C excludes it: a read without conflict has the value that was written".into();
        }
        "rule no-C excludes it: a read without conflict would see an overwritten or a later value".into()
    }

    fn cycle(
        &mut self,
        path: &Path,
        reads_from: &[Option<usize>],
        graph: &Graph<'_>,
        mut cycle: Cycle,
        also: &str,
    ) {
        resolve(
            &mut cycle,
            path,
            self.model,
            &completed(path, reads_from, graph),
            graph,
        );
        let mut reason = format!("hb would have a cycle, by {}", rules(&cycle));
        let by = |edge: &Labelled, rule: Rule| edge.rules.iter().any(|made| made == rule.name());
        for edge in cycle.iter().filter(|edge| by(edge, Rule::R1)) {
            if let Some(w1) = reads_from[edge.from].filter(|&w1| path.process(w1).is_some()) {
                let way = rules(&graph.way(w1, edge.to));
                reason += &format!(" (R1 because the write that is read comes before the other by {way})");
            }
        }
        reason += also;
        // A read of what comes after it in the program anyway is far from the outcome.
        let of_later = cycle
            .iter()
            .all(|edge| !by(edge, Rule::R1) && !by(edge, Rule::Ws));
        let rank = cycle.len() + if of_later { FAR } else { 0 };
        let edges = cycle.iter().map(happens_before).collect();
        self.offer(rank, path, reads_from, graph, edges, reason);
    }

    fn offer(
        &mut self,
        rank: usize,
        path: &Path,
        reads_from: &[Option<usize>],
        graph: &Graph<'_>,
        cycle: Vec<crate::answer::Edge>,
        reason: String,
    ) {
        if self.best.as_ref().is_none_or(|(best, _)| rank < *best) {
            let reads_from = completed(path, reads_from, graph);
            let execution = Some(show(self.program, path, self.model, &reads_from, graph));
            self.best = Some((
                rank,
                Refusal {
                    execution,
                    cycle,
                    reason,
                },
            ));
        }
    }
}

/// Lets reads on which the outcome does not depend see a write that is hb before them and not overwritten, to be shown.
fn completed(path: &Path, reads_from: &[Option<usize>], graph: &Graph<'_>) -> Vec<Option<usize>> {
    let hb = &graph.hb;
    let latest = |r: usize| {
        let overwritten = |w: usize| writes_to(path, r).any(|other| hb[w][other] && hb[other][r]);
        writes_to(path, r).find(|&w| hb[w][r] && !overwritten(w))
    };
    let reads = reads_from.iter().enumerate();
    reads.map(|(r, w)| w.or_else(|| latest(r))).collect()
}

/// Names of the rules that made the edges, each once.
fn rules(edges: &Cycle) -> String {
    let mut rules: Vec<&str> = Vec::new();
    for rule in edges.iter().filter_map(|edge| edge.rules.first()) {
        if !rules.contains(&rule.as_str()) {
            rules.push(rule);
        }
    }
    rules.join(", ")
}

/// Orders all atomic writes; or the first cycle met, with the graph that it closes. Gives up trying others after a
/// while.
fn order_all<'g>(
    graph: &Graph<'g>,
    reads_from: &[Option<usize>],
    tries: &mut usize,
) -> Result<Graph<'g>, (Cycle, Graph<'g>)> {
    *tries += 1;
    let Some((w1, w2)) = graph.unordered_writes() else {
        return Ok(graph.clone());
    };
    let mut failure = None;
    for (w1, w2) in [(w1, w2), (w2, w1)] {
        let mut next = graph.clone();
        let ordered = next.order_writes(w1, w2).and_then(|()| next.close(reads_from));
        let result = match ordered {
            Ok(()) if *tries < 10_000 => order_all(&next, reads_from, tries),
            Ok(()) => Ok(next),
            Err(cycle) => Err((cycle, next)),
        };
        match result {
            Ok(graph) => return Ok(graph),
            Err(other) => failure = failure.or(Some(other)),
        }
    }
    failure.map_or_else(|| Ok(graph.clone()), Err)
}

/// Writes that the action could read, order aside.
fn writes_to(path: &Path, r: usize) -> impl Iterator<Item = usize> + '_ {
    let reads = path.actions[r].reads;
    (0..path.actions.len()).filter(move |&w| w != r && reads.is_some() && path.actions[w].writes == reads)
}

/// Reads on which the term depends.
fn reads(path: &Path, term: &Term, found: &mut Vec<usize>) {
    let mut terms = vec![term];
    let mut assigned = vec![false; path.assigned.len()];
    while let Some(term) = terms.pop() {
        match term {
            Term::Number(_) => {}
            Term::Read(read) => add(*read, found),
            Term::Assigned(index) => {
                if !std::mem::replace(&mut assigned[*index], true) {
                    terms.push(&path.assigned[*index]);
                }
            }
            Term::Negative(inner) | Term::Not(inner) => terms.push(inner),
            Term::Binary(_, left, right) => terms.extend([&**left, &**right]),
        }
    }
}

/// Reads on which a written value depends.
fn sources(path: &Path, source: &Source, found: &mut Vec<usize>) {
    match source {
        Source::Term(term) => reads(path, term, found),
        Source::Copy(read) => add(*read, found),
        Source::Operation { stored, operand, .. } => {
            add(*stored, found);
            add(*operand, found);
        }
        Source::CompareAndSwap {
            stored,
            compare,
            swap,
        } => {
            add(*stored, found);
            add(*compare, found);
            add(*swap, found);
        }
    }
}

fn add(read: usize, found: &mut Vec<usize>) {
    if !found.contains(&read) {
        found.push(read);
    }
}
