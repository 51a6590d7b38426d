//! Programs get smaller as long as they show what they are to show.

use crate::build::fence;
use farside_litmus::ast::{Program, Rank, StatementKind};

/// Statements of all processes.
fn size(program: &Program) -> usize {
    program
        .processes
        .iter()
        .map(|process| process.statements.len())
        .sum()
}

/// Removes statements as long as the property holds.
pub(crate) fn shrink(mut program: Program, holds: &dyn Fn(&Program) -> bool) -> Program {
    'again: loop {
        for rank in 0..program.processes.len() {
            for index in 0..program.processes[rank].statements.len() {
                let mut smaller = program.clone();
                smaller.processes[rank].statements.remove(index);
                if holds(&smaller) {
                    program = smaller;
                    continue 'again;
                }
            }
        }
        let statements = program.processes.iter().map(|process| process.statements.len());
        // Collective calls go together.
        for kind in [
            StatementKind::Barrier,
            fence(),
            StatementKind::LockAll,
            StatementKind::UnlockAll,
        ] {
            let mut smaller = program.clone();
            let mut gone = 0;
            for process in &mut smaller.processes {
                if let Some(index) = process.statements.iter().position(|s| s.kind == kind) {
                    process.statements.remove(index);
                    gone += 1;
                }
            }
            if gone > 1 && holds(&smaller) {
                program = smaller;
                continue 'again;
            }
        }
        // A message goes with its receive.
        let total: usize = statements.sum();
        for rank in 0..program.processes.len() {
            for index in 0..program.processes[rank].statements.len() {
                let StatementKind::Send(to) = program.processes[rank].statements[index].kind else {
                    continue;
                };
                let mut smaller = program.clone();
                smaller.processes[rank].statements.remove(index);
                let receiver = &mut smaller.processes[to.0 as usize].statements;
                let taken = receiver
                    .iter()
                    .position(|s| s.kind == StatementKind::Receive(Rank(rank as u32)));
                if let Some(taken) = taken {
                    receiver.remove(taken);
                    if holds(&smaller) {
                        program = smaller;
                        continue 'again;
                    }
                }
            }
        }
        debug_assert_eq!(total, size(&program));
        return program;
    }
}
