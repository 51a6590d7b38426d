//! The race detector of `farside check` against the model of `calls.model`, on random programs.
//!
//! The detector must find a race on some schedule of a program if and only if the model has an execution with a
//! conflict. Programs that hang are left out, and so are those with more schedules than are looked at.

use crate::generate::{Case, describe, generate, programs};
use crate::schedule::{self, End};
use crate::shrink::shrink;
use crate::stream::races;
use farside_explore::Limits;
use farside_explore::core_rma::conflicting;
use farside_models::Model;
use farside_models::core_rma::CoreModel;
use farside_models::file::parse_model;

const MODEL: &str = include_str!("calls.model");

/// Schedules of a program that are looked at.
const MOST: usize = 600;

/// Steps that the model may take.
const LIMITS: Limits = Limits { steps: 20_000 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disagreement {
    /// The model has an execution with a race, and no schedule shows it.
    NotReported,
    ReportedInRaceFree,
}

fn model() -> CoreModel {
    match parse_model(MODEL, &|_| None) {
        Ok(Model::CoreRma(model)) => model,
        other => panic!("{other:?}"),
    }
}

/// What a program was found to be: whether it has a race by the model, how the two disagree, and in words.
type Compared = (bool, Option<Disagreement>, String);

/// None where the program hangs or is too large.
fn compare(case: &Case, model: &CoreModel) -> Option<Compared> {
    let mut found: Vec<[u64; 2]> = Vec::new();
    let end = schedule::all(case, MOST, &mut |steps| {
        found = races(case, steps);
        !found.is_empty()
    });
    if end != End::Done {
        return None;
    }
    let conflict = conflicting(&case.program, model, &LIMITS).ok()?;
    let wrong = match (&conflict, found.is_empty()) {
        (Some(_), true) => Some(Disagreement::NotReported),
        (None, false) => Some(Disagreement::ReportedInRaceFree),
        _ => None,
    };
    Some((
        conflict.is_some(),
        wrong,
        format!("the model: {conflict:?}\nthe detector: {found:?}"),
    ))
}

#[test]
fn the_detector_agrees_with_the_model_on_random_programs() {
    let model = model();
    let (mut judged, mut skipped, mut racy) = (0u64, 0u64, 0u64);
    let mut disagreements = Vec::new();
    let wanted = programs(1500);
    for seed in 0.. {
        if judged >= wanted || disagreements.len() >= 3 {
            break;
        }
        let case = generate(seed, 8);
        match compare(&case, &model) {
            None => skipped += 1,
            Some((race, wrong, _)) => {
                judged += 1;
                racy += u64::from(race);
                if let Some(wrong) = wrong {
                    let same =
                        |case: &Case| compare(case, &model).is_some_and(|(_, found, _)| found == Some(wrong));
                    let small = shrink(case, &same);
                    let note = compare(&small, &model).map_or(String::new(), |(_, _, note)| note);
                    disagreements.push(format!("seed {seed}: {wrong:?}\n{}{note}\n", describe(&small)));
                }
            }
        }
    }
    println!("{judged} programs, {racy} with a race; {skipped} hang or are too large");
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    assert!(
        racy * 10 > judged && (judged - racy) * 10 > judged,
        "{racy} of {judged}"
    );
    assert!(skipped < judged, "{skipped} are left out");
}
