//! `farside conform` from the outside. A launcher of our own stands in for one that crashes and hangs; real ones run where they
//! are installed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

const TEST: &str = "{ 0: X = 1; 1: Y = 0; }\n P0    | P1          ;\n a = X | put(X@0, Y) ;\n";

fn farside(path: Option<&Path>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
    command.arg("conform").args(arguments);
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.output().unwrap()
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn tests(folder: &Path, names: &[&str]) -> String {
    for name in names {
        fs::write(
            folder.join(format!("{name}.litmus")),
            format!("RMA {name}\n{TEST}"),
        )
        .unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

fn script(folder: &Path, name: &str, body: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A test is printed, the next one ends the program, the third one hangs; the fourth shows what no model allows.
#[test]
fn nothing_is_lost_of_a_run_that_crashes_and_hangs() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    let all = folder.path().join("tests");
    fs::create_dir(&bin).unwrap();
    fs::create_dir(&all).unwrap();
    let tests = tests(&all, &["T-1-1", "T-1-2", "T-1-3", "T-1-4"]);
    script(&bin, "mpicc.mpich", "exit 0");
    script(
        &bin,
        "mpirun.mpich",
        "[ \"$1\" = --version ] && exit 0\n\
         print() { /usr/bin/printf 'Test %s Allowed\\nHistogram (1 states)\\n5 :>0:a=%s;\\nOk\\nTime %s 0.1\\nHash=0\\n\\n' $1 $2 $1; }\n\
         case $7 in\n0) print T-1-1 0; exit 1;;\n2) exec /usr/bin/sleep 600;;\n3) print T-1-4 7;;\nesac",
    );
    let log = folder.path().join("all.log");
    let log = log.to_str().unwrap();
    let output = farside(
        Some(&bin),
        &[
            "--target", "mpich", "--tests", &tests, "--hang", "2", "--log", log, "--runs", "5",
        ],
    );
    let [stdout, stderr] = [text(&output.stdout), text(&output.stderr)];
    assert_eq!(output.status.code(), Some(1), "{stdout}{stderr}");
    // Two ran, one of them shows an error; of the two states allowed each time, one was seen once; two failed.
    assert_eq!(
        row_of(&stdout, "T-1"),
        ["T-1", "2", "1", "25.0", "0", "0", "2"],
        "{stdout}"
    );
    assert!(stdout.contains("T-1-2 has no result: exit status: 1"), "{stdout}");
    assert!(stdout.contains("T-1-3 has no result: hangs"), "{stdout}");
    assert!(stdout.contains("5 times 0:a=7;"), "{stdout}");
    assert!(stdout.contains("--seed 1"), "{stdout}");
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("Test T-1-1") && log.contains("Test T-1-4"), "{log}");
}

#[test]
fn a_target_that_is_not_installed_is_named_with_its_package() {
    let folder = tempfile::tempdir().unwrap();
    let tests = tests(folder.path(), &["T"]);
    let output = farside(Some(folder.path()), &["--target", "openmpi", "--tests", &tests]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("mpicc.openmpi") && stderr.contains("libopenmpi-dev"),
        "{stderr}"
    );
}

#[test]
fn tests_run_where_a_library_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let tests = tests(folder.path(), &["T-1-1", "T-1-2"]);
    let mut ran = 0;
    for target in ["mpich", "openmpi", "shmem", "farside:shm", "farside:sim"] {
        let output = farside(
            None,
            &[
                "--target",
                target,
                "--tests",
                &tests,
                "--runs",
                "50",
                "--model",
                "coreRMA-no-IR",
            ],
        );
        let [stdout, stderr] = [text(&output.stdout), text(&output.stderr)];
        if stderr.contains("Debian has it in") {
            eprintln!("not run: {stderr}");
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{target}: {stdout}{stderr}");
        ran += 1;
    }
    eprintln!("{ran} targets ran");
    assert!(ran >= 2, "the transports of farside are always there");
}

/// A log of an earlier run, and what the program that it is about would show on no network.
fn earlier(folder: &Path, states: &str) -> String {
    let log = folder.join("earlier.log");
    fs::write(
        &log,
        format!("Test T-1-1 Allowed\nHistogram (2 states)\n{states}Ok\nTime T-1-1 0.1\n\n"),
    )
    .unwrap();
    log.to_str().unwrap().to_owned()
}

#[test]
fn a_forbidden_outcome_is_explained_and_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let all = folder.path().join("my tests");
    fs::create_dir(&all).unwrap();
    let text = "RMA T-1-1\n{ 0: X = 1; 1: Y = 0; 1: Z = 5; }\n P0 | P1           ;\n    | put(X@0, Y)  ;\n    | Z = get(X@0) ;\n    | flush(0)     ;\n    | a = Z        ;\n";
    fs::write(all.join("T-1-1.litmus"), text).unwrap();
    let log = earlier(folder.path(), "9 :>1:a=0;\n2 :>1:a=1;\n");
    let tests = all.to_str().unwrap();
    let common = ["--target", "farside:sim", "--tests", tests, "--from", &log];
    let with = |more: &[&str]| farside(None, &[&common[..], more].concat());

    let output = with(&["--model", "coreRMA", "--seed", "5"]);
    let stdout = text_of(&output);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert!(
        stdout.contains("2 times 1:a=1;") && stdout.contains("the cycle"),
        "{stdout}"
    );
    let path = all.join("T-1-1.litmus");
    assert!(
        stdout.contains(&format!(
            "--seed 5 --delay 2000 --model coreRMA --tests '{}'",
            path.display()
        )),
        "{stdout}"
    );
    assert!(!stdout.contains("9 times"), "{stdout}");

    // A get before the put that precedes it: without that order, all of it is allowed, and that is the strongest model.
    assert_eq!(with(&["--model", "coreRMA-no-IR"]).status.code(), Some(0));
    let model = folder.path().join("fitted.model");
    let output = with(&[
        "--model",
        "coreRMA",
        "--fit",
        model.to_str().unwrap(),
        "--format",
        "json",
    ]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["schema", "conform"])
        .output()
        .unwrap();
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    jsonschema::validate(&schema, &json).unwrap();
    let strongest = json["fit"]["strongest"].as_array().unwrap();
    let lacks = strongest[0]["lacks"].as_array().unwrap();
    assert_eq!(lacks.len(), 1, "{json:#}");
    assert_eq!(lacks[0]["guarantee"], "IR put-get");
    let output = with(&["--model", model.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
}

#[test]
fn nothing_is_said_of_errors_where_nothing_ran() {
    let folder = tempfile::tempdir().unwrap();
    let text = "RMA T-1-1\n{ 0: X = 1; 1: Y = 0; }\n P0    | P1          ;\n fence | fence       ;\n a = X | put(X@0, Y) ;\n";
    fs::write(folder.path().join("T.litmus"), text).unwrap();
    let output = farside(
        None,
        &[
            "--target",
            "farside:sim",
            "--tests",
            folder.path().to_str().unwrap(),
        ],
    );
    let stdout = text_of(&output);
    assert_eq!(output.status.code(), Some(4), "{stdout}");
    assert_eq!(row_of(&stdout, "T-1"), ["T-1", "0", "-", "-", "0", "1", "0"]);
}

/// The words of a row of the table.
fn row_of<'a>(stdout: &'a str, name: &str) -> Vec<&'a str> {
    let mut rows = stdout
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.find(|row| row.first() == Some(&name)).expect("a row")
}
