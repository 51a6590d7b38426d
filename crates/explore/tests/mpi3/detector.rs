//! The race detector of `farside check` against `mpi3-unified`, on random programs.
//!
//! For each program all schedules are turned into event streams. The detector must find a race on some stream if and
//! only if the model says that the program has one; misuse on some stream if and only if the model says that the
//! program is not valid. Besides, stream by stream: a race of this very execution is reported on its stream, a breach
//! of this execution too; but for what [`crate::open`] and [`crate::late`] say.

use crate::generate::{describe, generate, programs};
use crate::late::a_lock_may_be_taken_late;
use crate::open::may_have_been_seen;
use crate::shrink::shrink;
use crate::stream::{Said, detect};
use farside_explore::answer::Verdict;
use farside_explore::mpi3::schedules::{self, Judged, Observed, Schedule};
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::Program;
use farside_models::mpi3::MemoryModel;
use farside_models::{Model, of_mpi};
use std::collections::HashSet;

/// States that the enumeration of schedules may visit.
const LIMITS: Limits = Limits { steps: 2_000 };

/// How the two disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disagreement {
    /// The program has a race, and no stream shows it.
    RaceNotReported,
    /// This execution has a race, and its stream does not show it.
    RaceOfScheduleNotReported,
    RaceReportedInRaceFree,
    /// The program is not valid, and no stream shows it.
    BreachNotReported,
    BreachOfScheduleNotReported,
    MisuseReportedInValid,
}

/// None where there are too many schedules.
fn compare(program: &Program) -> Option<(Option<Disagreement>, Verdict, String)> {
    compare_within(program, &LIMITS)
}

fn compare_within(program: &Program, limits: &Limits) -> Option<(Option<Disagreement>, Verdict, String)> {
    let model = Model::Mpi3(of_mpi(MemoryModel::Unified).clone());
    let verdict = outcomes(program, &model, Engine::Fast, &Limits::default())
        .ok()?
        .verdict;
    let (mut race, mut misuse) = (false, false);
    let mut found = None;
    let mut note = String::new();
    let mut streams = HashSet::new();
    schedules::all(program, of_mpi(MemoryModel::Unified), limits, &mut |schedule| {
        // Schedules that differ in the moments of effects only look the same.
        if schedule.judged == Judged::Cut || !streams.insert(look(schedule)) {
            return false;
        }
        let said: Said = detect(program, schedule);
        race |= !said.races.is_empty();
        misuse |= !said.misuse.is_empty();
        let wrong = match (&schedule.judged, &verdict) {
            (Judged::Race(_), _) if said.races.is_empty() && !may_have_been_seen(schedule) => {
                Some(Disagreement::RaceOfScheduleNotReported)
            }
            (Judged::Invalid, _) if said.misuse.is_empty() => Some(Disagreement::BreachOfScheduleNotReported),
            (_, Verdict::Race(_) | Verdict::Defined) if !said.misuse.is_empty() => {
                Some(Disagreement::MisuseReportedInValid)
            }
            (_, Verdict::Defined) if !said.races.is_empty() && !a_lock_may_be_taken_late(program) => {
                Some(Disagreement::RaceReportedInRaceFree)
            }
            _ => None,
        };
        if let (Some(wrong), None) = (wrong, found) {
            found = Some(wrong);
            note = format!("{said:?}\n{}", told(program, schedule));
        }
        found.is_some()
    })
    .ok()?;
    let overall = match &verdict {
        Verdict::Race(_) if !race => Some(Disagreement::RaceNotReported),
        Verdict::Invalid(_) if !misuse => Some(Disagreement::BreachNotReported),
        _ => None,
    };
    Some((found.or(overall), verdict, note))
}

/// All that a stream shows, and what is said of it.
fn look(schedule: &Schedule<'_>) -> (Vec<[i64; 4]>, bool) {
    let seen = schedule.seen.iter().map(|observed| match *observed {
        Observed::Statement {
            rank, number, half, ..
        } => [0, i64::from(rank.0), number as i64, half as i64],
        Observed::Issued { call, operand } => [1, call as i64, operand.unwrap_or(-1), 0],
        Observed::Fetched { call, rank, value } => [2, call as i64, i64::from(rank.0), value],
    });
    (seen.collect(), schedule.judged == Judged::Defined)
}

/// A schedule, a line a step.
fn told(program: &Program, schedule: &Schedule<'_>) -> String {
    let mut text = String::new();
    for observed in &schedule.seen {
        if let Observed::Statement { rank, kind, half, .. } = observed {
            let statement = farside_litmus::print_statement(program, *rank, kind);
            text.push_str(&format!("  {}: {statement} {half:?}\n", rank.0));
        }
    }
    format!("{text}{:?}, ends {:?}", schedule.judged, schedule.ends)
}

#[test]
fn the_detector_agrees_with_the_model_on_random_programs() {
    let (mut judged, mut skipped) = (0u64, 0u64);
    let mut kinds = [0u64; 3];
    let wanted = programs(500);
    let mut disagreements = Vec::new();
    for seed in 1_000_000.. {
        if judged >= wanted || disagreements.len() >= 3 {
            break;
        }
        let program = generate(seed, 7);
        match compare(&program) {
            None => skipped += 1,
            Some((None, verdict, _)) => {
                judged += 1;
                kinds[match verdict {
                    Verdict::Defined => 0,
                    Verdict::Race(_) => 1,
                    Verdict::Invalid(_) => 2,
                }] += 1;
            }
            Some((Some(wrong), _, _)) => {
                let same =
                    |program: &Program| compare(program).is_some_and(|(found, _, _)| found == Some(wrong));
                let small = shrink(program, &same);
                let (_, verdict, note) = compare(&small).unwrap();
                let told = format!(
                    "seed {seed}: {wrong:?}\n{}{verdict:?}\n{note}\n",
                    describe(&small)
                );
                disagreements.push(told);
                judged += 1;
            }
        }
    }
    println!("{judged} programs, {skipped} too large; defined, race, invalid: {kinds:?}");
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    assert!(kinds.iter().all(|&kind| kind * 20 > judged), "{kinds:?}");
}

/// Programs that were once judged differently.
#[test]
fn the_detector_agrees_with_the_model_on_these() {
    let programs = [
        // A fetch that only reads is done at its target when its result is there.
        " lock_all | lock_all ;
          x = get_accumulate(z@1, y, no_op) | barrier ;
          flush_local(1) | z = 22 ;
          barrier | unlock_all ;
          unlock_all | ;",
        // An operation comes before its target's fence says `noput`.
        " fence(noprecede) | fence(noprecede, noput) ;
          put(z@1, x) | fence ;
          fence | ;",
        " fence(noprecede) | fence(noprecede, noput) ;
          accumulate(z@1, x, sum) | fence ;
          fence | ;",
        // A result comes from after the target's post.
        " start(1) | lock_exclusive(0) ;
          x = get(w@1) | z = get_accumulate(y@0, w, no_op) ;
          complete | unlock(0) ;
          y = 21 | post(0) ;
                 | wait ;",
        // Nobody can tell what the fetch has seen.
        " lock_all | lock_all ;
          x = get_accumulate(y@0, x, no_op) | z = 22 ;
          flush_local_all | accumulate(y@0, z, sum) ;
          x = get_accumulate(z@1, x, no_op) | unlock_all ;
          unlock_all | ;",
        // A fence that the other process does not call.
        " fence(noprecede) | w = 1 ;
          x = get_accumulate(z@1, y, no_op) | ;
          fence | ;",
        // Any result comes from after the target's post.
        " start(1) | lock_exclusive(0) ;
          accumulate(z@1, y, sum) | w = get_accumulate(y@0, z, no_op) ;
          x = compare_and_swap(z@1, y, y) | unlock(0) ;
          complete | post(0) ;
          y = 20 | wait ;",
        // A lock without an operation may be taken late.
        " lock_exclusive(1) | recv(0) ;
          send(1) | lock_exclusive(1) ;
          r1 = x | unlock(1) ;
          unlock(1) | lock_exclusive(0) ;
                    | accumulate(x@0, z, prod) ;
                    | unlock(0) ;",
    ];
    for text in programs {
        let text = format!(
            "RMA t\n{{ 0: x = 1; 0: y = 2; 1: z = 3; 1: w = 4; }}\n P0 | P1 ;\n{text}\nexists (x = 1)\n"
        );
        let program = farside_litmus::parse(&text).expect(&text);
        let (found, verdict, note) =
            compare_within(&program, &Limits { steps: 100_000 }).expect("it is small");
        assert_eq!(found, None, "{text}{verdict:?}\n{note}");
    }
}
