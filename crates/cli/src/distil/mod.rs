//! Litmus tests of findings: `--litmus DIR` of `farside check` and `farside lint`, and `--conform TARGET`.
//!
//! The tests are made by the crate `farside-distil`, and run by `farside-conform`. Here is what they are called (rule
//! and id of the finding), the files written, and what came of them put into the report (`run`).

mod run;

use crate::fault::Fault;
use clap::Args;
use farside_conform::Choice;
use farside_distil::{Distilled, Network, distil};
use farside_findings::{Finding, LitmusOutcome, LitmusTest, Report};
use farside_litmus::ast::Program;
use farside_litmus::print;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LitmusOptions {
    /// Write a litmus test for each race into DIR, with and without the repair
    ///
    /// A test is the smallest program of both accesses and their synchronisation that has the race by the model of its
    /// interface, and none with the repair. The report says which wrong values networks can show.
    #[arg(long, value_name = "DIR")]
    litmus: Option<PathBuf>,
    /// Run the litmus tests on TARGET (`farside conform --help` lists them), and say how often wrong values are seen
    #[arg(long, value_name = "TARGET", value_parser = target, requires = "litmus")]
    conform: Option<Choice>,
    /// How often each litmus test runs
    #[arg(long, value_name = "N", requires = "conform", default_value_t = 10_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    conform_runs: u32,
}

/// Where tests go, and where they run: known to be usable.
#[derive(Debug)]
pub(crate) struct Litmus {
    folder: PathBuf,
    /// The folder, as the page sees it.
    link: String,
    run: Option<run::Run>,
}

/// A target by its name.
fn target(name: &str) -> Result<Choice, String> {
    Choice::all().find(|choice| choice.name() == name).ok_or_else(|| {
        let names = Choice::all().map(Choice::name).collect::<Vec<_>>().join(", ");
        format!("there is no such target; there are {names}")
    })
}

impl LitmusOptions {
    /// What is asked for; none if nothing is. A page links to the tests.
    ///
    /// # Errors
    /// The folder cannot be written, or the target is not here.
    pub(crate) fn checked(&self, page: Option<&Path>) -> Result<Option<Litmus>, Fault> {
        let Some(folder) = &self.litmus else {
            return Ok(None);
        };
        let unwritable = |error| Fault::Unwritable(folder.clone(), error);
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        tempfile::tempfile_in(folder).map_err(unwritable)?;
        let run = self
            .conform
            .map(|target| run::Run::checked(target, self.conform_runs));
        Ok(Some(Litmus {
            folder: folder.clone(),
            link: link(folder, page),
            run: run.transpose()?,
        }))
    }
}

impl Litmus {
    /// Writes a test for each finding, runs them if they are to be run, and gives what the report says of each.
    ///
    /// # Errors
    /// A file cannot be written, or the tests cannot be started.
    pub(crate) fn tests(&self, report: &Report) -> Result<Vec<LitmusTest>, Fault> {
        let mut tests = Vec::new();
        let mut made = Vec::new();
        for finding in &report.findings {
            let name = name_of(finding);
            match distil(finding, &name) {
                Ok(distilled) => {
                    tests.push(self.written(&name, &distilled)?);
                    made.push(Some(distilled));
                }
                Err(reason) => {
                    tests.push(LitmusTest {
                        missing: Some(reason.to_string()),
                        ..LitmusTest::default()
                    });
                    made.push(None);
                }
            }
        }
        if let Some(run) = &self.run {
            run.add(&made, &mut tests)?;
        }
        Ok(tests)
    }

    /// Puts the tests of a report into it.
    ///
    /// # Errors
    /// As [`Self::tests`].
    pub(crate) fn add(&self, report: &mut Report) -> Result<(), Fault> {
        let tests = self.tests(report)?;
        for (finding, test) in report.findings.iter_mut().zip(tests) {
            finding.litmus = Some(test);
        }
        Ok(())
    }

    fn written(&self, name: &str, distilled: &Distilled) -> Result<LitmusTest, Fault> {
        let write = |suffix: &str, program: &Program| {
            let path = self.folder.join(format!("{name}{suffix}.litmus"));
            write(&path, &print(program))?;
            Ok::<_, Fault>(path.display().to_string())
        };
        let mut test = LitmusTest {
            file: Some(write("", &distilled.broken)?),
            repaired: Some(write("-repaired", &distilled.repaired)?),
            text: print(&distilled.broken),
            folder: self.link.clone(),
            model: Some(distilled.model.to_owned()),
            ..LitmusTest::default()
        };
        match &distilled.network {
            Ok(network) => {
                test.network_file = Some(write("-network", &network.broken)?);
                test.network_repaired = Some(write("-network-repaired", &network.repaired)?);
                tell(network, &mut test);
            }
            Err(reason) => test.no_networks = Some(reason.to_string()),
        }
        Ok(test)
    }
}

/// A folder as a page sees it: from its own folder if it lies there, else whole.
fn link(folder: &Path, page: Option<&Path>) -> String {
    let beside = page.and_then(Path::parent).unwrap_or(Path::new(""));
    let link = match folder.strip_prefix(beside) {
        Ok(inside) => inside.to_path_buf(),
        Err(_) => std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()),
    };
    link.display().to_string()
}

fn write(path: &Path, text: &str) -> Result<(), Fault> {
    std::fs::write(path, text).map_err(|error| Fault::Unwritable(path.to_path_buf(), error))
}

/// What networks allow.
fn tell(network: &Network, test: &mut LitmusTest) {
    let names = |models: &[&str]| models.iter().map(|name| (*name).to_owned()).collect();
    test.networks = names(&network.outcomes.models);
    let outcomes = network.outcomes.all.iter().map(|outcome| LitmusOutcome {
        state: outcome.state.clone(),
        wrong: outcome.wrong,
        models: names(&outcome.models),
        repaired: names(&outcome.repaired),
        seen: None,
        seen_repaired: None,
    });
    test.outcomes = outcomes.collect();
}

/// What a finding's test is called.
fn name_of(finding: &Finding) -> String {
    format!("{}-{}", finding.rule.id(), finding.id)
}
