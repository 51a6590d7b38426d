//! Answers of the engine as data of a report: numbers become names and places.

use farside_pgas::calculus::{Program, Transition};
use farside_pgas::diagnostic::line_and_column;
use farside_robust::repair::{Change, Costs};
use farside_robust::{Answer, Event, FailureKind, Kind, Limit, Relation, Verdict, Violation};
use farside_robustness as report;

/// A program's answer.
pub(super) fn judgement(
    file: &str,
    text: &str,
    program: &Program,
    answer: &Answer,
    seconds: f64,
) -> report::Judgement {
    let (verdict, reason, violation) = match &answer.verdict {
        Verdict::Robust => (report::Verdict::Robust, None, None),
        Verdict::NotRobust(found) => (
            report::Verdict::NotRobust,
            None,
            Some(violating(text, program, found)),
        ),
        Verdict::Inconclusive(limit) => {
            let what = match limit {
                Limit::States => "the limit of --states",
                Limit::Memory => "the limit of --memory",
                Limit::Time => "the --time-limit",
            };
            let reason = format!(
                "{what} was reached after {} states without a violation",
                answer.states
            );
            (report::Verdict::Inconclusive, Some(reason), None)
        }
    };
    let failures = answer
        .failures
        .iter()
        .map(|failure| {
            let what = match failure.kind {
                FailureKind::Assertion => "this assertion fails even under sequential consistency",
                FailureKind::OutOfRange => "address, rank or queue out of range",
                FailureKind::DivisionByZero => "division by zero",
            };
            report::Failure {
                what: format!("{what}, on rank {}", failure.rank),
                source: source(text, transition(program, failure.rank, failure.transition)),
            }
        })
        .collect();
    report::Judgement {
        file: file.to_owned(),
        name: program.name.clone(),
        ranks: program.ranks,
        domain: program.domain,
        verdict,
        reason,
        violation,
        repair: None,
        superfluous: None,
        failures,
        search: report::Search {
            states: answer.states,
            seconds,
        },
    }
}

fn transition(program: &Program, rank: usize, index: usize) -> &Transition {
    &program.codes[program.code_of_rank[rank]].transitions[index]
}

fn source(text: &str, transition: &Transition) -> report::Source {
    let place = &transition.origin.place.0;
    let (line, column) = line_and_column(text, place.start);
    // A call stands in the text otherwise than in the calculus.
    let written = text
        .get(place.clone())
        .and_then(|words| words.lines().next())
        .unwrap_or_default()
        .trim();
    report::Source {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        text: written
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect(),
    }
}

fn violating(text: &str, program: &Program, violation: &Violation) -> report::Violation {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let event = |event: &Event| report::Event {
        rank: number(event.rank),
        kind: match event.kind {
            Kind::Load => report::EventKind::Load,
            Kind::Store => report::EventKind::Store,
            Kind::Assign => report::EventKind::Assign,
            Kind::Assume => report::EventKind::Assume,
            Kind::Read => report::EventKind::Read,
            Kind::Write => report::EventKind::Write,
            Kind::Atomic => report::EventKind::Atomic,
            Kind::Popa => report::EventKind::Popa,
            Kind::Popb => report::EventKind::Popb,
            Kind::Bar => report::EventKind::Bar,
            Kind::Wait => report::EventKind::Wait,
            Kind::Fence => report::EventKind::Fence,
        },
        address: event.address.map(|(rank, cell)| report::Address {
            rank: number(rank),
            name: program.cells[cell].clone(),
        }),
        value: event.address.and(event.value),
        command: number(event.command),
        source: source(text, transition(program, event.rank, event.transition)),
    };
    let relation = |relation| match relation {
        Relation::ProgramOrder => report::Relation::ProgramOrder,
        Relation::Conflict => report::Relation::Conflict,
        Relation::Identity => report::Relation::Identity,
    };
    report::Violation {
        events: violation.events.iter().map(event).collect(),
        cycle: violation
            .cycle
            .iter()
            .map(|edge| report::Edge {
                from: edge.from,
                to: edge.to,
                relation: relation(edge.relation),
            })
            .collect(),
    }
}

/// What a repair is.
pub(super) fn repair(
    text: &str,
    program: &Program,
    changes: Option<Vec<Change>>,
    costs: &Costs,
) -> report::Repair {
    let Some(changes) = changes else {
        return report::Repair {
            cost: 0,
            changes: Vec::new(),
            reason: Some("no set of waits, fences and ordered queues was found within the limits".to_owned()),
        };
    };
    let shown: Vec<report::Change> = changes
        .iter()
        .map(|change| {
            let at = |statement: usize| at(text, program, statement);
            let (what, source) = match change {
                Change::WaitBehind { statement } => (
                    "insert a wait for the queue of this operation behind it".to_owned(),
                    at(*statement),
                ),
                Change::WaitBefore { statement } => (
                    "insert a wait for all queues before this".to_owned(),
                    at(*statement),
                ),
                Change::FenceBehind { statement } => (
                    "insert a fence for the queue of this operation behind it".to_owned(),
                    at(*statement),
                ),
                Change::Order { queue } => {
                    let what = format!("make the queue `{}` an ordered one", program.queues[*queue].name);
                    (what, report::Source::default())
                }
            };
            report::Change {
                what,
                source,
                cost: change.cost(costs),
            }
        })
        .collect();
    report::Repair {
        cost: shown.iter().map(|change| change.cost).sum(),
        changes: shown,
        reason: None,
    }
}

/// Synchronisation that is not needed.
pub(super) fn superfluous(text: &str, program: &Program, statements: &[usize]) -> Vec<report::Change> {
    let change = |&statement: &usize| report::Change {
        what: "can be left out alone".to_owned(),
        source: at(text, program, statement),
        cost: 0,
    };
    statements.iter().map(change).collect()
}

/// The statement that begins at a byte.
fn at(text: &str, program: &Program, statement: usize) -> report::Source {
    program
        .codes
        .iter()
        .flat_map(|code| &code.transitions)
        .find(|transition| transition.origin.place.0.start == statement)
        .map(|transition| source(text, transition))
        .unwrap_or_default()
}
