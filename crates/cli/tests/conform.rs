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
    let row: Vec<&str> = stdout
        .lines()
        .find(|line| line.starts_with("T-1 "))
        .unwrap()
        .split_whitespace()
        .collect();
    // Two ran, one of them shows an error; of the two states allowed each time, one was seen once; two failed.
    assert_eq!(row, ["T-1", "2", "1", "25.0", "0", "2"], "{stdout}");
    assert!(stdout.contains("T-1-2 did not end: exit status: 1"), "{stdout}");
    assert!(stdout.contains("T-1-3 did not end: hangs"), "{stdout}");
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
    for target in ["mpich", "openmpi", "shmem"] {
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
}
