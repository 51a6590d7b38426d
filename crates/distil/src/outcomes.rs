//! Which outcomes networks allow a test, and which of them are wrong.
//!
//! Wrong is what the repaired test cannot have where each operation is complete at once, by coreRMA: the values that a
//! reader of the program would not expect. An outcome that is not wrong is no promise that the program is right.

use crate::reason::Reason;
use farside_explore::answer::Answer;
use farside_explore::{Engine, ExploreError, Limits, outcomes as explore};
use farside_findings::Api;
use farside_litmus::ast::{
    Condition, Observable, Place, Program, Proposition, Quantifier, Rank, Statement, StatementKind, Value,
};
use farside_models::named;

/// The models of networks whose outcomes are told, besides that of the interface.
pub const NETWORKS: [&str; 6] = [
    "coreRMA",
    "verbs-rc",
    "verbs-paper",
    "dmapp",
    "portals4",
    "coreRMA-no-IR",
];

const LIMITS: Limits = Limits { steps: 2_000_000 };

/// Wrong outcomes that a condition names at most.
const NAMED: usize = 8;

/// An outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In the order of the observables.
    pub values: Vec<Value>,
    /// As the field prints it.
    pub state: String,
    /// Nobody would expect it.
    pub wrong: bool,
    /// The models that allow it without the repair.
    pub models: Vec<&'static str>,
    /// The models that allow it with the repair.
    pub repaired: Vec<&'static str>,
}

/// All outcomes that some model allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// Wrong ones first.
    pub all: Vec<Outcome>,
    /// The models that were asked.
    pub models: Vec<&'static str>,
    observables: Vec<Observable>,
}

/// The outcomes of a test and of the same with the repair.
pub(crate) fn outcomes(api: Api, broken: &Program, repaired: &Program) -> Result<Outcomes, Reason> {
    let expected = answer("coreRMA", &at_once(repaired))?;
    let own = match api {
        Api::Mpi => Some("mpi"),
        Api::Shmem => Some("openshmem"),
        Api::Gaspi => None,
    };
    let models: Vec<&'static str> = NETWORKS.into_iter().chain(own).collect();
    let mut all: Vec<Outcome> = Vec::new();
    for &model in &models {
        for (program, is_repaired) in [(broken, false), (repaired, true)] {
            for outcome in answer(model, program)?.outcomes {
                let known = all.iter().position(|known| known.values == outcome.0);
                let index = known.unwrap_or_else(|| {
                    all.push(Outcome {
                        state: program.state(&expected.observables, &outcome.0),
                        wrong: !expected.outcomes.contains(&outcome),
                        values: outcome.0,
                        models: Vec::new(),
                        repaired: Vec::new(),
                    });
                    all.len() - 1
                });
                match is_repaired {
                    false => all[index].models.push(model),
                    true => all[index].repaired.push(model),
                }
            }
        }
    }
    all.sort_by(|one, other| (!one.wrong, &one.values).cmp(&(!other.wrong, &other.values)));
    Ok(Outcomes {
        all,
        models,
        observables: expected.observables,
    })
}

fn answer(model: &str, program: &Program) -> Result<Answer, Reason> {
    let model = named(model).ok_or(Reason::NoNetwork)?;
    explore(program, &model, Engine::Fast, &LIMITS).map_err(|error| match error {
        ExploreError::NotInModel { .. } => Reason::NoNetwork,
        _ => Reason::TooLarge,
    })
}

/// The program with each operation complete before its process goes on.
fn at_once(program: &Program) -> Program {
    let mut complete = program.clone();
    let owner = |target: &farside_litmus::ast::Access| program.variables[target.variable.0 as usize].owner;
    for process in &mut complete.processes {
        let mut statements = Vec::new();
        for statement in std::mem::take(&mut process.statements) {
            let target: Option<Rank> = match &statement.kind {
                StatementKind::Put { target, .. }
                | StatementKind::Get { target, .. }
                | StatementKind::Rga { target, .. }
                | StatementKind::Cas { target, .. } => Some(owner(target)),
                _ => None,
            };
            statements.push(statement);
            statements.extend(target.map(|target| Statement {
                kind: StatementKind::Flush(target),
                place: Place::default(),
            }));
        }
        process.statements = statements;
    }
    complete
}

impl Outcomes {
    /// Whether some model allows a wrong outcome without the repair.
    #[must_use]
    pub fn may_be_wrong(&self) -> bool {
        self.all
            .iter()
            .any(|outcome| outcome.wrong && !outcome.models.is_empty())
    }

    /// Whether a state that was seen is a wrong one; none if it is no state of this test. What no model allows is
    /// wrong.
    #[must_use]
    pub fn is_wrong(&self, values: &[Value]) -> bool {
        let known = self.all.iter().find(|outcome| outcome.values == values);
        known.is_none_or(|outcome| outcome.wrong)
    }

    /// The names of what outcomes show.
    #[must_use]
    pub fn names(&self, program: &Program) -> Vec<String> {
        let name = |what: &Observable| program.observable_name(*what);
        self.observables.iter().map(name).collect()
    }

    /// Asks for the wrong outcomes; none if there are none, or too many.
    pub(crate) fn wrong_condition(&self, quantifier: Quantifier) -> Option<Condition> {
        let wrong: Vec<&Outcome> = self.all.iter().filter(|outcome| outcome.wrong).collect();
        if wrong.is_empty() || wrong.len() > NAMED {
            return None;
        }
        let all_of = |outcome: &&Outcome| {
            let equal = |(what, value): (&Observable, &Value)| Proposition::Equal(*what, *value);
            let parts = self.observables.iter().zip(&outcome.values).map(equal);
            parts.reduce(|one, other| Proposition::And(Box::new(one), Box::new(other)))
        };
        let any = wrong.iter().filter_map(all_of);
        let proposition = any.reduce(|one, other| Proposition::Or(Box::new(one), Box::new(other)))?;
        Some(Condition {
            quantifier,
            proposition,
        })
    }
}
