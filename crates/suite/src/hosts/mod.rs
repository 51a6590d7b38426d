//! Judges recordings of one host as if their processes had run on several with other clocks: what is found must be the
//! same.
//!
//! Each program runs once. Its recordings are judged with their true times, which is the oracle, and again in several
//! ways: ranks spread over two hosts or one on each, clocks wrong by microseconds to seconds, drift, and
//! ties decided as no clock would do: all of one rank first.

mod relabel;

use crate::Arguments;
use crate::label::RaceKind;
use crate::library::Library;
use crate::program::Program;
use crate::run::{self, Settings};
use farside_check::{Again, Ties, judge_again};
use farside_events::Rank;
use farside_findings::{Finding, Rule};
use farside_race::Options;
use relabel::{Clock, Recorded};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// How ranks are spread over hosts.
#[derive(Clone, Copy, Debug)]
enum Spread {
    /// Even ranks on the one, odd ranks on the other.
    Alternating,
    /// The lower half on the one, the upper half on the other.
    Halves,
    /// Each on its own.
    Single,
}

/// One way to judge recordings again.
#[derive(Clone, Copy, Debug)]
struct Way {
    name: &'static str,
    spread: Spread,
    /// Of the second host; of several, each has a multiple of its own.
    clock: Clock,
    /// Ranks first: rising, falling, or as the clocks say.
    ties: Option<bool>,
}

const WAYS: [Way; 9] = [
    way("3.7 s ahead, drift", Spread::Alternating, 3_700_000_000, 50, None),
    way("0.9 s late", Spread::Halves, -900_000_000, 0, None),
    way("10 us ahead", Spread::Alternating, 10_000, 0, None),
    way("150 us late", Spread::Halves, -150_000, 0, None),
    way("all apart, 1 ms", Spread::Single, 1_000_000, -20, None),
    way("lower half first", Spread::Halves, 3_700_000_000, 0, Some(true)),
    way("upper half first", Spread::Halves, -3_700_000_000, 0, Some(false)),
    way("lowest rank first", Spread::Single, 40_000, 0, Some(true)),
    way("highest rank first", Spread::Single, -40_000, 0, Some(false)),
];

const fn way(name: &'static str, spread: Spread, ahead: i64, faster: i64, ties: Option<bool>) -> Way {
    Way {
        name,
        spread,
        clock: Clock::new(ahead, faster),
        ties,
    }
}

impl Way {
    /// The host of a rank, and its clock.
    fn host(&self, rank: Rank, ranks: usize) -> (u128, Clock) {
        let number = match self.spread {
            Spread::Alternating => rank.0 % 2,
            Spread::Halves => u32::from(rank.0 as usize * 2 >= ranks),
            Spread::Single => rank.0,
        };
        // 0, 1, -2, 3, ...
        let times = i64::from(number) * if number % 2 == 0 { -1 } else { 1 };
        (u128::from(number), self.clock.times(times))
    }

    fn ties(&self, ranks: &[Rank]) -> Ties {
        let mut ranks = ranks.to_vec();
        match self.ties {
            None => return Ties::Estimated,
            Some(true) => {}
            Some(false) => ranks.reverse(),
        }
        Ties::InOrder(ranks)
    }
}

/// What came of all programs.
#[derive(Debug, Default)]
struct Score {
    programs: usize,
    left_out: usize,
    /// Programs whose oracle is not what the label says.
    odd: usize,
    /// By way: judged, false, missed, missed and said so, forced.
    ways: [[usize; 5]; WAYS.len()],
}

/// Runs all programs once, judges them in every way, and says whether all findings are the same.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
) -> Result<bool, String> {
    let mut score = Score::default();
    let mut same = true;
    for libraries in arguments.library.libraries() {
        for program in programs {
            let runs = arguments.library.runs(libraries, program);
            // The processes of a host share this memory: they cannot be moved apart.
            if runs.is_empty()
                || program.source.contains("_shared")
                || program.source.contains("MPI_Comm_spawn")
            {
                score.left_out += 1;
                continue;
            }
            let binary = run::compile(settings, program, runs[0])?;
            for library in runs {
                match one(settings, program, library, &binary, &mut score) {
                    Ok(equal) => same &= equal,
                    Err(reason) => {
                        eprintln!(
                            "{}/{} on {}: {reason}",
                            program.topic,
                            program.name,
                            library.name()
                        );
                        score.left_out += 1;
                    }
                }
            }
        }
    }
    print!("{}", table(&score));
    Ok(same)
}

fn one(
    settings: &Settings,
    program: &Program,
    library: Library,
    binary: &Path,
    score: &mut Score,
) -> Result<bool, String> {
    let folder = binary
        .parent()
        .unwrap_or(Path::new("."))
        .join(format!("hosts-{}", library.name()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let spool = run::record(settings, program, library, binary, &folder)?;
    let recorded = Recorded::read(&spool)?;
    let ranks = recorded.ranks();
    let judge = |name: &str, way: Option<&Way>| -> Result<Again, String> {
        let place = folder.join(name);
        fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        let host = |rank| way.map_or((0, Clock::default()), |way| way.host(rank, ranks.len()));
        recorded.write(&place, host)?;
        let ties = way.map_or(Ties::Estimated, |way| way.ties(&ranks));
        let again = judge_again(
            &place,
            Options::default(),
            (ties, 1),
            program.label.time_limit.is_some(),
        );
        fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
        Ok(again)
    };
    let oracle = places(&judge("oracle", None)?.findings);
    score.programs += 1;
    score.odd += usize::from(oracle.is_empty() != (program.label.race_kind == RaceKind::None));
    let mut same = true;
    for (way, row) in WAYS.iter().zip(&mut score.ways) {
        let again = judge("again", Some(way))?;
        let found = places(&again.findings);
        let (wrong, missed) = (found.difference(&oracle), oracle.difference(&found));
        let who = format!(
            "{}/{} on {}, {}",
            program.topic,
            program.name,
            library.name(),
            way.name
        );
        let said = again.left_open > 0;
        wrong
            .clone()
            .for_each(|finding| println!("{who}: false: {finding}"));
        let word = if said { "left open" } else { "missed" };
        missed
            .clone()
            .for_each(|finding| println!("{who}: {word}: {finding}"));
        if again.forced + again.left_open > 0 {
            let (forced, open) = (again.forced, again.left_open);
            println!("{who}: {forced} events of unknown order, {open} races left open");
        }
        let missed = missed.count() > 0;
        let hits = [true, wrong.count() > 0, missed && !said, said, again.forced > 0];
        let hits = hits.map(usize::from);
        same &= hits[1] + hits[2] == 0;
        row.iter_mut().zip(hits).for_each(|(sum, hit)| *sum += hit);
    }
    let keep = !same && std::env::var_os("FARSIDE_SUITE_KEEP").is_some();
    if !keep {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    Ok(same)
}

/// Findings by rule and places.
fn places(findings: &[Finding]) -> BTreeSet<String> {
    let of = |finding: &Finding| {
        let parties = finding.parties.iter().map(|party| {
            let place = party.stack.iter().find_map(|frame| frame.place.as_ref());
            let line = place.map_or(0, |place| place.line);
            format!("{}@{line}", party.operation)
        });
        let mut parties: Vec<_> = parties.collect();
        parties.sort_unstable();
        // A load that polls is known as one by how many came before the put: that is an accident of the order.
        let rule = match finding.rule {
            Rule::Polling => Rule::RemoteRace,
            rule => rule,
        };
        format!("{} [{}]", rule.id(), parties.join(", "))
    };
    findings.iter().map(of).collect()
}

fn table(score: &Score) -> String {
    let mut text = format!(
        "{} runs judged, {} left out, {} whose findings on one host are not those of the label\n",
        score.programs, score.left_out, score.odd
    );
    text.push_str("way                    judged  false  missed  left open  forced\n");
    for (way, [judged, wrong, missed, open, forced]) in WAYS.iter().zip(score.ways) {
        text.push_str(&format!(
            "{:<22} {judged:>6} {wrong:>6} {missed:>7} {open:>10} {forced:>7}\n",
            way.name
        ));
    }
    text
}
