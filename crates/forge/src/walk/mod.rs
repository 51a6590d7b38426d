//! Every test up to a size, statement by statement.
//!
//! A test is built process by process. A statement names variables that exist, or the next new one of their owner, so
//! each naming by first use is built once; of the orders of processes only the canonical one is passed on. A prefix is
//! given up as soon as the reads that its writers still need, or the statements that the wanted rules still need, do
//! not fit.
//!
//! Where a walk can go on: a [`Unit`] is a prefix of three or four choices. [`units`] lists them in order; every test
//! belongs to exactly one, and units can be walked one by one, in any order, or at the same time.

use crate::canonical::{is_canonical, shape};
use crate::definition::{Definition, PivotRule, PivotRules, Reads};
use crate::pivot::Pivots;
use crate::test::{Kind, Step, Test};
use crate::{MOST_PROCESSES, MOST_VARIABLES};
use std::cmp::Ordering;
use std::ops::ControlFlow;

mod missing;
mod steps;

/// Choices that make a unit: one more where tests are larger than those of Table 6, so that a unit stays a matter of
/// seconds.
fn unit_choices(definition: &Definition) -> usize {
    match definition.bounds.most() {
        0..=12 => 3,
        _ => 4,
    }
}

/// A choice while a test is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// This statement comes next.
    Step(Step),
    /// The process has no more statements.
    End,
}

/// A part of all tests: those that begin with these choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit(Vec<Choice>);

/// What a visitor says: go on, or stop the walk.
pub type Visit<'v> = dyn FnMut(&Test, PivotRules) -> ControlFlow<()> + 'v;

/// The parts of all tests, in order.
#[must_use]
pub fn units(definition: &Definition) -> Vec<Unit> {
    let mut walk = Walk::new(definition);
    let mut units = Vec::new();
    // A collection of prefixes never stops early.
    let _ = walk.prefixes(&mut units, 0);
    units
}

/// A walk through the tests of a definition.
#[derive(Debug)]
pub struct Walk {
    definition: Definition,
    test: Test,
    choices: Vec<Choice>,
    /// Actions so far, first values counted.
    used: u8,
    /// Variables so far, by owner.
    owned: [u8; MOST_PROCESSES],
    /// Local reads so far, by owner and variable.
    loads: [[u8; MOST_VARIABLES]; MOST_PROCESSES],
    /// Writers so far, by owner and variable.
    writers: [[u8; MOST_VARIABLES]; MOST_PROCESSES],
    kinds: [u8; Kind::ALL.len()],
    /// The most remote statements of a process to one destination for which IR can hold.
    routed: u8,
    complete: u64,
}

impl Walk {
    /// A walk that has not begun.
    #[must_use]
    pub fn new(definition: &Definition) -> Self {
        Self {
            definition: *definition,
            test: Test::default(),
            choices: Vec::new(),
            used: 0,
            owned: [0; MOST_PROCESSES],
            loads: [[0; MOST_VARIABLES]; MOST_PROCESSES],
            writers: [[0; MOST_VARIABLES]; MOST_PROCESSES],
            kinds: [0; Kind::ALL.len()],
            routed: 0,
            complete: 0,
        }
    }

    /// Visits every test that meets all conditions but the pivot, with the rules whose bounds it keeps.
    ///
    /// # Errors
    /// `Break` if the visitor stopped.
    pub fn candidates(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.begin(&Unit(Vec::new()), visit)
    }

    /// Visits every test, with the rules that it has as pivots.
    ///
    /// # Errors
    /// `Break` if the visitor stopped.
    pub fn all(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.unit(&Unit(Vec::new()), visit)
    }

    /// Visits the tests of one unit.
    ///
    /// # Errors
    /// `Break` if the visitor stopped.
    pub fn unit(&mut self, unit: &Unit, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let mut pivots = Pivots::new(&self.definition);
        self.begin(unit, &mut |test, wanted| {
            let pivots = pivots.of(test, wanted);
            match pivots.is_empty() {
                true => ControlFlow::Continue(()),
                false => visit(test, pivots),
            }
        })
    }

    fn begin(&mut self, unit: &Unit, visit: &mut Visit<'_>) -> ControlFlow<()> {
        *self = Self {
            complete: self.complete,
            ..Self::new(&self.definition)
        };
        self.test.processes.push(Vec::new());
        let mut finished = false;
        for &choice in &unit.0 {
            match choice {
                Choice::Step(step) => self.push(step),
                Choice::End => finished = !self.end(),
            }
        }
        if finished {
            self.judge(visit)
        } else {
            self.go_on(visit)
        }
    }

    /// Complete statement sequences met so far, canonical or not, with or without a pivot.
    #[must_use]
    pub fn complete(&self) -> u64 {
        self.complete
    }

    /// Collects the prefixes below the present one.
    fn prefixes(&mut self, units: &mut Vec<Unit>, depth: usize) -> ControlFlow<()> {
        if depth == 0 {
            self.test.processes.push(Vec::new());
        }
        if depth == unit_choices(&self.definition) {
            units.push(Unit(self.choices.clone()));
            return ControlFlow::Continue(());
        }
        self.each_step(&mut |walk, step| {
            walk.choices.push(Choice::Step(step));
            let flow = walk.prefixes(units, depth + 1);
            walk.choices.pop();
            flow
        })?;
        if self.may_end() {
            self.choices.push(Choice::End);
            if self.end() {
                let _ = self.prefixes(units, depth + 1);
                self.test.processes.pop();
            } else {
                units.push(Unit(self.choices.clone()));
            }
            self.choices.pop();
        }
        ControlFlow::Continue(())
    }

    fn go_on(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        if self.may_end() {
            if self.end() {
                let flow = self.go_on(visit);
                self.test.processes.pop();
                flow?;
            } else {
                self.judge(visit)?;
            }
        }
        self.each_step(&mut |walk, _| walk.go_on(visit))
    }

    /// The process at hand.
    fn rank(&self) -> usize {
        self.test.processes.len() - 1
    }

    fn may_target(&self, owner: u8) -> bool {
        self.definition.self_targets || usize::from(owner) != self.rank()
    }

    fn is_last(&self) -> bool {
        self.test.processes.len() == usize::from(self.definition.processes)
    }

    /// Whether the process at hand can have no more statements.
    fn may_end(&self) -> bool {
        let rank = self.rank();
        let steps = &self.test.processes[rank];
        if steps.is_empty() && !self.definition.passive {
            return false;
        }
        let sorted = rank == 0 || shape(&self.test.processes[rank - 1], steps) != Ordering::Greater;
        let fits = |loads: u8, writers: u8| match self.definition.reads {
            Reads::AsManyAsWriters if self.is_last() => loads == writers,
            _ => loads >= writers,
        };
        sorted
            && (0..MOST_VARIABLES).all(|index| fits(self.loads[rank][index], self.writers[rank][index]))
            && (!self.is_last() || self.is_balanced())
    }

    /// Ends the process at hand; whether there is another one.
    fn end(&mut self) -> bool {
        if self.is_last() {
            return false;
        }
        self.test.processes.push(Vec::new());
        true
    }

    /// Passes the complete test on, if it is canonical.
    fn judge(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.complete += 1;
        let fits = |(rule, bound): (PivotRule, u8)| (self.used <= bound).then_some(rule);
        let mut wanted = PivotRules::default();
        self.definition
            .bounds
            .iter()
            .filter_map(fits)
            .for_each(|rule| wanted.insert(rule));
        if wanted.is_empty() || !self.takes_part() || !is_canonical(&self.test) {
            return ControlFlow::Continue(());
        }
        visit(&self.test, wanted)
    }

    /// Whether every process has a statement or a variable, and, if they must, all interact.
    fn takes_part(&self) -> bool {
        let processes = usize::from(self.definition.processes);
        let present = |rank: usize| !self.test.processes[rank].is_empty() || self.owned[rank] > 0;
        if !(0..processes).all(present) {
            return false;
        }
        if !self.definition.interacting {
            return true;
        }
        let mut group = 1_u8;
        for _ in 1..processes {
            for (rank, steps) in self.test.processes.iter().enumerate() {
                for owner in steps
                    .iter()
                    .flat_map(Step::variables)
                    .map(|variable| variable.owner())
                {
                    let edge = 1 << rank | 1 << owner;
                    if group & edge != 0 {
                        group |= edge;
                    }
                }
            }
        }
        group.count_ones() as usize == processes
    }
}
