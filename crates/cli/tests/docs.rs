//! `farside docs` finds the pages, hands them to the browser, and says what is missing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn docs(folder: &Path, browser: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("docs")
        .args(arguments)
        .env("FARSIDE_DOCS", folder)
        .env("BROWSER", browser)
        .output()
        .unwrap()
}

fn pages() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("playground")).unwrap();
    for page in ["index.html", "playground/index.html"] {
        fs::write(folder.path().join(page), "<!DOCTYPE html>").unwrap();
    }
    folder
}

#[test]
fn both_pages_are_found_or_the_one_that_is_named() {
    let folder = pages();
    let [book, playground] = ["index.html", "playground/index.html"].map(|page| folder.path().join(page));
    let lines = |pages: &[&Path]| {
        pages
            .iter()
            .map(|page| format!("{}\n", page.display()))
            .collect::<String>()
    };
    for (part, expected) in [
        (&[][..], lines(&[&book, &playground])),
        (&["book"], lines(&[&book])),
        (&["playground"], lines(&[&playground])),
    ] {
        let output = docs(folder.path(), "false", &[&["--print"], part].concat());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn the_browser_gets_the_page() {
    let folder = pages();
    // `rm` is a browser that leaves a trace.
    let output = docs(folder.path(), "rm", &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!folder.path().join("index.html").exists());
    assert!(!folder.path().join("playground/index.html").exists());
}

#[test]
fn what_is_missing_is_said() {
    let empty = tempfile::tempdir().unwrap();
    let folder = pages();
    for (output, words) in [
        (docs(empty.path(), "true", &[]), "`make site` makes the pages"),
        (docs(folder.path(), "no-such-browser", &[]), "set BROWSER"),
        (
            docs(folder.path(), "false", &[]),
            "the browser ended with exit status: 1",
        ),
    ] {
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(words), "{told}");
    }
}
