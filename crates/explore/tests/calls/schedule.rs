//! Schedules of a program: orders of what its PEs do that others can see.
//!
//! Operations take effect when they are issued. What a PE does by itself (loads, stores, puts, gets, quiets, fences)
//! comes right after what it did before: it orders nothing between PEs, so that no order between them is lost. Atomic
//! operations, flags and barriers come in every order in which no PE waits in vain.

use crate::case::{Case, Role, call};
use farside_litmus::ast::{Access, Expression, StatementKind};

/// A step of a PE, and the value that it brought or sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) rank: u32,
    /// The statement, counted from 0.
    pub(crate) number: usize,
    /// An atomic operation: what it found; a put, a flag: what it sends; a wait: what it saw.
    pub(crate) value: i64,
}

/// How an enumeration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All were visited, or the visitor had enough.
    Done,
    /// There are more than were asked for.
    TooMany,
    /// Some PE waits in vain.
    Hangs,
}

/// Visits all schedules, of which there may be so many; `visit` returns whether it has enough.
pub(crate) fn all(case: &Case, most: usize, visit: &mut dyn FnMut(&[Step]) -> bool) -> End {
    let mut walk = Walk {
        case,
        left: most,
        visit,
        end: None,
    };
    let ranks = case.program.processes.len();
    let mut state = State {
        next: vec![0; ranks],
        at_barrier: vec![false; ranks],
        memory: case
            .program
            .variables
            .iter()
            .map(|variable| variable.value)
            .collect(),
        steps: Vec::new(),
    };
    walk.run_ahead(&mut state);
    walk.from(&state);
    walk.end.unwrap_or(End::Done)
}

#[derive(Clone)]
struct State {
    next: Vec<usize>,
    at_barrier: Vec<bool>,
    memory: Vec<i64>,
    steps: Vec<Step>,
}

struct Walk<'c> {
    case: &'c Case,
    left: usize,
    visit: &'c mut dyn FnMut(&[Step]) -> bool,
    end: Option<End>,
}

impl Walk<'_> {
    fn statement(&self, state: &State, rank: usize) -> Option<&StatementKind> {
        let statements = &self.case.program.processes[rank].statements;
        statements
            .get(state.next[rank])
            .map(|statement| call(&statement.kind).1)
    }

    /// Whether others can see it, or it waits for others.
    fn is_seen(&self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Rga { .. }
            | StatementKind::Notify(_)
            | StatementKind::PutNotify { .. }
            | StatementKind::Barrier => true,
            StatementKind::Await(flag) => self.case.roles[flag.0 as usize] == Role::Flag,
            _ => false,
        }
    }

    /// Whether the next statement of a PE can be done.
    fn is_ready(&self, state: &State, rank: usize) -> bool {
        !state.at_barrier[rank]
            && match self.statement(state, rank) {
                None => false,
                Some(StatementKind::Await(flag)) => state.memory[flag.0 as usize] != 0,
                Some(_) => true,
            }
    }

    fn from(&mut self, state: &State) {
        let ranks = 0..state.next.len();
        let ready: Vec<usize> = ranks.clone().filter(|&rank| self.is_ready(state, rank)).collect();
        if ready.is_empty() {
            let finished = ranks.clone().all(|rank| self.statement(state, rank).is_none());
            if !finished {
                self.end = Some(End::Hangs);
            } else if self.left == 0 {
                self.end = Some(End::TooMany);
            } else {
                self.left -= 1;
                if (self.visit)(&state.steps) {
                    self.end = Some(End::Done);
                }
            }
            return;
        }
        for rank in ready {
            if self.end.is_some() {
                return;
            }
            let mut after = state.clone();
            self.step(&mut after, rank);
            self.run_ahead(&mut after);
            self.from(&after);
        }
    }

    /// What PEs do by themselves.
    fn run_ahead(&self, state: &mut State) {
        for rank in 0..state.next.len() {
            while !state.at_barrier[rank]
                && self
                    .statement(state, rank)
                    .is_some_and(|kind| !self.is_seen(kind))
            {
                self.step(state, rank);
            }
        }
    }

    fn step(&self, state: &mut State, rank: usize) {
        let Some(kind) = self.statement(state, rank) else {
            return;
        };
        let memory = &mut state.memory;
        let at = |access: &Access| access.variable.0 as usize;
        let value = match kind {
            StatementKind::Store {
                into,
                value: Expression::Number(number),
            } => {
                memory[at(into)] = *number;
                *number
            }
            StatementKind::Put { target, from } => {
                memory[at(target)] = memory[at(from)];
                memory[at(from)]
            }
            StatementKind::Get { into, target } => {
                memory[at(into)] = memory[at(target)];
                memory[at(target)]
            }
            StatementKind::GetNotify { into, target, flag } => {
                memory[at(into)] = memory[at(target)];
                memory[flag.0 as usize] = 1;
                memory[at(target)]
            }
            StatementKind::Rga {
                into,
                target,
                operand,
            } => {
                let found = memory[at(target)];
                memory[at(target)] = found.wrapping_add(memory[at(operand)]);
                memory[at(into)] = found;
                found
            }
            StatementKind::Notify(notification) => {
                memory[notification.flag.0 as usize] = notification.value;
                notification.value
            }
            StatementKind::PutNotify {
                target,
                from,
                notification,
            } => {
                memory[at(target)] = memory[at(from)];
                memory[notification.flag.0 as usize] = notification.value;
                memory[at(from)]
            }
            StatementKind::Await(flag) => memory[flag.0 as usize],
            _ => 0,
        };
        let is_barrier = matches!(kind, StatementKind::Barrier);
        state.steps.push(Step {
            rank: rank as u32,
            number: state.next[rank],
            value,
        });
        if is_barrier {
            state.at_barrier[rank] = true;
            if state.at_barrier.iter().all(|there| *there) {
                for rank in 0..state.next.len() {
                    state.at_barrier[rank] = false;
                    state.next[rank] += 1;
                }
            }
        } else {
            state.next[rank] += 1;
        }
    }
}
