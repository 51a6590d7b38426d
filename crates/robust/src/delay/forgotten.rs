//! Private memory whose value nobody asks for any more, after each step of a process: it becomes 0, so that states that
//! differ in nothing that matters are one. Registers of which that is true are known from
//! [lowering](farside_pgas::lower).
//!
//! A cell is private if no operation names it in another process, or in its own as if it were another. It is alive in a
//! control state if some way on reads it before it is written: by a store, or by an operation that delivers to it. What
//! an operation delivers is there at once in this search, or late; and no load comes after what is late. A last command
//! may, but its value matters only if it ends a poll: cells that are polled are never forgotten.

use crate::quiet::named_remotely;
use crate::range::within;
use farside_pgas::ast::Direction;
use farside_pgas::calculus::{Automaton, Command, Expression, Program, Transition};
use std::collections::BTreeSet;
use std::ops::Range;

/// By rank and transition, the cells that are forgotten after it, of a program that is
/// [specialised](super::specialise::specialise) and waits for values of the `polled` cells.
pub(super) fn forgotten(program: &Program, polled: &[bool]) -> Vec<Vec<Vec<usize>>> {
    let named = named_remotely(program);
    let private: BTreeSet<usize> = (0..program.cells.len())
        .filter(|cell| !named.contains(cell) && !polled[*cell])
        .collect();
    let of = |code: &Automaton| of_code(program, code, &private);
    program.codes.iter().map(of).collect()
}

fn of_code(program: &Program, code: &Automaton, private: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let alive = code.alive(|transition, after: &BTreeSet<usize>| {
        let (reads, writes) = accesses(program, &transition.command);
        let after = after.iter().copied().filter(|cell| Some(*cell) != writes);
        after.chain(reads.filter(|cell| private.contains(cell))).collect()
    });
    let forgotten = |transition: &Transition| {
        let dead = private.difference(&alive[transition.to]);
        dead.copied().collect()
    };
    code.transitions.iter().map(forgotten).collect()
}

/// The own cells that a command may read, and the one that it certainly writes.
fn accesses(program: &Program, command: &Command) -> (Range<usize>, Option<usize>) {
    let cells = |address: &Expression| within(program, address, program.cells.len());
    let one = |address: &Expression| match address {
        Expression::Constant(cell) => usize::try_from(*cell).ok(),
        _ => None,
    };
    match command {
        Command::Load { address, .. } => (cells(address), None),
        Command::Store { address, .. } => (0..0, one(address)),
        Command::Transfer(transfer) => match transfer.direction {
            Direction::Read => (0..0, one(&transfer.local)),
            Direction::Write => (cells(&transfer.local), None),
        },
        Command::Atomic(atomic) => (0..0, atomic.local.as_ref().and_then(one)),
        _ => (0..0, None),
    }
}
