//! `--litmus` and `--conform`.

use crate::{FLUSH, expect, folder, lint_in, program};
use std::fs;
use std::process::Command;

#[test]
fn a_race_becomes_a_test_that_the_model_calls_one() {
    let folder = folder(&[("yes.c", &program(""))]);
    let arguments = [
        "--format",
        "json",
        "--litmus",
        "tests",
        "--html",
        "page.html",
        "yes.c",
    ];
    let output = lint_in(folder.path(), &arguments);
    expect(&output, 1, &["\"litmus\"", "\"wrong\": true"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let test = &report["findings"][0]["litmus"];
    let verdict = |file: &str| {
        let path = folder.path().join(test[file].as_str().unwrap());
        let text = fs::read_to_string(&path).unwrap();
        let litmus = Command::new(env!("CARGO_BIN_EXE_farside"))
            .args(["litmus", "--quiet", "--model", "mpi3-unified"])
            .arg(&path)
            .output()
            .unwrap();
        (text, String::from_utf8_lossy(&litmus.stdout).into_owned())
    };
    let (text, said) = verdict("file");
    assert!(
        text.contains("put(D1@1, X)") && said.contains("Undef race"),
        "{text}{said}"
    );
    let (text, said) = verdict("repaired");
    assert!(
        text.contains("flush_local(1)") && said.contains("\nOk\n"),
        "{text}{said}"
    );
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("href=\"tests/local-race-"), "{page}");
}

#[test]
fn what_is_not_a_race_has_no_test() {
    let folder = folder(&[("no.c", &program(FLUSH))]);
    expect(
        &lint_in(folder.path(), &["--litmus", "tests", "no.c"]),
        0,
        &["no findings"],
    );
    assert_eq!(fs::read_dir(folder.path().join("tests")).unwrap().count(), 0);
}

#[test]
fn bad_input_is_said_before_the_work() {
    let folder = folder(&[("yes.c", &program("")), ("file", "")]);
    let words = ["cannot write file"];
    expect(&lint_in(folder.path(), &["--litmus", "file", "yes.c"]), 2, &words);
    let unknown = ["--litmus", "tests", "--conform", "openmp", "yes.c"];
    expect(&lint_in(folder.path(), &unknown), 2, &["openmp", "openmpi"]);
    expect(
        &lint_in(folder.path(), &["--conform", "openmpi", "yes.c"]),
        2,
        &["--litmus"],
    );
    let absent = ["--litmus", "tests", "--conform", "portals4", "yes.c"];
    expect(&lint_in(folder.path(), &absent), 2, &["portals4"]);
}
