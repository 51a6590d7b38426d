//! The two engines answer alike on random programs.

use crate::generate::{describe, generate, programs};
use crate::shrink::shrink;
use farside_explore::answer::{Answer, Verdict};
use farside_explore::{Engine, ExploreError, Limits, outcomes};
use farside_litmus::ast::{Program, StatementKind};
use farside_models::Model;
use farside_models::mpi3::Mpi3Model;

/// States that the naive engine may visit.
const NAIVE: Limits = Limits { steps: 2_000 };

fn both(program: &Program, model: Mpi3Model) -> Result<[Answer; 2], ExploreError> {
    let ask = |engine, limits: &Limits| outcomes(program, &Model::Mpi3(model), engine, limits);
    Ok([
        ask(Engine::Naive, &NAIVE)?,
        ask(Engine::Fast, &Limits::default())?,
    ])
}

/// Values that a race leaves open decide what is executed: then only the verdict's kind is the same.
fn decides(program: &Program) -> bool {
    program
        .processes
        .iter()
        .flat_map(|process| &process.statements)
        .any(|statement| {
            matches!(
                statement.kind,
                StatementKind::If { .. } | StatementKind::While { .. }
            )
        })
}

fn agree(program: &Program, model: Mpi3Model) -> Option<bool> {
    let [naive, fast] = both(program, model).ok()?;
    let undefined = |answer: &Answer| answer.verdict != Verdict::Defined;
    Some(naive == fast || decides(program) && undefined(&naive) && undefined(&fast))
}

#[test]
fn naive_and_fast_agree_on_random_programs() {
    let (mut judged, mut skipped) = (0u64, 0u64);
    let mut kinds = [0u64; 3];
    let wanted = programs(2000);
    for seed in 0.. {
        if judged >= wanted {
            break;
        }
        let model = if seed % 2 == 0 {
            Mpi3Model::Unified
        } else {
            Mpi3Model::Separate
        };
        let program = generate(seed, 6);
        match agree(&program, model) {
            None => skipped += 1,
            Some(true) => {
                judged += 1;
                let fast = outcomes(&program, &Model::Mpi3(model), Engine::Fast, &Limits::default());
                kinds[match fast.unwrap().verdict {
                    Verdict::Defined => 0,
                    Verdict::Race(_) => 1,
                    Verdict::Invalid(_) => 2,
                }] += 1;
            }
            Some(false) => {
                let small = shrink(program, &|program| agree(program, model) == Some(false));
                let [naive, fast] = both(&small, model).unwrap();
                panic!(
                    "seed {seed}, {model:?}\n{}naive {}\nfast  {}",
                    describe(&small),
                    brief(&naive),
                    brief(&fast)
                );
            }
        }
    }
    println!("{judged} programs, {skipped} too large; defined, race, invalid: {kinds:?}");
    assert!(kinds.iter().all(|&kind| kind * 20 > judged), "{kinds:?}");
}

fn brief(answer: &Answer) -> String {
    format!(
        "{:?} {:?} bounded: {}",
        answer.verdict, answer.outcomes, answer.bounded
    )
}

/// Programs that were once judged differently.
#[test]
fn naive_and_fast_agree_on_these() {
    let programs = [
        // That a read is consistent makes nothing else so.
        " recv(1) | lock_exclusive(0) ;
          x = 20 | z = compare_and_swap(x@0, w, w) ;
                 | unlock(0) ;
                 | lock_exclusive(0) ;
                 | w = get_accumulate(y@0, z, no_op) ;
                 | unlock(0) ;
                 | send(0) ;",
        // A result comes from behind the target's post.
        " start(1) | lock_exclusive(0) ;
          x = get(w@1) | z = get_accumulate(y@0, w, no_op) ;
          complete | unlock(0) ;
          y = 21 | post(0) ;
                 | wait ;",
    ];
    for text in programs {
        let text = format!(
            "RMA t\n{{ 0: x = 1; 0: y = 2; 1: z = 3; 1: w = 4; }}\n P0 | P1 ;\n{text}\nexists (x = 1)\n"
        );
        let program = farside_litmus::parse(&text).expect(&text);
        for model in [Mpi3Model::Unified, Mpi3Model::Separate] {
            let [naive, fast] = both(&program, model).expect("it is small");
            assert_eq!(naive, fast, "{model:?}\n{text}");
        }
    }
}
