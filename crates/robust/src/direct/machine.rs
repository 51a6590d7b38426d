//! The steps of the machine: Table 1, rule by rule, with the deviations of the calculus.

use super::MAX_OPEN;
use super::meaning::{Meaning, meaning, outside};
use super::operation::{Address, Pop, Request, Stage, idle, next_pop};
use super::state::State;
use crate::OutsideDomain;
use farside_pgas::ast::{AtomicOperation, Order};
use farside_pgas::calculus::{Command, Program, Register, Transition};

/// A step from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A transition of a process.
    Command { rank: usize, transition: usize },
    /// A transition of each process.
    Barrier(Vec<usize>),
    /// The next pop of the open operation at a position.
    Pop(usize, Pop),
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) address: Address,
    pub(super) writes: bool,
    /// What was read; of what only writes, what is there now.
    pub(super) value: u32,
}

/// What came of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Done {
    pub(super) touched: Option<Touched>,
    /// It closes a happens-before cycle.
    pub(super) violating: bool,
    /// Where an operation was put in.
    pub(super) issued: Option<usize>,
    /// Where some were taken out, one after the other.
    pub(super) completed: Vec<usize>,
}

/// What can be done from a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    /// The bound held an operation back.
    pub(super) cut: bool,
    /// A step that is none, for it makes a value that the domain does not have.
    pub(super) outside: Option<OutsideDomain>,
}

pub(super) struct Machine<'p> {
    program: &'p Program,
    orders: Vec<Order>,
    /// Most open operations of a process.
    bound: usize,
    /// The transitions of each state of each code.
    leaving: Vec<Vec<Vec<usize>>>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, bound: Option<usize>) -> Self {
        let most = MAX_OPEN / program.ranks as usize;
        let leaving = program
            .codes
            .iter()
            .map(|code| {
                let mut leaving = vec![Vec::new(); code.states];
                for (index, transition) in code.transitions.iter().enumerate() {
                    leaving[transition.from].push(index);
                }
                leaving
            })
            .collect();
        Self {
            program,
            orders: program.queues.iter().map(|queue| queue.order).collect(),
            bound: bound.unwrap_or(most).clamp(1, most.max(1)),
            leaving,
        }
    }

    pub(super) fn bound(&self) -> usize {
        self.bound
    }

    /// Events that a step adds to a computation; an operation adds those of its pops, too, and they add none.
    pub(super) fn events(&self, step: &Step) -> u32 {
        match step {
            Step::Pop(..) => 0,
            Step::Barrier(transitions) => transitions.len() as u32,
            Step::Command { rank, transition } => match self.command(*rank, *transition) {
                Command::Transfer(_) => 3,
                Command::Atomic(atomic) => 2 + u32::from(atomic.local.is_some()),
                _ => 1,
            },
        }
    }

    /// All steps from a state, always in the same order.
    pub(super) fn steps(&self, state: &State) -> Steps {
        let mut found = Steps::default();
        let mut barriers: Vec<Vec<usize>> = vec![Vec::new()];
        for rank in 0..self.program.ranks as usize {
            let open = state.open_of(rank);
            let mut own = Vec::new();
            for &transition in &self.leaving[self.program.code_of_rank[rank]][state.control[rank]] {
                let command = self.command(rank, transition);
                if *command == Command::Barrier {
                    own.push(transition);
                    continue;
                }
                if let Some(value) = outside(self.program, state, rank, command) {
                    found.outside = Some(OutsideDomain {
                        rank,
                        transition,
                        value,
                    });
                    continue;
                }
                let operation = matches!(command, Command::Transfer(_) | Command::Atomic(_));
                if meaning(self.program, state, rank, command).is_none() {
                    continue;
                }
                if operation && (open >= self.bound || state.open.len() >= MAX_OPEN) {
                    found.cut = true;
                } else {
                    found.steps.push(Step::Command { rank, transition });
                }
            }
            barriers = barriers
                .iter()
                .flat_map(|before| own.iter().map(move |&next| [&before[..], &[next]].concat()))
                .collect();
        }
        found.steps.extend(barriers.into_iter().map(Step::Barrier));
        for position in 0..state.open.len() {
            if let Some(pop) = next_pop(&state.open, position, &self.orders) {
                found.steps.push(Step::Pop(position, pop));
            }
        }
        found
    }

    /// Takes a step that is one of the [`steps`](Self::steps) from a state.
    pub(super) fn take(&self, state: &mut State, step: &Step) -> Done {
        let mut done = Done::default();
        match step {
            Step::Barrier(transitions) => {
                for (rank, &transition) in transitions.iter().enumerate() {
                    state.control[rank] = self.transition(rank, transition).to;
                }
                state.causes.barrier();
            }
            &Step::Command { rank, transition } => {
                if let Some(meaning) = meaning(self.program, state, rank, self.command(rank, transition)) {
                    self.execute(state, rank, meaning, &mut done);
                }
                state.control[rank] = self.transition(rank, transition).to;
            }
            &Step::Pop(position, pop) => self.pop(state, position, pop, &mut done),
        }
        for rank in 0..state.control.len() {
            if self.leaving[self.program.code_of_rank[rank]][state.control[rank]].is_empty() {
                state.causes.ended(rank);
            }
        }
        done
    }

    fn execute(&self, state: &mut State, rank: usize, meaning: Meaning, done: &mut Done) {
        let register = |register: Register| rank * self.program.registers.len() + register.0;
        match meaning {
            Meaning::Load(into, address) => {
                let value = state.memory[address];
                state.registers[register(into)] = value;
                done.touched = Some(Touched {
                    address,
                    writes: false,
                    value,
                });
            }
            Meaning::Store(address, value) => {
                state.memory[address] = value;
                done.touched = Some(Touched {
                    address,
                    writes: true,
                    value,
                });
            }
            Meaning::Assign(into, value) => state.registers[register(into)] = value,
            Meaning::Nothing => {}
            Meaning::Issue(operation) => {
                done.issued = Some(state.issue(operation));
                return;
            }
            Meaning::Fence(queue, target) => {
                for operation in &mut state.open {
                    operation.fenced |= operation.rank == rank
                        && operation.queue == queue
                        && !operation.took_effect()
                        && target.is_none_or(|target| operation.target == target);
                }
            }
        }
        let access = done.touched.map(|touched| (touched.address, touched.writes));
        state.causes.command(rank, access);
    }

    fn pop(&self, state: &mut State, position: usize, pop: Pop, done: &mut Done) {
        match state.open[position].stage.clone() {
            Stage::Requested(request) => {
                let (address, writes, value, destination) = match request {
                    Request::Copy { source, destination } => {
                        (source, false, state.memory[source], Some(destination))
                    }
                    Request::Atomic {
                        at,
                        operation,
                        operand,
                        expected,
                        result,
                    } => {
                        let old = state.memory[at];
                        state.memory[at] = match operation {
                            AtomicOperation::FetchAdd => {
                                ((u64::from(old) + u64::from(operand)) % u64::from(self.program.domain))
                                    as u32
                            }
                            AtomicOperation::CompareSwap if expected != Some(old) => old,
                            AtomicOperation::Swap | AtomicOperation::CompareSwap => operand,
                        };
                        (at, true, old, result)
                    }
                };
                done.touched = Some(Touched {
                    address,
                    writes,
                    value,
                });
                done.violating = state.causes.pop(position, address, writes);
                state.open[position].stage = match destination {
                    Some(destination) => Stage::Delivering(destination, value),
                    None => Stage::Waiting,
                };
            }
            Stage::Delivering(address, value) => {
                state.memory[address] = value;
                done.touched = Some(Touched {
                    address,
                    writes: true,
                    value,
                });
                done.violating = state.causes.pop(position, address, true);
            }
            Stage::Waiting => {}
        }
        let writes_target = state.open[position].writes_target;
        if writes_target == (pop == Pop::B) {
            state.open[position].fenced = false;
            state.took_effect(position);
        }
        if pop == Pop::B {
            state.complete(position);
            done.completed.push(position);
        }
        while let Some(position) = idle(&state.open, &self.orders) {
            state.complete(position);
            done.completed.push(position);
        }
    }

    fn transition(&self, rank: usize, transition: usize) -> &Transition {
        &self.program.codes[self.program.code_of_rank[rank]].transitions[transition]
    }

    pub(super) fn command(&self, rank: usize, transition: usize) -> &Command {
        &self.transition(rank, transition).command
    }
}
