//! Scores `farside fix` on the suite: each racy program is analysed, repaired and analysed again, by `farside fix`
//! itself; with `--check` each one that is clean then runs under `farside check`, too, on each library, and by itself:
//! it must print what the racy program or its clean twin prints, where these print the same each time.
//!
//! The programs are copied to the working folder first. A program may be refused; one that is changed must be clean.
//! Each finding has a suggestion, or a sentence that says why it has none, and of each that is left it must be said
//! why.
//! What its repair costs is compared with what the repair in the clean twin costs.

mod price;
mod prints;
mod repair;

use crate::library::Library;
use crate::program::Program;
use crate::run::{self, Settings};
use crate::verdict::Verdict;
use crate::{Arguments, Choice};
use price::{Compared, Likeness, Price};
use prints::Beside;
use repair::{Became, Repaired, repair};
use std::collections::BTreeMap;
use std::fmt;

/// What came of all programs.
#[derive(Debug, Default)]
struct Score {
    became: BTreeMap<Became, usize>,
    /// Of clean ones that have a twin: what their repair costs beside that of the twin.
    prices: BTreeMap<Compared, usize>,
    dearer: Vec<String>,
    /// Runs on some library in which the repaired program printed the same as before, or as its twin.
    same: usize,
    /// Runs that the library ends as it ended them without the repair.
    as_lost: usize,
    /// Findings that are not repaired, and nothing says why.
    without_reason: usize,
    /// Runs that have nothing to be compared with.
    not_compared: usize,
}

/// Repairs all racy programs, and says whether none got worse.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
    check: bool,
) -> Result<bool, String> {
    let mut score = Score::default();
    let library = arguments.library.implementations().next();
    let library = library.unwrap_or(Library::OpenMpi);
    for racy in programs {
        let Some((stem, true)) = racy.twin() else {
            continue;
        };
        if racy.label.not_in_lint().is_some() {
            continue;
        }
        let clean = programs
            .iter()
            .find(|other| other.topic == racy.topic && other.twin() == Some((stem, false)));
        let repaired = repair(library, settings, racy)?;
        let mut became = repaired.became();
        if became.is_clean() {
            let copy = repaired.copy(racy)?;
            if let Some(clean) = clean {
                score.compare(racy, &copy, clean);
            }
            if check
                && let Some((worse, why)) = score.in_runs(arguments.library, settings, &copy, racy, clean)
            {
                became = worse;
                println!("{}: {why}", racy.path.display());
            }
        }
        score.take(racy, &repaired, became);
    }
    print!("{score}");
    Ok(score.without_reason == 0 && !score.became.keys().any(|became| became.is_wrong()))
}

impl Score {
    /// Counts what became of a program, and says why if that is not all that one could wish.
    fn take(&mut self, racy: &Program, repaired: &Repaired, became: Became) {
        if !matches!(became, Became::Clean | Became::NotFound) {
            println!("{}: {}", racy.path.display(), became.words());
            repaired.said().for_each(|line| println!("    {line}"));
        }
        for finding in repaired.without_reason() {
            println!("{}: no reason is given for {finding}", racy.path.display());
            self.without_reason += 1;
        }
        *self.became.entry(became).or_default() += 1;
    }

    /// Compares what the repair costs with what that in the clean twin costs.
    fn compare(&mut self, racy: &Program, repaired: &Program, clean: &Program) {
        let [own, other] =
            [repaired, clean].map(|new| Price::of_added(&racy.source, &new.source, racy.label.nprocs));
        let compared = own.compared(other, Likeness::of(&racy.source, &clean.source));
        *self.prices.entry(compared).or_default() += 1;
        if matches!(compared, Compared::Dearer | Compared::ThanMoved) {
            let (own, other) = (own.known(), other.known());
            self.dearer
                .push(format!("{}: {own:.1} us, not {other:.1} us", racy.path.display()));
        }
    }

    /// What is wrong with a repaired program in the runs on some library.
    fn in_runs(
        &mut self,
        choice: Choice,
        settings: &Settings,
        repaired: &Program,
        racy: &Program,
        clean: Option<&Program>,
    ) -> Option<(Became, String)> {
        for library in choice.implementations() {
            let is_meant = library.is_meant_for(&repaired.topic, &repaired.source);
            if !is_meant || library.lacks(&repaired.source, repaired.label.needs()).is_some() {
                continue;
            }
            let binary = run::compile(settings, repaired, library);
            let binary = binary.as_deref().map_err(String::as_str);
            let outcome = run::check(settings, repaired, library, binary, 1);
            // The label still says what was wrong before.
            let wrong = match outcome.verdict {
                Verdict::FalseNegative { findings } if findings.is_empty() => None,
                Verdict::TrueNegative => None,
                other => Some(format!("{}: {other:?}", library.name())),
            };
            let beside = prints::beside((settings, library), repaired, racy, clean);
            match (wrong, beside) {
                (Some(why), Ok(Beside::AsLost)) => {
                    println!("{}: ends as without the repair: {why}", racy.path.display());
                    self.as_lost += 1;
                }
                (Some(why), _) => return Some((Became::NotInARun, why)),
                (None, beside) => match beside {
                    Ok(Beside::Same | Beside::AsLost) => self.same += 1,
                    Ok(Beside::NotKnown) => self.not_compared += 1,
                    Ok(Beside::Other(what)) => {
                        return Some((Became::PrintsOther, format!("{}: {what}", library.name())));
                    }
                    Err(why) => return Some((Became::Broken, format!("{}: {why}", library.name()))),
                },
            }
        }
        None
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (became, count) in &self.became {
            writeln!(out, "{:<36} {count:>5}", became.words())?;
        }
        writeln!(
            out,
            "{:<36} {:>5}",
            "findings without a reason", self.without_reason
        )?;
        let number = |compared| self.prices.get(&compared).copied().unwrap_or(0);
        let [no_dearer, than_moved, dearer, of_other, not_known] = [
            Compared::NoDearer,
            Compared::ThanMoved,
            Compared::Dearer,
            Compared::OfOther,
            Compared::NotKnown,
        ]
        .map(number);
        let of_same = no_dearer + than_moved + dearer;
        writeln!(
            out,
            "the repair beside that of the clean twin, by the table of costs:"
        )?;
        let lines = [
            ("  no dearer", no_dearer),
            ("  dearer", dearer),
            ("  dearer, the twin moves statements", than_moved),
            ("  percent no dearer of these", no_dearer * 100 / of_same.max(1)),
            ("  the twin makes other accesses", of_other),
            ("  not known, the twin has a message", not_known),
        ];
        for (words, count) in lines {
            writeln!(out, "{words:<36} {count:>5}")?;
        }
        if self.same + self.not_compared + self.as_lost > 0 {
            writeln!(out, "{:<36} {:>5}", "runs that print the same", self.same)?;
            writeln!(
                out,
                "{:<36} {:>5}",
                "runs that cannot be compared", self.not_compared
            )?;
        }
        self.dearer
            .iter()
            .try_for_each(|line| writeln!(out, "dearer: {line}"))
    }
}
