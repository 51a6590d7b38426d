//! For how many processes a program is meant, and simulated.
//!
//! Two to four are tried. A program that names a rank that is not there, gives up or hangs may be meant for more, or
//! for fewer. One that computes with the number of processes and suits some is written for any: where it hangs with all
//! that are more, it is taken at its word.

use super::ahead::Urgency;
use super::remembered::Remembered;
use super::simulation::is_race;
use super::unsuitable::{Instead, Unsuitable};
use super::{Exploration, MOST, SIZES, Simulation};
use farside_findings::{Finding, Rule};

/// The square after four.
const NEXT_SQUARE: u32 = 9;

impl Exploration<'_> {
    /// Simulates the numbers of processes that a program is for.
    pub(super) fn explore(&mut self) {
        let chosen = !self.options.processes.is_empty();
        let wanted: Vec<u32> = if chosen {
            self.options.processes.clone()
        } else {
            (2..=MOST).chain([NEXT_SQUARE]).collect()
        };
        let mut sizes: Vec<u32> = Vec::new();
        let mut unsuitable = Unsuitable::default();
        *self.remembered.get_mut() = Remembered::default();
        let given = self.given.clone();
        self.foresee_starts(wanted[0]);
        for size in wanted {
            // What gives up with all others but four may be written for squares.
            if !chosen && size == NEXT_SQUARE && !(sizes.is_empty() && unsuitable.is_only(4)) {
                break;
            }
            self.given = given.clone();
            if self.analysis.entered && self.clock.is_over() {
                // Without time, the numbers that a user did not choose are those that are always tried.
                self.seen
                    .leave_untried("numbers of processes", u64::from(chosen || SIZES.contains(&size)));
                continue;
            }
            self.remembered.get_mut().forget_below(size);
            self.ahead.forget_below(size);
            self.foresee_small(size);
            self.here = self.brief(size);
            let Some(first) = self.first(size) else {
                break;
            };
            self.analysis.entered = true;
            self.count(&first);
            self.tried = 1;
            let first = self.with_accepted_input(size, first);
            // A program that names a rank that is not there, gives up or hangs may be meant for more processes.
            if !chosen && !first.may_suit() {
                unsuitable.note(size, first);
                continue;
            }
            // Code that only a further process reaches shows that the program is meant for it.
            let asked = first.notes.asked_for_size();
            let better = (!chosen && !asked && size < MOST)
                .then(|| self.simulate(size + 1, &self.accepted))
                .flatten();
            let leads_further = |more: &Simulation| match more.is_cut() && !first.is_cut() {
                // It may spin for a process that has nothing to wait for.
                true => !first.meets_all_of(more),
                false => more.notes.reached() > first.notes.reached(),
            };
            let (size, first) = match better {
                Some(more) if more.works() && leads_further(&more) => (size + 1, more),
                _ => (size, first),
            };
            sizes.push(size);
            unsuitable.suit();
            self.take(size, first);
            // A program that never asks how many processes there are is written for this number of them.
            if !chosen && (!asked || size >= SIZES[SIZES.len() - 1].max(sizes[0])) {
                break;
            }
        }
        let is_for_any = self.survey.computes_with_number();
        for instead in unsuitable.settle() {
            match instead {
                Instead::Missing(number, size, mut best) => {
                    self.seen.miss_target(number, size);
                    best.leave_out(Rule::InvalidTarget);
                    self.take(size, *best);
                }
                Instead::Number(size, simulation) => self.take(size, *simulation),
                Instead::Hanging(size, simulation) if is_for_any => self.take(size, *simulation),
                Instead::Hanging(size, simulation) => self.take_hanging(size, &simulation),
                Instead::Fewer(size, simulation) if is_for_any => self.take_fewer(size, &simulation),
                Instead::Fewer(..) => {}
            }
        }
    }

    /// Foresees what is simulated first with more processes than these.
    pub(super) fn foresee_starts(&mut self, than: u32) {
        let given = std::mem::replace(&mut self.given, self.options.line());
        let chosen = &self.options.processes;
        let sizes = if chosen.is_empty() { &SIZES[..] } else { chosen };
        let starts = sizes
            .iter()
            .filter(|size| **size > than)
            .map(|size| self.start(*size, self.brief(*size).unwrap_or(self.limits)));
        self.foresee(starts, Urgency::Later);
        self.given = given;
    }

    /// Takes what a simulation found that hung, as all with more processes did, where fewer suit the program: it may be
    /// meant for those. What it did wrong before it hung is possible, and said to be left out.
    fn take_hanging(&mut self, size: u32, simulation: &Simulation) {
        let counts = |finding: &&Finding| is_race(finding.rule) || finding.rule == Rule::CollectiveMismatch;
        let found: Vec<&Finding> = simulation.findings.iter().filter(counts).collect();
        if found.is_empty() {
            self.seen.leave_numbers(size);
            return;
        }
        self.seen.note_hanging(size, found.len());
        self.analysis.possible.extend(found.into_iter().cloned());
        self.origins.note(simulation);
    }

    /// Takes what a simulation found that hung or named a rank that is not there, where more processes suit the
    /// program: it may be meant for those. What it did wrong is possible, and said to be left out.
    fn take_fewer(&mut self, size: u32, simulation: &Simulation) {
        let found = &simulation.findings;
        if !found.is_empty() {
            self.seen.note_fewer(size, found.len());
            self.analysis.possible.extend(found.iter().cloned());
            self.origins.note(simulation);
        }
    }
}
