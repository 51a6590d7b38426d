//! Bad input is a clear error with status 2, never a panic.

use crate::command::{command, litmus, stderr, stdout};
use std::fs;
use std::path::Path;

/// Runs a text as a test; its status is 2, nothing is on stdout, and stderr says all of `words`.
#[track_caller]
fn refused(text: impl AsRef<[u8]>, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let test = folder.path().join("bad.litmus");
    fs::write(&test, text).unwrap();
    for model in ["coreRMA", "mpi3-unified"] {
        let output = litmus(&["--model".as_ref(), model.as_ref(), test.as_os_str()]);
        said(&output, words);
    }
}

#[track_caller]
fn said(output: &std::process::Output, words: &[&str]) {
    let complaint = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert_eq!(stdout(output), "");
    for word in words {
        assert!(complaint.contains(word), "{word}\n{complaint}");
    }
    assert!(!complaint.contains("panicked"), "{complaint}");
    assert!(
        complaint.len() < 100_000,
        "{} bytes of complaint",
        complaint.len()
    );
}

/// A one-process program with this body and condition.
fn program(body: &str, condition: &str) -> String {
    format!("RMA bad\n{{ 0: X = 0; 1: Y = 1; }}\n P0 | P1 ;\n{body}\n{condition}\n")
}

#[test]
fn an_empty_file() {
    refused("", &["bad.litmus", "RMA"]);
    refused("\n \n", &["bad.litmus"]);
}

#[test]
fn an_unknown_model() {
    let output = litmus(&["--model", "coreRAM", "papers/Fig6.litmus"]);
    said(
        &output,
        &["no such model: coreRAM; did you mean coreRMA?", "--models"],
    );
    said(
        &litmus(&["--model", "no/such.model", "papers/Fig6.litmus"]),
        &["no/such.model"],
    );
}

#[test]
fn a_variable_without_owner() {
    refused("RMA bad\n{ X = 0; }\n P0 ;\n a = X ;\n", &["bad.litmus:2:", "X"]);
}

#[test]
fn a_rank_that_does_not_exist() {
    refused(program(" put(Y@7, X) | ;", ""), &["bad.litmus:4:", "7"]);
    refused(
        "RMA bad\n{ 9: X = 0; }\n P0 ;\n a = 1 ;\n",
        &["bad.litmus:2:", "9"],
    );
}

#[test]
fn too_many_actions() {
    let body = " a = X | ;\n".repeat(70);
    refused(program(&body, ""), &["actions on one path; at most 64"]);
}

#[test]
fn a_condition_over_an_unknown_register() {
    refused(program(" a = X | ;", "exists (0:b = 1)"), &["bad.litmus:5:", "b"]);
}

#[test]
fn every_mistake_is_shown_with_its_line_and_a_mark() {
    let text = program(" put(Z@1, X) | ;\n X = get(Q@1) | ;", "");
    refused(
        &text,
        &["bad.litmus:4:", "bad.litmus:5:", " put(Z@1, X) | ;", "^"],
    );
}

#[test]
fn garbage() {
    let mut state = 1_u64;
    let garbage: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    })
    .take(10 << 20)
    .collect();
    refused(&garbage, &["bad.litmus", "longer than 1 MiB"]);
    refused(&garbage[..1 << 16], &["bad.litmus", "not UTF-8"]);
    let text: String = garbage[..1 << 20]
        .iter()
        .map(|byte| char::from(byte % 95 + 32))
        .collect();
    refused(text, &["bad.litmus"]);
}

#[test]
fn deep_nesting() {
    let deep = "(".repeat(100_000) + "0:a = 1" + &")".repeat(100_000);
    refused(
        program(" a = X | ;", &format!("exists {deep}")),
        &["bad.litmus:5:"],
    );
    let body = format!(" a = {}1{} | ;", "(".repeat(100_000), ")".repeat(100_000));
    refused(program(&body, ""), &["bad.litmus:4:"]);
    let loops = format!(
        " {} a = X {} | ;",
        "while (a = 0) bound 2 {".repeat(10_000),
        "}".repeat(10_000)
    );
    refused(program(&loops, ""), &["bad.litmus:4:"]);
}

#[test]
fn files_that_cannot_be_read() {
    said(&litmus(&["no-such.litmus"]), &["cannot read no-such.litmus"]);
    let folder = tempfile::tempdir().unwrap();
    said(
        &litmus(&[folder.path()]),
        &["no litmus test in", "no file in it ends in .litmus"],
    );
    let list = folder.path().join("empty.list");
    fs::write(&list, "# nothing\n").unwrap();
    let named = format!("@{}", list.display());
    said(&litmus(&[&named]), &["the list is empty"]);
    said(&litmus(&["@no-such.list"]), &["cannot read no-such.list"]);
}

#[test]
fn one_bad_test_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.litmus"), "RMA a\n").unwrap();
    let good = program(" a = X | ;", "");
    fs::write(folder.path().join("b.litmus"), good).unwrap();
    let output = litmus(&[folder.path()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a.litmus"));
    assert!(
        stdout(&output).contains("Test bad Allowed\nStates 1\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn an_output_that_cannot_be_written() {
    for output in ["no/such/folder/x.log", "."] {
        let refused = litmus(&["-o", output, "papers/Fig6.litmus"]);
        said(&refused, &["cannot write", output]);
    }
}

#[test]
fn a_statement_that_the_model_does_not_know() {
    let output = litmus(&["--model", "coreRMA", "papers/Hoefler7a.litmus"]);
    said(
        &output,
        &[
            "coreRMA has no statement",
            "fence",
            "Hoefler7a.litmus:",
            "mpi3-unified",
        ],
    );
}

#[test]
fn logs_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.log");
    fs::write(&empty, "").unwrap();
    let path = empty.to_str().unwrap();
    said(
        &litmus(&["diff", path, path]),
        &["cannot read the log", "no test"],
    );
    said(&litmus(&["diff", path, "no-such.log"]), &["cannot read"]);
}

#[test]
fn wrong_usage() {
    for arguments in [
        &[][..],
        &["--format", "pdf", "x"],
        &["diff", "a.log"],
        &["--steps", "0", "x"],
    ] {
        let output = command(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn memory_stays_bounded() {
    // 256 MiB of address space are enough for any text.
    let folder = tempfile::tempdir().unwrap();
    let test = folder.path().join("bad.litmus");
    fs::write(&test, "(".repeat(1 << 20)).unwrap();
    let script = "ulimit -v 262144 && exec \"$0\" litmus -j 1 \"$1\"";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_farside")])
        .arg(Path::new(&test))
        .output()
        .unwrap();
    said(&output, &["bad.litmus"]);
}
