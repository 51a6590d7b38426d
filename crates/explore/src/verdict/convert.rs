//! Answers of the engines as data of a report: indices become names, places become lines and pieces of the text.

use crate::answer::{self, Answer, Outcome};
use farside_litmus::ast::{self, Observable, Place, Program};
use farside_litmus::print_proposition;
use farside_verdicts::{Action, Binding, Cause, Edge, Execution, Party, Value};

/// A state with the names of what it shows.
pub(super) fn bindings(program: &Program, observables: &[Observable], outcome: &Outcome) -> Vec<Binding> {
    observables
        .iter()
        .zip(&outcome.0)
        .map(|(observable, value)| Binding {
            name: program.observable_name(*observable),
            value: match value {
                ast::Value::Known(number) => Value::Known(*number),
                ast::Value::Undefined => Value::Undefined,
            },
        })
        .collect()
}

/// The final condition as printed; empty if there is none.
pub(super) fn condition(program: &Program) -> String {
    let Some(condition) = &program.condition else {
        return String::new();
    };
    let word = match condition.quantifier {
        ast::Quantifier::Exists => "exists",
        ast::Quantifier::NotExists => "~exists",
        ast::Quantifier::Forall => "forall",
    };
    format!("{word} ({})", print_proposition(program, &condition.proposition))
}

/// Why a program has no states; none if it has some.
pub(super) fn cause(answer: &Answer, program: &Program, text: &str) -> Option<Cause> {
    match &answer.verdict {
        answer::Verdict::Defined if answer.outcomes.is_empty() => Some(Cause::NoState {
            reason: no_state(answer, program).to_owned(),
        }),
        answer::Verdict::Defined => None,
        answer::Verdict::Race(race) => Some(Cause::Race {
            parties: race.statements.each_ref().map(|site| party(site, text)),
            no_happens_before: race.no_happens_before,
            no_consistency: race.no_consistency,
            conflict: race.conflict.clone(),
        }),
        answer::Verdict::Invalid(invalid) => Some(Cause::Invalid {
            condition: invalid.condition,
            party: party(&invalid.site, text),
            reason: invalid.reason.clone(),
        }),
    }
}

fn no_state(answer: &Answer, program: &Program) -> &'static str {
    match (answer.bounded, program.filter.is_some()) {
        (true, false) => {
            "no execution ends within the bounds of its loops, so there is no state to judge by: raise the bounds, or \
             let the \
             loops end"
        }
        (true, true) => {
            "no execution that ends within the bounds of its loops passes the filter, so there is no state to judge \
             by: raise \
             the bounds, or change the filter"
        }
        (false, true) => "no final state passes the filter, so there is none to judge by: change the filter",
        (false, false) => {
            "the model allows no execution, so there is no state to judge by: look at its rules"
        }
    }
}

/// An execution whose actions carry their statements as written.
pub(super) fn execution(execution: &answer::Execution, text: &str) -> Execution {
    let actions = execution.actions.iter().map(|action| Action {
        process: action.column.map(|rank| rank.0),
        statement: action.statement,
        kind: action.kind.clone(),
        text: action.text.clone(),
        source: if action.column.is_some() {
            piece(text, &action.place)
        } else {
            String::new()
        },
    });
    Execution {
        actions: actions.collect(),
        edges: edges(&execution.edges),
    }
}

/// Edges of an execution.
pub(super) fn edges(edges: &[answer::Edge]) -> Vec<Edge> {
    edges
        .iter()
        .map(|edge| Edge {
            from: edge.from,
            to: edge.to,
            relation: edge.relation.clone(),
            rule: edge.rule.clone(),
        })
        .collect()
}

fn party(site: &answer::Site, text: &str) -> Party {
    let known = !site.place.0.is_empty();
    let written = piece(text, &site.place);
    Party {
        process: site.rank.0,
        line: if known { line(text, site.place.0.start) } else { 0 },
        text: if written.is_empty() {
            site.text.clone()
        } else {
            written
        },
    }
}

/// The line of a byte, counted from 1.
#[must_use]
pub fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// A statement as written, on one line; a loop without its body.
fn piece(text: &str, place: &Place) -> String {
    let written = text.get(place.0.clone()).unwrap_or_default();
    let head = written.split('{').next().unwrap_or_default();
    head.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_cut_out_of_the_text() {
        let text = "x\nput(X@0,\n   Y) ; while (a != 1) bound 3 {\n";
        assert_eq!(piece(text, &Place(2..16)), "put(X@0, Y)");
        assert_eq!(piece(text, &Place(19..100)), "");
        assert_eq!(piece(text, &Place(19..44)), "while (a != 1) bound 3");
        assert_eq!(
            (line(text, 0), line(text, 2), line(text, 12), line(text, 999)),
            (1, 2, 3, 4)
        );
    }
}
