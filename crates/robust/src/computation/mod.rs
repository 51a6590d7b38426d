//! A computation of the plain semantics (paper 003, Table 1): made from a path of a search, and replayed.
//!
//! Promise: [`replay()`] accepts a sequence of actions only if Table 1, with the deviations of the calculus, has it:
//! each command is possible where it stands, each pop is the next of its queue, and each fence is kept. It shares with
//! the searches nothing but the evaluation of expressions.

mod replay;

use crate::moves::Move;
use farside_pgas::calculus::{Command, Program};
pub use replay::replay;

/// What happens, in the order of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The transition of a rank; its command has this number.
    Command {
        /// The process.
        rank: usize,
        /// Index into the transitions of its code.
        transition: usize,
        /// Unique in the computation; the commands of one barrier have numbers of their own.
        command: usize,
    },
    /// The source of the operation with this number is read.
    Popa {
        /// Number of the command.
        command: usize,
    },
    /// Its destination is written.
    Popb {
        /// Number of the command.
        command: usize,
    },
}

/// Kinds of events (paper 003, section 2.3, and those of the calculus' deviations).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the paper's")]
pub enum Kind {
    Load,
    Store,
    Assign,
    Assume,
    Read,
    Write,
    Atomic,
    Popa,
    Popb,
    Bar,
    Wait,
    Fence,
}

/// An event with what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: Kind,
    /// The process that issued the command.
    pub rank: usize,
    /// Number of its command.
    pub command: usize,
    /// Index into the transitions of its code.
    pub transition: usize,
    /// Memory that is accessed: rank and cell.
    pub address: Option<(usize, usize)>,
    /// Whether it is written.
    pub writes: bool,
    /// The value that was read, or that is there after the event.
    pub value: Option<u32>,
    /// Barrier that it belongs to.
    pub barrier: Option<usize>,
}

/// The actions of a path: part 1 as generated, then the delayed events of parts 2 to 4, each in the order of issue.
pub(crate) fn actions(program: &Program, path: &[Move]) -> Vec<Action> {
    let mut parts: [Vec<Action>; 4] = Default::default();
    let mut next = 0;
    let mut command = |rank, transition, first: &mut Vec<Action>| {
        first.push(Action::Command {
            rank,
            transition,
            command: next,
        });
        next += 1;
        next - 1
    };
    for step in path {
        match step {
            Move::Barrier(transitions) => {
                for (rank, &transition) in transitions.iter().enumerate() {
                    command(rank, transition, &mut parts[0]);
                }
            }
            &Move::Command {
                rank,
                transition,
                parts: (popa, popb),
            } => {
                let command = command(rank, transition, &mut parts[0]);
                let delivered =
                    match &program.codes[program.code_of_rank[rank]].transitions[transition].command {
                        Command::Transfer(_) => Some(true),
                        Command::Atomic(atomic) => Some(atomic.local.is_some()),
                        _ => None,
                    };
                if let Some(delivered) = delivered {
                    parts[usize::from(popa)].push(Action::Popa { command });
                    if delivered {
                        parts[usize::from(popb)].push(Action::Popb { command });
                    }
                }
            }
        }
    }
    parts.concat()
}
