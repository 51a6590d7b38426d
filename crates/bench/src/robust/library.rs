//! How long the programs of robust-tests take: with the ranks that they say, and with 3.

use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Limits, Options, Verdict, decide};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The aim: seconds a program.
const AIM: f64 = 1.0;

/// One program.
#[derive(Debug, Serialize)]
pub(super) struct Measured {
    program: String,
    ranks: u32,
    verdict: &'static str,
    states: u64,
    seconds: f64,
}

/// Measures all programs, if they are there. With 3 ranks, those that name a rank that does not exist are left out.
///
/// # Errors
/// A program cannot be read.
pub(super) fn measure(limit: Duration, bytes: u64) -> Result<Vec<Measured>, String> {
    let folder = Path::new("robust-tests");
    let mut found = Vec::new();
    files(folder, &mut found)?;
    let mut measured = Vec::new();
    for path in found {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let tree = parse(&text).map_err(|_| format!("{}: not in the language", path.display()))?;
        for ranks in [None, Some(3)] {
            let settings = Settings {
                ranks,
                ..Settings::default()
            };
            let Ok(program) = lower(&tree, settings) else {
                continue;
            };
            let options = Options {
                limits: Limits {
                    bytes,
                    ..Limits::default()
                },
                ..Options::default()
            };
            let begin = super::processor_time();
            let answer = decide(&program, &options, &mut || {
                super::processor_time() - begin > limit
            });
            let seconds = (super::processor_time() - begin).as_secs_f64();
            if ranks.is_some()
                && tree
                    .ranks
                    .as_ref()
                    .is_some_and(|header| header.value == program.ranks)
            {
                continue;
            }
            measured.push(Measured {
                program: path.display().to_string(),
                ranks: program.ranks,
                verdict: match answer.verdict {
                    Verdict::Robust => "robust",
                    Verdict::NotRobust(_) => "not robust",
                    Verdict::OutsideDomain(_) => "outside of its domain",
                    Verdict::Inconclusive(_) => "undecided",
                },
                states: answer.states,
                seconds,
            });
        }
    }
    Ok(measured)
}

fn files(at: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let name = |error: std::io::Error| format!("{}: {error}", at.display());
    let mut entries = std::fs::read_dir(at)
        .map_err(name)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(name)?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "pgas") {
            found.push(path);
        }
    }
    Ok(())
}

/// Sums, and the slowest programs.
pub(super) fn table(measured: &[Measured]) -> String {
    let mut text =
        "| ranks | programs | all together | above the aim of 1 s | undecided |\n|---|---|---|---|---|\n"
            .to_owned();
    let mut sizes: Vec<u32> = measured.iter().map(|m| m.ranks).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for ranks in sizes {
        let of: Vec<&Measured> = measured.iter().filter(|m| m.ranks == ranks).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {ranks} | {} | {:.3} s | {} | {} |",
            of.len(),
            of.iter().map(|m| m.seconds).sum::<f64>(),
            of.iter().filter(|m| m.seconds > AIM).count(),
            of.iter().filter(|m| m.verdict == "undecided").count(),
        );
    }
    let mut slowest: Vec<&Measured> = measured.iter().collect();
    slowest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    text.push_str("\n| slowest programs | ranks | verdict | states | time |\n|---|---|---|---|---|\n");
    for m in slowest.into_iter().take(12) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.3} s |",
            m.program, m.ranks, m.verdict, m.states, m.seconds
        );
    }
    text
}
