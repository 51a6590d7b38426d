//! An input that the program accepts.
//!
//! The samples may be an input that the program rejects: too few arguments, a file that is not there, a size that does
//! not divide. A simulation that ends so tells nothing of what the program is for. Then a command line is looked for
//! that the program accepts. If there is none, the conditions that led there are decided the other way, the last first,
//! until the program goes on: it is this input of which all other simulations are variations. All of these conditions
//! together are what the program itself asks for, so that they are taken not to exclude each other.
//!
//! A program that did one-sided calls and then says that it failed may have checked its own result: its races are those
//! of whoever starts it so.

use super::Exploration;
use super::Simulation;
use super::command_line::Line;
use super::coverage::Coverage;
use super::simulation::is_race;
use crate::value::Symbol;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Conditions that are decided the other way at once.
const MOST: usize = 6;

/// What was accepted, what was rejected before it, and the conditions that were decided.
type Turned = (Simulation, Vec<Simulation>, HashMap<Symbol, bool>);

impl Exploration<'_> {
    /// The simulation of an input that the program accepts, if the one at hand is none and such a one is found.
    pub(super) fn with_accepted_input(&mut self, size: u32, first: Simulation) -> Simulation {
        if !Coverage::gave_up(self.survey, &first) || first.notes.misses_rank() {
            return first;
        }
        self.take_races_of_failed(size, &first);
        if let Some(accepted) = self.with_line(size, &first) {
            return accepted;
        }
        match self.turned(size, first) {
            Ok((accepted, rejected, asked)) => {
                for before in rejected {
                    self.coverage.take(&before);
                    self.take_findings(size, &before);
                }
                self.accepted = asked;
                accepted
            }
            // No input is accepted: the samples are as good as any, and what was tried is tried again as their
            // variation.
            Err(first) => *first,
        }
    }

    /// Takes the races of a simulation in which nothing was decided otherwise, if it did what the program is for.
    fn take_races_of_failed(&mut self, size: u32, first: &Simulation) {
        let is_as_given = self.entry.is_none() && self.accepted.is_empty();
        if !is_as_given || first.notes.has_aborted() || Coverage::is_idle(self.survey, first) {
            return;
        }
        let races = (0..first.certain).filter(|nth| is_race(first.findings[*nth].rule));
        for nth in races.collect::<Vec<_>>() {
            let certain = self.rests.pass(size, first, nth);
            self.analysis.findings.extend(certain);
        }
        self.origins.note(first);
    }

    /// A simulation that is rejected, with conditions decided the other way until it is not: what was accepted, what
    /// was rejected before, and all conditions that were decided; the first simulation if there is none.
    pub(super) fn turned(&mut self, size: u32, first: Simulation) -> Result<Turned, Box<Simulation>> {
        let (mut best, mut asked, mut rejected) = (first, self.accepted.clone(), Vec::new());
        for _ in 0..MOST {
            let Some((next, symbol, more)) = self.one_step(size, &best, &asked) else {
                break;
            };
            let (accepted, mut before) = (
                !Coverage::gave_up(self.survey, &next),
                std::mem::replace(&mut best, next),
            );
            if let Some(found) = before.decision(symbol).map(|decision| decision.found()) {
                before.doubt_from(found);
            }
            rejected.push(before);
            asked = more;
            if accepted {
                return Ok((best, rejected, asked));
            }
        }
        Err(Box::new(rejected.into_iter().next().unwrap_or(best)))
    }

    /// The simulation of a command line that the program accepts, if it tells more than that of none. That line is the
    /// one at hand from then on.
    fn with_line(&mut self, size: u32, rejected: &Simulation) -> Option<Simulation> {
        if self.entry.is_some() || !matches!(self.given, Line::Unknown) {
            return None;
        }
        let accepted = self.derived_line(size, |_| true)?;
        // What a program does that ends itself for want of arguments happens to those only who give it none.
        self.coverage.take(rejected);
        self.seen.note_wanted(self.given.words());
        Some(accepted)
    }

    /// One condition more decided the other way: the first that lets the program go on, or that brings it further.
    fn one_step(
        &mut self,
        size: u32,
        best: &Simulation,
        asked: &HashMap<Symbol, bool>,
    ) -> Option<(Simulation, Symbol, HashMap<Symbol, bool>)> {
        let leads = self.coverage.leads(self.survey, self.module);
        let mut open: Vec<_> = best.decisions.iter().rev().collect();
        open.retain(|decision| !asked.contains_key(&decision.symbol()));
        open.sort_by_key(|decision| !leads.to_unreached(decision.other()));
        let (mut further, mut steps) = (None, 0);
        let mut courses = HashSet::from_iter([best.course]);
        for decision in open {
            // All of them together get as much time as one that goes to its end.
            if self.tried >= self.options.paths || steps > self.limits().steps || self.clock.is_over() {
                break;
            }
            let mut more = asked.clone();
            more.insert(decision.symbol(), !decision.truth());
            self.tried += 1;
            self.paths += 1;
            let Some(next) = self.simulate(size, &more) else {
                break;
            };
            self.steps += next.spent;
            steps += next.spent;
            self.coverage.ended(&next);
            self.seen.note_time(&next.notes);
            if next.notes.misses_rank() {
                continue;
            }
            let found = (next, decision.symbol(), more);
            if !Coverage::gave_up(self.survey, &found.0) {
                return Some(found);
            }
            if courses.insert(found.0.course)
                && found.0.notes.reached() > best.notes.reached()
                && further.is_none()
            {
                further = Some(found);
            }
        }
        further
    }
}
