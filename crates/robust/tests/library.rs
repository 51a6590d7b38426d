//! The programs of robust-tests: the verdict in the head of each file, against the engine.

use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Answer, Options, Verdict, decide};
use std::path::{Path, PathBuf};

fn files(at: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(at)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pgas") {
            found.push(path);
        }
    }
}

fn answer(path: &Path, options: &Options) -> Answer {
    let text = std::fs::read_to_string(path).unwrap();
    let show = |errors: Vec<farside_pgas::diagnostic::Diagnostic>| -> String {
        errors
            .iter()
            .map(|error| error.render(&path.display().to_string(), &text))
            .collect()
    };
    let program = parse(&text).unwrap_or_else(|errors| panic!("{}", show(errors)));
    let program = lower(&program, Settings::default()).unwrap_or_else(|errors| panic!("{}", show(errors)));
    decide(&program, options, &mut || false)
}

#[test]
fn verdicts_are_as_reasoned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests");
    let mut found = Vec::new();
    files(&folder, &mut found);
    assert!(found.len() >= 60, "{}", found.len());
    let mut wrong = Vec::new();
    for path in &found {
        let head = std::fs::read_to_string(path).unwrap();
        let expected = head
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("// robust: "))
            .unwrap()
            .to_owned();
        let answer = answer(path, &Options::default());
        let verdict = match answer.verdict {
            Verdict::Robust => "yes",
            Verdict::NotRobust(_) => "no",
            Verdict::Inconclusive(_) => "?",
        };
        if verdict != expected {
            wrong.push(format!("{}: {verdict}, not {expected}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reduction_changes_no_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests");
    let mut found = Vec::new();
    for part in ["paper", "queues", "producer-consumer"] {
        files(&folder.join(part), &mut found);
    }
    let mut smaller = 0;
    for path in &found {
        let reduced = answer(path, &Options::default());
        let full = answer(
            path,
            &Options {
                reduce: false,
                ..Options::default()
            },
        );
        let kind = |answer: &Answer| std::mem::discriminant(&answer.verdict);
        assert_eq!(kind(&reduced), kind(&full), "{}", path.display());
        smaller += usize::from(reduced.states < full.states);
    }
    assert!(smaller > found.len() / 2, "{smaller} of {}", found.len());
}
