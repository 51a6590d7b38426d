//! A computation taken step by step: whether Table 1 has it, what it accesses, and whether it is violating.

use super::machine::{Done, Machine, Step};
use super::operation::Pop;
use super::state::State;
use crate::Action;
use farside_pgas::calculus::{Command, Program};

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The process whose memory it is.
    pub rank: usize,
    /// Its address there.
    pub cell: usize,
    /// Whether it is written.
    pub writes: bool,
    /// What was read; of what only writes, what is there now.
    pub value: u32,
}

/// A computation that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Of each action; nothing for those without access to memory.
    pub accesses: Vec<Option<Access>>,
    /// Whether its happens-before relation has a cycle.
    pub violating: bool,
}

/// Takes a computation; nothing if Table 1, with the deviations of the calculus, does not have it. There is no bound
/// but [`super::MAX_OPEN`].
#[must_use]
pub fn replay(program: &Program, actions: &[Action]) -> Option<Replayed> {
    let machine = Machine::new(program, None);
    let ranks = program.ranks as usize;
    let mut state = State::first(program);
    // The number of the command of each open operation.
    let mut commands: Vec<usize> = Vec::new();
    let mut replayed = Replayed {
        accesses: Vec::new(),
        violating: false,
    };
    let mut rest = actions;
    while let [action, behind @ ..] = rest {
        rest = behind;
        let (step, number) = match *action {
            Action::Command {
                rank: 0, transition, ..
            } if is_barrier(program, 0, transition) => {
                let mut transitions = vec![transition];
                for next in 1..ranks {
                    let [Action::Command { rank, transition, .. }, behind @ ..] = rest else {
                        return None;
                    };
                    (*rank == next).then_some(())?;
                    transitions.push(*transition);
                    rest = behind;
                }
                (Step::Barrier(transitions), None)
            }
            Action::Command {
                rank,
                transition,
                command,
            } => (Step::Command { rank, transition }, Some(command)),
            Action::Popa { command } => (Step::Pop(position(&commands, command)?, Pop::A), None),
            Action::Popb { command } => (Step::Pop(position(&commands, command)?, Pop::B), None),
        };
        machine.steps(&state).steps.contains(&step).then_some(())?;
        let done = machine.take(&mut state, &step);
        replayed.violating |= done.violating;
        match step {
            Step::Barrier(_) => replayed.accesses.extend(vec![None; ranks]),
            _ => replayed.accesses.push(access(program, &done)),
        }
        if let (Some(position), Some(number)) = (done.issued, number) {
            commands.insert(position, number);
        }
        for position in done.completed {
            commands.remove(position);
        }
    }
    state.open.is_empty().then_some(replayed)
}

fn is_barrier(program: &Program, rank: usize, transition: usize) -> bool {
    let code = program
        .code_of_rank
        .get(rank)
        .and_then(|&code| program.codes.get(code));
    code.and_then(|code| code.transitions.get(transition))
        .is_some_and(|transition| transition.command == Command::Barrier)
}

fn position(commands: &[usize], command: usize) -> Option<usize> {
    commands.iter().position(|&known| known == command)
}

fn access(program: &Program, done: &Done) -> Option<Access> {
    let cells = program.cells.len();
    done.touched.map(|touched| Access {
        rank: touched.address / cells,
        cell: touched.address % cells,
        writes: touched.writes,
        value: touched.value,
    })
}
