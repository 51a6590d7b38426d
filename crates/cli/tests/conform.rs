//! `farside conform` from the outside. A launcher of our own stands in for one that crashes and hangs; real ones run
//! where they are installed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

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
         print() { /usr/bin/printf 'Test %s Allowed\\nHistogram (1 states)\\n5 :>0:a=%s;\\nOk\\nTime %s \
         0.1\\nHash=0\\n\\n' $1 $2 $1; }\n\
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
        ["T-1", "2", "1", "25.0", "0", "0", "0", "2", "4"],
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
    let targets = [
        "mpich",
        "openmpi",
        "shmem",
        "farside:shm",
        "farside:sim",
        "farside-shmem:shm",
    ];
    for target in targets {
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
    assert!(ran >= 3, "what is farside's own is always there");
}

/// The library of litmus tests on our own C libraries: nothing that the model forbids, nothing that crashes or hangs, and
/// so many tests at least are compared.
#[test]
fn our_c_libraries_keep_to_their_models() {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../../litmus-tests");
    for (target, parts, least) in [
        (
            "farside-shmem:shm",
            &["papers", "shapes", "rules/coreRMA"][..],
            50,
        ),
        ("farside-shmem:tcp", &["papers"], 5),
        ("farside-gaspi:shm", &["rules/gaspi"], 35),
        ("farside-gaspi:tcp", &["rules/gaspi"], 35),
    ] {
        let mut arguments = vec![
            "--target", target, "--runs", "30", "--hang", "60", "--format", "json",
        ];
        let parts: Vec<String> = parts.iter().map(|part| format!("{library}/{part}")).collect();
        arguments.push("--tests");
        arguments.extend(parts.iter().map(String::as_str));
        let output = farside(None, &arguments);
        let said = text(&output.stderr);
        if target.ends_with(":tcp") && said.contains("libfabric") {
            eprintln!("not run: {said}");
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{target}: {}", text_of(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let sum = |name: &str| -> u64 {
            let rows = json["rows"].as_array().unwrap().iter();
            rows.map(|row| row[name].as_u64().unwrap()).sum()
        };
        assert_eq!(
            (sum("errors"), sum("failed"), sum("not_run")),
            (0, 0, 0),
            "{json:#}"
        );
        assert!(sum("tests") >= least, "{target}: {} compared", sum("tests"));
    }
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
    let text = "RMA T-1-1\n{ 0: X = 1; 1: Y = 0; 1: Z = 5; }\n P0 | P1           ;\n    | put(X@0, Y)  ;\n    | Z = \
        get(X@0) ;\n    | flush(0)     ;\n    | a = Z        ;\n";
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

/// Four tests for a stand-in of MPICH, which prints the first one and is silent from then on; one of them MPI cannot
/// express.
fn silent(folder: &Path) -> [String; 2] {
    let [bin, all] = ["bin", "tests"].map(|name| folder.join(name));
    fs::create_dir(&bin).unwrap();
    fs::create_dir(&all).unwrap();
    let tests = tests(&all, &["T-1-1", "T-1-2", "T-1-3"]);
    let overlaps = "RMA T-1-4\n{ 0: X = 1; 1: Y = 0; }\n P0 | P1                 ;\n    | Y = rga(X@0, Y)    ;\n    | \
        a = Y              ;\n";
    fs::write(all.join("T-1-4.litmus"), overlaps).unwrap();
    script(&bin, "mpicc.mpich", "exit 0");
    script(
        &bin,
        "mpirun.mpich",
        "[ \"$1\" = --version ] && exit 0\n\
         /usr/bin/printf 'Test T-1-1 Allowed\\nHistogram (1 states)\\n5 :>0:a=1;\\nOk\\nTime T-1-1 0.1\\nHash=\\n\\n'\n\
         exec /usr/bin/sleep 600",
    );
    [bin.to_str().unwrap().to_owned(), tests]
}

/// One ran, one cannot be expressed, two were not run, and that is all of them.
const CUT: [&str; 9] = ["T-1", "1", "0", "50.0", "0", "1", "2", "0", "4"];

#[test]
fn a_run_that_is_cut_by_its_limit_says_what_was_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let [bin, tests] = silent(folder.path());
    let log = folder.path().join("log");
    let log = log.to_str().unwrap();
    let common = ["--target", "mpich", "--tests", &tests];
    let output = farside(
        Some(Path::new(&bin)),
        &[&common[..], &["--limit", "2", "--log", log]].concat(),
    );
    let stdout = text_of(&output);
    assert_eq!(output.status.code(), Some(4), "{stdout}");
    assert_eq!(row_of(&stdout, "T-1"), CUT, "{stdout}");
    assert!(
        stdout.contains("2 not run: the limit of 2 s (--limit)"),
        "{stdout}"
    );
    assert!(stdout.contains("(T-1-2, T-1-3)"), "{stdout}");
    assert!(
        stdout.contains(
            "1 not emitted, for mpich cannot express it: a buffer that an operation writes overlaps"
        ),
        "{stdout}"
    );
    // The same of its log, where nothing runs and no MPI is needed.
    let output = farside(
        Some(folder.path()),
        &[&common[..], &["--from", log, "--format", "json"]].concat(),
    );
    assert_eq!(output.status.code(), Some(4), "{}", text_of(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &json["rows"][0];
    let figures = ["tests", "errors", "undefined", "not_emitted", "not_run", "failed"];
    assert_eq!(
        figures.map(|name| row[name].as_u64().unwrap()),
        [1, 0, 0, 1, 2, 0]
    );
    let left_out = json["left_out"].as_array().unwrap();
    let of = |what: &str| left_out.iter().find(|left_out| left_out["what"] == what).unwrap();
    assert_eq!(of("not_run")["tests"], serde_json::json!(["T-1-2", "T-1-3"]));
    assert_eq!(of("not_emitted")["tests"], serde_json::json!(["T-1-4"]));
}

#[test]
fn a_run_that_is_stopped_by_a_signal_reports_what_ran() {
    let folder = tempfile::tempdir().unwrap();
    let [bin, tests] = silent(folder.path());
    let log = folder.path().join("log");
    let mut child = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["conform", "--target", "mpich", "--tests", &tests, "--log"])
        .arg(&log)
        .env("PATH", &bin)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while !fs::read_to_string(&log).is_ok_and(|text| text.contains("Hash=")) {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("nothing came: {}", text_of(&child.wait_with_output().unwrap()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let killed = Command::new("kill").arg(child.id().to_string()).status();
    assert!(killed.unwrap().success());
    // Without the signal it would end by its limit of silence: this does not hang.
    let output = child.wait_with_output().unwrap();
    let stdout = text_of(&output);
    assert_eq!(output.status.code(), Some(4), "{stdout}");
    assert_eq!(row_of(&stdout, "T-1"), CUT, "{stdout}");
    assert!(stdout.contains("stopped by a signal"), "{stdout}");
}

#[test]
fn what_has_no_meaning_under_the_model_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let all = folder.path().join("tests");
    fs::create_dir(&all).unwrap();
    let tests = tests(&all, &["T-1-1"]);
    let log = earlier(folder.path(), "9 :>0:a=0;\n1 :>0:a=1;\n");
    let with = |model: &str| {
        let output = farside(
            None,
            &[
                "--target", "mpich", "--tests", &tests, "--from", &log, "--model", model,
            ],
        );
        (output.status.code(), text_of(&output))
    };
    // A load meets a put: a race, for MPI.
    let (status, stdout) = with("mpi3-unified");
    assert_eq!(status, Some(4), "{stdout}");
    assert_eq!(
        row_of(&stdout, "T-1"),
        ["T-1", "0", "-", "-", "1", "0", "0", "0", "1"],
        "{stdout}"
    );
    assert!(
        stdout.contains("1 undefined under mpi3-unified, and not compared: a data race"),
        "{stdout}"
    );
    // An access that is not atomic may see anything: compared, but there is no share.
    let (status, stdout) = with("coreRMA+nonatomic");
    assert_eq!(status, Some(0), "{stdout}");
    assert_eq!(row_of(&stdout, "T-1")[..4], ["T-1", "1", "0", "-"], "{stdout}");
    assert!(stdout.contains("1 compared, but not counted in Obs"), "{stdout}");
}

#[test]
fn nothing_is_said_of_errors_where_nothing_ran() {
    let folder = tempfile::tempdir().unwrap();
    let text = "RMA T-1-1\n{ 0: X = 1; 1: Y = 0; }\n P0    | P1          ;\n fence | fence       ;\n a = X | put(X@0, \
        Y) ;\n";
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
    assert_eq!(
        row_of(&stdout, "T-1"),
        ["T-1", "0", "-", "-", "0", "1", "0", "0", "1"]
    );
    assert!(
        stdout.contains("1 not emitted, for farside:sim cannot express it") && stdout.contains("(T-1-1)"),
        "{stdout}"
    );
}

/// The words of a row of the table.
fn row_of<'a>(stdout: &'a str, name: &str) -> Vec<&'a str> {
    let mut rows = stdout
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.find(|row| row.first() == Some(&name)).expect("a row")
}
