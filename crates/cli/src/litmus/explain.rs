//! Which outcomes are explained, and their explanations.

use super::convert;
use super::judge::{self, Failure};
use super::settings::{Settings, Wanted};
use super::sources::Source;
use crate::fault::Fault;
use farside_explore::answer::{self, Answer, Outcome};
use farside_explore::{Engine, Limits, outcomes, refusal, witness};
use farside_litmus::ast::{Observable, Program, Proposition, Quantifier, Value};
use farside_models::Model;
use farside_processes::plain;
use farside_verdicts::{Explanation, Judgement, Verdict};

/// Refused outcomes that are explained of one condition.
const MOST_REFUSED: usize = 4;
/// Combinations of values that are tried for a condition that no outcome meets.
const MOST_CANDIDATES: usize = 4096;

/// What was asked to be explained.
pub(super) fn explanations(
    program: &Program,
    text: &str,
    model: &Model,
    answer: &Answer,
    settings: &Settings,
) -> Result<Vec<Explanation>, Failure> {
    let asked = Asked {
        program,
        text,
        model,
        answer,
        limits: &settings.limits,
    };
    if settings.wanted == Wanted::Nothing {
        return Ok(Vec::new());
    }
    if answer.verdict != answer::Verdict::Defined {
        let none = Outcome(Vec::new());
        return Ok(asked.allowed(&none)?.into_iter().collect());
    }
    match &settings.wanted {
        Wanted::Nothing => Ok(Vec::new()),
        Wanted::Outcome(state) => asked.of(&stated(program, answer, state)?, 1),
        Wanted::Condition => match sought(program) {
            Some(proposition) => asked.of(&proposition, 1),
            None => asked.all(),
        },
        Wanted::Everything => {
            let mut explained = asked.all()?;
            if let Some(proposition) = sought(program) {
                let refused = asked.of(&proposition, 0)?;
                explained.extend(refused);
            }
            Ok(explained)
        }
    }
}

/// Why a model forbids values that came elsewhere, as text; empty if it does not say.
pub(crate) fn refusal_shown(source: &Source, program: &Program, model: &Model, values: &[i64]) -> String {
    let limits = Limits::default();
    let Ok(answer) = outcomes(program, model, Engine::Fast, &limits) else {
        return String::new();
    };
    let asked = Asked {
        program,
        text: &source.text,
        model,
        answer: &answer,
        limits: &limits,
    };
    let outcome = Outcome(values.iter().copied().map(Value::Known).collect());
    let Ok(Some(explanation)) = asked.refused(&outcome) else {
        return String::new();
    };
    // The explanation alone is shown, and this says whose it is.
    let judgement = Judgement {
        model: model.name().to_owned(),
        verdict: Verdict::No,
        states: Vec::new(),
        observation: None,
        bounded: answer.bounded,
        cause: None,
        seconds: 0.0,
        explanations: vec![explanation],
    };
    let source = Source {
        path: source.path.clone(),
        text: source.text.clone(),
    };
    let test = judge::described(program.clone(), source, Vec::new());
    farside_verdicts::explanation::render(&test, &judgement, farside_verdicts::text::Color::Never)
}

/// What is explained, and how.
struct Asked<'a> {
    program: &'a Program,
    text: &'a str,
    model: &'a Model,
    answer: &'a Answer,
    limits: &'a Limits,
}

impl Asked<'_> {
    /// Every outcome.
    fn all(&self) -> Result<Vec<Explanation>, Failure> {
        let mut explained = Vec::new();
        for outcome in &self.answer.outcomes {
            explained.extend(self.allowed(outcome)?);
        }
        Ok(explained)
    }

    /// At most `most` outcomes that have it; if there is none at all, refused ones that would.
    fn of(&self, proposition: &Proposition, most: usize) -> Result<Vec<Explanation>, Failure> {
        let observables = &self.answer.observables;
        let mut with: Vec<&Outcome> = self.answer.outcomes.iter().collect();
        with.retain(|outcome| holds(proposition, observables, outcome));
        let mut explained = Vec::new();
        for outcome in with.iter().take(most) {
            explained.extend(self.allowed(outcome)?);
        }
        if with.is_empty() {
            let candidates = candidates(self.program, self.answer, proposition);
            for outcome in candidates.iter().take(MOST_REFUSED) {
                explained.extend(self.refused(outcome)?);
            }
        }
        Ok(explained)
    }

    fn allowed(&self, outcome: &Outcome) -> Result<Option<Explanation>, Failure> {
        let found = witness(self.program, self.model, outcome, self.limits)?;
        Ok(found.map(|execution| Explanation {
            outcome: convert::bindings(self.program, &self.answer.observables, outcome),
            allowed: true,
            reason: String::new(),
            execution: Some(convert::execution(&execution, self.text)),
            cycle: Vec::new(),
        }))
    }

    fn refused(&self, outcome: &Outcome) -> Result<Option<Explanation>, Failure> {
        let found = refusal(self.program, self.model, outcome, self.limits)?;
        Ok(found.map(|refusal| Explanation {
            outcome: convert::bindings(self.program, &self.answer.observables, outcome),
            allowed: false,
            reason: refusal.reason,
            execution: refusal
                .execution
                .as_ref()
                .map(|execution| convert::execution(execution, self.text)),
            cycle: convert::edges(&refusal.cycle),
        }))
    }
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
fn stated(program: &Program, answer: &Answer, state: &str) -> Result<Proposition, Failure> {
    let shown: Vec<String> = answer
        .observables
        .iter()
        .map(|observable| program.observable_name(*observable))
        .collect();
    let wrong = |what: String| Failure::Fault(Fault::Outcome(what));
    let mut all: Option<Proposition> = None;
    for part in state.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part
            .split_once('=')
            .map(|(name, value)| (name.trim(), value.trim()))
            .ok_or_else(|| {
                wrong(format!(
                    "`{}` is not NAME=VALUE, as in \"0:a=1; X=T;\"",
                    plain(part)
                ))
            })?;
        let index = shown.iter().position(|known| known == name).ok_or_else(|| {
            wrong(format!(
                "{}: no state shows `{}`; states show {}",
                program.name,
                plain(name),
                shown.join(", ")
            ))
        })?;
        let value = match value {
            "T" => Value::Undefined,
            number => Value::Known(
                number
                    .parse()
                    .map_err(|_| wrong(format!("`{}` is no value: a number, or T", plain(number))))?,
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
