//! The playground answers as the command line does: every litmus test and every program of the libraries, in the data
//! of the report and in what is printed.

use farside_built::by_day;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with this ending, by their paths in the repository.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_str().is_some_and(|name| name.ends_with(ending)) {
                let inside = path.strip_prefix(root()).unwrap();
                found.push(inside.to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// What the command prints.
fn command(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What the playground answers.
fn ask(question: &Value) -> Value {
    let answer = farside_playground::answer(&question.to_string(), &|| Duration::ZERO);
    serde_json::from_str(&answer).unwrap()
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// A report without times.
fn timeless(mut report: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove("seconds");
                members.values_mut().for_each(walk);
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut report);
    report
}

/// Lines without the one that has a time.
fn without_times(printed: &str) -> Vec<&str> {
    printed
        .lines()
        .filter(|line| !line.starts_with("Time "))
        .collect()
}

#[test]
fn litmus_tests_under_the_model_that_fits() {
    let tests = files("litmus-tests", ".litmus");
    assert!(tests.len() > 100, "the library is found");
    for path in &by_day(5, tests) {
        let answer =
            ask(&json!({ "ask": "litmus", "file": path, "text": text(path), "explain": "condition" }));
        assert_eq!(answer["kind"], "litmus", "{path}: {answer}");
        let told = command(&["litmus", "--explain", "--format", "json", path]);
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(timeless(answer["of"]["report"].clone()), timeless(told), "{path}");
        let printed = command(&["litmus", "--explain", "--color", "never", path]);
        let ours = answer["of"]["printed"].as_str().unwrap();
        assert_eq!(without_times(ours), without_times(&printed), "{path}");
    }
}

#[test]
fn litmus_tests_under_all_models() {
    let all: Vec<Value> = farside_models::names()
        .iter()
        .map(|(name, _)| json!({ "named": name }))
        .collect();
    for path in by_day(5, files("litmus-tests", ".litmus")) {
        let answer = ask(&json!({ "ask": "litmus", "file": path, "text": text(&path), "models": all }));
        let told = command(&["litmus", "--model", "all", "--format", "json", &path]);
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(timeless(answer["of"]["report"].clone()), timeless(told), "{path}");
        let printed = command(&["litmus", "--model", "all", "--color", "never", &path]);
        assert_eq!(answer["of"]["printed"], printed, "{path}");
    }
}

#[test]
fn programs_of_the_calculus() {
    let programs = files("robust-tests", ".pgas");
    assert!(programs.len() > 100, "the library is found");
    for path in &programs {
        let answer = ask(&json!({ "ask": "robust", "file": path, "text": text(path) }));
        let told: Value = serde_json::from_str(&command(&["robust", "--format", "json", path])).unwrap();
        assert_eq!(timeless(answer["of"]["report"].clone()), timeless(told), "{path}");
    }
}

#[test]
fn repairs_and_what_is_superfluous() {
    for path in files("robust-tests/paper", ".pgas") {
        let question = json!({
            "ask": "robust", "file": path, "text": text(&path), "repair": true, "superfluous": true, "ranks": 2,
        });
        let answer = ask(&question);
        let options = [
            "robust",
            "--repair",
            "--superfluous",
            "--ranks",
            "2",
            "--color",
            "never",
            &path,
        ];
        let printed = command(&options);
        assert_eq!(answer["of"]["printed"], printed, "{path}");
    }
}

#[test]
fn tests_of_cycles() {
    for edges in [
        "PodPP Rfe PodRR Fre",
        "FlushdPP Rfe PodRR Fre",
        "PodWG Fre PodWG Fre",
        "PodPP Coe PodPP Coe",
    ] {
        for (apart, targets) in [(false, "one"), (true, "apart")] {
            let answer = ask(&json!({ "ask": "cycle", "edges": edges, "apart": apart }));
            let printed = command(&["forge", "--cycle", edges, "--targets", targets]);
            assert_eq!(answer["of"], printed, "{edges}");
        }
    }
}
