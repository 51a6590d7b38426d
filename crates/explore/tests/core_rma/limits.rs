//! Loops and branches, final values, filters; and what cannot be answered.

use crate::text;
use farside_explore::answer::{Answer, Outcome};
use farside_explore::{Engine, ExploreError, Limits, outcomes};
use farside_litmus::ast::{Program, StatementKind, Value};
use farside_models::{Model, named};
use std::path::{Path, PathBuf};

fn answer(program: &Program, model: &str) -> Result<Answer, ExploreError> {
    let model = named(model).expect(model);
    let [fast, naive] =
        [Engine::Fast, Engine::Naive].map(|engine| outcomes(program, &model, engine, &Limits::default()));
    assert_eq!(fast, naive, "{}", program.name);
    fast
}

fn known(values: &[i64]) -> Outcome {
    Outcome(values.iter().copied().map(Value::Known).collect())
}

#[test]
fn polling_sees_the_data_that_the_flag_publishes() {
    let program = text::read(
        "polling",
        "{ 0: S = 1; 1: X = 0; 1: F = 0; }
         P0          | P1                       ;
         put(X@1, S) | while (f != 1) bound 2 { ;
         put(F@1, S) | f = F                    ;
                     | }                        ;
                     | d = X                    ;
        exists (1:d = 0)",
    );
    let answer = answer(&program, "coreRMA").expect("fits");
    assert_eq!(answer.outcomes, [known(&[1])]);
    assert!(answer.bounded, "the loop may turn more than twice");
}

#[test]
fn a_loop_that_constants_end_is_not_bounded() {
    let program = text::read(
        "counting",
        "{ 0: X = 0; }
         P0                       ;
         while (a < 3) bound 5 {  ;
         a = a + 1                ;
         X = a                    ;
         }                        ;
        locations [0:a; X;]",
    );
    let answer = answer(&program, "coreRMA").expect("fits");
    assert_eq!(answer.outcomes, [known(&[3, 3])]);
    assert!(!answer.bounded);
}

#[test]
fn a_branch_on_the_undefined_value_goes_both_ways() {
    let program = text::read(
        "both",
        "{ 0: X = 0; 1: Y = 1; 0: Z = 0; }
         P0             | P1 ;
         X.n = get(Y@1) |    ;
         a = X          |    ;
         if (a = 1) {   |    ;
         Z = 1          |    ;
         } else {       |    ;
         Z = 2          |    ;
         }              |    ;
         b = Z          |    ;
        locations [0:a; 0:b;]",
    );
    let outcomes = answer(&program, "coreRMA").expect("fits").outcomes;
    let both: Vec<Outcome> = [1, 2]
        .iter()
        .map(|&b| Outcome(vec![Value::Undefined, Value::Known(b)]))
        .collect();
    let mut both = both;
    both.sort();
    assert_eq!(outcomes, both);
}

#[test]
fn the_filter_leaves_out_states_and_is_not_shown() {
    let program = text::read(
        "filter",
        "{ 0: X = 0; 1: Y = 1; }
         P0           | P1    ;
         X = get(Y@1) | b = Y ;
         a = X        |       ;
        filter (0:a = 1)
        exists (1:b = 1)",
    );
    assert_eq!(answer(&program, "coreRMA").expect("fits").outcomes, [known(&[1])]);
}

#[test]
fn a_variable_that_nothing_touches_keeps_its_first_value() {
    let program = text::read(
        "untouched",
        "{ 0: X = 7; }
         P0       ;
         flush(0) ;
        locations [X;]",
    );
    assert_eq!(answer(&program, "coreRMA").expect("fits").outcomes, [known(&[7])]);
}

#[test]
fn flush_all_is_a_flush_of_every_process() {
    let program = text::read(
        "all",
        "{ 0: X = 0; 0: V = 0; 1: Y = 1; 2: Z = 2; }
         P0           | P1 | P2 ;
         X = get(Y@1) |    |    ;
         V = get(Z@2) |    |    ;
         flush_all    |    |    ;
         a = X        |    |    ;
         b = V        |    |    ;",
    );
    assert_eq!(
        answer(&program, "coreRMA").expect("fits").outcomes,
        [known(&[1, 2])]
    );
}

#[test]
fn sixty_four_actions_fit_and_sixty_five_do_not() {
    let rows = |count: usize| "X = 1 ;\n".repeat(count);
    let program = |count| {
        text::read(
            "long",
            &format!("{{ 0: X = 0; }}\nP0 ;\n{}locations [X;]", rows(count)),
        )
    };
    let model = named("coreRMA").expect("shipped");
    let fast = |count| outcomes(&program(count), &model, Engine::Fast, &Limits::default());
    assert_eq!(fast(63).map(|answer| answer.outcomes), Ok(vec![known(&[1])]));
    assert_eq!(fast(64), Err(ExploreError::TooManyActions { actions: 65 }));
}

#[test]
fn a_statement_that_the_model_lacks_is_named() {
    let program = text::read("fence", "{ 0: X = 0; }\nP0 ;\nX = 1 ;\nfence ;\na = X ;");
    let Err(ExploreError::NotInModel {
        model,
        statement,
        place,
    }) = answer(&program, "dmapp")
    else {
        panic!("coreRMA has no fence");
    };
    assert_eq!((model.as_str(), statement.as_str()), ("dmapp", "fence"));
    assert!(!place.0.is_empty());
}

#[test]
fn the_budget_ends_a_search() {
    let program = text::read("small", "{ 0: X = 0; }\nP0 ;\nX = 1 ;\na = X ;");
    let model = named("coreRMA").expect("shipped");
    for engine in [Engine::Fast, Engine::Naive] {
        let spent = outcomes(&program, &model, engine, &Limits { steps: 1 });
        assert_eq!(spent, Err(ExploreError::OutOfBudget { steps: 1 }));
    }
}

#[test]
fn a_loop_of_a_billion_turns_ends() {
    // The parser takes no such bound; a program that was built may have it.
    let mut program = text::read(
        "forever",
        "{ 0: X = 0; }\nP0 ;\nwhile (1 = 1) bound 2 { ;\na = a + 1 ;\n} ;",
    );
    if let StatementKind::While { bound, .. } = &mut program.processes[0].statements[0].kind {
        *bound = 1_000_000_000;
    }
    assert!(matches!(
        answer(&program, "coreRMA"),
        Err(ExploreError::OutOfBudget { .. })
    ));
}

/// Every test of the library below this folder.
fn library(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the library").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(library(&path));
        } else if path.extension().is_some_and(|extension| extension == "litmus") {
            found.push(path);
        }
    }
    found
}

#[test]
fn engines_agree_on_the_library_under_every_model() {
    // What the naive engine cannot answer with this many candidates is left to the random programs.
    let limits = Limits { steps: 20_000 };
    let models: Vec<Model> = farside_models::names()
        .iter()
        .filter_map(|&(name, _)| named(name))
        .filter(|model| matches!(model, Model::CoreRma(_)))
        .collect();
    let mut compared = 0;
    for path in library(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../litmus-tests"
    ))) {
        let content = std::fs::read_to_string(&path).expect("readable");
        let program = text::read(&path.display().to_string(), &content);
        for model in &models {
            let naive = outcomes(&program, model, Engine::Naive, &limits);
            if !matches!(naive, Err(ExploreError::OutOfBudget { .. })) {
                let fast = outcomes(&program, model, Engine::Fast, &Limits::default());
                assert_eq!(fast, naive, "{} under {}", path.display(), model.name());
                compared += usize::from(fast.is_ok());
            }
        }
    }
    assert!(compared >= 10 * models.len(), "{compared}");
}
