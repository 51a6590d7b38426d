//! The state of a schedule: processes, memory, what is open.

mod operations;
mod synchronisation;

use super::accesses::{Access, Accesses, Key};
use super::clock::{Clock, Moment};
use super::epochs::Epochs;
use super::{Logged, World};
use crate::ExploreError;
use crate::mpi3::code::{Does, Instruction, Remote, Step, evaluate};
use crate::mpi3::findings::{Findings, Spot};
use crate::mpi3::question;
use farside_litmus::ast::{Assertion, Observable, Rank, StatementKind, Value, VariableId};
use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::validity::Breach;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Process {
    at: usize,
    registers: Vec<i64>,
    counters: Vec<u32>,
    executed: usize,
    clock: Clock,
    /// What it knew when it last brought its private copy up to date.
    acquired: Clock,
    epochs: Epochs,
    inside: Option<Inside>,
    pub(super) halted: bool,
    /// A loop of it came to its bound: it is not followed further.
    pub(super) cut: bool,
    fences: usize,
    barriers: usize,
}

/// The collective call that a process is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Inside {
    Fence(usize),
    Barrier(usize),
}

/// A process at a fence or barrier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Arrival {
    clock: Clock,
    assertions: Vec<Assertion>,
    number: usize,
}

/// A communication call that is not complete.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pending {
    key: Key,
    number: usize,
    remote: Remote,
    operands: SmallVec<[i64; 2]>,
    /// What its origin knew at the call.
    called: Clock,
    /// Besides, what its target has told.
    clock: Clock,
    issued: Moment,
    /// Its target has not yet opened the epoch of this fence.
    waits_for_fence: Option<usize>,
    effective: bool,
    start: Option<usize>,
    /// What a fetch has learned, from its completion on.
    learned: Option<Clock>,
}

/// An open lock epoch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Held {
    rank: Rank,
    target: Option<Rank>,
    exclusive: bool,
    number: usize,
}

/// Post and start between a target and an origin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    posts: Vec<Clock>,
    started: usize,
    completes: Vec<Clock>,
    waited: usize,
}

/// An accumulate whose contribution is in the value of its location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Contribution {
    key: Key,
    clock: Clock,
}

/// A step that must be tried in every order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Move {
    Step(Rank),
    Effect(usize),
}

/// The state of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) processes: Vec<Process>,
    memory: Vec<i64>,
    contributions: BTreeMap<VariableId, Vec<Contribution>>,
    accesses: Accesses,
    pending: Vec<Pending>,
    held: Vec<Held>,
    /// What is known at the end of the closed lock epochs, by target and kind.
    released: BTreeMap<(Option<Rank>, bool), Clock>,
    messages: BTreeMap<(Rank, Rank), VecDeque<Clock>>,
    fences: Vec<BTreeMap<Rank, Arrival>>,
    barriers: Vec<BTreeMap<Rank, Arrival>>,
    pairs: BTreeMap<(Rank, Rank), Pair>,
    pub(super) faults: BTreeSet<(Spot, Breach)>,
}

impl State {
    pub(super) fn new(world: &World<'_, '_>) -> Self {
        let code = world.code;
        let size = code.processes();
        let processes = code.program.processes.iter().zip(&code.counters);
        let processes = processes.map(|(process, &counters)| Process {
            at: 0,
            registers: vec![0; process.registers.len()],
            counters: vec![0; counters],
            executed: 0,
            clock: Clock::new(size),
            acquired: Clock::new(size),
            epochs: Epochs::default(),
            inside: None,
            halted: false,
            cut: false,
            fences: 0,
            barriers: 0,
        });
        let mut state = Self {
            processes: processes.collect(),
            memory: code
                .program
                .variables
                .iter()
                .map(|variable| variable.value)
                .collect(),
            contributions: BTreeMap::new(),
            accesses: Accesses::default(),
            pending: Vec::new(),
            held: Vec::new(),
            released: BTreeMap::new(),
            messages: BTreeMap::new(),
            fences: Vec::new(),
            barriers: Vec::new(),
            pairs: BTreeMap::new(),
            faults: BTreeSet::new(),
        };
        for rank in code.ranks() {
            state.run_control(world, rank);
        }
        state
    }

    pub(super) fn process(&mut self, rank: Rank) -> &mut Process {
        &mut self.processes[rank.0 as usize]
    }

    fn next<'w, 'p>(&self, world: &World<'w, 'p>, rank: Rank) -> Option<&'w Step<'p>> {
        let process = &self.processes[rank.0 as usize];
        match world.code.processes[rank.0 as usize].get(process.at) {
            Some(Instruction::Do(step)) if !process.halted && !process.cut => Some(step),
            _ => None,
        }
    }

    /// Does everything whose order does not matter.
    pub(super) fn run(&mut self, world: &World<'_, '_>, log: &mut Vec<Logged>) -> Result<(), ExploreError> {
        loop {
            let mut moved = false;
            for rank in world.code.ranks() {
                while let Some(step) = self.next(world, rank) {
                    let inside = self.processes[rank.0 as usize].inside.is_some();
                    let fails = !inside && self.processes[rank.0 as usize].epochs.breach(step).is_some();
                    if !fails && !self.may_step(rank, step)
                        || !fails && !inside && world.branches(&step.statement.kind)
                    {
                        break;
                    }
                    self.step(world, rank, step)?;
                    log.push(Logged::Step(rank));
                    moved = true;
                }
            }
            moved |= self.effects_in_order(world, log);
            if !moved {
                return Ok(());
            }
        }
    }

    /// The steps whose order matters.
    pub(super) fn moves(&self, world: &World<'_, '_>) -> Vec<Move> {
        let steps = world.code.ranks().filter(|&rank| {
            let step = self.next(world, rank);
            step.is_some_and(|step| self.may_step(rank, step))
        });
        let effects = (0..self.pending.len()).filter(|&index| self.may_take_effect(index));
        steps.map(Move::Step).chain(effects.map(Move::Effect)).collect()
    }

    /// Takes such a step, and then does everything whose order does not matter.
    pub(super) fn take(
        &mut self,
        world: &World<'_, '_>,
        chosen: Move,
        log: &mut Vec<Logged>,
    ) -> Result<(), ExploreError> {
        match chosen {
            Move::Step(rank) => {
                log.push(Logged::Step(rank));
                if let Some(step) = self.next(world, rank) {
                    self.step(world, rank, step)?;
                }
            }
            Move::Effect(index) => self.effect(index, log),
        }
        self.run(world, log)
    }

    fn step(&mut self, world: &World<'_, '_>, rank: Rank, step: &Step<'_>) -> Result<(), ExploreError> {
        if let Some(inside) = self.process(rank).inside {
            self.leave(world, rank, inside);
            return self.advance(world, rank);
        }
        if let Some(breach) = self.process(rank).epochs.breach(step) {
            self.faults.insert(((rank, step.number), breach));
            self.process(rank).halted = true;
            return Ok(());
        }
        let fence = self.process(rank).fences;
        let moment = self.process(rank).clock.tick(rank);
        match &step.does {
            Does::Assign(..) => {}
            Does::Load(into, variable) => {
                self.own_access(world, rank, step, *variable, false, moment);
                let value = self.memory[variable.0 as usize];
                self.process(rank).registers[into.0 as usize] = value;
            }
            Does::Store(variable, value) => {
                let value = evaluate(value, &self.process(rank).registers);
                self.own_access(world, rank, step, *variable, true, moment);
                self.write(*variable, value);
            }
            Does::Remote(remote) => {
                if remote.kind == ActionKind::Rac && !remote.writes() {
                    self.faults.insert(((rank, step.number), Breach::AccumulateNoOp));
                    self.process(rank).halted = true;
                    return Ok(());
                }
                self.issue(world, rank, remote, step, moment);
            }
            Does::Synchronise(_) => self.synchronise(world, rank, step, moment),
        }
        self.process(rank).epochs.enter(step, fence);
        if matches!(
            step.statement.kind,
            StatementKind::Fence(_) | StatementKind::Barrier
        ) {
            return Ok(());
        }
        self.advance(world, rank)
    }

    /// An access arrives whose process knows `clock`.
    pub(super) fn arrive(&mut self, world: &World<'_, '_>, access: Access, clock: &Clock) {
        let owner = world.code.owner(access.variable());
        let acquired = &self.processes[owner.0 as usize].acquired;
        self.accesses.arrive(world, access, clock, acquired);
    }

    fn own_access(
        &mut self,
        world: &World<'_, '_>,
        rank: Rank,
        step: &Step<'_>,
        variable: VariableId,
        writes: bool,
        moment: Moment,
    ) {
        let key = (rank, self.process(rank).executed, 0);
        let access = Access::own(key, step.number, variable, writes, moment);
        let clock = self.process(rank).clock.clone();
        self.arrive(world, access, &clock);
    }

    /// A plain write: what accumulates contributed before is no longer in the value.
    pub(super) fn write(&mut self, variable: VariableId, value: i64) {
        self.memory[variable.0 as usize] = value;
        self.contributions.remove(&variable);
    }

    fn advance(&mut self, world: &World<'_, '_>, rank: Rank) -> Result<(), ExploreError> {
        let process = self.process(rank);
        process.inside = None;
        process.executed += 1;
        process.at += 1;
        self.run_control(world, rank);
        let actions: usize = self.processes.iter().map(|process| process.executed).sum();
        if actions > farside_relations::MAX {
            return Err(ExploreError::TooManyActions { actions });
        }
        Ok(())
    }

    /// Goes over jumps and assignments to the next statement; judges the end of a process.
    fn run_control(&mut self, world: &World<'_, '_>, rank: Rank) {
        let process = &mut self.processes[rank.0 as usize];
        while let Some(instruction) = world.code.processes[rank.0 as usize].get(process.at) {
            let value = |condition| evaluate(condition, &process.registers);
            process.at = match instruction {
                Instruction::Do(Step {
                    does: Does::Assign(into, expression),
                    ..
                }) => {
                    process.registers[into.0 as usize] = value(expression);
                    process.at + 1
                }
                Instruction::Do(_) => return,
                Instruction::Goto(target) => *target,
                Instruction::Reset(counter) => {
                    process.counters[*counter] = 0;
                    process.at + 1
                }
                Instruction::Test { condition, otherwise } if value(condition) == 0 => *otherwise,
                Instruction::Test { .. } => process.at + 1,
                Instruction::Turn { condition, exit, .. } if value(condition) == 0 => *exit,
                Instruction::Turn { counter, bound, .. } => {
                    if process.counters[*counter] >= *bound {
                        process.cut = true;
                        return;
                    }
                    process.counters[*counter] += 1;
                    process.at + 1
                }
            };
        }
        if let Some((number, breach)) = process.epochs.breach_at_end() {
            self.faults.insert(((rank, number), breach));
        }
    }

    /// The schedule is over.
    pub(super) fn conclude(&self, world: &World<'_, '_>, findings: &mut Findings) {
        let cut = self.processes.iter().any(|process| process.cut);
        findings.bounded |= cut;
        if !self.faults.is_empty() {
            findings.faults.extend(self.faults.iter().copied());
            return;
        }
        let stuck = world
            .code
            .ranks()
            .find_map(|rank| self.next(world, rank).map(|step| (rank, step)));
        // Who waits may wait for a process that is not followed further.
        if let (Some((rank, step)), false) = (stuck, cut) {
            let fence = matches!(step.statement.kind, StatementKind::Fence(_));
            let breach = if fence {
                Breach::FenceUnmatched
            } else {
                Breach::Deadlock
            };
            findings.faults.insert(((rank, step.number), breach));
            return;
        }
        if !self.accesses.races().is_empty() {
            for (&spots, &why) in self.accesses.races() {
                findings.race(spots, why);
            }
            return;
        }
        if cut {
            return;
        }
        let values = question::observables(world.code.program)
            .into_iter()
            .map(|shown| {
                Value::Known(match shown {
                    Observable::Register(rank, register) => {
                        self.processes[rank.0 as usize].registers[register.0 as usize]
                    }
                    Observable::Variable(variable) => self.memory[variable.0 as usize],
                })
            });
        findings.states.insert(values.collect());
    }
}
