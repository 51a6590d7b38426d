//! The engines for MPI-3.
//!
//! Promise: a program has a meaning if no execution is invalid and none has a race; then the outcomes are those of all
//! executions. What takes precedence: some execution is not valid, [`Verdict::Invalid`]; else some execution has a race,
//! [`Verdict::Race`]; else [`Verdict::Defined`]. Of several invalid statements the one with the smallest process and
//! place is named, of several races the pair with the smallest first and then second statement; if the pair races in
//! several ways, the way in which least is missing.
//!
//! Both engines explore schedules: [`naive`] all of them, judging each whole execution by the definitions; [`fast`] one
//! of each set that differs in nothing that matters, with clocks. They share the words of the model, the code that a
//! program becomes ([`code`]) and nothing else.
//!
//! Limits: at most 64 statements are executed on a path. A path on which a loop would go beyond its bound is dropped, with
//! what happened on it, and the answer says so. A send does not wait for its receive.

mod code;
mod fast;
mod findings;
mod naive;
mod question;

use crate::answer::{Answer, Execution, Invalid, Outcome, Race, Refusal, Site, Verdict};
use crate::{Engine, ExploreError, Limits};
use code::{Code, Instruction};
use farside_litmus::ast::{Program, Rank, Statement};
use farside_models::mpi3::Mpi3Model;
use farside_models::mpi3::rules::RuleSet;
use findings::{Findings, Spot};

pub(crate) fn outcomes(
    program: &Program,
    model: Mpi3Model,
    engine: Engine,
    limits: &Limits,
) -> Result<Answer, ExploreError> {
    let code = Code::new(program, model.name())?;
    let findings = match engine {
        Engine::Naive => naive::explore(&code, model, RuleSet::ALL, limits)?,
        Engine::Fast => fast::explore(&code, model, limits)?,
    };
    Ok(answer(&code, findings))
}

/// The naive engine with some rules switched off: for tests of what each rule is good for.
///
/// # Errors
/// As [`crate::outcomes`].
pub fn outcomes_with_rules(
    program: &Program,
    model: Mpi3Model,
    rules: RuleSet,
    limits: &Limits,
) -> Result<Answer, ExploreError> {
    let code = Code::new(program, model.name())?;
    let findings = naive::explore(&code, model, rules, limits)?;
    Ok(answer(&code, findings))
}

/// Puts what an engine found into an answer.
fn answer(code: &Code<'_>, findings: Findings) -> Answer {
    let program = code.program;
    let all = question::observables(program);
    let observables = question::shown(program);
    let verdict = if let Some(&(spot, breach)) = findings.faults.first() {
        Verdict::Invalid(Invalid {
            condition: breach.condition(),
            site: site(code, spot),
            reason: breach.to_string(),
        })
    } else if let Some((&spots, why)) = findings.races.first_key_value() {
        Verdict::Race(Race {
            statements: spots.map(|spot| site(code, spot)),
            no_happens_before: why.no_happens_before,
            no_consistency: why.no_consistency,
            conflict: why.conflict.sentence().to_owned(),
        })
    } else {
        Verdict::Defined
    };
    let counts = |state: &&Vec<_>| {
        let filter = program.filter.as_ref();
        filter.is_none_or(|filter| question::holds(filter, &all, state))
    };
    let mut outcomes: Vec<Outcome> = Vec::new();
    if verdict == Verdict::Defined {
        let states = findings.states.iter().filter(counts);
        outcomes.extend(states.map(|state| Outcome(state[..observables.len()].to_vec())));
        outcomes.sort();
        outcomes.dedup();
    }
    Answer {
        observables,
        outcomes,
        verdict,
        bounded: findings.bounded,
    }
}

fn site(code: &Code<'_>, (rank, number): Spot) -> Site {
    let statement = statement(code, (rank, number));
    Site {
        rank,
        place: statement
            .map(|statement| statement.place.clone())
            .unwrap_or_default(),
        text: statement.map_or_else(String::new, |statement| text(code.program, rank, statement)),
    }
}

/// The statement with this number.
fn statement<'p>(code: &Code<'p>, (rank, number): Spot) -> Option<&'p Statement> {
    let instructions = code.processes.get(rank.0 as usize)?;
    instructions.iter().find_map(|instruction| match instruction {
        Instruction::Do(step) if step.number == number => Some(step.statement),
        _ => None,
    })
}

/// A statement as the printer prints it.
fn text(_program: &Program, _rank: Rank, statement: &Statement) -> String {
    format!("{:?}", statement.kind)
}

pub(crate) fn witness(
    _program: &Program,
    _model: Mpi3Model,
    _outcome: &Outcome,
    _limits: &Limits,
) -> Result<Option<Execution>, ExploreError> {
    Ok(None)
}

pub(crate) fn refusal(
    _program: &Program,
    _model: Mpi3Model,
    _outcome: &Outcome,
    _limits: &Limits,
) -> Result<Option<Refusal>, ExploreError> {
    Ok(None)
}
