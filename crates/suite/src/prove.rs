//! Asks `farside lint --prove` of each program, and compares with what is known otherwise.
//!
//! The oracle: where a label says that a program is wrong, or where a simulation with any number of ranks up to a few
//! finds something, "proved" must not be said; nor must it be said of the proof alone where a simulation finds a race,
//! which is looked for in racy programs, too. What else is said is counted, with the reasons.

use crate::Arguments;
use crate::analyse;
use crate::label::RaceKind;
use crate::library::Library;
use crate::program::Program;
use crate::run::Settings;
use farside_findings::{AnyRanksVerdict, Report};
use std::collections::BTreeMap;
use std::fmt;

/// What came of all programs.
#[derive(Debug, Default)]
struct Score {
    /// By what the label says: whether the program is clean.
    clean: Answers,
    racy: Answers,
    /// Programs outside of the class, by what they do.
    outside: BTreeMap<String, usize>,
    broken: Vec<String>,
    /// Proved, and wrong.
    wrong: Vec<String>,
}

/// How often each answer was given.
#[derive(Debug, Default)]
struct Answers {
    proved: usize,
    found: usize,
    not_proved: usize,
    outside: usize,
}

/// Asks all programs, compares with simulations of up to `most` ranks, and says whether no answer is wrong and at least
/// `least` clean programs are proved.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
    (most, least): (u32, usize),
) -> Result<bool, String> {
    let implementation = arguments.library.implementations().next();
    let library = implementation.unwrap_or(Library::OpenMpi);
    let mut score = Score::default();
    let asked = programs
        .iter()
        .filter(|program| program.label.not_in_lint().is_none());
    for program in asked {
        let name = format!("{}/{}", program.topic, program.name);
        let report = ask(settings, library, program, &["--prove".to_owned()])?;
        let Some(found) = report.and_then(|report| report.any_ranks) else {
            score.broken.push(name);
            continue;
        };
        if found.refuted {
            score.wrong.push(format!("{name}: a simulation finds a race"));
        }
        if !score.take(program, &name, &found.verdict) {
            continue;
        }
        let sizes: Vec<String> = (found.least..=most).map(|size| size.to_string()).collect();
        let sizes = ["--ranks".to_owned(), sizes.join(",")];
        let simulated = ask(settings, library, program, &sizes)?;
        if simulated.is_none_or(|report| !report.findings.is_empty()) {
            let range = format!("{} to {most} ranks", found.least);
            score
                .wrong
                .push(format!("{name}: a simulation of {range} finds something"));
        }
    }
    print!("{score}");
    if score.clean.proved < least {
        println!("fewer than {least} clean programs are proved");
    }
    Ok(score.wrong.is_empty() && score.broken.is_empty() && score.clean.proved >= least)
}

fn ask(
    settings: &Settings,
    library: Library,
    program: &Program,
    options: &[String],
) -> Result<Option<Report>, String> {
    let output = analyse::command(settings, program, library, options).output();
    let output = output.map_err(|error| error.to_string())?;
    Ok(serde_json::from_slice(&output.stdout).ok())
}

impl Score {
    /// Counts an answer; whether it is a proof.
    fn take(&mut self, program: &Program, name: &str, verdict: &AnyRanksVerdict) -> bool {
        let is_clean = program.label.race_kind == RaceKind::None;
        let answers = if is_clean { &mut self.clean } else { &mut self.racy };
        match verdict {
            AnyRanksVerdict::Proved => {
                answers.proved += 1;
                if !is_clean {
                    self.wrong
                        .push(format!("{name}: its label says that it is wrong"));
                }
                return true;
            }
            AnyRanksVerdict::Found { processes, rule, .. } => {
                answers.found += 1;
                if is_clean {
                    println!("{name}: {} with {processes} ranks", rule.id());
                }
            }
            AnyRanksVerdict::NotProved { one, other, reason } => {
                answers.not_proved += 1;
                let line =
                    |place: &Option<farside_findings::Place>| place.as_ref().map_or(0, |place| place.line);
                println!(
                    "{name}: not proved: lines {} and {}: {reason}",
                    line(one),
                    line(other)
                );
            }
            AnyRanksVerdict::Outside { place, reason } => {
                answers.outside += 1;
                *self.outside.entry(reason.clone()).or_default() += 1;
                let line = place.as_ref().map_or(0, |place| place.line);
                println!("{name}: outside of the class: line {line}: {reason}");
            }
        }
        false
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, answers) in [("clean", &self.clean), ("wrong", &self.racy)] {
            let Answers {
                proved,
                found,
                not_proved,
                outside,
            } = answers;
            let all = proved + found + not_proved + outside;
            writeln!(
                out,
                "of {all} {what} programs: {proved} proved, {found} with findings, {not_proved} not proved, {outside} \
                 outside of the class"
            )?;
        }
        let mut reasons: Vec<(&String, &usize)> = self.outside.iter().collect();
        reasons.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        for (reason, times) in reasons {
            writeln!(out, "{times:>5}  {reason}")?;
        }
        for name in &self.broken {
            writeln!(out, "no answer: {name}")?;
        }
        for name in &self.wrong {
            writeln!(out, "WRONG: proved, but {name}")?;
        }
        Ok(())
    }
}
