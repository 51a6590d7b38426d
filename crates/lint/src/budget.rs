//! How long a simulation may be, and what is done at once to make it shorter.

use crate::ir::Module;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What limits a simulation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions of all processes together.
    pub steps: u64,
}

impl Limits {
    /// A million instructions for any program, and more for a long one: 128 for each of its own, so that all processes
    /// can come to its end.
    pub fn of(module: &Module) -> Self {
        let blocks = module.functions.iter().flat_map(|function| &function.blocks);
        let length: usize = blocks.map(|block| block.instructions.len() + 1).sum();
        Self {
            steps: 1_000_000 + 128 * length as u64,
        }
    }
}

/// What all simulations together may take.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    /// So much, from the start of the analysis on.
    pub time: Duration,
    /// What says how much time has passed since some fixed moment: the processor time of the thread that asks, say, so
    /// that a report depends little on what else its machine does. Several threads ask, each for itself.
    pub clock: fn() -> Duration,
}

/// How much memory the process may use while it simulates.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// So many bytes: a simulation that finds more in use ends.
    pub bytes: u64,
    /// What says how many are in use.
    pub used: fn() -> u64,
}

impl MemoryLimit {
    fn is_reached(self) -> bool {
        (self.used)() > self.bytes
    }
}

/// What a simulation may run out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resource {
    Steps,
    Time,
    Memory,
}

/// Bytes that the simulation moves in about the time of an instruction.
const BYTES_A_STEP: u64 = 128;

/// Steps between two looks at time and memory, each of which costs as much as some hundred steps.
const LOOK: u64 = 4096;

thread_local! {
    /// What simulations took that other threads made for this one.
    static TAKEN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// A simulation that another thread made took so long: it counts as if this one had made it.
pub(crate) fn count_as_mine(time: Duration) {
    TAKEN.set(TAKEN.get() + time);
}

/// A moment of a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Duration,
    clock: fn() -> Duration,
}

impl Deadline {
    /// So much time from now on.
    pub(crate) fn after(time: Duration, clock: fn() -> Duration) -> Self {
        Self {
            at: now(clock) + time,
            clock,
        }
    }

    pub(crate) fn is_past(self) -> bool {
        self.left().is_zero()
    }

    /// The moment at which one part of so many of the time that is left is over.
    pub(crate) fn part(self, of: u32) -> Self {
        Self::after(self.left() / of, self.clock)
    }

    pub(crate) fn left(self) -> Duration {
        self.at.saturating_sub(now(self.clock))
    }
}

fn now(clock: fn() -> Duration) -> Duration {
    clock() + TAKEN.get()
}

/// What ends a simulation in any case.
#[derive(Clone, Debug, Default)]
pub(crate) struct End {
    deadline: Option<Deadline>,
    called_off: Option<Arc<AtomicBool>>,
}

impl End {
    /// When somebody says that it is not wanted any more.
    pub(crate) fn when(called_off: &Arc<AtomicBool>) -> Self {
        Self {
            called_off: Some(Arc::clone(called_off)),
            ..Self::default()
        }
    }

    /// At this time, too, if there is one.
    pub(crate) fn at(self, deadline: Option<Deadline>) -> Self {
        Self { deadline, ..self }
    }

    pub(crate) fn is_past(&self) -> bool {
        let called_off = self.called_off.as_ref();
        called_off.is_some_and(|called_off| called_off.load(Ordering::Relaxed))
            || self.deadline.is_some_and(Deadline::is_past)
    }
}

/// Rounds of a loop that are followed one by one where the others are taken together early.
const EARLY: u32 = 16;

/// The ways to come to the same events sooner. Tests compare what comes of a program with and without each of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortcuts {
    /// What a thread does alone is done without looking at all else that a step may concern.
    pub(crate) alone: bool,
    /// Rounds of a loop are taken together.
    pub(crate) together: bool,
    /// After so many turns; `None`: it depends on how much of the budget is used.
    pub(crate) after: Option<u32>,
}

impl Shortcuts {
    /// Rounds are taken together as soon as a loop has gone round a few times.
    pub(crate) fn early() -> Self {
        Self {
            after: Some(EARLY),
            ..Self::default()
        }
    }
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self {
            alone: true,
            together: true,
            after: None,
        }
    }
}

/// The steps that a simulation has made, and those that it may make.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    shortcuts: Shortcuts,
    steps: u64,
    /// Whether loops become shorter as it is used.
    shortens: bool,
    /// Whether it is all spent when a value is wanted that was not computed.
    ends_without_values: bool,
    /// Whether such a value was wanted.
    wanted_values: bool,
    /// What ends the simulation in any case.
    end: End,
    memory: Option<MemoryLimit>,
    /// From so many steps on, time and memory are looked at again.
    next_look: u64,
}

impl Budget {
    pub(crate) fn of(limits: Limits, shortcuts: Shortcuts) -> Self {
        Self {
            limits,
            shortcuts,
            steps: 0,
            shortens: true,
            ends_without_values: false,
            wanted_values: false,
            end: End::default(),
            memory: None,
            next_look: 0,
        }
    }

    /// The simulation ends so in any case.
    pub(crate) fn ending(mut self, end: &End) -> Self {
        self.end = end.clone();
        self
    }

    /// The simulation ends when this is reached.
    pub(crate) fn within(mut self, memory: Option<MemoryLimit>) -> Self {
        self.memory = memory;
        self
    }

    /// Loops do not become shorter as it is used: the whole is expected to fit into it.
    pub(crate) fn without_shortening(mut self) -> Self {
        self.shortens = false;
        self
    }

    /// The simulation ends where a value is wanted that was not computed.
    pub(crate) fn ending_without_values(mut self) -> Self {
        self.ends_without_values = true;
        self
    }

    /// A value is wanted that was not computed.
    pub(crate) fn want_values(&mut self) {
        self.wanted_values = true;
    }

    /// Something was done that is as long as so many instructions.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// So many bytes were moved.
    pub(crate) fn spend_on_bytes(&mut self, bytes: u64) {
        self.spend(bytes / BYTES_A_STEP);
    }

    /// What comes next is too long for any budget.
    pub(crate) fn give_up(&mut self) {
        self.steps = self.steps.max(self.limits.steps + 1);
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// For want of what the simulation must end, if it must.
    pub(crate) fn exhausted(&mut self) -> Option<Resource> {
        if self.steps > self.limits.steps || self.ends_without_values && self.wanted_values {
            return Some(Resource::Steps);
        }
        if self.steps < self.next_look {
            return None;
        }
        self.next_look = self.steps + LOOK;
        if self.end.is_past() {
            return Some(Resource::Time);
        }
        (self.memory.is_some_and(MemoryLimit::is_reached)).then_some(Resource::Memory)
    }

    pub(crate) fn shortcuts(&self) -> Shortcuts {
        self.shortcuts
    }

    /// How often a loop may go round at the moment.
    pub(crate) fn turns(&self) -> Turns {
        Turns {
            single: self.single_turns(),
            most: self.most_turns(),
        }
    }

    /// How often a loop goes round before rounds are taken together: less as the whole becomes long.
    fn single_turns(&self) -> u32 {
        self.shortcuts.after.unwrap_or_else(|| match self.used() {
            _ if !self.shortens => 1 << 16,
            0..10 => 1 << 16,
            10..30 => 256,
            30..60 => 16,
            _ => 2,
        })
    }

    /// How often a loop may go round whose rounds are not taken together: less as the whole becomes long, so that it ends.
    fn most_turns(&self) -> u32 {
        match self.used() {
            _ if !self.shortens => 1 << 16,
            0..30 => 1 << 16,
            30..50 => 1024,
            50..70 => 64,
            70..85 => 16,
            _ => 2,
        }
    }

    /// How much of the budget is used, in percent.
    fn used(&self) -> u64 {
        self.steps * 100 / self.limits.steps.max(1)
    }
}

/// How often a loop may go round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turns {
    single: u32,
    most: u32,
}

impl Turns {
    /// So often, rounds are followed one by one.
    pub(crate) fn single(self) -> u32 {
        self.single
    }

    /// More often, a loop is left whose rounds are not taken together.
    pub(crate) fn most(self) -> u32 {
        self.most
    }

    /// Whether it is asked after so many rounds what the next ones do together; less and less often where that is not
    /// to be known.
    pub(crate) fn may_be_taken_together(self, turns: u32) -> bool {
        turns.is_multiple_of(self.single) && (turns / self.single).is_power_of_two()
    }

    /// Whether more is to be done at the end of that round than to go on.
    pub(crate) fn need_a_step(self, turns: u32) -> bool {
        turns > self.most || self.may_be_taken_together(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_become_shorter_as_the_budget_is_used() {
        let mut budget = Budget::of(Limits { steps: 100 }, Shortcuts::default());
        let mut turns = Vec::new();
        for _ in 0..6 {
            turns.push((budget.single_turns(), budget.most_turns()));
            budget.spend(20);
        }
        let expected = [(65536, 65536), (256, 65536), (16, 1024), (2, 64), (2, 16), (2, 2)];
        assert_eq!(turns, expected);
        assert_eq!((budget.exhausted(), budget.steps()), (Some(Resource::Steps), 120));
    }

    #[test]
    fn time_and_memory_end_a_simulation_too() {
        let limits = Limits { steps: 100_000 };
        let new = || Budget::of(limits, Shortcuts::default());
        let memory = |used| MemoryLimit { bytes: 1000, used };
        let mut enough = new().within(Some(memory(|| 1000)));
        let mut full = new().within(Some(memory(|| 1001)));
        assert_eq!(
            (enough.exhausted(), full.exhausted()),
            (None, Some(Resource::Memory))
        );
        let called_off = Arc::default();
        let mut unwanted = new().ending(&End::when(&called_off));
        assert_eq!(unwanted.exhausted(), None);
        called_off.store(true, Ordering::Relaxed);
        // It is looked at now and then.
        assert_eq!(unwanted.exhausted(), None);
        unwanted.spend(LOOK);
        assert_eq!(unwanted.exhausted(), Some(Resource::Time));
    }
}
