//! The two engines answer alike on random programs.

use crate::generate::{describe, generate, programs};
use crate::shrink::shrink;
use farside_explore::answer::{Answer, Verdict};
use farside_explore::mpi3::schedules::{self, End, Judged};
use farside_explore::{Engine, ExploreError, Limits, outcomes};
use farside_litmus::ast::{Program, StatementKind};
use farside_models::mpi3::{MemoryModel, RaceModel};
use farside_models::{Model, named, of_mpi, parse_model};

/// States that the naive engine may visit: more where many programs are looked at.
fn naive() -> Limits {
    let steps = if programs(USUALLY) > 10_000 { 20_000 } else { 2_000 };
    Limits { steps }
}

/// MPI's own, one more that is shipped, and one of a user with more conflicts of all kinds.
fn models() -> [RaceModel; 4] {
    let more = "model \"more\" include \"mpi3-separate\" \
        conflict loc & (Target & get) * (Target & get) as \"two gets meet\" \
        conflict (Target & accumulate & W) * (Own & R) as \"an owner reads while anything is accumulated\" \
        conflict loc & (Target & cas) * (Target & accumulate) \\ same-origin as \"a swap meets another accumulate\"";
    let races = |model| match model {
        Some(Model::Mpi3(model)) => model,
        other => panic!("{other:?}"),
    };
    let of_user = parse_model(more, &|_| None).unwrap_or_else(|errors| panic!("{errors:?}"));
    [
        of_mpi(MemoryModel::Unified).clone(),
        of_mpi(MemoryModel::Separate).clone(),
        races(named("mpi3-same-op")),
        races(Some(of_user)),
    ]
}

/// Programs, where nothing is said.
const USUALLY: u64 = 1000;

fn both(program: &Program, model: &RaceModel) -> Result<[Answer; 2], ExploreError> {
    let ask = |engine, limits: &Limits| outcomes(program, &Model::Mpi3(model.clone()), engine, limits);
    Ok([
        ask(Engine::Naive, &naive())?,
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

/// Whether every execution that has a race is one in which a loop comes to its bound.
fn races_only_where_cut(program: &Program, model: &RaceModel) -> bool {
    let mut ended = false;
    schedules::all(program, model, &naive(), &mut |schedule| {
        ended |= matches!(schedule.judged, Judged::Race(_)) && !schedule.ends.contains(&End::Cut);
        ended
    })
    .expect("the naive engine has an answer within the same limits");
    !ended
}

fn agree(program: &Program, model: &RaceModel) -> Option<bool> {
    let [naive, fast] = both(program, model).ok()?;
    let undefined = |answer: &Answer| answer.verdict != Verdict::Defined;
    Some(naive == fast || decides(program) && undefined(&naive) && undefined(&fast))
}

#[test]
fn naive_and_fast_agree_on_random_programs() {
    let (mut judged, mut skipped) = (0u64, 0u64);
    let mut kinds = [0u64; 3];
    let (mut branching, mut bounded, mut only_cut) = (0u64, 0u64, 0u64);
    let wanted = programs(USUALLY);
    let models = models();
    for seed in 0.. {
        if judged >= wanted {
            break;
        }
        let model = &models[(seed % 4) as usize];
        let program = generate(seed, 6);
        match agree(&program, model) {
            None => skipped += 1,
            Some(true) => {
                judged += 1;
                let [naive, fast] = both(&program, model).unwrap();
                branching += u64::from(decides(&program));
                bounded += u64::from(naive.bounded);
                let raced = naive.bounded && matches!(naive.verdict, Verdict::Race(_));
                only_cut += u64::from(raced && races_only_where_cut(&program, model));
                kinds[match fast.verdict {
                    Verdict::Defined => 0,
                    Verdict::Race(_) => 1,
                    Verdict::Invalid(_) => 2,
                }] += 1;
            }
            Some(false) => {
                let small = shrink(program, &|program| agree(program, model) == Some(false));
                let [naive, fast] = both(&small, model).unwrap();
                panic!(
                    "seed {seed}, {}\n{}naive {}\nfast  {}",
                    model.name(),
                    describe(&small),
                    brief(&naive),
                    brief(&fast)
                );
            }
        }
    }
    println!(
        "{judged} programs, {skipped} too large; defined, race, invalid: {kinds:?}; {branching} with loops or \
         branches, \
         {bounded} in which a bound is hit, {only_cut} with races only where one is"
    );
    assert!(branching * 10 > judged && bounded * 20 > judged && only_cut * 200 > judged);
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
        // A result comes from after the target's post.
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
        for model in MemoryModel::ALL.map(of_mpi) {
            let [naive, fast] = both(&program, model).expect("it is small");
            assert_eq!(naive, fast, "{}\n{text}", model.name());
        }
    }
}

/// What is wrong before a loop comes to its bound is wrong, whether the loop ends later or never.
#[test]
fn what_is_wrong_before_a_bound_counts() {
    let race = |verdict: &Verdict| matches!(verdict, Verdict::Race(_));
    let invalid = |verdict: &Verdict| matches!(verdict, Verdict::Invalid(_));
    let nothing = |verdict: &Verdict| *verdict == Verdict::Defined;
    type Expected = dyn Fn(&Verdict) -> bool;
    let programs: [(&str, &Expected); 8] = [
        // The process that polls comes to its bound before the other one does anything.
        (
            " lock_all | p = 0 ;
              put(z@1, x) | while (p != 1) bound 2 { p = z } ;
              unlock_all | ;",
            &race,
        ),
        // The loop never ends; the race was before.
        (
            " lock_all | p = z ;
              put(z@1, x) | while (0 = 0) bound 1 { p = 1 } ;
              unlock_all | ;",
            &race,
        ),
        (
            " lock_all | p = z ;
              put(z@1, x) | ;
              while (0 = 0) bound 1 { p = 1 } | ;
              unlock_all | ;",
            &race,
        ),
        // The race is between others than the one whose loop is cut.
        (
            " lock_all | while (0 = 0) bound 1 { p = w } ;
              x = get(z@1) | ;
              x = 5 | ;
              unlock_all | ;",
            &race,
        ),
        // A call that is not allowed.
        (" unlock(1) | while (0 = 0) bound 1 { p = 1 } ;", &invalid),
        // Who waits may wait for a process that is still in its loop.
        (" recv(1) | while (0 = 0) bound 1 { p = 1 } ;", &nothing),
        // A process that is still in its loop has closed no epoch yet.
        (
            " lock_all | p = 1 ;
              put(z@1, x) | ;
              while (0 = 0) bound 1 { p = 1 } | ;",
            &nothing,
        ),
        // The target has not opened its epoch: the put does not reach it.
        (
            " fence(noprecede) | z = 5 ;
              put(z@1, x) | while (0 = 0) bound 1 { p = 1 } ;
              fence | fence(noprecede) ;
                    | fence ;",
            &nothing,
        ),
    ];
    for (text, expected) in programs {
        let text = format!(
            "RMA t\n{{ 0: x = 1; 0: y = 2; 1: z = 3; 1: w = 4; }}\n P0 | P1 ;\n{text}\nexists (x = 1)\n"
        );
        let program = farside_litmus::parse(&text).expect(&text);
        for model in MemoryModel::ALL.map(of_mpi) {
            let [naive, fast] = both(&program, model).expect("it is small");
            assert_eq!(naive, fast, "{}\n{text}", model.name());
            assert!(
                expected(&fast.verdict),
                "{} {:?}\n{text}",
                model.name(),
                fast.verdict
            );
            assert!(
                fast.bounded && fast.outcomes.is_empty(),
                "{}\n{text}",
                model.name()
            );
        }
    }
}
