//! Which outcomes are explained, and their explanations.

use super::{Question, Unjudged, convert};
use crate::answer::{self, Answer, Outcome};
use crate::{ExploreError, refusal, witness};
use farside_litmus::ast::{Observable, Program, Proposition, Quantifier, Value};
use farside_verdicts::Explanation;

/// Refused outcomes that are explained of one condition.
const MOST_REFUSED: usize = 4;
/// Combinations of values that are tried for a condition that no outcome meets.
const MOST_CANDIDATES: usize = 4096;

/// What to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing.
    Nothing,
    /// The condition's outcome; every outcome where there is no condition.
    Condition,
    /// Every outcome, and the condition's if it is not among them.
    Everything,
    /// This one, as a state is printed: `0:a=1; X=T;`.
    Outcome(String),
}

/// An outcome that a test cannot have, and why. The words may hold what the user wrote, unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongOutcome(String);

/// What was asked to be explained.
pub(super) fn explanations(question: &Question<'_>, wanted: &Wanted) -> Result<Vec<Explanation>, Unjudged> {
    if *wanted == Wanted::Nothing {
        return Ok(Vec::new());
    }
    if question.answer.verdict != answer::Verdict::Defined {
        let none = Outcome(Vec::new());
        return Ok(allowed(question, &none)?.into_iter().collect());
    }
    Ok(match wanted {
        Wanted::Nothing => Vec::new(),
        Wanted::Outcome(state) => of(question, &stated(question.program, question.answer, state)?, 1)?,
        Wanted::Condition => match sought(question.program) {
            Some(proposition) => of(question, &proposition, 1)?,
            None => all(question)?,
        },
        Wanted::Everything => {
            let mut explained = all(question)?;
            if let Some(proposition) = sought(question.program) {
                explained.extend(of(question, &proposition, 0)?);
            }
            explained
        }
    })
}

/// Every outcome.
fn all(question: &Question<'_>) -> Result<Vec<Explanation>, ExploreError> {
    let mut explained = Vec::new();
    for outcome in &question.answer.outcomes {
        explained.extend(allowed(question, outcome)?);
    }
    Ok(explained)
}

/// At most `most` outcomes that have it; if there is none at all, refused ones that would.
fn of(
    question: &Question<'_>,
    proposition: &Proposition,
    most: usize,
) -> Result<Vec<Explanation>, ExploreError> {
    let observables = &question.answer.observables;
    let mut with: Vec<&Outcome> = question.answer.outcomes.iter().collect();
    with.retain(|outcome| holds(proposition, observables, outcome));
    let mut explained = Vec::new();
    for outcome in with.iter().take(most) {
        explained.extend(allowed(question, outcome)?);
    }
    if with.is_empty() {
        let candidates = candidates(question.program, question.answer, proposition);
        for outcome in candidates.iter().take(MOST_REFUSED) {
            explained.extend(refused(question, outcome)?);
        }
    }
    Ok(explained)
}

fn allowed(question: &Question<'_>, outcome: &Outcome) -> Result<Option<Explanation>, ExploreError> {
    let found = witness(question.program, question.model, outcome, question.limits)?;
    Ok(found.map(|execution| Explanation {
        outcome: convert::bindings(question.program, &question.answer.observables, outcome),
        allowed: true,
        reason: String::new(),
        execution: Some(convert::execution(&execution, question.text)),
        cycle: Vec::new(),
    }))
}

/// Why an outcome is none; nothing if it is one.
pub(super) fn refused(
    question: &Question<'_>,
    outcome: &Outcome,
) -> Result<Option<Explanation>, ExploreError> {
    let found = refusal(question.program, question.model, outcome, question.limits)?;
    Ok(found.map(|refusal| Explanation {
        outcome: convert::bindings(question.program, &question.answer.observables, outcome),
        allowed: false,
        reason: refusal.reason,
        execution: refusal
            .execution
            .as_ref()
            .map(|execution| convert::execution(execution, question.text)),
        cycle: convert::edges(&refusal.cycle),
    }))
}

/// What a condition asks about: of `forall`, that which would violate it.
fn sought(program: &Program) -> Option<Proposition> {
    let condition = program.condition.as_ref()?;
    let proposition = condition.proposition.clone();
    Some(match condition.quantifier {
        Quantifier::Exists | Quantifier::NotExists => proposition,
        Quantifier::Forall => Proposition::Not(Box::new(proposition)),
    })
}

/// A state as printed, for some of what the test shows.
fn stated(program: &Program, answer: &Answer, state: &str) -> Result<Proposition, WrongOutcome> {
    let shown: Vec<String> = answer
        .observables
        .iter()
        .map(|observable| program.observable_name(*observable))
        .collect();
    let wrong = WrongOutcome;
    let mut all: Option<Proposition> = None;
    for part in state.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part
            .split_once('=')
            .map(|(name, value)| (name.trim(), value.trim()))
            .ok_or_else(|| wrong(format!("`{}` is not NAME=VALUE, as in \"0:a=1; X=T;\"", part)))?;
        let index = shown.iter().position(|known| known == name).ok_or_else(|| {
            wrong(format!(
                "{}: no state shows `{}`; states show {}",
                program.name,
                name,
                shown.join(", ")
            ))
        })?;
        let value = match value {
            "T" => Value::Undefined,
            number => Value::Known(
                number
                    .parse()
                    .map_err(|_| wrong(format!("`{}` is no value: a number, or T", number)))?,
            ),
        };
        let equal = Proposition::Equal(answer.observables[index], value);
        all = Some(match all {
            None => equal,
            Some(before) => Proposition::And(Box::new(before), Box::new(equal)),
        });
    }
    all.ok_or_else(|| wrong("the state is empty; write it as in \"0:a=1; X=T;\"".to_owned()))
}

/// Outcomes that have the proposition, of the values that occur in it, in other outcomes and in the initial state.
fn candidates(program: &Program, answer: &Answer, proposition: &Proposition) -> Vec<Outcome> {
    let domains: Vec<Vec<Value>> = answer
        .observables
        .iter()
        .enumerate()
        .map(|(index, observable)| {
            let mut values = Vec::new();
            mentioned(proposition, observable, &mut values);
            values.extend(answer.outcomes.iter().filter_map(|outcome| outcome.0.get(index)));
            values.extend(
                program
                    .variables
                    .iter()
                    .map(|variable| Value::Known(variable.value)),
            );
            let mut seen = Vec::new();
            values.retain(|value| {
                !seen.contains(value) && {
                    seen.push(*value);
                    true
                }
            });
            values
        })
        .collect();
    let mut found = Vec::new();
    let mut digits = vec![0; domains.len()];
    for _ in 0..MOST_CANDIDATES {
        let values = digits
            .iter()
            .zip(&domains)
            .filter_map(|(digit, domain)| domain.get(*digit));
        let outcome = Outcome(values.copied().collect());
        if outcome.0.len() == domains.len() && holds(proposition, &answer.observables, &outcome) {
            found.push(outcome);
        }
        let Some(place) = (0..digits.len()).find(|&place| digits[place] + 1 < domains[place].len()) else {
            break;
        };
        digits[..place].fill(0);
        digits[place] += 1;
    }
    found
}

/// The values that a proposition compares with.
fn mentioned(proposition: &Proposition, observable: &Observable, values: &mut Vec<Value>) {
    match proposition {
        Proposition::Constant(_) => {}
        Proposition::Equal(of, value) | Proposition::NotEqual(of, value) => {
            if of == observable {
                values.push(*value);
            }
        }
        Proposition::Not(inner) => mentioned(inner, observable, values),
        Proposition::And(one, other) | Proposition::Or(one, other) => {
            mentioned(one, observable, values);
            mentioned(other, observable, values);
        }
    }
}

/// Whether a proposition holds in an outcome.
pub(super) fn holds(proposition: &Proposition, observables: &[Observable], outcome: &Outcome) -> bool {
    proposition.holds(&|what| {
        let index = observables.iter().position(|known| *known == what);
        // Every observable of a condition is shown.
        let value = index.and_then(|index| outcome.0.get(index));
        value.copied().unwrap_or(Value::Undefined)
    })
}
