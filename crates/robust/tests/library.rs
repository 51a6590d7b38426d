//! The programs of robust-tests: the verdict in the head of each file, against the engine.

use farside_pgas::calculus::Polls;
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Answer, Limits, Options, Procedure, Verdict, decide};
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

fn answer(path: &Path, polls: Polls, options: &Options) -> Answer {
    let text = std::fs::read_to_string(path).unwrap();
    let show = |errors: Vec<farside_pgas::diagnostic::Diagnostic>| -> String {
        errors
            .iter()
            .map(|error| error.render(&path.display().to_string(), &text))
            .collect()
    };
    let settings = Settings {
        polls,
        ..Settings::default()
    };
    let program = parse(&text).unwrap_or_else(|errors| panic!("{}", show(errors)));
    let program = lower(&program, settings).unwrap_or_else(|errors| panic!("{}", show(errors)));
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
        let said = |of: &str| {
            let mut lines = head.lines().take(2);
            lines.find_map(|line| line.strip_prefix(of).map(str::to_owned))
        };
        let robust = said("// robust: ").unwrap();
        // Only where it is another one is it said.
        let observed = said("// observed polls: ").unwrap_or_else(|| robust.clone());
        for (polls, expected) in [(Polls::Awaited, robust), (Polls::Observed, observed)] {
            let answer = answer(path, polls, &Options::default());
            let verdict = match answer.verdict {
                Verdict::Robust => "yes",
                Verdict::NotRobust(_) => "no",
                Verdict::OutsideDomain(_) => "outside of the domain",
                Verdict::Inconclusive(_) => "?",
            };
            if verdict != expected {
                wrong.push(format!(
                    "{}, polls {polls:?}: {verdict}, not {expected}",
                    path.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_option_changes_a_verdict_and_each_reduction_leaves_out_states() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests");
    let mut found = Vec::new();
    files(&folder, &mut found);
    let all = Options::default();
    // The old procedure needs minutes for some programs; those are compared as far as it gets.
    let parts = Options {
        procedure: Procedure::FourParts,
        limits: Limits {
            states: 20_000,
            ..Limits::default()
        },
        ..all
    };
    let ways = [
        all,
        Options { reduce: false, ..all },
        Options { prune: false, ..all },
        Options {
            symmetry: false,
            ..all
        },
        Options {
            reduce: false,
            prune: false,
            symmetry: false,
            ..all
        },
        parts,
        Options {
            reduce: false,
            ..parts
        },
    ];
    let (mut states, mut compared) = ([0; 7], 0);
    for path in &found {
        let answers = ways.map(|options| answer(path, Polls::Awaited, &options));
        let kind = |answer: &Answer| std::mem::discriminant(&answer.verdict);
        compared += usize::from(
            answers
                .iter()
                .all(|answer| !matches!(answer.verdict, Verdict::Inconclusive(_))),
        );
        for (index, answer) in answers.iter().enumerate() {
            if matches!(
                (&answer.verdict, ways[index].procedure),
                (Verdict::Inconclusive(_), Procedure::FourParts)
            ) {
                continue;
            }
            assert_eq!(
                kind(answer),
                kind(&answers[0]),
                "{} {:?}",
                path.display(),
                ways[index]
            );
            // What can go wrong is all found if the program is robust.
            if matches!(answer.verdict, Verdict::Robust) {
                assert_eq!(
                    answer.failures,
                    answers[0].failures,
                    "{} {:?}",
                    path.display(),
                    ways[index]
                );
            }
        }
        // States are compared of programs that all ways decide; of those alone are searches complete.
        let complete = |answer: &Answer| matches!(answer.verdict, Verdict::Robust);
        if answers.iter().all(complete) {
            for (sum, answer) in states.iter_mut().zip(&answers) {
                *sum += answer.states;
            }
        }
    }
    let [all, order, pruning, symmetry, none, parts, parts_full] = states;
    for without in [order, pruning, symmetry] {
        assert!(all < without && without < none, "{states:?}");
    }
    assert!(all < parts && parts < parts_full, "{states:?}");
    assert!(compared > 80, "{compared}");
}
