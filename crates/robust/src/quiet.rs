//! Which steps concern nobody else (partial-order reduction).
//!
//! A control state is quiet if all its steps are assignments, assumptions, waits, fences, or loads and stores of memory
//! that no remote operation of any process names: such steps commute with those of all other processes, enable and
//! disable none of them, and can only be on a cycle within their own process. A state from which such steps alone lead
//! back to it is not quiet, so that no other process is put off for ever. Nor is one at a load that waits for a value.

use crate::range::within;
use farside_pgas::calculus::{Automaton, Command, Expression, Program};
use std::collections::BTreeSet;

/// By code and control state.
pub(crate) fn quiet(program: &Program) -> Vec<Vec<bool>> {
    let named = named_remotely(program);
    program
        .codes
        .iter()
        .map(|code| of_code(program, code, &named))
        .collect()
}

fn of_code(program: &Program, code: &Automaton, named: &BTreeSet<usize>) -> Vec<bool> {
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
                within(program, address, program.cells.len()).all(|cell| !named.contains(&cell))
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
    let cells = |address: &Expression| within(program, address, program.cells.len());
    for transition in program.codes.iter().flat_map(|code| &code.transitions) {
        match &transition.command {
            Command::Transfer(transfer) => named.extend(cells(&transfer.remote)),
            Command::Atomic(atomic) => named.extend(cells(&atomic.remote)),
            _ => {}
        }
    }
    named
}
