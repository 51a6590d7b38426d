//! The state of a schedule, and the execution written down so far.

mod collective;
mod moves;
mod operations;

pub(in crate::mpi3) use moves::{Choice, Move};

use super::World;
use crate::ExploreError;
use crate::mpi3::code::{Instruction, Remote, Step, evaluate};
use crate::mpi3::findings::Spot;
use crate::mpi3::question;
use farside_litmus::ast::{Assertion, Observable, Program, Rank, Value, VariableId};
use farside_models::mpi3::action::{Action, ActionKind, Half};
use farside_models::mpi3::execution::Execution;
use farside_models::mpi3::validity::{Breach, Call, breach_at_end};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A process.
#[derive(Clone, Debug)]
pub(in crate::mpi3) struct Process {
    at: usize,
    registers: Vec<i64>,
    counters: Vec<u32>,
    /// Its calls so far, and the numbers of their statements.
    history: Vec<Call>,
    numbers: Vec<usize>,
    /// Statements executed.
    executed: usize,
    /// It has entered a fence or barrier and not left it.
    inside: Option<Meeting>,
    /// It did something that it must not do.
    pub(in crate::mpi3) halted: bool,
    /// A loop of it came to its bound: it is not followed further.
    pub(in crate::mpi3) cut: bool,
    fences: usize,
    barriers: usize,
}

/// A collective call that a process is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Fence(usize),
    Barrier(usize),
}

/// A process at a collective call.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    start: usize,
    assertions: Vec<Assertion>,
    number: usize,
}

/// A communication call.
#[derive(Clone, Debug)]
pub(in crate::mpi3) struct Issued {
    pub(in crate::mpi3) origin: Rank,
    number: usize,
    pub(in crate::mpi3) remote: Remote,
    /// The action, its virtual action.
    pub(in crate::mpi3) action: usize,
    pub(in crate::mpi3) vac: usize,
    /// What was read at the origin.
    pub(in crate::mpi3) operands: Vec<i64>,
    pub(in crate::mpi3) effective: bool,
    locally: bool,
    remotely: bool,
    /// The fence that opened its epoch.
    fence: Option<usize>,
    /// The number of the start that opened its epoch, for its target.
    start: Option<usize>,
    /// The post that it waits for.
    post: Option<usize>,
    /// Calls whose updates it has read (§3.5).
    seen: Vec<usize>,
}

/// An open lock epoch.
#[derive(Clone, Debug)]
pub(super) struct Held {
    rank: Rank,
    target: Option<Rank>,
    kind: ActionKind,
    number: usize,
}

/// A closed lock epoch.
#[derive(Clone, Debug)]
pub(super) struct Released {
    target: Option<Rank>,
    exclusive: bool,
    end: usize,
}

/// Post and start between a target and an origin.
#[derive(Clone, Debug, Default)]
pub(super) struct Pair {
    posts: Vec<usize>,
    started: usize,
    completes: Vec<usize>,
    waited: usize,
}

/// A write to a variable.
#[derive(Clone, Copy, Debug)]
pub(in crate::mpi3) struct Write {
    pub(in crate::mpi3) variable: VariableId,
    /// None for first values.
    pub(in crate::mpi3) action: Option<usize>,
    pub(in crate::mpi3) value: i64,
}

/// A read, and what it returned.
#[derive(Clone, Copy, Debug)]
pub(in crate::mpi3) struct Read {
    pub(in crate::mpi3) action: usize,
    pub(in crate::mpi3) variable: VariableId,
    pub(in crate::mpi3) value: i64,
    /// The write; none if it is still to come.
    pub(in crate::mpi3) from: Option<Option<usize>>,
}

/// A move of a schedule, as it is told to those who follow it.
#[derive(Clone, Debug)]
pub(in crate::mpi3) enum Told {
    /// A process executes a statement; for calls that wait, enters and leaves it.
    Step { rank: Rank, number: usize, half: Half },
    /// The communication call of that action is made, with these operands.
    Issued { action: usize },
    /// The operation of that action takes effect.
    Effect { action: usize, value: i64 },
    /// The result of that operation is at its origin.
    Fetched { action: usize, value: i64 },
}

/// The state of a schedule.
#[derive(Clone, Debug)]
pub(in crate::mpi3) struct State {
    pub(in crate::mpi3) processes: Vec<Process>,
    pub(in crate::mpi3) writes: Vec<Write>,
    pub(in crate::mpi3) reads: Vec<Read>,
    pub(in crate::mpi3) issued: Vec<Issued>,
    held: Vec<Held>,
    released: Vec<Released>,
    messages: BTreeMap<(Rank, Rank), VecDeque<usize>>,
    fences: Vec<BTreeMap<Rank, Arrival>>,
    barriers: Vec<BTreeMap<Rank, Arrival>>,
    pairs: BTreeMap<(Rank, Rank), Pair>,
    pub(super) took_effect: Vec<usize>,
    pub(in crate::mpi3) execution: Execution,
    /// The statement of each action.
    pub(in crate::mpi3) numbers: Vec<usize>,
    pub(in crate::mpi3) faults: BTreeSet<(Spot, Breach)>,
    pub(in crate::mpi3) told: Vec<Told>,
}

impl State {
    /// The first state.
    pub(in crate::mpi3) fn new(world: &World<'_, '_>) -> Result<Self, ExploreError> {
        let code = world.code;
        let processes = code.program.processes.iter().zip(&code.counters);
        let processes: Vec<Process> = processes
            .map(|(process, &counters)| Process {
                at: 0,
                registers: vec![0; process.registers.len()],
                counters: vec![0; counters],
                history: Vec::new(),
                numbers: Vec::new(),
                executed: 0,
                inside: None,
                halted: false,
                cut: false,
                fences: 0,
                barriers: 0,
            })
            .collect();
        let first = (0..).map(VariableId).zip(&code.program.variables);
        let mut state = Self {
            writes: first
                .map(|(variable, declared)| Write {
                    variable,
                    action: None,
                    value: declared.value,
                })
                .collect(),
            reads: Vec::new(),
            issued: Vec::new(),
            held: Vec::new(),
            released: Vec::new(),
            messages: BTreeMap::new(),
            fences: Vec::new(),
            barriers: Vec::new(),
            pairs: BTreeMap::new(),
            took_effect: Vec::new(),
            execution: Execution {
                memory: world.model.memory(),
                actions: Vec::new(),
                program_order: vec![Vec::new(); processes.len()],
                synchronisation: Vec::new(),
            },
            processes,
            numbers: Vec::new(),
            faults: BTreeSet::new(),
            told: Vec::new(),
        };
        for rank in code.ranks() {
            state.run_control(world, rank);
        }
        Ok(state)
    }

    /// A loop came to its bound: executions begin so, and this is none as a whole.
    pub(in crate::mpi3) fn is_cut(&self) -> bool {
        self.processes.iter().any(|process| process.cut)
    }

    /// The values that were written.
    pub(super) fn written_values(&self) -> impl Iterator<Item = (VariableId, i64)> + use<'_> {
        self.writes.iter().map(|write| (write.variable, write.value))
    }

    /// What a variable holds.
    pub(in crate::mpi3) fn value(&self, variable: VariableId) -> i64 {
        let last = self.writes.iter().rev().find(|write| write.variable == variable);
        last.map_or(0, |write| write.value)
    }

    /// The final values of what the program is asked for.
    pub(in crate::mpi3) fn values(&self, program: &Program) -> Vec<Value> {
        let value = |shown: Observable| match shown {
            Observable::Register(rank, register) => {
                self.processes[rank.0 as usize].registers[register.0 as usize]
            }
            Observable::Variable(variable) => self.value(variable),
        };
        let shown = question::observables(program).into_iter();
        shown.map(|shown| Value::Known(value(shown))).collect()
    }

    pub(super) fn process(&mut self, rank: Rank) -> &mut Process {
        &mut self.processes[rank.0 as usize]
    }

    /// The statement that a process executes next.
    pub(in crate::mpi3) fn next<'w, 'p>(&self, world: &World<'w, 'p>, rank: Rank) -> Option<&'w Step<'p>> {
        let process = &self.processes[rank.0 as usize];
        match world.code.processes[rank.0 as usize].get(process.at) {
            Some(Instruction::Do(step)) if !process.halted && !process.cut => Some(step),
            _ => None,
        }
    }

    pub(super) fn fault(&mut self, rank: Rank, number: usize, breach: Breach) {
        self.faults.insert(((rank, number), breach));
    }

    /// Goes over jumps and assignments to the next statement; judges the end of a process.
    pub(super) fn run_control(&mut self, world: &World<'_, '_>, rank: Rank) {
        use crate::mpi3::code::Does;
        let instructions = &world.code.processes[rank.0 as usize];
        let process = &mut self.processes[rank.0 as usize];
        loop {
            match instructions.get(process.at) {
                Some(Instruction::Do(Step {
                    does: Does::Assign(into, value),
                    ..
                })) => {
                    process.registers[into.0 as usize] = evaluate(value, &process.registers);
                    process.at += 1;
                }
                Some(Instruction::Do(_)) => return,
                Some(Instruction::Goto(target)) => process.at = *target,
                Some(Instruction::Reset(counter)) => {
                    process.counters[*counter] = 0;
                    process.at += 1;
                }
                Some(Instruction::Test { condition, otherwise }) => {
                    let holds = evaluate(condition, &process.registers) != 0;
                    process.at = if holds { process.at + 1 } else { *otherwise };
                }
                Some(Instruction::Turn {
                    condition,
                    counter,
                    bound,
                    exit,
                }) => {
                    if evaluate(condition, &process.registers) == 0 {
                        process.at = *exit;
                    } else if process.counters[*counter] >= *bound {
                        process.cut = true;
                        return;
                    } else {
                        process.counters[*counter] += 1;
                        process.at += 1;
                    }
                }
                None => break,
            }
        }
        if let Some((index, breach)) = breach_at_end(&process.history) {
            let number = process.numbers[index];
            self.fault(rank, number, breach);
        }
    }

    /// Writes down an action of a process, at the end of its program order.
    pub(super) fn act(&mut self, action: Action, number: usize) -> usize {
        let index = self.execution.actions.len();
        if action.kind != ActionKind::Vac && action.kind != ActionKind::Vas {
            self.execution.program_order[action.process.0 as usize].push(index);
        }
        self.execution.actions.push(action);
        self.numbers.push(number);
        index
    }

    /// A blank action of a process.
    pub(super) fn blank(&self, rank: Rank, kind: ActionKind, half: Half) -> Action {
        Action {
            kind,
            half,
            process: rank,
            target: None,
            location: None,
            reads: false,
            writes: false,
            effect_of: None,
            operation: None,
            of: None,
            statement: self.processes[rank.0 as usize].executed,
            origin: rank,
        }
    }

    pub(super) fn synchronise(&mut self, from: usize, to: usize, rule: &'static str) {
        self.execution.synchronisation.push((from, to, rule));
    }
}
