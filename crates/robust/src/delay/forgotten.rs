//! Private memory whose value nobody asks for any more, after each step of a process: it becomes 0, so that states that
//! differ in nothing that matters are one. Registers of which that is true are known from
//! [lowering](farside_pgas::lower).
//!
//! A cell is private if no operation names it in another process, or in its own as if it were another. It is alive in a
//! control state if some way on reads it before it is written: by a store, or by an operation that delivers to it. What
//! an operation delivers is there at once in this search, or late; and no load comes after what is late. A last command
//! may, but its value matters only if it ends a poll: cells that are polled are never forgotten.

use super::futures::polled;
use crate::quiet::{named_remotely, within};
use farside_pgas::ast::Direction;
use farside_pgas::calculus::{Automaton, Command, Expression, Program};
use std::collections::BTreeSet;

/// By rank and transition, the cells that are forgotten after it, of a program that is
/// [specialised](super::specialise::specialise).
pub(super) fn forgotten(program: &Program) -> Vec<Vec<Vec<usize>>> {
    let (named, polled) = (named_remotely(program), polled(program));
    let private: BTreeSet<usize> = (0..program.cells.len())
        .filter(|cell| !named.contains(cell) && !polled[*cell])
        .collect();
    let of = |code: &Automaton| of_code(code, program.cells.len(), &private);
    program.codes.iter().map(of).collect()
}

fn of_code(code: &Automaton, cells: usize, private: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let mut alive: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); code.states];
    loop {
        let mut changed = false;
        for transition in code.transitions.iter().rev() {
            let (reads, writes) = accesses(&transition.command, cells);
            let after = alive[transition.to].iter().copied();
            let mut before: BTreeSet<usize> = after.filter(|cell| Some(*cell) != writes).collect();
            before.extend(reads.filter(|cell| private.contains(cell)));
            let here = &mut alive[transition.from];
            let known = here.len();
            here.extend(before);
            changed |= here.len() != known;
        }
        if !changed {
            break;
        }
    }
    let forgotten = |transition: &farside_pgas::calculus::Transition| {
        let dead = private.difference(&alive[transition.to]);
        dead.copied().collect()
    };
    code.transitions.iter().map(forgotten).collect()
}

/// The own cells that a command may read, and the one that it certainly writes.
fn accesses(command: &Command, cells: usize) -> (std::ops::Range<usize>, Option<usize>) {
    let one = |address: &Expression| match address {
        Expression::Constant(cell) => usize::try_from(*cell).ok(),
        _ => None,
    };
    match command {
        Command::Load { address, .. } => (within(address, cells), None),
        Command::Store { address, .. } => (0..0, one(address)),
        Command::Transfer(transfer) => match transfer.direction {
            Direction::Read => (0..0, one(&transfer.local)),
            Direction::Write => (within(&transfer.local, cells), None),
        },
        Command::Atomic(atomic) => (0..0, atomic.local.as_ref().and_then(one)),
        _ => (0..0, None),
    }
}
