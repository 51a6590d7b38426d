//! The library's GASPI tests, by both engines; explanations; what the models refuse.

use farside_explore::answer::Outcome;
use farside_explore::{Engine, ExploreError, Limits, outcomes, refusal, witness};
use farside_litmus::ast::{Program, Value};
use farside_models::{Model, named};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../litmus-tests/rules/gaspi")
}

fn model(name: &str) -> Model {
    named(name).expect(name)
}

/// Outcomes as the library writes them, of both engines.
fn found(program: &Program, model: &Model) -> String {
    let [fast, naive] = [Engine::Fast, Engine::Naive]
        .map(|engine| outcomes(program, model, engine, &Limits::default()).expect("fits"));
    assert_eq!(fast, naive, "{} under {}", program.name, model.name());
    let tuples = fast.outcomes.iter().map(|outcome| {
        let values: Vec<String> = outcome.0.iter().map(ToString::to_string).collect();
        format!("({})", values.join(","))
    });
    tuples.collect::<Vec<_>>().join(" ")
}

#[test]
fn both_engines_have_the_expected_outcomes() {
    let mut wrong = Vec::new();
    let mut tests = 0;
    for entry in std::fs::read_dir(folder()).expect("the library") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "litmus") {
            continue;
        }
        tests += 1;
        let text = std::fs::read_to_string(&path).expect("readable");
        let program = farside_litmus::parse(&text).unwrap_or_else(|errors| panic!("{path:?}: {errors:?}"));
        let expected = std::fs::read_to_string(path.with_extension("expected")).expect("beside the test");
        for line in expected.lines().skip(1) {
            let [name, _, outcomes] = *line.split('\t').collect::<Vec<_>>() else {
                panic!("{path:?}: {line}");
            };
            let came = found(&program, &model(name));
            let sorted = |text: &str| {
                let mut tuples: Vec<String> = text.split(' ').map(str::to_owned).collect();
                tuples.sort();
                tuples
            };
            if sorted(&came) != sorted(outcomes) {
                wrong.push(format!(
                    "{} under {name}: expected {outcomes}, found {came}",
                    program.name
                ));
            }
        }
    }
    assert!(
        wrong.is_empty() && tests >= 30,
        "{tests} tests\n{}",
        wrong.join("\n")
    );
}

fn read(name: &str) -> Program {
    let text = std::fs::read_to_string(folder().join(format!("{name}.litmus"))).expect(name);
    farside_litmus::parse(&text).expect(name)
}

/// A rule of the model file is named where it forbids an outcome.
#[test]
fn refusals_name_the_rule() {
    for (test, outcome, rule) in [
        ("notify-one-queue", vec![0], "write-then-notify"),
        ("write-notify-own-data", vec![0], "own-data"),
        ("read-notify-own-data", vec![0], "own-data"),
        ("barrier-orders", vec![0], "barrier"),
        ("atomic-fetch-add", vec![0, 0], "no-C"),
    ] {
        let program = read(test);
        let outcome = Outcome(outcome.into_iter().map(Value::Known).collect());
        let refused = refusal(&program, &model("gaspi"), &outcome, &Limits::default())
            .expect("fits")
            .expect("forbidden");
        let shown = format!("{refused:?}");
        assert!(shown.contains(rule), "{test}: {shown}");
    }
}

#[test]
fn executions_show_queues_and_barriers() {
    let program = read("wait-then-barrier");
    let arrived = Outcome(vec![Value::Known(1)]);
    let shown = |name: &str| witness(&program, &model(name), &arrived, &Limits::default()).expect("fits");
    assert_eq!(shown("gaspi"), None);
    let execution = shown("gaspi-relaxed").expect("allowed");
    let texts: Vec<&str> = execution
        .actions
        .iter()
        .map(|action| action.text.as_str())
        .collect();
    assert!(
        texts.contains(&"queue 0") && texts.contains(&"barrier 1"),
        "{texts:?}"
    );
    assert!(
        execution.edges.iter().any(|edge| edge.rule == "wait-at-target"),
        "{execution:?}"
    );
}

/// Each family of models refuses the statements of the other, and gaspi data in a flag.
#[test]
fn statements_of_other_families_are_refused() {
    for (model_name, body, refused) in [
        ("coreRMA", "notify(N@0)", "notify(N@0)"),
        ("openshmem", "put(X@0, Y) on 1", "put(X@0, Y) on 1"),
        ("mpi3-unified", "a = take(N)", "a = take(N)"),
        ("gaspi", "flush(0)", "flush(0)"),
        ("gaspi", "fence", "fence"),
        (
            "gaspi",
            "X = fetch_and_op(Y@0, Z, max)",
            "X = fetch_and_op(Y@0, Z, max)",
        ),
        ("gaspi", "a = N ; notify(N@0)", "a = N"),
        ("gaspi-relaxed", "X = 1 ; if (1 == 1) { await(X) }", "X = 1"),
    ] {
        let text = format!("RMA r\n{{ 0: X = 0; 0: Y = 0; 0: Z = 0; 0: N = 0; }}\nP0 {{ {body} }}\n");
        let program = farside_litmus::parse(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        for engine in [Engine::Fast, Engine::Naive] {
            match outcomes(&program, &model(model_name), engine, &Limits::default()) {
                Err(ExploreError::NotInModel { statement, .. }) => assert_eq!(statement, refused),
                other => panic!("{model_name}, {body}: {other:?}"),
            }
        }
    }
}
