//! Histograms against a model: forbidden outcomes, the share of allowed ones that came, rule by rule.

use super::arguments::ConformArguments;
use super::batch::Fate;
use crate::status::Status;
use farside_explore::answer::Answer;
use farside_explore::{Engine, Limits, outcomes};
use farside_litmus::ast::{Observable, Program, Value};
use farside_litmus::log::{Log, State};
use farside_models::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A row: tests whose names begin alike, such as `IR-2`.
#[derive(Default)]
struct Row {
    ran: usize,
    errors: usize,
    allowed: usize,
    seen: usize,
    unsupported: usize,
    failed: usize,
    /// Tests that the engine has no answer for.
    unanswered: usize,
}

/// What came out.
#[derive(Default)]
pub(super) struct Report {
    rows: BTreeMap<String, Row>,
    /// Tests with forbidden outcomes: the states with their numbers.
    forbidden: Vec<(String, Vec<(State, u64)>)>,
    /// Tests that hung or crashed, with how.
    failed: Vec<(String, String)>,
}

impl Report {
    /// What the result means.
    pub(super) fn status(&self) -> Status {
        let sum = |of: fn(&Row) -> usize| self.rows.values().map(of).sum::<usize>();
        if !self.forbidden.is_empty() {
            Status::Findings
        } else if sum(|row| row.ran) == 0 || sum(|row| row.failed + row.unanswered) > 0 {
            Status::Inconclusive
        } else {
            Status::Clean
        }
    }
}

/// Compares what ran with the model.
pub(super) fn compare(results: &[(&Program, Fate)], model: &Model) -> Report {
    let mut report = Report::default();
    for (program, fate) in results {
        let row = report.rows.entry(group(&program.name)).or_default();
        match fate {
            Fate::Unsupported => row.unsupported += 1,
            Fate::Hung => {
                row.failed += 1;
                report.failed.push((program.name.clone(), "hangs".to_owned()));
            }
            Fate::Crashed(how) => {
                row.failed += 1;
                report.failed.push((program.name.clone(), how.clone()));
            }
            Fate::Ran(entry) => {
                let Ok(answer) = outcomes(program, model, Engine::Fast, &Limits::default()) else {
                    row.unanswered += 1;
                    continue;
                };
                let allowed = states(program, &answer);
                row.ran += 1;
                row.allowed += allowed.len();
                row.seen += allowed
                    .iter()
                    .filter(|state| entry.states.contains_key(state))
                    .count();
                let forbidden: Vec<(State, u64)> = entry
                    .states
                    .iter()
                    .filter(|(state, _)| !allowed.contains(state))
                    .map(|(state, count)| (state.clone(), count.unwrap_or(0)))
                    .collect();
                if !forbidden.is_empty() {
                    row.errors += 1;
                    report.forbidden.push((program.name.clone(), forbidden));
                }
            }
        }
    }
    report
}

/// The first part of a generated test's name, `IR-2` of `IR-2-000001`; of others, nothing.
fn group(name: &str) -> String {
    let head = name.rsplit_once('-');
    let generated = head.filter(|(_, number)| number.bytes().all(|digit| digit.is_ascii_digit()));
    generated.map_or_else(|| "other".to_owned(), |(group, _)| group.to_owned())
}

fn states(program: &Program, answer: &Answer) -> BTreeSet<State> {
    let state = |values: &[Value]| {
        let bindings = answer.observables.iter().zip(values).map(|(observable, value)| {
            let value = match value {
                Value::Known(number) => number.to_string(),
                Value::Undefined => "T".to_owned(),
            };
            match observable {
                Observable::Register(rank, register) => {
                    let name = &program.processes[rank.0 as usize].registers[register.0 as usize];
                    format!("{}:{name}={value};", rank.0)
                }
                Observable::Variable(variable) => {
                    format!("{}={value};", program.variables[variable.0 as usize].name)
                }
            }
        });
        State::read(&bindings.collect::<Vec<_>>().join(" "))
    };
    answer
        .outcomes
        .iter()
        .filter_map(|outcome| state(&outcome.0))
        .collect()
}

/// All histograms.
pub(super) fn log(results: &[(&Program, Fate)]) -> Log {
    let entries = results.iter().filter_map(|(_, fate)| match fate {
        Fate::Ran(entry) => Some(entry.clone()),
        _ => None,
    });
    Log {
        tests: entries.collect(),
    }
}

/// The table, and every test that is not clean.
pub(super) fn text(report: &Report, arguments: &ConformArguments) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, report, arguments);
    text
}

fn write(text: &mut String, report: &Report, arguments: &ConformArguments) -> std::fmt::Result {
    let target = arguments.target.name();
    writeln!(
        text,
        "{target}, {} runs a test, seed {}, model {}\n\nrule          # tests  # errors  Obs (%)  not emitted  failed",
        arguments.runs, arguments.seed, arguments.model
    )?;
    for (name, row) in &report.rows {
        let share = match row.allowed {
            0 => "-".to_owned(),
            allowed => format!("{:.1}", row.seen as f64 * 100.0 / allowed as f64),
        };
        writeln!(
            text,
            "{name:12} {:>8} {:>9} {share:>8} {:>12} {:>7}",
            row.ran,
            row.errors,
            row.unsupported,
            row.failed + row.unanswered
        )?;
    }
    for (name, states) in &report.forbidden {
        writeln!(text, "\n{name} shows what {} forbids:", arguments.model)?;
        for (state, count) in states {
            writeln!(text, "  {count} times {state}")?;
            writeln!(
                text,
                "  why: farside litmus --model {} --outcome \"{state}\" {name}.litmus",
                arguments.model
            )?;
        }
        writeln!(
            text,
            "  again: farside conform --target {target} --runs {} --seed {} --delay {} --model {} --tests {name}.litmus",
            arguments.runs, arguments.seed, arguments.delay, arguments.model
        )?;
    }
    for (name, how) in &report.failed {
        writeln!(text, "{name} did not end: {how}")?;
    }
    Ok(())
}
