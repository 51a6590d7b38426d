//! Conditions that the outside world decides, decided the other way.
//!
//! Those whose other way leads to calls that were not reached come first; else the order is that in which they were met.

use super::ahead::Urgency;
use super::question::Question;
use super::simulation::is_race;
use super::{Exploration, Simulation};
use crate::decisions::Decision;
use crate::value::Symbol;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;

/// Conditions that are met only after others were decided the other way are decided the other way themselves, so deep.
const DEEPEST: u32 = 3;

/// A simulation that is to be made.
struct Way {
    overrides: HashMap<Symbol, bool>,
    /// The conditions that are decided the other way than in the first simulation.
    turned: Vec<Symbol>,
    depth: u32,
    /// Where control would go from the last of them.
    other: Vec<(u32, u32)>,
}

impl Way {
    /// As the first simulation went.
    fn of(accepted: &HashMap<Symbol, bool>) -> Self {
        Self {
            overrides: accepted.clone(),
            turned: Vec::new(),
            depth: 0,
            other: Vec::new(),
        }
    }

    /// One condition more the other way.
    fn with(&self, decision: &Decision, depth: u32) -> Self {
        let mut way = Self {
            overrides: self.overrides.clone(),
            turned: self.turned.clone(),
            depth,
            other: decision.other().to_vec(),
        };
        way.overrides.insert(decision.symbol(), !decision.truth());
        way.turned.push(decision.symbol());
        way
    }

    /// Each of the conditions of a simulation that went this way, decided the other way, alone.
    fn alternatives(&self, simulation: &Simulation, depth: u32) -> Vec<Self> {
        let open = simulation.decisions.iter();
        let open = open.filter(|decision| !self.overrides.contains_key(&decision.symbol()));
        open.map(|decision| self.with(decision, depth)).collect()
    }
}

impl Exploration<'_> {
    /// Those that will be asked for, if nothing leads to a call that was not reached.
    fn likely_ways(&self, size: u32, first: &Simulation, waiting: &[Way]) -> Vec<Question> {
        let fitting = 1 + self.steps_of_variations() / first.steps.max(1);
        waiting
            .iter()
            .take(self.options.paths.saturating_sub(self.tried))
            .take(usize::try_from(fitting).unwrap_or(usize::MAX))
            .map(|way| self.question(size, &way.overrides))
            .collect()
    }

    /// Decides each unknown condition the other way, alone; then two of them at once, if each alone changes the course
    /// of the program. Those that are settled are known: what inputs do that decide them so was simulated, or no
    /// inputs do.
    pub(super) fn other_ways(&mut self, size: u32, first: &Simulation, settled: &HashSet<Symbol>) {
        let mut steps = 0;
        let begin = Way::of(&self.accepted);
        let mut waiting = begin.alternatives(first, 1);
        waiting.retain(|way| !way.turned.iter().any(|symbol| settled.contains(symbol)));
        self.foresee(self.likely_ways(size, first, &waiting), Urgency::Later);
        let (mut turning, mut paired): (Vec<Decision>, bool) = (Vec::new(), false);
        let mut known: BTreeSet<Symbol> = first.decisions.iter().map(|decision| decision.symbol()).collect();
        loop {
            if waiting.is_empty() && !paired {
                paired = true;
                for (index, one) in turning.iter().enumerate() {
                    let first = begin.with(one, 1);
                    waiting.extend(turning[index + 1..].iter().map(|two| first.with(two, DEEPEST)));
                }
            }
            let leads = self.coverage.leads(self.survey, self.module);
            let best = waiting.iter().position(|way| leads.to_unreached(&way.other));
            if waiting.is_empty() {
                break;
            }
            let way = waiting.remove(best.unwrap_or(0));
            if self.tried >= self.options.paths || steps > self.steps_of_variations() {
                self.coverage.leave_untried(1 + waiting.len() as u64);
                break;
            }
            if self.clock.is_over() {
                self.seen
                    .leave_untried("conditions on inputs", 1 + waiting.len() as u64);
                break;
            }
            self.tried += 1;
            let Some(mut other) = self.simulate(size, &way.overrides) else {
                break;
            };
            self.count(&other);
            steps += other.spent;
            if other.notes.misses_rank() {
                continue;
            }
            self.coverage.take(&other);
            // What the program does because it rejects its input happens to those only who give it such.
            if other.failed() && !first.failed() {
                let turned = way.turned.iter().filter_map(|symbol| other.decision(*symbol));
                if let Some(found) = turned.map(|decision| decision.found()).min() {
                    other.doubt_from(found);
                }
            }
            if let [symbol] = way.turned[..] {
                other.doubt_mixed(self.module, symbol);
            }
            self.origins.note(&other);
            if other.notes.has_aborted() {
                let races = other.findings.into_iter().filter(|finding| is_race(finding.rule));
                self.analysis.possible.extend(races);
                continue;
            }
            self.seen.note(&other.notes);
            if let [symbol] = way.turned[..]
                && other.course != first.course
            {
                turning.extend(first.decision(symbol).cloned());
            }
            // Conditions that are met on this way only are decided the other way there.
            if way.depth < DEEPEST {
                let new = way.alternatives(&other, way.depth + 1);
                let met_here = |way: &Way| way.turned.last().is_some_and(|symbol| !known.contains(symbol));
                let new: Vec<Way> = new.into_iter().filter(met_here).collect();
                let likely = new
                    .iter()
                    .take(self.options.paths.saturating_sub(self.tried + waiting.len()));
                self.foresee(
                    likely.map(|way| self.question(size, &way.overrides)),
                    Urgency::Later,
                );
                waiting.extend(new);
            }
            known.extend(other.decisions.iter().map(|decision| decision.symbol()));
            // One condition that the outside world decides can be as it is taken to be; several may exclude each other.
            for nth in 0..other.findings.len() {
                other.findings[nth] = self.with_inputs(other.findings[nth].clone());
                let finding = other.findings[nth].clone();
                if way.turned.len() == 1 && nth < other.certain && is_race(finding.rule) {
                    let certain = self.rests.pass(size, &other, nth);
                    self.analysis.findings.extend(certain);
                } else {
                    self.rests.doubt(&other, &finding);
                    self.analysis.possible.push(finding);
                }
            }
        }
    }
}
