//! Scores the litmus tests of findings (`farside lint --litmus`) on the suite: each racy program is analysed, and of
//! each finding it is counted whether there is a test, and if not, why.
//!
//! Each test that was written is read again from its file and judged again: it must have a race by the model of its
//! interface, and none with the repair.

use crate::Arguments;
use crate::language::Language;
use crate::library::Library;
use crate::program::Program;
use crate::run::Settings;
use farside_distil::{Judged, judge, model_of};
use farside_findings::{Api, Finding, LitmusTest, Report};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What became of findings, and of programs.
#[derive(Default)]
struct Score {
    /// Findings by what became of them.
    rows: BTreeMap<String, usize>,
    tests: usize,
    races: usize,
    /// Racy programs with a race of two accesses, and those of them of which each such race has a test.
    programs: usize,
    whole: usize,
    /// Tests that networks tell nothing of; those of which no network shows a wrong value.
    without_networks: usize,
    harmless: usize,
    wrong: Vec<String>,
}

/// Makes tests of all racy programs, and says whether each test holds what it promises.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
) -> Result<bool, String> {
    let racy = programs.iter().filter(|program| {
        program.twin().is_some_and(|(_, racy)| racy) && program.label.not_in_lint().is_none()
    });
    let racy: Vec<&Program> = racy.collect();
    let library = arguments
        .library
        .implementations()
        .next()
        .unwrap_or(Library::OpenMpi);
    let score = Mutex::new(Score::default());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(program) = racy.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = findings(settings, program, library);
            let mut score = score.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match found {
                Ok(findings) => score.add(program, &findings),
                Err(why) => score.wrong.push(format!("{}: {why}", program.path.display())),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(work);
        }
    });
    let score = score
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    score.show();
    Ok(score.wrong.is_empty())
}

impl Score {
    fn add(&mut self, program: &Program, findings: &[Finding]) {
        let is_race = |finding: &&Finding| finding.missing.is_some();
        let has = |finding: &Finding| finding.litmus.as_ref().is_some_and(|test| test.file.is_some());
        let races: Vec<&Finding> = findings.iter().filter(is_race).collect();
        self.races += races.len();
        self.programs += usize::from(!races.is_empty());
        self.whole += usize::from(!races.is_empty() && races.iter().all(|race| has(race)));
        for finding in races {
            let Some(test) = &finding.litmus else { continue };
            if let Some(why) = &test.missing {
                *self.rows.entry(why.clone()).or_default() += 1;
                println!("{}: {}: {why}", program.path.display(), finding.id);
                continue;
            }
            self.tests += 1;
            self.without_networks += usize::from(test.no_networks.is_some());
            let shows = |test: &LitmusTest| {
                let mut outcomes = test.outcomes.iter();
                outcomes.any(|outcome| outcome.wrong && !outcome.models.is_empty())
            };
            self.harmless += usize::from(test.no_networks.is_none() && !shows(test));
            for (file, expected) in [(&test.file, Judged::Race), (&test.repaired, Judged::RaceFree)] {
                let said = judged(file.as_deref().unwrap_or_default(), test.model.as_deref());
                if said != Ok(expected) {
                    let path = program.path.display();
                    self.wrong
                        .push(format!("{path}: {file:?}: {said:?}, not {expected:?}"));
                }
            }
        }
    }

    fn show(&self) {
        for wrong in &self.wrong {
            println!("WRONG {wrong}");
        }
        println!("{:<72} {:>5}", "races", self.races);
        println!(
            "{:<72} {:>5}",
            "  with a test that has the race, and none with the repair", self.tests
        );
        for (why, count) in &self.rows {
            println!("{:<72} {count:>5}", format!("  without: {why}"));
        }
        println!("{:<72} {:>5}", "programs with a race", self.programs);
        println!("{:<72} {:>5}", "  of which each race has a test", self.whole);
        println!(
            "{:<72} {:>5}",
            "tests of which no network shows a wrong value", self.harmless
        );
        println!(
            "{:<72} {:>5}",
            "tests that networks have no words for", self.without_networks
        );
    }
}

/// What a model says of a file.
fn judged(file: &str, model: Option<&str>) -> Result<Judged, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let program = farside_litmus::parse(&text).map_err(|errors| format!("{errors:?}"))?;
    let apis = [Api::Mpi, Api::Shmem, Api::Gaspi];
    let api = apis.into_iter().find(|api| Some(model_of(*api)) == model);
    Ok(judge(api.ok_or("no such model")?, &program))
}

fn findings(settings: &Settings, program: &Program, library: Library) -> Result<Vec<Finding>, String> {
    let folder = settings
        .work
        .join("litmus")
        .join(&program.topic)
        .join(&program.name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let report = folder.join("report.json");
    let mut command = Command::new("timeout");
    command
        .arg((settings.limit.as_secs() * 5).to_string())
        .arg(&settings.farside);
    command.args([
        "lint",
        "--format",
        "json",
        "--mpicc",
        &library.compiler(Language::C),
    ]);
    command
        .arg("--litmus")
        .arg(&folder)
        .arg("-o")
        .arg(&report)
        .arg(&program.path)
        .arg("--");
    let told = library.compiler_options(&settings.farside);
    command.args(told.into_iter().filter(|option| option.starts_with("-I")));
    command.args(program.label.compile.0.iter());
    let output = command.output().map_err(|error| error.to_string())?;
    read(&report).ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

fn read(report: &Path) -> Option<Vec<Finding>> {
    let text = fs::read(report).ok()?;
    Some(serde_json::from_slice::<Report>(&text).ok()?.findings)
}
