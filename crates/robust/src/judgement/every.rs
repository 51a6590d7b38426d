//! What holds for every number of ranks: small numbers decided one by one, and an argument for all from one on.

use super::{Question, Subject, Text, one};
use crate::every::{Argument, Doubt, LARGEST_FROM, Pair, argue};
use farside_pgas::ast::Place;
use farside_pgas::calculus::Origin;
use farside_pgas::diagnostic::Diagnostic;
use farside_robustness as report;
use report::{EveryRanks, Judgement, Verdict};
use std::time::Duration;

/// The numbers of ranks that are decided one by one, but for those that an argument needs besides.
const FEWEST: u32 = 2;
const MOST: u32 = 8;
/// States for each number of ranks beyond those that the argument needs.
const STATES_BEYOND: u64 = 2_000_000;

/// Decides a program for every number of ranks; what is said besides is said of the smallest number that is not robust,
/// else of the number that the program has itself, or of the smallest one with which it is one.
///
/// # Errors
/// What is wrong with the program with each number of ranks that was tried: the mistakes with the smallest one.
pub(super) fn judge(
    subject: &Subject<'_>,
    question: &Question,
    elapsed: &dyn Fn() -> Duration,
) -> Result<Judgement, Vec<Diagnostic>> {
    // A domain that is declared is that of the number of ranks which the program has itself.
    let mut program = subject.program.clone();
    if !program.wraps {
        program.domain = None;
    }
    let subject = &Subject {
        program: &program,
        ..*subject
    };
    let argued = argue(subject.program, question.settings);
    let from = argued.as_ref().map_or(FEWEST, |argument| argument.from);
    let own = subject.program.ranks.as_ref().map(|ranks| ranks.value);
    let mut decided = Vec::new();
    let mut shown: Option<Judgement> = None;
    let mut mistakes = None;
    let mut cut = false;
    for ranks in FEWEST..=MOST.max(from.saturating_sub(1)) {
        let needed = ranks < from;
        if cut && !needed {
            break;
        }
        let mut asked = question.clone();
        asked.settings.ranks = Some(ranks);
        if !needed {
            asked.limits.states = asked.limits.states.min(STATES_BEYOND);
        }
        let judgement = match one(subject, &asked, elapsed) {
            Ok(judgement) => judgement,
            Err(errors) => {
                decided.push(report::DecidedRanks {
                    ranks,
                    verdict: None,
                    reason: errors.first().map(|error| error.message.clone()),
                    search: report::Search::default(),
                });
                mistakes = mistakes.or(Some(errors));
                continue;
            }
        };
        cut |= judgement.verdict == Verdict::Inconclusive;
        decided.push(report::DecidedRanks::of(&judgement));
        let violated = judgement.verdict == Verdict::NotRobust;
        if shown.is_none() || violated || own == Some(ranks) {
            shown = Some(judgement);
        }
        if violated {
            break;
        }
    }
    let Some(mut shown) = shown else {
        return Err(mistakes.unwrap_or_default());
    };
    let verdict = match &argued {
        _ if shown.verdict == Verdict::NotRobust => Verdict::NotRobust,
        Ok(argument) => {
            let mut open = decided.iter().filter(|one| one.ranks < argument.from);
            match open.any(|one| one.verdict == Some(Verdict::Inconclusive)) {
                true => Verdict::Inconclusive,
                false => Verdict::Robust,
            }
        }
        Err(_) => Verdict::Inconclusive,
    };
    let (argument, doubt) = match argued {
        Ok(argument) => (Some(argument_of(subject.text, &argument)), None),
        Err(doubt) => (None, Some(doubt_of(subject.text, doubt))),
    };
    shown.every = Some(EveryRanks {
        verdict,
        decided,
        argument,
        doubt,
    });
    Ok(shown)
}

fn argument_of(text: Text<'_>, argument: &Argument) -> report::Argument {
    let source = |place: &Place| text.source(&place.0);
    let overtaken = |pair: &Pair| report::Overtaken {
        operation: source(&pair.operation.place),
        by: source(&pair.overtaken_by.place),
    };
    let sources = |of: &[Origin]| of.iter().map(|one| source(&one.place)).collect();
    report::Argument {
        from: argument.from,
        operations: argument.operations,
        complete_at_barriers: argument.complete_at_barriers,
        late: argument.late.iter().map(overtaken).collect(),
        awaited: sources(&argument.awaited),
        counted: sources(&argument.counted),
        rounds: sources(&argument.rounds),
        in_turn: sources(&argument.in_turn),
    }
}

fn doubt_of(text: Text<'_>, doubt: Doubt) -> report::Doubt {
    let source = |place: &Place| text.source(&place.0);
    match doubt {
        Doubt::Unfit { ranks, errors } => report::Doubt {
            reason: match errors.first() {
                Some(error) => format!("with {ranks} ranks: {}", error.message),
                None => format!("its code tells more than {LARGEST_FROM} ranks apart"),
            },
            source: errors.first().map(|error| source(&error.place)),
            way: Vec::new(),
        },
        Doubt::Way { pair, steps } => report::Doubt {
            reason: format!(
                "`{}` may be overtaken, and a way of happens-before may lead back to it",
                source(&pair.operation.place).text
            ),
            source: Some(source(&pair.operation.place)),
            way: steps.iter().map(|step| source(&step.place)).collect(),
        },
    }
}
