//! Which steps concern nobody else (partial-order reduction).
//!
//! A control state is quiet if all its steps are assignments, assumptions, waits, fences, or loads and stores of memory
//! that no remote operation of any process names: such steps commute with those of all other processes, enable and
//! disable none of them, and can only be on a cycle within their own process. A state from which such steps alone lead
//! back to it is not quiet, so that no other process is put off for ever. Nor is one at a load that waits for a value.

use farside_pgas::calculus::{Automaton, Command, Expression, Program};
use std::collections::BTreeSet;

/// By code and control state.
pub(crate) fn quiet(program: &Program) -> Vec<Vec<bool>> {
    let named = named_remotely(program);
    program
        .codes
        .iter()
        .map(|code| of_code(code, program.cells.len(), &named))
        .collect()
}

fn of_code(code: &Automaton, cells: usize, named: &BTreeSet<usize>) -> Vec<bool> {
    let mut quiet = vec![false; code.states];
    for transition in &code.transitions {
        quiet[transition.from] = true;
    }
    for transition in &code.transitions {
        let silent = match &transition.command {
            Command::Assign { .. }
            | Command::Assume { .. }
            | Command::Wait { .. }
            | Command::Fence { .. } => true,
            Command::Load { until: Some(_), .. } => false,
            Command::Load { address, .. } | Command::Store { address, .. } => {
                within(address, cells).all(|cell| !named.contains(&cell))
            }
            Command::Transfer(_) | Command::Atomic(_) | Command::Barrier => false,
        };
        quiet[transition.from] &= silent;
    }
    // States on a circle of quiet steps: those that are left when states without a quiet successor are taken away.
    let mut circling = quiet.clone();
    loop {
        let mut changed = false;
        for state in 0..code.states {
            if circling[state] && !code.transitions.iter().any(|t| t.from == state && circling[t.to]) {
                circling[state] = false;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    quiet
        .iter()
        .zip(circling)
        .map(|(&quiet, circling)| quiet && !circling)
        .collect()
}

/// Cells that some operation names in another process, whichever that is.
pub(crate) fn named_remotely(program: &Program) -> BTreeSet<usize> {
    let mut named = BTreeSet::new();
    for transition in program.codes.iter().flat_map(|code| &code.transitions) {
        match &transition.command {
            Command::Transfer(transfer) => named.extend(within(&transfer.remote, program.cells.len())),
            Command::Atomic(atomic) => named.extend(within(&atomic.remote, program.cells.len())),
            _ => {}
        }
    }
    named
}

/// The cells that an address may be.
pub(crate) fn within(address: &Expression, cells: usize) -> std::ops::Range<usize> {
    match address {
        Expression::Constant(cell) => {
            let cell = usize::try_from(*cell).unwrap_or(cells).min(cells);
            cell..(cell + 1).min(cells)
        }
        Expression::Element { base, count, .. } => {
            let base = usize::try_from(*base).unwrap_or(0);
            base..(base + usize::try_from(*count).unwrap_or(cells)).min(cells)
        }
        _ => 0..cells,
    }
}
