//! Small numbers as the arguments of a program.
//!
//! What a program does without arguments may be more than the limits allow. With small numbers it often comes to its
//! end within them: then all that it does is followed. Programs refuse numbers that are too small for them, one of
//! them for each argument: so larger ones are tried, at one place and at all; and where that takes too long, smaller
//! ones at all other places.
//!
//! Promise: what is found so holds for those who give the program these numbers. Not promised: that numbers are found
//! which it accepts.

use super::ahead::Urgency;
use super::command_line::Line;
use super::coverage::Coverage;
use super::question::Question;
use super::{Exploration, Simulation};
use crate::budget::Limits;
use crate::start::Numbers;

/// What is known of small numbers.
#[derive(Clone, Debug, Default)]
pub(super) enum Small {
    /// Nothing, or that none was accepted with fewer processes.
    #[default]
    Unknown,
    /// With this command line, a simulation of so many processes came to its end.
    Fit(Line, u32, Ended),
    /// The least that were accepted took too long.
    TooLong,
}

/// What a program did with numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Did {
    /// It gave up.
    Refuse,
    /// It was cut.
    TakeTooLong,
    /// It came to its end, and to fewer calls than without arguments.
    DoLess,
    /// It came to its end.
    Finish,
}

impl Did {
    /// What it did in a simulation, where `first` is the one without arguments.
    fn of(simulation: &Simulation, first: &Simulation) -> Self {
        // A status that says no may come of values that are not known.
        match () {
            () if !simulation.works() => Self::Refuse,
            () if simulation.is_cut() => Self::TakeTooLong,
            () if !simulation.meets_all_of(first) => Self::DoLess,
            () => Self::Finish,
        }
    }
}

/// A simulation came to its end after so many steps, of so many that it could have made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    steps: u64,
    limits: Limits,
}

/// What takes one part in so many of its budget is followed without being shortened.
const SHORT: u64 = 10;
/// What will be cut is followed for one part in so many of the usual steps.
const BRIEF: u64 = 4;

/// Numbers with which a program comes to its end, and what it does.
struct Less {
    numbers: Numbers,
    simulation: Simulation,
}

impl Exploration<'_> {
    /// A simulation that comes to its end, of a command line with small numbers; it is the one at hand from then on.
    /// One that comes to all calls that the first one came to is better: a tolerance of 4 may end a loop before it
    /// begins. One that does not is the last resort.
    pub(super) fn small_input(&mut self, size: u32, first: &Simulation) -> Option<Simulation> {
        if let Some(small) = self.small_as_before(size, first) {
            return Some(small);
        }
        let suits = |small: &Simulation| !small.is_cut() && small.meets_all_of(first);
        let mut less = None;
        let small = match self.derived_line(size, suits) {
            None => self.small_numbers(size, first, &mut less),
            derived => derived,
        };
        if let Some(small) = small {
            let ended = Ended {
                steps: small.steps,
                limits: self.limits(),
            };
            self.small = Small::Fit(self.given.clone(), size, ended);
            return Some(small);
        }
        if let Some(small) = self.derived_line(size, |small| !small.is_cut()) {
            return Some(small);
        }
        let Less { numbers, simulation } = less?;
        self.given = Line::Numbers(numbers);
        Some(simulation)
    }

    /// A simulation with numbers that comes to its end and to all calls of the first; `less` becomes one that does what
    /// the program is for, and comes to its end only.
    fn small_numbers(
        &mut self,
        size: u32,
        first: &Simulation,
        less: &mut Option<Less>,
    ) -> Option<Simulation> {
        let mut next = match &self.small {
            Small::Fit(Line::Numbers(numbers), ..) => Some(*numbers),
            Small::Unknown | Small::Fit(..) => Some(Numbers::default()),
            Small::TooLong => None,
        };
        let mut larger = Numbers::larger();
        let mut steps = 0;
        let mut too_long = false;
        while let Some(numbers) = next {
            let after = numbers.smaller().into_iter().chain(larger.clone().next());
            let question = self.question(size, &self.accepted);
            let after = after.map(|numbers| question.clone().with_line(Line::Numbers(numbers)));
            let after: Vec<Question> = after.collect();
            self.foresee(after.clone(), Urgency::Next);
            let simulation = self.simulate_with(size, Line::Numbers(numbers))?;
            steps += simulation.spent;
            next = match Did::of(&simulation, first) {
                Did::Finish => return Some(simulation),
                Did::TakeTooLong => {
                    too_long = true;
                    let smaller = numbers.smaller();
                    if smaller.is_none() || self.clock.is_over() {
                        self.small = Small::TooLong;
                    }
                    smaller
                }
                did => {
                    let is_use = !Coverage::gave_up(self.survey, &simulation);
                    if did == Did::DoLess && is_use && less.is_none() {
                        *less = Some(Less { numbers, simulation });
                    }
                    // All of them together get as many steps as one that goes to its end.
                    let may_be_larger = !too_long && steps <= self.limits().steps;
                    may_be_larger.then(|| larger.next()).flatten()
                }
            };
            next = next.filter(|_| !self.clock.is_over());
            let next = next.map(|numbers| question.clone().with_line(Line::Numbers(numbers)));
            let vain = after.iter().filter(|after| Some(*after) != next.as_ref());
            self.give_up(vain.cloned());
        }
        self.given = Line::Unknown;
        None
    }

    /// A simulation with the command line with which fewer processes came to their end. More of them may make as many
    /// steps each.
    fn small_as_before(&mut self, size: u32, first: &Simulation) -> Option<Simulation> {
        let (line, limits) = self.likely_small(size)?;
        self.here = Some(limits);
        let small = self.simulate_with(size, line)?;
        let fits = Did::of(&small, first) == Did::Finish;
        if !fits {
            self.given = Line::Unknown;
        }
        fits.then_some(small)
    }

    /// That command line, and what limits simulations of it.
    fn likely_small(&self, size: u32) -> Option<(Line, Limits)> {
        let Small::Fit(line, fewer, ended) = &self.small else {
            return None;
        };
        let for_all = |steps: u64| steps * u64::from(size) / u64::from(*fewer);
        let enough = for_all(ended.limits.steps).min(SHORT * for_all(ended.steps));
        let limits = self.options.limits.unwrap_or(Limits {
            steps: enough.max(self.limits.steps),
        });
        Some((line.clone(), limits))
    }

    /// What limits the first simulation of so many processes if a small input is known: it is cut, as with fewer of
    /// them, and shows to which calls the program comes.
    pub(super) fn brief(&self, size: u32) -> Option<Limits> {
        let is_known = matches!(&self.small, Small::Fit(_, fewer, _) if *fewer < size);
        let steps = self.limits.steps / BRIEF;
        (is_known && self.options.limits.is_none()).then_some(Limits { steps })
    }

    /// Foresees that simulation.
    pub(super) fn foresee_small(&self, size: u32) {
        let likely = self.likely_small(size);
        let likely = likely.map(|(line, limits)| {
            self.question(size, &self.accepted)
                .limited(limits)
                .with_line(line)
        });
        self.foresee(likely, Urgency::Next);
    }

    /// The least numbers may be too small for some of what a program does, such as a buffer that is used again in the
    /// third round, and other ones for calls that are reached without arguments: so what it does without arguments is
    /// followed for longer, too, once, and while calls are not reached.
    pub(super) fn longer_than_least(&mut self, size: u32, first: Simulation, small: &Simulation) {
        let least = matches!(self.given, Line::Numbers(numbers) if numbers.are_least());
        let least = least || !small.meets_all_of(&first);
        let mut fewer = self.analysis.processes.iter().filter(|other| **other < size);
        if !least || fewer.next().is_some() && self.coverage.is_whole() {
            return;
        }
        let given = std::mem::take(&mut self.given);
        self.longer(size, first);
        self.given = given;
    }
}
