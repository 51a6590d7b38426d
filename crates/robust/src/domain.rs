//! Whether a program leaves its domain: stores in a register or in memory, or sends, a value that the domain does not
//! have.
//!
//! The calculus has registers and memory over a finite domain and says nothing of other values (paper 003, section 2.2:
//! operators are over the domain). So a program that makes one has no meaning, and no verdict. Values within an
//! expression are whole numbers.
//!
//! Promise: [`left`] finds such a value if a sequentially consistent computation makes one, by the search of
//! [`delay`](crate::delay) with nothing delayed, and its reductions: a value that a process makes depends on its
//! registers and, if it adds to memory, on what it accesses, so that it is made as well where independent steps of
//! others come later, and by an image of the process where ranks are renamed. No search needs more: as
//! long as the happens-before relation of a computation has no cycle, it is that of a sequentially consistent one, with
//! the same values; and with the cycle the search is over.
//!
//! Where the intervals of the expressions show that no value can be outside, nothing is searched.

use crate::answer::{Limit, OutsideDomain};
use crate::delay::{Delay, fold};
use crate::options::Limits;
use crate::range::range;
use crate::search::{End, search};
use farside_pgas::ast::AtomicOperation;
use farside_pgas::calculus::{Command, Expression, Program};

/// A value outside of the domain that the program makes.
///
/// # Errors
/// A limit.
pub(crate) fn left(
    program: &Program,
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<OutsideDomain>, Limit> {
    if !may_be_left(program) {
        return Ok(None);
    }
    match search(&Delay::sequential(program), limits, stop).end {
        End::OutsideDomain(rank, transition, value) => Ok(Some(OutsideDomain {
            rank,
            transition,
            value,
        })),
        End::Stopped(limit) => Err(limit),
        End::Exhausted | End::Found(_) => Ok(None),
    }
}

/// Whether some value can be outside, as far as its expression says.
pub(crate) fn may_be_left(program: &Program) -> bool {
    let commands = (0..program.ranks).flat_map(|rank| {
        let code = &program.codes[program.code_of_rank[rank as usize]];
        code.transitions
            .iter()
            .map(move |transition| (rank, &transition.command))
    });
    let most = i64::from(program.domain) - 1;
    let of =
        |rank: u32, expression: &Expression| range(&fold(expression, rank, program.ranks), program.domain);
    let inside = |rank: u32, expression: &Expression| {
        let (least, greatest) = of(rank, expression);
        least >= 0 && greatest <= most
    };
    let mut commands = commands;
    commands.any(|(rank, command)| match command {
        Command::Store { value, .. } | Command::Assign { value, .. } => !inside(rank, value),
        Command::Atomic(atomic) => {
            let adds = !program.wraps
                && atomic.operation == AtomicOperation::FetchAdd
                && of(rank, &atomic.operand) != (0, 0);
            let mut values = [Some(&atomic.operand), atomic.expected.as_ref()]
                .into_iter()
                .flatten();
            adds || values.any(|value| !inside(rank, value))
        }
        _ => false,
    })
}
