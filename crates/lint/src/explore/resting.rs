//! Findings that rest on what functions return whose code was not given.
//!
//! Promise: such a finding is certain only if no single condition on such a result decides whether it is there: it was
//! found, too, with each of these conditions decided the other way. Limit: what needs two of them at once is taken to
//! need none.

use super::Simulation;
use crate::value::Symbol;
use farside_findings::{Finding, finding_id};
use rustc_hash::FxHashSet as HashSet;
use std::collections::BTreeSet;

/// The id that a finding has in the report.
pub(super) fn id(finding: &Finding) -> String {
    finding_id(finding.rule, &finding.parties)
}

/// A finding of a simulation, and how the conditions were decided that it may rest on.
struct Resting {
    id: String,
    finding: Finding,
    size: u32,
    literals: Vec<(Symbol, bool)>,
}

/// All of them.
#[derive(Default)]
pub(super) struct Rests {
    resting: Vec<Resting>,
    /// Findings that rest on numbers, by their ids, and what makes these numbers.
    on_numbers: Vec<(String, BTreeSet<Symbol>)>,
}

impl Rests {
    /// The finding with this number of a simulation, unless it may rest on such a result: then it is kept here.
    pub(super) fn pass(&mut self, size: u32, simulation: &Simulation, nth: usize) -> Option<Finding> {
        let finding = simulation.findings[nth].clone();
        let decisions = simulation.decisions.iter();
        let resting = decisions.filter(|decision| decision.rests().is_some_and(|found| found <= nth));
        let literals: Vec<(Symbol, bool)> = resting
            .map(|decision| (decision.symbol(), decision.truth()))
            .collect();
        if literals.is_empty() {
            return Some(finding);
        }
        self.resting.push(Resting {
            id: id(&finding),
            finding,
            size,
            literals,
        });
        None
    }

    /// A finding of a simulation that is not certain.
    pub(super) fn doubt(&mut self, simulation: &Simulation, finding: &Finding) {
        let on = simulation.notes.unseen();
        if !on.is_empty() {
            self.on_numbers.push((id(finding), on.clone()));
        }
    }

    /// Adds those that are certain to the `findings`, of which these ids are certain anyway, and the others to the
    /// `possible` ones. How many are possible only for that reason, and what they rest on.
    pub(super) fn settle(
        &mut self,
        certain: &HashSet<String>,
        findings: &mut Vec<Finding>,
        possible: &mut Vec<Finding>,
    ) -> (usize, BTreeSet<Symbol>) {
        let all = std::mem::take(&mut self.resting);
        let holds_either_way = |resting: &Resting| {
            resting.literals.iter().all(|(symbol, truth)| {
                all.iter().any(|other| {
                    (other.size, &other.id) == (resting.size, &resting.id)
                        && other.literals.contains(&(*symbol, !truth))
                })
            })
        };
        let sure: HashSet<String> = all
            .iter()
            .filter(|resting| holds_either_way(resting))
            .map(|resting| resting.id.clone())
            .collect();
        let (mut doubted, mut rests_on) = (HashSet::default(), BTreeSet::new());
        let is_certain = |id: &String| certain.contains(id) || sure.contains(id);
        for Resting {
            id,
            finding,
            literals,
            ..
        } in all
        {
            if sure.contains(&id) {
                findings.push(finding);
                continue;
            }
            if !certain.contains(&id) {
                doubted.insert(id);
                rests_on.extend(literals.iter().map(|(symbol, _)| *symbol));
            }
            possible.push(finding);
        }
        for (id, on) in std::mem::take(&mut self.on_numbers) {
            if !is_certain(&id) {
                doubted.insert(id);
                rests_on.extend(on);
            }
        }
        (doubted.len(), rests_on)
    }
}
