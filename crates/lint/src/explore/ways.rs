//! Conditions that the outside world decides, decided the other way.

use super::Exploration;
use super::simulation::{Simulation, alternatives, is_race, pairs};
use crate::value::Symbol;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Conditions that are met only after others were decided the other way are decided the other way themselves, so deep.
const DEEPEST: u32 = 3;

impl Exploration<'_> {
    /// Decides each unknown condition the other way, alone; then two of them at once, if each alone changes the course of the program.
    pub(super) fn other_ways(&mut self, size: u32, first: Simulation) {
        let mut steps = 0;
        let mut waiting: VecDeque<(HashMap<Symbol, bool>, u32)> =
            alternatives(&first, &HashMap::new()).into();
        let (mut turning, mut paired) = (Vec::new(), false);
        let mut known: BTreeSet<Symbol> = first.decisions.iter().map(|decision| decision.symbol).collect();
        let mut done = 1;
        loop {
            if waiting.is_empty() && !paired {
                paired = true;
                waiting.extend(pairs(&turning).into_iter().map(|pair| (pair, DEEPEST)));
            }
            let Some((overrides, depth)) = waiting.pop_front() else {
                break;
            };
            // All the other ways together get as much time as the first.
            if done >= self.options.paths || steps > self.limits.steps {
                break;
            }
            done += 1;
            self.paths += 1;
            let Some(other) = self.simulate(size, &overrides) else {
                break;
            };
            steps += other.steps;
            if other.notes.aborted || other.notes.missing_rank {
                continue;
            }
            self.seen.note(&other.notes);
            if let (Some(symbol), 1) = (overrides.keys().next(), overrides.len())
                && other.course != first.course
            {
                let decided = first
                    .decisions
                    .iter()
                    .filter(|decision| decision.symbol == *symbol);
                turning.extend(decided);
            }
            // Conditions that are met on this way only are decided the other way there.
            if depth < DEEPEST {
                let new = alternatives(&other, &overrides)
                    .into_iter()
                    .filter(|(more, _)| more.keys().any(|symbol| !known.contains(symbol)));
                waiting.extend(new.map(|(more, _)| (more, depth + 1)).collect::<Vec<_>>());
            }
            known.extend(other.decisions.iter().map(|decision| decision.symbol));
            // One condition that the outside world decides can be as it is taken to be; several may exclude each other.
            for (index, finding) in other.findings.into_iter().enumerate() {
                if overrides.len() == 1 && index < other.certain && is_race(finding.rule) {
                    self.analysis.findings.push(finding);
                } else {
                    self.analysis.possible.push(finding);
                }
            }
        }
        self.steps += steps;
    }
}
