//! Every test up to a size, statement by statement.
//!
//! A test is built process by process. A statement names variables that exist, or the next new one of their owner, so each
//! naming by first use is built once; of the orders of processes only the canonical one is passed on. A prefix is given up as soon as
//! the reads that its writers still need, or the statements that the wanted rules still need, do not fit.
//!
//! Where a walk can go on: a [`Unit`] is a prefix of three choices. [`units`] lists them in order; every test belongs to exactly
//! one, and units can be walked one by one, in any order, or at the same time.

use crate::canonical::{is_canonical, shape};
use crate::definition::{Definition, PivotRule, PivotRules, Reads};
use crate::pivot::Pivots;
use crate::test::{Kind, Step, Test, VariableName};
use crate::{MOST_ACTIONS, MOST_PROCESSES, MOST_VARIABLES};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Choices that make a unit.
const UNIT_CHOICES: usize = 3;

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
    /// Remote statements so far.
    remotes: u8,
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
            remotes: 0,
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
        if depth == UNIT_CHOICES {
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
            && (!self.is_last() || self.debts() == Some((0, 0)))
    }

    /// Ends the process at hand; whether there is another one.
    fn end(&mut self) -> bool {
        if self.is_last() {
            return false;
        }
        self.test.processes.push(Vec::new());
        true
    }

    /// Adds each statement that fits, calls `then`, and takes it away.
    fn each_step(&mut self, then: &mut dyn FnMut(&mut Self, Step) -> ControlFlow<()>) -> ControlFlow<()> {
        for kind in Kind::ALL {
            if self.used + kind.actions() > self.definition.bounds.most() {
                continue;
            }
            if kind == Kind::Flush {
                for target in 0..self.definition.processes {
                    if self.may_target(target) {
                        self.with(Step::flush(target), then)?;
                    }
                }
            } else {
                self.each_operand(Step::new(kind, &[]), 0, then)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn each_operand(
        &mut self,
        step: Step,
        place: usize,
        then: &mut dyn FnMut(&mut Self, Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if place == step.kind.operands() {
            return self.with(step, then);
        }
        let rank = self.rank() as u8;
        for owner in 0..self.definition.processes {
            let fits = match step.kind.target() == Some(place) {
                true => self.may_target(owner),
                false => owner == rank,
            };
            if !fits {
                continue;
            }
            // Variables that this statement names for the first time exist for its later operands.
            let new = step.operands[..place]
                .iter()
                .filter(|variable| variable.owner() == owner)
                .map(|variable| variable.index() + 1);
            let count = new.chain([self.owned[usize::from(owner)]]).max().unwrap_or(0);
            for index in 0..(count + 1).min(MOST_VARIABLES as u8) {
                let mut step = step;
                step.operands[place] = VariableName::new(owner, index);
                self.each_operand(step, place + 1, then)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn with(
        &mut self,
        step: Step,
        then: &mut dyn FnMut(&mut Self, Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let before = (self.used, self.owned, self.routed);
        self.push(step);
        let flow = match self.can_be_completed() {
            true => then(self, step),
            false => ControlFlow::Continue(()),
        };
        self.count(&step, false);
        self.test.processes.last_mut().map(Vec::pop);
        (self.used, self.owned, self.routed) = before;
        flow
    }

    fn push(&mut self, step: Step) {
        self.count(&step, true);
        self.used += step.kind.actions();
        for variable in step.variables() {
            let owned = &mut self.owned[usize::from(variable.owner())];
            if variable.index() == *owned {
                *owned += 1;
                self.used += 1;
            }
        }
        let rank = self.rank();
        self.test.processes[rank].push(step);
        if step.kind.target().is_some()
            && let Some(to) = step.destination()
            && (usize::from(to) != rank || self.definition.routing_to_self)
        {
            let same = |other: &&Step| other.kind.target().is_some() && other.destination() == Some(to);
            let routed = self.test.processes[rank].iter().filter(same).count();
            self.routed = self.routed.max(routed as u8);
        }
    }

    /// Counts a statement in or out.
    fn count(&mut self, step: &Step, add: bool) {
        let change = |count: &mut u8| *count = if add { *count + 1 } else { *count - 1 };
        change(&mut self.kinds[step.kind as usize]);
        if step.kind.target().is_some() {
            change(&mut self.remotes);
        }
        let count = |counts: &mut [[u8; MOST_VARIABLES]; MOST_PROCESSES], variable: VariableName| {
            change(&mut counts[usize::from(variable.owner())][usize::from(variable.index())]);
        };
        if step.kind == Kind::Load {
            count(&mut self.loads, step.operands[0]);
        }
        for &place in step.kind.written() {
            count(&mut self.writers, step.operands[place]);
        }
    }

    /// Reads that writers still need, and writers that reads still need; none if the process that had to read has ended.
    fn debts(&self) -> Option<(u8, u8)> {
        let rank = self.rank();
        let mut debts = (0, 0);
        for owner in 0..usize::from(self.definition.processes) {
            for index in 0..usize::from(self.owned[owner]) {
                let [loads, writers] = [self.loads[owner][index], self.writers[owner][index]];
                if writers > loads {
                    if owner < rank {
                        return None;
                    }
                    debts.0 += writers - loads;
                } else if self.definition.reads == Reads::AsManyAsWriters {
                    debts.1 += loads - writers;
                }
            }
        }
        Some(debts)
    }

    /// Whether some test that begins so may be wanted: a lower bound of what is missing fits within some rule's bound.
    fn can_be_completed(&self) -> bool {
        let variables: u8 = self.owned.iter().sum();
        if self.definition.variables.is_some_and(|most| variables > most)
            || usize::from(self.used - variables) > MOST_ACTIONS
        {
            return false;
        }
        let Some((reads, writers)) = self.debts() else {
            return false;
        };
        // Later processes are not shorter than this one, and earlier ones not longer.
        let rank = self.rank();
        let length = self.test.processes[rank].len() as u8;
        let later = self.definition.processes - 1 - rank as u8;
        let least = rank
            .checked_sub(1)
            .map_or(0, |before| self.test.processes[before].len() as u8);
        let lengths = later * length.max(least) + least.saturating_sub(length);
        let flush = u8::from(self.kinds[Kind::Flush as usize] == 0);
        // `count` statements that bring `new` writers each with `cost` actions; reads and writers in debt, one action each.
        let brings = |count: u8, cost: u8, new: u8| {
            let statements = count * cost;
            statements
                + reads
                + (count * new).abs_diff(writers.min(count * new))
                + writers.saturating_sub(count * new)
        };
        self.definition.bounds.iter().any(|(rule, bound)| {
            let missing = match rule {
                PivotRule::R1 | PivotRule::R2 | PivotRule::Lo | PivotRule::Ws => reads + writers,
                PivotRule::F1 => reads + writers + flush,
                PivotRule::F2 | PivotRule::F3 => brings(u8::from(self.remotes == 0), 2, 1) + flush,
                PivotRule::Pg => {
                    let some = self.kinds[Kind::Get as usize] + self.kinds[Kind::Put as usize];
                    brings(u8::from(some == 0), 2, 1)
                }
                PivotRule::Ga => brings(u8::from(self.kinds[Kind::Rga as usize] == 0), 3, 2),
                PivotRule::CasF | PivotRule::CasT => {
                    brings(u8::from(self.kinds[Kind::Cas as usize] == 0), 4, 2)
                }
                PivotRule::Ir => brings(2_u8.saturating_sub(self.routed), 2, 1),
            };
            self.used + missing.max(lengths) <= bound
        })
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
