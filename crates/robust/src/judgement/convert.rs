//! Answers of the engine as data of a report: numbers become names and places.

use super::Text;
use crate::repair::{Costs, MOST_CHANGES, Repair, Superfluous, Tried};
use crate::{Answer, Event, FailureKind, Kind, Limit, Relation, Verdict, Violation};
use farside_pgas::ast::Api;
use farside_pgas::calculus::{Command, Program, Transition};
use farside_pgas::change::Change;
use farside_pgas::lower::outside_domain;
use farside_robustness as report;
use std::collections::BTreeSet;

/// A program's answer.
pub(super) fn judgement(
    file: &str,
    text: Text<'_>,
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
        // Whoever can say where it stands has said it before.
        Verdict::OutsideDomain(outside) => {
            let error = outside_domain(program, outside.rank, outside.transition, outside.value);
            (report::Verdict::Inconclusive, Some(error.message), None)
        }
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
                source: text.source(
                    &transition(program, failure.rank, failure.transition)
                        .origin
                        .place
                        .0,
                ),
            }
        })
        .collect();
    report::Judgement {
        file: file.to_owned(),
        further: Vec::new(),
        name: program.name.clone(),
        ranks: program.ranks,
        domain: program.domain,
        awaited: awaited(text, program),
        verdict,
        reason,
        violation,
        repair: None,
        superfluous: None,
        every: None,
        failures,
        search: report::Search {
            states: answer.states,
            seconds,
        },
    }
}

/// Where the program waits for what it polls.
fn awaited(text: Text<'_>, program: &Program) -> Vec<report::Source> {
    let transitions = program.codes.iter().flat_map(|code| &code.transitions);
    let places: BTreeSet<(usize, usize)> = transitions
        .filter(|transition| matches!(transition.command, Command::Load { until: Some(_), .. }))
        .map(|transition| (transition.origin.place.0.start, transition.origin.place.0.end))
        .collect();
    let source = |(start, end): (usize, usize)| text.source(&(start..end));
    places.into_iter().map(source).collect()
}

/// What is robust up to a bound is not robust yet.
pub(super) fn bounded(judgement: &mut report::Judgement, bound: usize) {
    judgement.verdict = report::Verdict::Inconclusive;
    judgement.reason = Some(format!(
        "no violation with at most {bound} open operations of a process; with more, the direct engine does not know"
    ));
}

fn transition(program: &Program, rank: usize, index: usize) -> &Transition {
    &program.codes[program.code_of_rank[rank]].transitions[index]
}

fn violating(text: Text<'_>, program: &Program, violation: &Violation) -> report::Violation {
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
        source: text.source(&transition(program, event.rank, event.transition).origin.place.0),
    };
    let relation = |relation| match relation {
        Relation::ProgramOrder => report::Relation::ProgramOrder,
        Relation::Conflict => report::Relation::Conflict,
        Relation::Identity => report::Relation::Identity,
    };
    report::Violation {
        events: violation.events.iter().map(event).collect(),
        shortest: violation.shortest,
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

/// What a repair is; `patched` makes the program with it.
pub(super) fn repair(
    text: Text<'_>,
    found: Repair,
    costs: &Costs,
    api: Option<Api>,
    patched: impl FnOnce(&[Change]) -> String,
    elsewhere: &dyn Fn(usize) -> Option<String>,
) -> report::Repair {
    let none = |reason: String| report::Repair {
        cost: 0,
        changes: Vec::new(),
        needless: Vec::new(),
        program: None,
        reason: Some(reason),
        source: None,
        unwritten: None,
    };
    match found {
        Repair::Found {
            changes,
            cost,
            needless,
        } => report::Repair {
            cost,
            changes: changes.iter().map(|change| shown(text, change, costs)).collect(),
            needless: needless.iter().map(|change| shown(text, change, costs)).collect(),
            program: Some(patched(&[changes, needless].concat())),
            reason: None,
            source: None,
            unwritten: None,
        },
        Repair::Impossible(tried) => none(impossible(text, &tried, api, elsewhere)),
        Repair::GaveUp => none("a limit was reached before one was found".to_owned()),
    }
}

/// Why there is no repair, and what was tried.
fn impossible(
    text: Text<'_>,
    tried: &Tried,
    api: Option<Api>,
    elsewhere: &dyn Fn(usize) -> Option<String>,
) -> String {
    // What may come between two statements of GASPI waits for the own side only, so it may not help in any case.
    if let (Some(within), true) = (&tried.within, api != Some(Api::Gaspi17)) {
        let source = text.source(&within.place.0);
        let line = source.line_in_words();
        return match elsewhere(within.place.0.start) {
            Some(of) => format!(
                "what is to be kept apart is in {of}, which is not among the sources given: nothing can be put there"
            ),
            None => format!(
                "what is to be kept apart is in one statement, `{}` ({line}): write it as two, so that something can \
                 be put between",
                source.text
            ),
        };
    }
    let offered: Vec<String> = tried
        .offered
        .iter()
        .map(|(kind, count)| format!("{}: {count}", kind.name()))
        .collect();
    let mut reason = format!(
        "no {MOST_CHANGES} waits, fences, barriers and ordered queues make it robust (places for each kind: {}; sets \
         decided: {})",
        offered.join(", "),
        tried.sets
    );
    if !tried.left.is_empty() {
        let left: Vec<String> = tried
            .left
            .iter()
            .map(|origin| {
                let source = text.source(&origin.place.0);
                format!("`{}` ({})", source.text, source.line_in_words())
            })
            .collect();
        reason += &format!(
            "; with all waits and fences at once a cycle is left through {}",
            left.join(", ")
        );
    }
    if api == Some(Api::Gaspi17) {
        reason += "; gaspi_wait waits for the own side only (GASPI 17.1 §8.5): what another process must know to be \
                   there is told by a notification in the queue of the write (gaspi_write_notify, gaspi_notify)";
    }
    reason
}

/// Synchronisation that is not needed.
pub(super) fn superfluous(text: Text<'_>, found: &Superfluous) -> report::Superfluous {
    let costs = Costs::default();
    report::Superfluous {
        alone: found
            .alone
            .iter()
            .map(|change| shown(text, change, &costs))
            .collect(),
        together: found.together.clone(),
        reason: None,
    }
}

fn shown(text: Text<'_>, change: &Change, costs: &Costs) -> report::Change {
    let start = change.at();
    let end = match change {
        Change::Insert { gap, .. } => gap.end,
        Change::Move { end, .. }
        | Change::Strengthen { end, .. }
        | Change::Remove { end, .. }
        | Change::Replace { end, .. } => *end,
        Change::Order { place, .. } => place.0.end,
    };
    let source = text.source(&(start..end));
    report::Change {
        what: change.words(&source.text),
        source,
        cost: costs.of(change),
    }
}
