//! Litmus tests of findings, run on a target.

use crate::fault::Fault;
use farside_conform::{Case, Choice, Error, Fate, Runner, Settings, Target};
use farside_distil::{Distilled, Outcomes};
use farside_findings::{LitmusOutcome, LitmusRun, LitmusTest};
use farside_litmus::ast::{Program, Value};
use farside_litmus::log::Entry;
use farside_litmus::print;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Where tests run, and how often.
pub(super) struct Run {
    target: Target,
    settings: Settings,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl Run {
    /// On a target that is here.
    pub(super) fn checked(choice: Choice, runs: u32) -> Result<Self, Fault> {
        let target = Target::find(choice, false);
        Ok(Self {
            target: target.map_err(|missing| Error::Target(choice.name(), missing))?,
            settings: Settings {
                target: choice,
                accumulate: false,
                runs,
                seed: 1,
                delay: 2000,
                batch: 200,
                hang: Duration::from_secs(60),
                limit: None,
                log: None,
            },
        })
    }

    /// Runs all tests, with and without the repair, and says what was seen.
    pub(super) fn add(&self, made: &[Option<Distilled>], tests: &mut [LitmusTest]) -> Result<(), Fault> {
        let mut cases = Vec::new();
        for distilled in made.iter().flatten() {
            cases.extend(self.programs(distilled).map(|program| Case {
                path: PathBuf::from(&program.name),
                text: print(program),
                program: program.clone(),
            }));
        }
        let done = || {};
        let mut runner = Runner::new(&self.settings, &self.target, &done)?;
        let results = runner.run(&cases)?;
        let fates = results
            .into_iter()
            .map(|(case, fate)| (case.program.name.as_str(), fate));
        let fates: HashMap<&str, Fate> = fates.collect();
        for (distilled, test) in made.iter().zip(tests) {
            if let Some(distilled) = distilled {
                test.run = Some(self.seen(distilled, &fates, test));
            }
        }
        Ok(())
    }

    /// The test without and with the repair, in words that the target has.
    fn programs<'d>(&self, distilled: &'d Distilled) -> [&'d Program; 2] {
        match &distilled.network {
            Ok(network) if self.settings.target.expresses(&network.broken, false).is_ok() => {
                [&network.broken, &network.repaired]
            }
            _ => [&distilled.broken, &distilled.repaired],
        }
    }

    fn seen(&self, distilled: &Distilled, fates: &HashMap<&str, Fate>, test: &mut LitmusTest) -> LitmusRun {
        let mut run = LitmusRun {
            target: self.settings.target.name().to_owned(),
            ..LitmusRun::default()
        };
        let Ok(network) = &distilled.network else {
            run.not_run = Some("which outcomes are wrong is not known".to_owned());
            return run;
        };
        let [broken, repaired] = self.programs(distilled);
        for (program, is_repaired) in [(broken, false), (repaired, true)] {
            match fates.get(program.name.as_str()) {
                Some(Fate::Ran(entry)) => {
                    let counted = count(entry, program, &network.outcomes, is_repaired, test);
                    match is_repaired {
                        false => (run.runs, run.wrong) = counted,
                        true => (run.repaired_runs, run.repaired_wrong) = counted,
                    }
                }
                Some(Fate::NotEmitted(why) | Fate::NotRun(why) | Fate::Crashed(why)) => {
                    run.not_run = Some(why.clone());
                }
                Some(Fate::Hung) => run.not_run = Some("it hung".to_owned()),
                None => run.not_run = Some("it has no result".to_owned()),
            }
        }
        run
    }
}

/// How often a test ran, and how often to a wrong outcome.
fn count(
    entry: &Entry,
    program: &Program,
    outcomes: &Outcomes,
    is_repaired: bool,
    test: &mut LitmusTest,
) -> (u64, u64) {
    let names = outcomes.names(program);
    let (mut runs, mut wrong) = (0, 0);
    for (state, times) in &entry.states {
        let times = times.unwrap_or(0);
        runs += times;
        let value = |name: &String| state.value(name)?.parse().ok().map(Value::Known);
        let Some(values) = names.iter().map(value).collect::<Option<Vec<Value>>>() else {
            continue;
        };
        let is_wrong = outcomes.is_wrong(&values);
        wrong += if is_wrong { times } else { 0 };
        let known = names
            .iter()
            .zip(&values)
            .map(|(name, value)| format!("{name}={value};"));
        let shown = known.collect::<Vec<_>>().join(" ");
        let index = test.outcomes.iter().position(|outcome| outcome.state == shown);
        let index = index.unwrap_or_else(|| {
            test.outcomes.push(LitmusOutcome {
                state: shown,
                wrong: is_wrong,
                ..LitmusOutcome::default()
            });
            test.outcomes.len() - 1
        });
        let outcome = &mut test.outcomes[index];
        let seen = match is_repaired {
            false => &mut outcome.seen,
            true => &mut outcome.seen_repaired,
        };
        *seen = Some(seen.unwrap_or(0) + times);
    }
    (runs, wrong)
}
