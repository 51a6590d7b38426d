//! OpenSHMEM and GASPI.
//!
//! The detector is not asked about the tests, as it is for MPI: their words do not say which variables are values of a
//! call's own. The model's engine has its own oracle (`explore`'s tests).

use crate::case::Case;
use crate::score::{Score, wanted};
use crate::{gaspi, openshmem, schedule};
use farside_distil::{Distilled, Judged, judge};
use farside_events::Interface;
use farside_explore::Limits;
use farside_explore::core_rma::conflicting;
use farside_models::{Model, named};
use farside_race::{Gaspi, RawFinding};
use schedule::Step;

/// Schedules of a program that are looked at.
const MOST: usize = 200;

fn races(
    interface: Interface,
    model: &str,
    generate: impl Fn(u64) -> Case,
    found: impl Fn(&Case, &[Step]) -> Vec<RawFinding>,
) -> Score {
    let Some(Model::CoreRma(model)) = named(model) else {
        panic!("{model} is shipped");
    };
    let mut score = Score::default();
    for seed in 7_000_000.. {
        if score.races() >= wanted(500) {
            break;
        }
        let case = generate(seed);
        if !matches!(
            conflicting(&case.program, &model, &Limits { steps: 20_000 }),
            Ok(Some(_))
        ) {
            continue;
        }
        let mut raw = Vec::new();
        schedule::all(&case, MOST, &mut |steps| {
            raw = found(&case, steps);
            !raw.is_empty()
        });
        score.take((raw, interface), seed, &check);
    }
    score
}

/// The text reads back, and the model says of it what it said before.
fn check(distilled: &Distilled) -> Result<(), String> {
    let all = [
        (&distilled.broken, Judged::Race),
        (&distilled.repaired, Judged::RaceFree),
    ];
    for (program, expected) in all {
        let text = farside_litmus::print(program);
        let read = farside_litmus::parse(&text).map_err(|errors| format!("{errors:?}"))?;
        let said = judge(distilled.api, &read);
        if said != expected {
            return Err(format!("{said:?}"));
        }
    }
    Ok(())
}

#[test]
fn races_of_openshmem_become_tests() {
    let generate = |seed| openshmem::generate::generate(seed, 8);
    races(
        Interface::Shmem,
        "openshmem-calls",
        generate,
        openshmem::stream::found,
    )
    .expect(90);
}

#[test]
fn races_of_gaspi_become_tests() {
    let generate = |seed| gaspi::generate::generate(seed, 8);
    let found = |case: &Case, steps: &[Step]| gaspi::stream::found(case, steps, Gaspi::Strict);
    races(Interface::Gaspi, "gaspi", generate, found).expect(70);
}
