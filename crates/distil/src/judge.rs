//! What the model of an interface says of a program.

use crate::item::Variant;
use crate::reason::Reason;
use crate::sketch::Sketch;
use farside_explore::answer::Verdict;
use farside_explore::core_rma::conflicting;
use farside_explore::{Engine, Limits, outcomes};
use farside_findings::Api;
use farside_litmus::ast::Program;
use farside_models::{Model, named};

/// Steps that the model may take; a test has some ten statements.
const LIMITS: Limits = Limits { steps: 400_000 };

/// What a model says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Some execution has a race.
    Race,
    /// None has.
    RaceFree,
    /// Some execution breaks a rule of epochs.
    Invalid,
    /// It is not known.
    Unknown,
}

/// The name of the model that says which programs of an interface have a race.
#[must_use]
pub fn model_of(api: Api) -> &'static str {
    match api {
        Api::Mpi => "mpi3-unified",
        Api::Shmem => "openshmem-calls",
        Api::Gaspi => "gaspi",
    }
}

/// What the model of an interface says of a program.
#[must_use]
pub fn judge(api: Api, program: &Program) -> Judged {
    match named(model_of(api)) {
        Some(Model::CoreRma(model)) => match conflicting(program, &model, &LIMITS) {
            Ok(Some(_)) => Judged::Race,
            Ok(None) => Judged::RaceFree,
            Err(_) => Judged::Unknown,
        },
        Some(model) => match outcomes(program, &model, Engine::Fast, &LIMITS) {
            Ok(answer) => match answer.verdict {
                Verdict::Race(_) => Judged::Race,
                Verdict::Invalid(_) => Judged::Invalid,
                Verdict::Defined => Judged::RaceFree,
            },
            Err(_) => Judged::Unknown,
        },
        None => Judged::Unknown,
    }
}

/// Whether a sketch has the race, and with the repair none.
pub(crate) fn agrees(sketch: &Sketch) -> Result<(), Reason> {
    match judge(sketch.api(), &sketch.program(Variant::Broken)?) {
        Judged::Race => {}
        Judged::RaceFree => return Err(Reason::NotARace),
        Judged::Invalid => return Err(Reason::Invalid),
        Judged::Unknown => return Err(Reason::TooLarge),
    }
    match judge(sketch.api(), &sketch.program(Variant::Repaired)?) {
        Judged::Race => Err(Reason::StillARace),
        Judged::RaceFree => Ok(()),
        Judged::Invalid => Err(Reason::InvalidRepair),
        Judged::Unknown => Err(Reason::TooLarge),
    }
}
