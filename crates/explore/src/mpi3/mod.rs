//! The engines for MPI-3.
//!
//! Promise: a program has a meaning if no execution is invalid and none has a race; then the outcomes are those of all
//! executions. What takes precedence: some execution is not valid, [`Verdict::Invalid`]; else some execution has a
//! race, [`Verdict::Race`]; else [`Verdict::Defined`]. Of several invalid statements the one with the smallest process
//! and place is named, of several races the pair with the smallest first and then second statement; if the pair races
//! in several ways, the way in which least is missing.
//!
//! Both engines explore schedules: [`naive`] all of them, judging each whole execution by the definitions; [`fast`] one
//! of each set that differs in nothing that matters, with clocks. They share the words of the model, the code that a
//! program becomes ([`code`]) and nothing else.
//!
//! A process whose loop would go beyond its bound is not followed further; the others go on. What has happened then is
//! the beginning of every execution in which the loop turns once more, be it for ever, and the orders lead forward: no
//! later action comes between two that are there. So a race is one of those executions too, and a call that is not
//! allowed likewise (§3.1 and §3.3.2 speak of actions and the orders between them, and ask of no process that it ends;
//! MPI-4.1 §12.7 makes the accesses erroneous, not the end). There is no final state. A process that waits is in no
//! deadlock, since it may wait for the process that was cut; the answer says that it is bounded.
//!
//! Limits: at most 64 statements are executed on a path. A send does not wait for its receive.

mod code;
mod fast;
mod findings;
mod naive;
mod question;
pub mod schedules;
mod show;

use crate::answer::{Answer, Execution, Invalid, Outcome, Race, Refusal, Site, Verdict};
use crate::{Engine, ExploreError, Limits};
use code::{Code, Instruction};
use farside_litmus::ast::{Program, Rank, Statement};
use farside_models::mpi3::RaceModel;
use farside_models::mpi3::rules::{RuleName, RuleSet};
use farside_models::of_mpi;
use findings::{Findings, Spot};

pub(crate) fn outcomes(
    program: &Program,
    model: &RaceModel,
    engine: Engine,
    limits: &Limits,
) -> Result<Answer, ExploreError> {
    let code = Code::new(program, model.name())?;
    let findings = match engine {
        Engine::Fast => explore(&code, model, limits)?,
        Engine::Naive => naive::explore(&code, model, limits)?,
    };
    Ok(answer(&code, model, findings))
}

/// Whether the fast engine answers: it takes for granted that what conflicts by the paper is in order where outcomes
/// are asked for, and that all rules hold.
fn is_for_fast(model: &RaceModel) -> bool {
    model.is_at_least_as_strict_as(of_mpi(model.memory()))
}

/// All that the program may do, by the fast engine if that answers.
fn explore(code: &Code<'_>, model: &RaceModel, limits: &Limits) -> Result<Findings, ExploreError> {
    match is_for_fast(model) {
        true => fast::explore(code, model, limits),
        false => naive::explore(code, model, limits),
    }
}

/// Puts what an engine found into an answer.
fn answer(code: &Code<'_>, model: &RaceModel, findings: Findings) -> Answer {
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
            conflict: model.conflicts().sentence(why.conflict).to_owned(),
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
fn text(program: &Program, rank: Rank, statement: &Statement) -> String {
    farside_litmus::print_statement(program, rank, &statement.kind)
}

pub(crate) fn witness(
    program: &Program,
    model: &RaceModel,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Execution>, ExploreError> {
    let code = Code::new(program, model.name())?;
    let findings = explore(&code, model, limits)?;
    let shown = outcome.0.len();
    let fault = findings.faults.first().copied();
    let race = findings
        .races
        .first_key_value()
        .map(|(&spots, &why)| (spots, why));
    let wanted = |found: &Findings| match (fault, race) {
        (Some(fault), _) => found.faults.contains(&fault),
        (None, Some((spots, why))) => found.races.get(&spots) == Some(&why),
        (None, None) => found
            .states
            .iter()
            .any(|state| state.get(..shown) == Some(&outcome.0[..])),
    };
    let world = naive::world(&code, model, limits)?;
    let state = match is_for_fast(model) {
        true => match fast::find(&code, model, limits, &wanted)? {
            Some(log) => Some(naive::follow(&world, &log)?),
            None => None,
        },
        false => naive::find(&world, limits, &wanted)?,
    };
    let racing = race.filter(|_| fault.is_none()).map(|(spots, _)| spots);
    Ok(state.map(|state| show::execution(&world, &state, racing)))
}

/// Schedules that the search for a reason may look at.
const REFUSAL_STEPS: u64 = 200_000;

pub(crate) fn refusal(
    program: &Program,
    model: &RaceModel,
    outcome: &Outcome,
    limits: &Limits,
) -> Result<Option<Refusal>, ExploreError> {
    let answer = outcomes(program, model, Engine::Fast, limits)?;
    let refused = |reason: String, execution| {
        Ok(Some(Refusal {
            execution,
            cycle: Vec::new(),
            reason,
        }))
    };
    match &answer.verdict {
        Verdict::Defined if answer.outcomes.contains(outcome) => return Ok(None),
        Verdict::Defined => {}
        Verdict::Race(_) => {
            let reason = "the program has a race: no outcome is defined (§3.3.2)".to_owned();
            return refused(reason, witness(program, model, outcome, limits)?);
        }
        Verdict::Invalid(invalid) => {
            let reason = format!(
                "an execution is not valid: {} (§3.1 ({}))",
                invalid.reason, invalid.condition
            );
            return refused(reason, witness(program, model, outcome, limits)?);
        }
    }
    let code = Code::new(program, model.name())?;
    let limits = Limits {
        steps: limits.steps.min(REFUSAL_STEPS),
    };
    let relaxations = [
        (
            vec![RuleName::R24],
            "(24): a read would return a value that another write has replaced",
        ),
        (
            vec![RuleName::R26],
            "(26): accumulates of one process to one location would take effect in another order than they were called",
        ),
        (
            vec![RuleName::R23, RuleName::R25],
            "(25): a read would return a value that is written after it",
        ),
    ];
    for (rules, reason) in relaxations {
        let rules = rules.into_iter().fold(model.rules(), RuleSet::without);
        let relaxed = model.clone().with_rules(rules);
        let wanted = |found: &Findings| {
            let mut states = found.states.iter();
            states.any(|state| state.get(..outcome.0.len()) == Some(&outcome.0[..]))
        };
        let world = naive::world(&code, &relaxed, &limits)?;
        match naive::find(&world, &limits, &wanted) {
            Ok(Some(state)) => {
                return refused(reason.to_owned(), Some(show::execution(&world, &state, None)));
            }
            Ok(None) | Err(ExploreError::OutOfBudget { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let bound = if answer.bounded {
        "; schedules in which a loop turns more often were not looked at"
    } else {
        ""
    };
    refused(
        format!("(23): no schedule writes the values that it would read{bound}"),
        None,
    )
}
