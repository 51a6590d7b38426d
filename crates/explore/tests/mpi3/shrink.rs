//! Programs get smaller as long as they show what they are to show.

use crate::build::fence;
use farside_litmus::ast::{Program, Rank, Statement, StatementKind};

/// Statements of all processes.
fn size(program: &Program) -> usize {
    program
        .processes
        .iter()
        .map(|process| process.statements.len())
        .sum()
}

/// Statements with one of them taken out, at any depth; a loop or branch with what is in it, or around what is in it.
fn smaller(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        let replaced = |by: &[Statement]| [&statements[..index], by, &statements[index + 1..]].concat();
        all.push(replaced(&[]));
        let mut with = |kind: StatementKind| {
            let statement = Statement {
                kind,
                place: statement.place.clone(),
            };
            all.push(replaced(&[statement]));
        };
        match &statement.kind {
            StatementKind::While {
                condition,
                bound,
                body,
            } => {
                for body in smaller(body) {
                    with(StatementKind::While {
                        condition: condition.clone(),
                        bound: *bound,
                        body,
                    });
                }
                if *bound > 1 {
                    with(StatementKind::While {
                        condition: condition.clone(),
                        bound: bound - 1,
                        body: body.clone(),
                    });
                }
                all.push(replaced(body));
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let mut branches = |then: &[Statement], otherwise: &[Statement]| {
                    with(StatementKind::If {
                        condition: condition.clone(),
                        then: then.to_vec(),
                        otherwise: otherwise.to_vec(),
                    });
                };
                smaller(then).iter().for_each(|then| branches(then, otherwise));
                smaller(otherwise)
                    .iter()
                    .for_each(|otherwise| branches(then, otherwise));
                all.push(replaced(then));
                all.push(replaced(otherwise));
            }
            _ => {}
        }
    }
    all
}

/// Removes statements as long as the property holds.
pub(crate) fn shrink(mut program: Program, holds: &dyn Fn(&Program) -> bool) -> Program {
    'again: loop {
        for rank in 0..program.processes.len() {
            for statements in smaller(&program.processes[rank].statements) {
                let mut fewer = program.clone();
                fewer.processes[rank].statements = statements;
                if holds(&fewer) {
                    program = fewer;
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
