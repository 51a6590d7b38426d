//! Small numbers as the arguments of a program.
//!
//! What a program does without arguments may be more than the limits allow. With small numbers it often comes to its
//! end within them: then all that it does is followed. Programs refuse numbers that are too small for them, one of
//! them for each argument: so larger ones are tried, at one place and at all; and where that takes too long, smaller
//! ones at all other places.
//!
//! Promise: what is found so holds for those who give the program these numbers. Not promised: that numbers are found
//! which it accepts.

use super::command_line::Line;
use super::{Exploration, Simulation};
use crate::start::Numbers;

/// What is known of small numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Small {
    /// Nothing, or that none was accepted with fewer processes.
    #[default]
    Unknown,
    /// With these, a simulation of fewer processes came to its end.
    Fit(Numbers),
    /// The least that were accepted took too long.
    TooLong,
}

/// What a program did with numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Did {
    /// It gave up, or did less than without arguments.
    Refuse,
    /// It was cut.
    TakeTooLong,
    /// It came to its end.
    Finish,
}

impl Exploration<'_> {
    /// A simulation that comes to its end, of a command line with small numbers; it is the one at hand from then on.
    /// One that comes to all calls that the first one came to is better: a tolerance of 4 may end a loop before it
    /// begins.
    pub(super) fn small_input(&mut self, size: u32, first: &Simulation) -> Option<Simulation> {
        let suits = |small: &Simulation| !small.is_cut() && small.meets_all_of(first);
        if let Some(small) = self.derived_line(size, suits) {
            return Some(small);
        }
        if let Some(small) = self.small_numbers(size, first) {
            return Some(small);
        }
        self.derived_line(size, |small| !small.is_cut())
    }

    fn small_numbers(&mut self, size: u32, first: &Simulation) -> Option<Simulation> {
        let mut numbers = match self.small {
            Small::Unknown => Numbers::default(),
            Small::Fit(numbers) => numbers,
            Small::TooLong => return None,
        };
        let (mut did, mut simulation) = self.tried_with(size, numbers, first)?;
        let mut steps = simulation.spent;
        for larger in Numbers::larger() {
            // All of them together get as many steps as one that goes to its end.
            if did != Did::Refuse || steps > self.limits.steps || self.clock.is_over() {
                break;
            }
            numbers = larger;
            (did, simulation) = self.tried_with(size, numbers, first)?;
            steps += simulation.spent;
        }
        while let (Did::TakeTooLong, Some(smaller)) = (did, numbers.smaller()) {
            if self.clock.is_over() {
                break;
            }
            numbers = smaller;
            (did, simulation) = self.tried_with(size, numbers, first)?;
        }
        match did {
            Did::Finish => {
                self.small = Small::Fit(numbers);
                return Some(simulation);
            }
            Did::TakeTooLong => self.small = Small::TooLong,
            Did::Refuse => {}
        }
        self.given = Line::Unknown;
        None
    }

    fn tried_with(&mut self, size: u32, numbers: Numbers, first: &Simulation) -> Option<(Did, Simulation)> {
        let simulation = self.simulate_with(size, Line::Numbers(numbers))?;
        // A status that says no may come of values that are not known.
        let did = match () {
            () if !simulation.works() => Did::Refuse,
            () if simulation.is_cut() => Did::TakeTooLong,
            () if !simulation.meets_all_of(first) => Did::Refuse,
            () => Did::Finish,
        };
        Some((did, simulation))
    }

    /// The least numbers may be too small for some of what a program does, such as a buffer that is used again in the
    /// third round: so what it does without arguments is followed for longer, too, once, and while calls are not
    /// reached.
    pub(super) fn longer_than_least(&mut self, size: u32, first: Simulation) {
        let least = matches!(self.given, Line::Numbers(numbers) if numbers.are_least());
        let mut fewer = self.analysis.processes.iter().filter(|other| **other < size);
        if !least || fewer.next().is_some() && self.coverage.is_whole() {
            return;
        }
        let given = std::mem::take(&mut self.given);
        self.longer(size, first);
        self.given = given;
    }
}
