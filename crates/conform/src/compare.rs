//! Histograms compared with a model, test by test.

use crate::batch::Fate;
use crate::settings::Case;
use crate::settings::Settings;
use farside_conformance::{Failed, Forbidden, LeftOut, Report, Row, SCHEMA_VERSION, TestError, What};
use farside_explore::allowed::Allowed;
use farside_explore::verdict::refused;
use farside_explore::{ExploreError, Limits};
use farside_litmus::ast::{Place, Program, Statement, StatementKind};
use farside_litmus::log::State;
use farside_models::Model;
use farside_report::Color;
use farside_report::verdicts::explanation;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Forbidden outcomes that are explained; of further ones, the command that explains them is printed.
const MOST_EXPLAINED: usize = 8;

/// Why a test with an outcome of any value has no share.
const ANY_VALUE: &str = "the model allows any value in some outcome";

/// Why a test has no meaning under a model that lacks a statement of it.
const NOT_IN_MODEL: &str = "the model has no such statement as one of the test's";

/// The program as it runs. Emitted for an MPI, every process is within `lock_all` and `unlock_all` all the while:
/// without an epoch no operation has a meaning to MPI's own models, whose programs say their epochs.
fn judged<'p>(program: &'p Program, model: &Model) -> Cow<'p, Program> {
    let statements = || program.processes.iter().flat_map(|process| &process.statements);
    let plain = |statement: &Statement| {
        matches!(
            statement.kind,
            StatementKind::Load { .. }
                | StatementKind::Store { .. }
                | StatementKind::Get { .. }
                | StatementKind::Put { .. }
                | StatementKind::Rga { .. }
                | StatementKind::Cas { .. }
                | StatementKind::Flush(_)
        )
    };
    if !matches!(model, Model::Mpi3(_)) || !statements().all(plain) {
        return Cow::Borrowed(program);
    }
    let mut program = program.clone();
    let statement = |kind: StatementKind| Statement {
        kind,
        place: Place::default(),
    };
    for process in &mut program.processes {
        process.statements.insert(0, statement(StatementKind::LockAll));
        process.statements.push(statement(StatementKind::UnlockAll));
    }
    Cow::Owned(program)
}

/// Compares what ran with the model, which the user calls `name`.
#[must_use]
pub fn compare(results: &[(&Case, Fate)], model: &Model, name: &str, settings: &Settings) -> Report {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")).to_owned(),
        target: settings.target.name().to_owned(),
        accumulate: settings.accumulate,
        model: model.name().to_owned(),
        runs: settings.runs,
        seed: settings.seed,
        delay: settings.delay,
        rows: Vec::new(),
        errors: Vec::new(),
        failed: Vec::new(),
        left_out: Vec::new(),
        fit: None,
    };
    let mut explained = 0;
    let mut left_out: BTreeMap<(What, String), Vec<String>> = BTreeMap::new();
    for (case, fate) in results {
        let row = rows.entry(group(&case.program.name)).or_default();
        let mut leave_out = |what: What, why: String| {
            let tests = left_out.entry((what, why)).or_default();
            tests.push(case.program.name.clone());
        };
        let how = match fate {
            Fate::NotEmitted(why) => {
                row.not_emitted += 1;
                leave_out(What::NotEmitted, why.clone());
                continue;
            }
            Fate::NotRun(why) => {
                row.not_run += 1;
                leave_out(What::NotRun, why.clone());
                continue;
            }
            Fate::Hung => format!(
                "hangs: nothing was printed for {} s (--hang)",
                settings.hang.as_secs_f64()
            ),
            Fate::Crashed(how) => how.clone(),
            Fate::Ran(entry) => match Allowed::of(&judged(&case.program, model), model, &Limits::default()) {
                Err(ExploreError::NotInModel { .. }) => {
                    row.undefined += 1;
                    leave_out(What::Undefined, NOT_IN_MODEL.to_owned());
                    continue;
                }
                Err(error) => error.to_string(),
                Ok(allowed) if allowed.meaningless => {
                    row.undefined += 1;
                    leave_out(What::Undefined, allowed.why_meaningless);
                    continue;
                }
                Ok(allowed) => {
                    if allowed.is_open() {
                        row.open += 1;
                        leave_out(What::Open, ANY_VALUE.to_owned());
                    }
                    let forbidden = count(row, &allowed, &entry.states);
                    if !forbidden.is_empty() {
                        row.errors += 1;
                        let subject = Subject {
                            case,
                            model,
                            name,
                            settings,
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
    let left_out = left_out.into_iter();
    report.left_out = left_out
        .map(|((what, why), tests)| LeftOut { what, why, tests })
        .collect();
    report
}

/// Counts a test that ran and has a meaning; what it shows that is forbidden.
fn count(row: &mut Row, allowed: &Allowed, states: &BTreeMap<State, Option<u64>>) -> Vec<(State, u64)> {
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
    settings: &'a Settings,
}

impl Subject<'_> {
    fn error(&self, allowed: &Allowed, states: &[(State, u64)], explain: bool) -> TestError {
        let settings = self.settings;
        let path = quoted(&self.case.path.display().to_string());
        let model = quoted(self.name);
        let outcomes = states.iter().map(|(state, times)| Forbidden {
            outcome: state.to_string(),
            times: *times,
            explanation: match allowed.values(state).filter(|_| explain) {
                Some(values) => {
                    let program = judged(&self.case.program, self.model);
                    let file = self.case.path.display().to_string();
                    let shown = refused(&program, file, &self.case.text, self.model, &values);
                    shown.map_or_else(String::new, |(test, judgement)| {
                        explanation::render(&test, &judgement, Color::Never)
                    })
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
                settings.target.name(),
                if settings.accumulate { " --accumulate" } else { "" },
                settings.runs,
                settings.seed,
                settings.delay
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
