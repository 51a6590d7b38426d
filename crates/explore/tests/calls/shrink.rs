//! Smaller programs that have a property, too.

use crate::case::{Case, call};
use farside_litmus::ast::StatementKind;

/// Takes statements out, as long as the property holds: one by one, a flag with its wait, a barrier of all PEs.
pub(crate) fn shrink(mut case: Case, holds: &dyn Fn(&Case) -> bool) -> Case {
    'again: loop {
        for smaller in smaller(&case) {
            if holds(&smaller) {
                case = smaller;
                continue 'again;
            }
        }
        return case;
    }
}

fn smaller(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    let places = || {
        let processes = case.program.processes.iter().enumerate();
        processes.flat_map(|(rank, process)| (0..process.statements.len()).map(move |number| (rank, number)))
    };
    let kind = |(rank, number): (usize, usize)| call(&case.program.processes[rank].statements[number].kind).1;
    let without = |gone: &[(usize, usize)]| {
        let mut smaller = case.clone();
        for &(rank, number) in gone.iter().rev() {
            smaller.program.processes[rank].statements.remove(number);
        }
        smaller
    };
    for place in places() {
        let flag = match kind(place) {
            StatementKind::Notify(notification) | StatementKind::PutNotify { notification, .. } => {
                Some(notification.flag)
            }
            StatementKind::GetNotify { flag, .. } => Some(*flag),
            _ => None,
        };
        let goes = |other: &(usize, usize)| {
            *other == place || flag.is_some_and(|flag| *kind(*other) == StatementKind::Await(flag))
        };
        all.push(without(&places().filter(goes).collect::<Vec<_>>()));
    }
    // The nth barrier of every PE.
    for nth in 0.. {
        let mut gone = Vec::new();
        for rank in 0..case.program.processes.len() {
            let own = places().filter(|place| place.0 == rank && *kind(*place) == StatementKind::Barrier);
            gone.extend(own.skip(nth).take(1));
        }
        if gone.len() < case.program.processes.len() {
            break;
        }
        all.push(without(&gone));
    }
    all
}
