//! `farside forge` from the outside: the table, the folder, a run that was interrupted.

use flate2::read::MultiGzDecoder;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn farside(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("forge")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Every file of a folder by its name, decompressed, without what differs from run to run: times.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(
                files(&path)
                    .into_iter()
                    .map(|(inner, text)| (format!("{name}/{inner}"), text)),
            );
        } else if name != "progress.json" {
            let mut lines = String::new();
            let mut file = std::fs::File::open(&path).unwrap();
            match name.ends_with(".gz") {
                true => MultiGzDecoder::new(file).read_to_string(&mut lines),
                false => file.read_to_string(&mut lines),
            }
            .unwrap();
            let timeless = lines.lines().filter(|line| !line.starts_with("Time "));
            all.insert(name, timeless.map(|line| format!("{line}\n")).collect());
        }
    }
    all
}

#[test]
fn the_table_stands_beside_the_papers() {
    let output = farside(&["--rule", "LO,r2", "--procs", "1", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let row = |rule: &str| -> Vec<String> {
        let line = table.lines().find(|line| line.starts_with(rule)).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    for (rule, size, paper) in [
        ("R2", "7", ["7", "419", "15", "532"]),
        ("LO", "7", ["7", "146", "21", "250"]),
    ] {
        let row = row(rule);
        assert_eq!(row[..3], [rule, "1", size], "{table}");
        assert_eq!(row[6..], paper, "{table}");
        // Every test has an output, and fewer than outputs would be odd.
        let [tests, outputs] = [&row[3], &row[5]].map(|number| number.parse::<u64>().unwrap());
        assert!(tests > 100 && outputs >= tests, "{table}");
    }
    let output = farside(&["--rule", "LO", "--procs", "1", "--format", "json", "--count"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["rows"][0]["tests"].to_string(), row("LO")[3]);
    assert!(json["rows"][0]["outputs"].is_null());
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let found = interrupted(&[]);
    assert!(found.len() > 1000);
}

#[test]
fn an_interrupted_archive_goes_on_where_it_was() {
    let found = interrupted(&["--archive"]);
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        ["GA-2/GA-2.log.gz", "GA-2/GA-2.tar.gz"]
    );
    // It holds what is written without --archive, and ends as archives do.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    assert!(
        farside(&["--rule", "GA", "--procs", "2", "--quiet", "--out", out])
            .status
            .success()
    );
    let mut archive = tar::Archive::new(found["GA-2/GA-2.tar.gz"].as_bytes());
    let mut number = 0;
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = folder.path().join(entry.path().unwrap());
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        assert_eq!(
            text,
            std::fs::read_to_string(&path).unwrap(),
            "{}",
            path.display()
        );
        number += 1;
    }
    assert!(number > 1000, "{number}");
    assert!(found["GA-2/GA-2.tar.gz"].trim_end().ends_with(&"\0".repeat(1024)));
}

#[test]
fn an_interrupted_count_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let arguments = ["--rule", "F3", "--procs", "1", "--count", "--quiet", "--out", out];
    let [first, again] = [farside(&arguments), farside(&arguments)].map(|output| text(&output.stdout));
    assert!(first.contains("F3"), "{first}");
    assert_eq!(first, again, "times too: nothing was counted again");
    let written: Vec<String> = files(folder.path()).into_keys().collect();
    assert!(written.is_empty(), "{written:?}");
}

/// Starts a run, and kills it when something is in its folder but not all of it.
fn cut_short(arguments: &[String], folder: &Path) {
    let at = folder.join("progress.json");
    // A run that was done before it was killed is no use.
    for _ in 0..20 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_farside"))
            .arg("forge")
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while !at.exists() && child.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < Duration::from_secs(60), "no progress");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let progress: serde_json::Value = serde_json::from_slice(&std::fs::read(&at).unwrap()).unwrap();
        if progress["complete"] == false {
            return;
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
    panic!("every run was done before it could be killed");
}

/// A run that is killed in the middle and goes on, compared with one that is not; what both leave on disk.
fn interrupted(options: &[&str]) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name));
    let arguments = |out: &Path| {
        let out = out.to_str().unwrap().to_owned();
        let arguments = ["--rule", "GA", "--procs", "2", "--quiet", "--out", &out];
        arguments
            .iter()
            .chain(options)
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let run = |out: &Path| {
        let arguments = arguments(out);
        let output = farside(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    run(&whole);
    cut_short(&arguments(&cut), &cut.join("GA-2"));
    run(&cut);
    let [whole_files, cut_files] = [&whole, &cut].map(|folder| files(folder));
    assert!(whole_files == cut_files, "the two folders differ");
    // What is complete is not done again, and what was asked for otherwise is not mixed with it.
    run(&cut);
    let mut other = arguments(&cut);
    other.extend(["--actions".to_owned(), "9".to_owned()]);
    let output = farside(&other.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("--restart"),
        "{}",
        text(&output.stderr)
    );
    whole_files
}

#[test]
fn expected_outputs_are_those_of_farside_litmus() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    assert!(
        farside(&[
            "--rule",
            "CAS-T",
            "--procs",
            "2",
            "--actions",
            "10",
            "--quiet",
            "--out",
            out
        ])
        .status
        .success()
    );
    let log = folder.path().join("litmus.log");
    let litmus = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["litmus", "--quiet", "--model", "coreRMA", "-o"])
        .arg(&log)
        .arg(folder.path().join("CAS-T-2"))
        .output()
        .unwrap();
    assert!(litmus.status.success(), "{}", text(&litmus.stderr));
    let diff = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["litmus", "diff"])
        .args([&log, &folder.path().join("CAS-T-2/CAS-T-2.log")])
        .output()
        .unwrap();
    assert!(diff.status.success(), "{}", text(&diff.stdout));
}

#[test]
fn what_is_asked_for_wrongly_is_refused() {
    for wrong in [
        &["--rule", "R9"][..],
        &[],
        &["--all", "--procs", "2"],
        &["--rule", "IR", "--procs", "9"],
    ] {
        assert_eq!(farside(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_cycle_becomes_a_test() {
    let output = farside(&["--cycle", "PodPP Rfe PodRR Fre"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let expected = "\
RMA PodPP+Rfe+PodRR+Fre
{ 1: X = 0; 1: Y = 0; 0: S1 = 1; 0: S2 = 1; }
 P0         | P1    ;
 put(X, S1) | a = Y ;
 put(Y, S2) | b = X ;
exists (1:a = 1 /\\ 1:b = 0)
";
    let found = text(&output.stdout);
    assert_eq!(
        found.replace("X@1", "X").replace("Y@1", "Y").replace(' ', ""),
        expected.replace(' ', "")
    );
    let output = farside(&["--cycle", "PodPP Rfe PodRR"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("only `Rfe` leads to another process"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn all_cycles_of_some_edges_are_files_that_litmus_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let edges = "PodPP,FlushdPP,PodGG,PodRR,Rfe,RfePG,Fre,FreGP";
    let output = farside(&["--edges", edges, "--targets", "both", "--out", path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let number: usize = text(&output.stdout).split(' ').next().unwrap().parse().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), number);
    let litmus = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["litmus", "--quiet", path])
        .output()
        .unwrap();
    let log = text(&litmus.stdout);
    assert_eq!(
        log.lines().filter(|line| line.starts_with("Test ")).count(),
        number,
        "{}",
        text(&litmus.stderr)
    );
    // Message passing by puts: in-order routing forbids it at one target, nothing does at two.
    let verdict = |name: &str| {
        let line = log
            .lines()
            .find(|line| line.starts_with(&format!("Observation {name} ")))
            .unwrap();
        line.split(' ').nth(2).unwrap().to_owned()
    };
    assert_eq!(verdict("PodPP+Rfe+PodGG+Fre"), "Never");
    assert_eq!(verdict("PodPP+Rfe+PodGG+Fre+apart"), "Sometimes");
}
