//! Programs, what the detector finds on their schedules, and what the model says.
//!
//! The detector must find a race on some schedule of a program if and only if the model has an execution with a
//! conflict. Programs that hang are left out, and so are those with more schedules than are looked at.

use crate::case::{Case, programs};
use crate::schedule::{self, End, Step};
use crate::shrink::shrink;
use farside_explore::Limits;
use farside_explore::core_rma::conflicting;
use farside_models::Model;
use farside_models::core_rma::CoreModel;
use farside_models::file::parse_model;

/// Whose programs: the model, and what makes them, tells them, and judges a schedule of them.
pub(crate) struct Family {
    pub(crate) model: &'static str,
    pub(crate) generate: fn(u64, u32) -> Case,
    pub(crate) describe: fn(&Case) -> String,
    /// The lines of both places of each race.
    pub(crate) races: fn(&Case, &[Step]) -> Vec<[u64; 2]>,
}

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

fn model(text: &str) -> CoreModel {
    match parse_model(text, &|_| None) {
        Ok(Model::CoreRma(model)) => model,
        other => panic!("{other:?}"),
    }
}

/// What a program was found to be: whether it has a race by the model, how the two disagree, and in words.
type Compared = (bool, Option<Disagreement>, String);

/// None where the program hangs or is too large.
fn compare(family: &Family, case: &Case, model: &CoreModel) -> Option<Compared> {
    let mut found: Vec<[u64; 2]> = Vec::new();
    let end = schedule::all(case, MOST, &mut |steps| {
        found = (family.races)(case, steps);
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

/// Compares the two on random programs.
#[track_caller]
pub(crate) fn agree(family: &Family) {
    let model = model(family.model);
    let (mut judged, mut skipped, mut racy) = (0u64, 0u64, 0u64);
    let mut disagreements = Vec::new();
    let wanted = programs(700);
    for seed in 0.. {
        if judged >= wanted || disagreements.len() >= 3 {
            break;
        }
        let case = (family.generate)(seed, 8);
        match compare(family, &case, &model) {
            None => skipped += 1,
            Some((race, wrong, _)) => {
                judged += 1;
                racy += u64::from(race);
                if let Some(wrong) = wrong {
                    let same = |case: &Case| {
                        compare(family, case, &model).is_some_and(|(_, found, _)| found == Some(wrong))
                    };
                    let small = shrink(case, &same);
                    let note = compare(family, &small, &model).map_or(String::new(), |(_, _, note)| note);
                    disagreements.push(format!(
                        "seed {seed}: {wrong:?}\n{}{note}\n",
                        (family.describe)(&small)
                    ));
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
