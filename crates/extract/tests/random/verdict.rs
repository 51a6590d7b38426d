//! What is known of a C program by what is followed of it.

use farside_extract::Extract;
use farside_pgas::ast::Program;
use farside_pgas::calculus::Program as Lowered;
use farside_pgas::lower::{Settings, lower};
use farside_robust::{Options, Relation, Verdict, decide};

/// Whether a program is robust, in the smallest domain that has its values.
pub(crate) fn is_robust(program: &Program) -> Option<bool> {
    match found(program).1 {
        Verdict::Robust => Some(true),
        Verdict::NotRobust(_) => Some(false),
        _ => None,
    }
}

/// What is found of a program, in the smallest domain that has its values.
fn found(program: &Program) -> (Lowered, Verdict) {
    let mut domain = 2;
    loop {
        let settings = Settings {
            domain: Some(domain),
            ..Settings::default()
        };
        match lower(program, settings) {
            Ok(lowered) => match decide(&lowered, &Options::default(), &mut || false).verdict {
                Verdict::OutsideDomain(_) if domain < 256 => {}
                verdict => return (lowered, verdict),
            },
            Err(errors) if domain >= 256 => panic!("{errors:?}\n{program}"),
            Err(_) => {}
        }
        domain *= 2;
    }
}

/// Whether a program with locks as cells has a cycle without an access to one of them.
fn is_violated_beside_locks(extract: &Extract) -> bool {
    let Some((program, Verdict::NotRobust(violation))) = extract.with_locks().map(found) else {
        return false;
    };
    let is_lock = |event: usize| {
        let address = violation.events[event].address;
        address.is_none_or(|(_, cell)| extract.is_lock(&program.cells[cell]))
    };
    let conflicts = violation
        .cycle
        .iter()
        .filter(|edge| edge.relation == Relation::Conflict);
    conflicts
        .flat_map(|edge| [edge.from, edge.to])
        .all(|event| !is_lock(event))
}

/// What is known of the C program.
pub(crate) fn verdict(extract: &Extract) -> &'static str {
    match (is_robust(extract.certain_ways()), is_robust(extract.all_ways())) {
        (Some(false), _) => "no",
        _ if is_violated_beside_locks(extract) => "no",
        (_, Some(true)) if extract.is_whole() => "yes",
        _ => "not known",
    }
}
