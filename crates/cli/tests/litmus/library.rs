//! Every test of the library has the outcomes that stand beside it, by both engines.

use crate::command::{litmus, stderr, stdout, tests};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What stands beside a test: model, registers, outcomes.
fn expected(test: &Path) -> Vec<[String; 3]> {
    let text = fs::read_to_string(test.with_extension("expected")).unwrap_or_else(|error| {
        panic!(
            "{}: {error}: every test has its expected outcomes beside it",
            test.display()
        )
    });
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("model\tregisters\toutcomes"),
        "{}",
        test.display()
    );
    lines
        .map(|line| {
            let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
            columns
                .try_into()
                .unwrap_or_else(|line| panic!("{}: {line:?}", test.display()))
        })
        .collect()
}

/// What a judgement says, in the words of the tables.
fn found(judgement: &Value) -> [String; 3] {
    let model = judgement["model"].as_str().unwrap().to_owned();
    let cause = &judgement["cause"];
    match judgement["verdict"].as_str().unwrap() {
        "race" => return [model, "-".to_owned(), "race".to_owned()],
        "invalid" => return [model, "-".to_owned(), format!("invalid {}", cause["condition"])],
        "unknown" => panic!("{judgement:#}"),
        _ => {}
    }
    let states = judgement["states"].as_array().unwrap();
    let column = |state: &Value, part: fn(&Value) -> String| {
        let parts: Vec<String> = state["bindings"].as_array().unwrap().iter().map(part).collect();
        parts.join(",")
    };
    let registers = column(&states[0], |binding| binding["name"].as_str().unwrap().to_owned());
    let mut outcomes: Vec<String> = states
        .iter()
        .map(|state| {
            let values = column(state, |binding| match &binding["value"] {
                Value::Null => "T".to_owned(),
                number => number.to_string(),
            });
            format!("({values})")
        })
        .collect();
    if judgement["bounded"] == true {
        outcomes.push("bounded".to_owned());
    }
    [model, registers, outcomes.join(" ")]
}

fn all_tests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_tests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "litmus") {
            found.push(path);
        }
    }
}

/// Runs all tests under the models that stand in their tables.
fn compare(engine: &str) {
    let mut files = Vec::new();
    all_tests(&tests(), &mut files);
    assert!(files.len() > 100, "{} tests", files.len());
    // One run for each choice of models.
    let mut by_models: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        let models: Vec<String> = expected(&file).into_iter().map(|[model, ..]| model).collect();
        assert!(!models.is_empty(), "{}", file.display());
        by_models.entry(models.join(",")).or_default().push(file);
    }
    let mut wrong = Vec::new();
    for (models, files) in by_models {
        let mut arguments: Vec<String> = ["-q", "--format", "json", "--engine", engine, "--model", &models]
            .map(str::to_owned)
            .to_vec();
        arguments.extend(files.iter().map(|file| file.display().to_string()));
        let output = litmus(&arguments);
        assert!(output.stderr.is_empty(), "{}", stderr(&output));
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let reports = report["tests"].as_array().unwrap();
        assert_eq!(reports.len(), files.len());
        for (file, test) in files.iter().zip(reports) {
            for (judgement, line) in test["judgements"].as_array().unwrap().iter().zip(expected(file)) {
                let found = found(judgement);
                if found != line {
                    wrong.push(format!(
                        "{}:\n  expected {line:?}\n  found    {found:?}",
                        file.display()
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} lines differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_fast_engine_has_the_expected_outcomes() {
    compare("fast");
}

#[test]
fn the_naive_engine_has_the_expected_outcomes() {
    compare("naive");
}

#[test]
fn every_rule_of_core_rma_has_its_pair() {
    for rule in [
        "R1", "R2", "no-C", "C", "IR", "GA", "CAS-F", "CAS-T", "F1", "F2", "F3", "PG", "LO", "WS",
    ] {
        for (kind, verdict) in [("forbidden", "Never"), ("allowed", "Sometimes")] {
            let test = format!("rules/coreRMA/{rule}-{kind}.litmus");
            let output = litmus(&["-q", "--model", "coreRMA", &test]);
            assert_eq!(output.status.code(), Some(0), "{test}");
            let log = stdout(&output);
            let observed = log.lines().find(|line| line.starts_with("Observation")).unwrap();
            let always = kind == "allowed" && observed.contains("Always");
            assert!(observed.contains(verdict) || always, "{observed}");
        }
    }
}

#[test]
fn names_are_those_of_the_files_and_hashes_tell_tests_apart() {
    let output = litmus(&["-q", "--format", "json", "."]);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let mut names = BTreeSet::new();
    for test in report["tests"].as_array().unwrap() {
        let name = test["name"].as_str().unwrap();
        let file = Path::new(test["file"].as_str().unwrap());
        assert_eq!(file.file_stem().unwrap().to_str(), Some(name));
        assert!(names.insert(name.to_owned()), "{name} twice");
        assert!(
            !test["about"].as_array().unwrap().is_empty(),
            "{name} does not say where it comes from"
        );
    }
}
