//! Scores `farside lint` on the suite: the same labels and the same judgement as for `farside check`.
//!
//! The analysis is told neither the number of processes nor anything else that the label says, except options for the
//! compiler.

use crate::label::RaceKind;
use crate::language::Language;
use crate::library::Library;
use crate::program::Program;
use crate::run::{Outcome, Settings};
use crate::verdict::{Verdict, judge};
use crate::{Arguments, score};
use farside_findings::Report;
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

/// Analyses all programs, prints the tables, and says whether all answers are right.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
) -> Result<bool, String> {
    let mut outcomes = Vec::new();
    for library in arguments.library.implementations() {
        for program in programs {
            if let Some(why) = program.label.not_in_lint() {
                println!("left out: {}/{}: {why}", program.topic, program.name);
                continue;
            }
            let outcome = analyse(settings, program, library);
            if let Some(text) = score::explain(&outcome) {
                eprintln!("{text}");
            }
            outcomes.push(outcome);
        }
    }
    print!("{}", by_kind(programs, &outcomes));
    crate::report(arguments, &outcomes)
}

/// `farside lint` of a program, with further options.
pub(crate) fn command(
    settings: &Settings,
    program: &Program,
    library: Library,
    options: &[String],
) -> Command {
    let mut command = Command::new("timeout");
    command
        .arg(settings.limit.as_secs().to_string())
        .arg(&settings.farside);
    command
        .args([
            "lint",
            "--format",
            "json",
            "--mpicc",
            &library.compiler(Language::C),
        ])
        .args(options)
        .arg(&program.path);
    let told = library.compiler_options(&settings.farside);
    let folders = told.iter().filter(|option| option.starts_with("-I"));
    command.arg("--").args(folders).args(&program.label.compile.0);
    command
}

fn analyse(settings: &Settings, program: &Program, library: Library) -> Outcome {
    let mut command = command(settings, program, library, &[]);
    let started = Instant::now();
    let shown = format!("{command:?}");
    let verdict = match command.output() {
        Err(error) => Verdict::Broken {
            reason: error.to_string(),
        },
        Ok(output) => match serde_json::from_slice::<Report>(&output.stdout) {
            Ok(report) => judge(
                &program.label,
                &program.path.file_name().unwrap_or_default().to_string_lossy(),
                &report,
            ),
            Err(_) => Verdict::Broken {
                reason: String::from_utf8_lossy(&output.stderr)
                    .lines()
                    .take(3)
                    .collect::<Vec<_>>()
                    .join(" / "),
            },
        },
    };
    Outcome {
        topic: program.topic.clone(),
        program: program.path.clone(),
        library,
        repetition: 1,
        seconds: started.elapsed().as_secs_f64(),
        retried: false,
        verdict,
        command: shown,
    }
}

/// How many errors of each kind were found, and how many correct programs were left alone.
fn by_kind(programs: &[Program], outcomes: &[Outcome]) -> String {
    let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (outcome, program) in outcomes.iter().zip(programs.iter().cycle()) {
        let language = if program.language == Language::Fortran {
            "Fortran"
        } else {
            "C, C++"
        };
        let kind = match program.label.race_kind {
            RaceKind::None => "correct programs left alone",
            RaceKind::Local => "local races found",
            RaceKind::Remote => "remote races found",
            RaceKind::Misuse => "misuses found",
        };
        let row = rows.entry(format!("{kind} ({language})")).or_default();
        let found = match &outcome.verdict {
            Verdict::TruePositive { .. } => true,
            verdict => verdict.is_right(),
        };
        row.0 += usize::from(found);
        row.1 += 1;
    }
    rows.into_iter()
        .map(|(kind, (right, all))| format!("{kind:<44} {right:>5} of {all}\n"))
        .collect()
}
