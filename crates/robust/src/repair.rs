//! Changes that make a program robust, and synchronisation that it does not need.
//!
//! Promise: [`repair`] gives a cheapest set of [`Change`]s, none of which can be left out, or says that it found none within
//! its limits; the program with them was decided to be robust. [`superfluous`] lists the waits and fences each of which
//! can be removed alone.
//!
//! Changes are made by statement of the source: a statement that stands for several commands, or that several processes
//! run, is changed for all. Limits: sets of at most [`MOST_CHANGES`]; barriers are not inserted, since one that not all
//! processes reach would stop the program.

use crate::{Answer, Options, Verdict, decide};
use farside_pgas::ast::{Completion, Order};
use farside_pgas::calculus::{Command, Expression, Program, Transition};
use std::collections::{BTreeMap, BTreeSet};

/// Largest set of changes that is tried.
pub const MOST_CHANGES: usize = 4;

/// What a kind of change costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A wait on a queue.
    pub wait: u32,
    /// A fence.
    pub fence: u32,
    /// To order a queue.
    pub ordered: u32,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            wait: 2,
            fence: 1,
            ordered: 1,
        }
    }
}

/// A change of the program. Statements are named by the first byte of their place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Wait for the queue of an operation behind it.
    WaitBehind {
        /// The statement of the operation.
        statement: usize,
    },
    /// Wait for all queues before a barrier.
    WaitBefore {
        /// The statement of the barrier.
        statement: usize,
    },
    /// A fence of the queue of an operation behind it.
    FenceBehind {
        /// The statement of the operation.
        statement: usize,
    },
    /// Order the operations of a queue.
    Order {
        /// Its number.
        queue: usize,
    },
}

impl Change {
    /// The cost.
    #[must_use]
    pub fn cost(&self, costs: &Costs) -> u32 {
        match self {
            Self::WaitBehind { .. } | Self::WaitBefore { .. } => costs.wait,
            Self::FenceBehind { .. } => costs.fence,
            Self::Order { .. } => costs.ordered,
        }
    }
}

/// The cheapest changes that make a program robust; `None` if there are none within the limits.
pub fn repair(
    program: &Program,
    costs: &Costs,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Vec<Change>> {
    let candidates = candidates(program);
    let mut sets: BTreeSet<(u32, usize, Vec<usize>)> = BTreeSet::from([(0, 0, Vec::new())]);
    while let Some((cost, size, set)) = sets.pop_first() {
        if stop() {
            return None;
        }
        let changes: Vec<Change> = set.iter().map(|&index| candidates[index].clone()).collect();
        let changed = changes.iter().fold(program.clone(), apply);
        let Answer { verdict, .. } = decide(&changed, options, stop);
        match verdict {
            Verdict::Robust => return Some(changes),
            Verdict::Inconclusive(_) => continue,
            Verdict::NotRobust(_) if size == MOST_CHANGES => continue,
            Verdict::NotRobust(_) => {}
        }
        // Each set once: the next change has a larger number.
        let first = set.last().map_or(0, |last| last + 1);
        for (next, change) in candidates.iter().enumerate().skip(first) {
            let mut larger = set.clone();
            larger.push(next);
            sets.insert((cost + change.cost(costs), size + 1, larger));
        }
    }
    None
}

/// The statements of waits and fences without which the program is still robust, by the first byte of their place.
pub fn superfluous(program: &Program, options: &Options, stop: &mut dyn FnMut() -> bool) -> Vec<usize> {
    let synchronises = |command: &Command| matches!(command, Command::Wait { .. } | Command::Fence { .. });
    // The wait within a blocking operation is not the program's to remove.
    let operations: BTreeSet<usize> = transitions(program)
        .filter(|transition| queue_of(&transition.command).is_some())
        .map(|transition| transition.origin.place.0.start)
        .collect();
    let statements: BTreeSet<usize> = transitions(program)
        .filter(|transition| synchronises(&transition.command))
        .map(|transition| transition.origin.place.0.start)
        .filter(|statement| !operations.contains(statement))
        .collect();
    let mut found = Vec::new();
    for statement in statements {
        let mut without = program.clone();
        for transition in without.codes.iter_mut().flat_map(|code| &mut code.transitions) {
            if transition.origin.place.0.start == statement && synchronises(&transition.command) {
                transition.command = Command::Assume {
                    condition: Expression::Constant(1),
                    asserted: false,
                };
            }
        }
        if matches!(decide(&without, options, stop).verdict, Verdict::Robust) {
            found.push(statement);
        }
    }
    found
}

fn transitions(program: &Program) -> impl Iterator<Item = &Transition> {
    program.codes.iter().flat_map(|code| &code.transitions)
}

fn queue_of(command: &Command) -> Option<&Expression> {
    match command {
        Command::Transfer(transfer) => Some(&transfer.queue),
        Command::Atomic(atomic) => Some(&atomic.queue),
        _ => None,
    }
}

fn candidates(program: &Program) -> Vec<Change> {
    let mut found = BTreeSet::new();
    for transition in transitions(program) {
        let statement = transition.origin.place.0.start;
        if queue_of(&transition.command).is_some() {
            found.insert(Change::WaitBehind { statement });
            found.insert(Change::FenceBehind { statement });
        } else if transition.command == Command::Barrier {
            found.insert(Change::WaitBefore { statement });
        }
    }
    for (queue, declared) in program.queues.iter().enumerate() {
        if declared.order != Order::Ordered {
            found.insert(Change::Order { queue });
        }
    }
    found.into_iter().collect()
}

/// The program with a change.
#[must_use]
pub fn apply(mut program: Program, change: &Change) -> Program {
    let queues: Vec<Expression> = (0..program.queues.len())
        .map(|queue| Expression::Constant(queue as i64))
        .collect();
    let wait = |queues| Command::Wait {
        queues,
        handles: Vec::new(),
        completion: Completion::Full,
    };
    match *change {
        Change::Order { queue } => program.queues[queue].order = Order::Ordered,
        Change::WaitBehind { statement } => insert(&mut program, statement, true, |command| {
            queue_of(command).map(|queue| wait(vec![queue.clone()]))
        }),
        Change::FenceBehind { statement } => insert(&mut program, statement, true, |command| {
            queue_of(command).map(|queue| Command::Fence {
                queue: queue.clone(),
                rank: None,
            })
        }),
        Change::WaitBefore { statement } => insert(&mut program, statement, false, |command| {
            (*command == Command::Barrier).then(|| wait(queues.clone()))
        }),
    }
    program
}

/// Inserts a command behind or before each transition of a statement that asks for one.
fn insert(
    program: &mut Program,
    statement: usize,
    behind: bool,
    wanted: impl Fn(&Command) -> Option<Command>,
) {
    for code in &mut program.codes {
        let mut added = Vec::new();
        // One wait before a state serves all steps from it.
        let mut before: BTreeMap<usize, usize> = BTreeMap::new();
        for transition in &mut code.transitions {
            if transition.origin.place.0.start != statement {
                continue;
            }
            let Some(command) = wanted(&transition.command) else {
                continue;
            };
            let step = |from, to, dead: &[_]| Transition {
                from,
                to,
                command: command.clone(),
                dead: dead.to_vec(),
                origin: transition.origin.clone(),
            };
            if behind {
                // Registers die behind the inserted command, which may name them.
                let dead = std::mem::take(&mut transition.dead);
                added.push(Transition {
                    dead,
                    ..step(code.states, transition.to, &[])
                });
                transition.to = code.states;
                code.states += 1;
            } else {
                let from = transition.from;
                let state = *before.entry(from).or_insert_with(|| {
                    added.push(step(from, code.states, &[]));
                    code.states += 1;
                    code.states - 1
                });
                transition.from = state;
            }
        }
        code.transitions.extend(added);
        code.transitions.sort_by_key(|transition| transition.from);
    }
}
