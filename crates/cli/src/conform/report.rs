//! Histograms against a model, as data: forbidden outcomes, the share of allowed ones that came, rule by rule.

use super::arguments::ConformArguments;
use super::batch::Fate;
use super::case::Case;
use crate::litmus::explain;
use crate::status::Status;
use farside_explore::Limits;
use farside_explore::allowed::Allowed;
use farside_litmus::log::State;
use farside_models::Model;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the form of the report.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// Forbidden outcomes that are explained; of further ones, the command that explains them is printed.
const MOST_EXPLAINED: usize = 8;

/// What came out.
#[derive(Serialize)]
pub(super) struct Report {
    schema_version: u32,
    tool: &'static str,
    pub(super) target: &'static str,
    /// Whether every access of a window was an accumulate.
    pub(super) accumulate: bool,
    pub(super) model: String,
    pub(super) runs: u32,
    pub(super) seed: u64,
    pub(super) delay: u32,
    pub(super) rows: Vec<Row>,
    /// Tests with forbidden outcomes.
    pub(super) errors: Vec<TestError>,
    /// Tests that hung, crashed, or have no answer, with how.
    pub(super) failed: Vec<Failed>,
    pub(super) fit: Option<super::fit::Fitted>,
}

/// A row: tests whose names begin alike, such as `IR-2`.
#[derive(Default, Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    /// Tests that ran, and that the model says something of.
    pub(super) tests: usize,
    pub(super) errors: usize,
    /// Allowed outcomes of the tests that ran; those with an undefined value are left out.
    pub(super) allowed: usize,
    /// How many of them came.
    pub(super) seen: usize,
    /// Tests that ran, but whose outcomes the model leaves undefined.
    pub(super) undefined: usize,
    pub(super) not_emitted: usize,
    pub(super) failed: usize,
}

/// A test with outcomes that the model forbids.
#[derive(Serialize)]
pub(super) struct TestError {
    pub(super) test: String,
    pub(super) path: String,
    pub(super) outcomes: Vec<Forbidden>,
    /// What runs the test again, with the same delays.
    pub(super) again: String,
}

/// An outcome that the model forbids.
#[derive(Serialize)]
pub(super) struct Forbidden {
    pub(super) outcome: String,
    pub(super) times: u64,
    /// Why the model forbids it; empty if many were explained before.
    pub(super) explanation: String,
    /// What explains it.
    pub(super) why: String,
}

/// A test without a result.
#[derive(Serialize)]
pub(super) struct Failed {
    pub(super) test: String,
    pub(super) how: String,
}

impl Report {
    /// What the result means.
    pub(super) fn status(&self) -> Status {
        let sum = |of: fn(&Row) -> usize| self.rows.iter().map(of).sum::<usize>();
        if !self.errors.is_empty() {
            Status::Findings
        } else if sum(|row| row.tests) == 0 || sum(|row| row.failed) > 0 {
            Status::Inconclusive
        } else {
            Status::Clean
        }
    }
}

/// Compares what ran with the model, which `--model` called `name`.
pub(super) fn compare(
    results: &[(&Case, Fate)],
    model: &Model,
    name: &str,
    arguments: &ConformArguments,
) -> Report {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")),
        target: arguments.target.name(),
        accumulate: arguments.accumulate,
        model: model.name().to_owned(),
        runs: arguments.runs,
        seed: arguments.seed,
        delay: arguments.delay,
        rows: Vec::new(),
        errors: Vec::new(),
        failed: Vec::new(),
        fit: None,
    };
    let mut explained = 0;
    for (case, fate) in results {
        let row = rows.entry(group(&case.program.name)).or_default();
        let how = match fate {
            Fate::Unsupported => {
                row.not_emitted += 1;
                continue;
            }
            Fate::Hung => format!(
                "hangs: nothing was printed for {} s (--hang)",
                arguments.hang.as_secs_f64()
            ),
            Fate::Crashed(how) => how.clone(),
            Fate::Ran(entry) => match Allowed::of(&case.program, model, &Limits::default()) {
                Err(error) => error.to_string(),
                Ok(allowed) => {
                    let forbidden = count(row, &allowed, &entry.states);
                    if !forbidden.is_empty() {
                        row.errors += 1;
                        let subject = Subject {
                            case,
                            model,
                            name,
                            arguments,
                        };
                        let error = subject.error(&allowed, &forbidden, explained < MOST_EXPLAINED);
                        report.errors.push(error);
                        explained += forbidden.len();
                    }
                    continue;
                }
            },
        };
        row.failed += 1;
        report.failed.push(Failed {
            test: case.program.name.clone(),
            how,
        });
    }
    let named = rows.into_iter().map(|(name, row)| Row { name, ..row });
    report.rows = named.collect();
    report
}

/// Counts a test that ran; what it shows that is forbidden.
fn count(row: &mut Row, allowed: &Allowed, states: &BTreeMap<State, Option<u64>>) -> Vec<(State, u64)> {
    if allowed.meaningless {
        row.undefined += 1;
        return Vec::new();
    }
    row.tests += 1;
    let mut came = Vec::new();
    let mut forbidden = Vec::new();
    for (state, times) in states {
        match allowed.values(state).filter(|values| allowed.admits(values)) {
            Some(values) => came.push(values),
            None => forbidden.push((state.clone(), times.unwrap_or(0))),
        }
    }
    if !allowed.is_open() {
        row.allowed += allowed.number();
        row.seen += allowed.reached(&came);
    }
    forbidden
}

/// A test that has something to be explained.
struct Subject<'a> {
    case: &'a Case,
    model: &'a Model,
    name: &'a str,
    arguments: &'a ConformArguments,
}

impl Subject<'_> {
    fn error(&self, allowed: &Allowed, states: &[(State, u64)], explain: bool) -> TestError {
        let arguments = self.arguments;
        let path = quoted(&self.case.source.path.display().to_string());
        let model = quoted(self.name);
        let outcomes = states.iter().map(|(state, times)| Forbidden {
            outcome: state.to_string(),
            times: *times,
            explanation: match allowed.values(state).filter(|_| explain) {
                Some(values) => {
                    explain::refusal_shown(&self.case.source, &self.case.program, self.model, &values)
                }
                None => String::new(),
            },
            why: format!("farside litmus --model {model} --outcome \"{state}\" {path}"),
        });
        TestError {
            test: self.case.program.name.clone(),
            outcomes: outcomes.collect(),
            again: format!(
                "farside conform --target {}{} --runs {} --seed {} --delay {} --model {model} --tests {path}",
                arguments.target.name(),
                if arguments.accumulate { " --accumulate" } else { "" },
                arguments.runs,
                arguments.seed,
                arguments.delay
            ),
            path,
        }
    }
}

/// For a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+:@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// The first part of a generated test's name, `IR-2` of `IR-2-000001`; of others, nothing.
fn group(name: &str) -> String {
    let head = name.rsplit_once('-');
    let generated = head.filter(|(_, number)| number.bytes().all(|digit| digit.is_ascii_digit()));
    generated.map_or_else(|| "other".to_owned(), |(group, _)| group.to_owned())
}
