//! Findings of a program over a library that calls MPI stand at the program's lines, in all forms of a report.

use crate::setting::{Check, Mpi, on_each};
use crate::stdout;
use serde_json::Value;
use std::path::Path;

/// The place of the line of `over.c` with this comment.
fn place(mark: &str) -> String {
    let source = include_str!("over.c");
    let line = source
        .lines()
        .position(|line| line.contains(&format!("/* {mark} */")))
        .unwrap()
        + 1;
    format!("over.c:{line}")
}

fn report(mpi: Mpi, program: &str, options: &[&str]) -> String {
    stdout(&Check::new(options).expect(&mpi.command(program, ""), 1))
}

/// The parties' places, `FILE:LINE`, by what a report says itself of where to look.
fn places(report: &Value) -> Vec<String> {
    let parties = report["findings"][0]["parties"].as_array().unwrap();
    let shown = parties.iter().map(|party| {
        let frames = party["stack"].as_array().unwrap();
        let frame = frames.iter().find(|frame| frame["shown"] == true).unwrap();
        let file = frame["place"]["file"].as_str().unwrap();
        format!("{}:{}", file.rsplit('/').next().unwrap(), frame["place"]["line"])
    });
    shown.collect()
}

#[track_caller]
fn assert_is_of_the_program(text: &str) {
    for mark in ["the put that races", "the load", "makes the window"] {
        assert!(text.contains(&place(mark)), "{mark} at {}: {text}", place(mark));
    }
    assert!(text.contains("MPI_Put in layer_put"), "{text}");
    assert!(!text.contains("no-debug-information"), "{text}");
}

/// The library calls MPI at the same place for each of its calls, and these stand in one function of the program.
#[test]
fn a_library_without_debug_information() {
    on_each(|mpi| assert_is_of_the_program(&report(mpi, "over", &[])));
}

#[test]
fn a_library_or_a_header_that_is_named() {
    on_each(|mpi| {
        for (program, layer) in [
            ("over-g", "for-over-g"),
            ("over-g", "layer.h"),
            ("over-header", "layer.h"),
        ] {
            let inside = report(mpi, program, &[]);
            assert!(
                inside.contains("layer.h:") && !inside.contains("MPI_Put in"),
                "{inside}"
            );
            assert_is_of_the_program(&report(mpi, program, &["--layer", layer]));
        }
    });
}

#[test]
fn json_sarif_and_html_say_the_programs_lines() {
    on_each(|mpi| {
        let folder = tempfile::tempdir().unwrap();
        let [json, sarif, html] = ["json", "sarif", "html"].map(|form| folder.path().join(form));
        let written = |file: &Path| std::fs::read_to_string(file).unwrap();
        let parsed = |file: &Path| serde_json::from_str::<Value>(&written(file)).unwrap();
        for (form, file) in [("json", &json), ("sarif", &sarif)] {
            let [file, html] = [file, &html].map(|path| path.to_str().unwrap());
            report(mpi, "over", &["--format", form, "-o", file, "--html", html]);
        }
        let raced = [place("the put that races"), place("the load")];
        assert_eq!(places(&parsed(&json)), raced);
        let message = &parsed(&sarif)["runs"][0]["results"][0]["message"]["text"];
        for place in &raced {
            assert!(message.as_str().unwrap().contains(place), "{message}");
            assert!(written(&html).contains(place));
        }
        assert!(written(&html).contains("layer_put"));
    });
}
