//! MPI.

use crate::generate::generate;
use crate::score::{Score, wanted};
use crate::stream::{detect, raw};
use farside_distil::Distilled;
use farside_events::Interface;
use farside_explore::answer::Verdict;
use farside_explore::mpi3::schedules::{self, Judged};
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::Program;
use farside_models::mpi3::MemoryModel;
use farside_models::{Model, of_mpi};

/// States that the enumeration of schedules may visit.
const LIMITS: Limits = Limits { steps: 2_000 };

#[test]
fn races_become_tests_that_model_and_detector_agree_on() {
    let mut score = Score::default();
    for seed in 5_000_000.. {
        if score.races() >= wanted(600) {
            break;
        }
        let program = generate(seed, 7);
        // One execution of a program that has no other fault.
        let verdict = verdict(&program, Engine::Fast);
        if !matches!(verdict, Some(Verdict::Race(_))) {
            continue;
        }
        let mut found = Vec::new();
        let _ = schedules::all(&program, of_mpi(MemoryModel::Unified), &LIMITS, &mut |schedule| {
            if schedule.judged != Judged::Cut {
                found = raw(&program, schedule);
            }
            !found.is_empty()
        });
        score.take((found, Interface::Mpi), seed, &check);
    }
    score.expect(90);
}

fn verdict(program: &Program, engine: Engine) -> Option<Verdict> {
    let limits = Limits { steps: 3_000_000 };
    let answer = outcomes(
        program,
        &Model::Mpi3(of_mpi(MemoryModel::Unified).clone()),
        engine,
        &limits,
    );
    answer.ok().map(|answer| answer.verdict)
}

/// The text reads back, the naive engine agrees, and so does the detector on all schedules.
fn check(distilled: &Distilled) -> Result<(), String> {
    for (program, racy) in [(&distilled.broken, true), (&distilled.repaired, false)] {
        let text = farside_litmus::print(program);
        let read = farside_litmus::parse(&text).map_err(|errors| format!("{errors:?}"))?;
        match verdict(&read, Engine::Naive) {
            Some(Verdict::Race(_)) if racy => {}
            Some(Verdict::Defined) if !racy => {}
            None => {}
            other => return Err(format!("the naive engine: {other:?}")),
        }
        let mut races = Vec::new();
        let all = schedules::all(&read, of_mpi(MemoryModel::Unified), &LIMITS, &mut |schedule| {
            races = detect(&read, schedule).races;
            !races.is_empty()
        });
        if all.is_ok() && races.is_empty() == racy {
            return Err(format!("the detector: {races:?}"));
        }
    }
    Ok(())
}
