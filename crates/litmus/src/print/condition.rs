//! Observables and propositions.

use super::{register, variable};
use crate::ast::{Observable, Program, Proposition};

/// `0:a` or `X`.
pub(crate) fn observable(program: &Program, what: Observable) -> String {
    match what {
        Observable::Register(rank, id) => {
            let process = program.processes.get(rank.0 as usize);
            format!(
                "{}:{}",
                rank.0,
                process.map_or("?", |process| register(process, id))
            )
        }
        Observable::Variable(id) => variable(program, id).to_owned(),
    }
}

/// A proposition with the names of `program`, without parentheses around it.
#[must_use]
pub fn print_proposition(program: &Program, proposition: &Proposition) -> String {
    let inner = |inner: &Proposition, parentheses: bool| {
        let text = print_proposition(program, inner);
        if parentheses { format!("({text})") } else { text }
    };
    match proposition {
        Proposition::Constant(constant) => constant.to_string(),
        Proposition::Equal(what, is) => format!("{} = {}", observable(program, *what), is),
        Proposition::NotEqual(what, is) => format!("{} != {}", observable(program, *what), is),
        Proposition::Not(negated) => format!(
            "~{}",
            inner(
                negated,
                !matches!(**negated, Proposition::Constant(_) | Proposition::Not(_))
            )
        ),
        // Both are read to the left: a right side of the same kind keeps its parentheses.
        Proposition::And(left, right) => format!(
            "{} /\\ {}",
            inner(left, matches!(**left, Proposition::Or(..))),
            inner(
                right,
                matches!(**right, Proposition::Or(..) | Proposition::And(..))
            )
        ),
        Proposition::Or(left, right) => {
            format!(
                "{} \\/ {}",
                inner(left, false),
                inner(right, matches!(**right, Proposition::Or(..)))
            )
        }
    }
}
