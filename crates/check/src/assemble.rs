//! The judged jobs of one command become one report.

use crate::binaries::Binaries;
use crate::follow::Ended;
use crate::interrupt::Interrupt;
use crate::job::Judged;
use crate::lines::{Elsewhere, Lines};
use crate::matches::OtherOrders;
use crate::predictions;
use crate::preflight::Preflight;
use crate::request::Trials as Wanted;
use crate::shortfalls::{self, Unread};
use crate::spool::Outcome;
use crate::superfluous;
use crate::symbols::Symbols;
use farside_collect::Front;
use farside_events::Interface;
use farside_findings::Host as RanksOfHost;
use farside_findings::{CheckedProgram, Count, Layers, Place, Ranks, Report, SCHEMA_VERSION, merge};
use farside_processes::signals::name as signal_name;
use farside_race::{place, places};
use farside_spool::reader::End;
use farside_trial::{Recording, Trials, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// A report, and what its lack of findings is worth.
#[derive(Debug)]
pub(crate) struct Assembled {
    /// The report, nothing suppressed yet.
    pub(crate) report: Report,
    /// Places that the run came to, where that was followed.
    pub(crate) executed: Vec<Place>,
    /// Nothing was checked, or not enough to say that nothing is wrong.
    pub(crate) inconclusive: bool,
}

/// Makes the report, with the lines of sources that are not here, and the other orders in which the run could have
/// gone, if they are looked for and all events are there.
pub(crate) fn assemble(
    (command, layers, trials, looks): (&[OsString], &Layers, &Wanted, bool),
    mut outcome: Outcome,
    (front, folder): (Option<&Front>, &Path),
    preflight: &Preflight,
    ended: &Ended,
    interrupt: &Interrupt,
) -> (Assembled, Lines, Option<OtherOrders>) {
    let late = || interrupt.is_late();
    let mut symbols = Symbols::new(late, layers.clone(), Binaries::new(front, folder));
    let jobs = &mut outcome.jobs;
    let mut findings = Vec::new();
    let mut unneeded = superfluous::Jobs::default();
    let mut stopped = false;
    let mut others = looks.then(OtherOrders::default);
    for job in jobs.iter_mut() {
        symbols.enter(&job.hosts);
        let (raw, interface) = (
            std::mem::take(&mut job.findings),
            Interface::of_library(&job.library),
        );
        let raw = match job.take_recording() {
            Some((recording, options)) if !interrupt.is_late() => {
                let places = &mut places(&job.code, &mut symbols);
                if trials.asks_superfluous() {
                    unneeded.take(&recording, options, places);
                }
                others = others.and_then(|others| others.with_job(&recording, options, places));
                match trials.costs() {
                    Some(costs) => {
                        let mut trials =
                            Trials::new(&recording, (options, interface), places, for_trials(&recording))
                                .if_quick(FOR_QUICK_TRIALS)
                                .with_costs(costs.clone());
                        let raw = trials.prove(raw);
                        stopped |= trials.were_stopped();
                        raw
                    }
                    None => raw,
                }
            }
            _ => {
                others = None;
                raw
            }
        };
        findings.extend(place(raw, interface, &job.code, &mut symbols));
        job.locate(&mut symbols);
    }
    let executed = predictions::executed(jobs, &mut symbols);
    let hosts = front.map(Front::hosts).unwrap_or_default();
    let unread = Unread::new(symbols.unread(), interrupt.is_late());
    let mut shortfalls = shortfalls::collect(&outcome, &hosts, preflight, ended, &findings, &unread);
    if stopped {
        shortfalls.push(farside_trial::stopped());
    }
    let inconclusive = shortfalls
        .iter()
        .any(|shortfall| shortfall.id.leaves_a_run_open());
    let jobs = &outcome.jobs;
    // Ranks of the crate cannot be told to go in another order.
    let goes_otherwise = |job: &Judged| Interface::of_library(&job.library) != Interface::Farside;
    let is_one_order = |job: &Judged| job.counts.is_one_order && goes_otherwise(job);
    let is_one_order = !looks && jobs.iter().any(is_one_order);
    let libraries: BTreeSet<&str> = jobs.iter().map(|job| &*job.library).collect();
    let processes = jobs.iter().map(|job| job.members.len()).sum::<usize>();
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")).into(),
        program: CheckedProgram {
            command: command
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            processes: u32::try_from(processes).unwrap_or(u32::MAX),
            library: libraries.into_iter().collect::<Vec<_>>().join("; "),
            ended: in_words(ended, hydra_lost_a_process(jobs)),
            status: ended.status.and_then(|status| status.code()),
            folder: working_folder(),
            hosts: hosts_of_ranks(jobs),
        },
        findings: merge(findings),
        causes: Vec::new(),
        suppressed: 0,
        shortfalls,
        counts: counts(jobs),
        predictions: None,
        coverage: None,
        superfluous: None,
        runs: None,
        is_one_order,
        any_ranks: None,
        sources: Vec::new(),
    };
    report.superfluous = trials
        .asks_superfluous()
        .then(|| unneeded.told(jobs.len(), &report.shortfalls));
    report.name_from_folder();
    report.name_hosts();
    let hosts = jobs.iter().flat_map(|job| job.hosts.clone()).collect();
    let lines = front.map_or_else(Lines::default, |front| {
        Lines::bring(
            &mut report,
            &Elsewhere::new(front, hosts, symbols.brought()),
            &late,
        )
    });
    let assembled = Assembled {
        report,
        executed,
        inconclusive,
    };
    (assembled, lines, others)
}

/// How much is done to try suggestions for a run: in the time that it takes to judge a part of it; enough in any case
/// to see what one trial takes.
fn for_trials(recording: &Recording) -> Work {
    (recording.weight() * 3 / 20).max(Work::of(250_000))
}

/// How much is done where a trial takes milliseconds: two seconds or so.
const FOR_QUICK_TRIALS: Work = Work::of(2_000_000);

/// The folder in which farside was started, from which relative names in reports start; empty if it is gone.
#[must_use]
pub fn working_folder() -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    folder.to_string_lossy().into_owned()
}

/// Where the ranks of all jobs ran, if not all ran here.
fn hosts_of_ranks(jobs: &[Judged]) -> Vec<RanksOfHost> {
    let here = farside_spool::processes::host_name();
    let mut ranks: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for job in jobs {
        for (rank, _) in &job.members {
            let host = job.hosts.get(rank).unwrap_or(&here);
            ranks.entry(host).or_default().insert(rank.0);
        }
    }
    if ranks.keys().all(|host| *host == here) {
        return Vec::new();
    }
    let host = |(name, ranks): (&str, BTreeSet<u32>)| RanksOfHost {
        name: name.into(),
        ranks: Ranks::of(ranks),
    };
    ranks.into_iter().map(host).collect()
}

fn counts(jobs: &[Judged]) -> Vec<Count> {
    let sum = |of: fn(&Judged) -> u64| jobs.iter().map(of).sum();
    let judging = sum(|job| job.fates().len() as u64);
    let named = [
        ("jobs", jobs.len() as u64),
        ("events", sum(|job| job.counts.events)),
        ("operations", sum(|job| job.counts.operations)),
        ("access_runs", sum(|job| job.counts.access_runs)),
        (
            "records_kept",
            jobs.iter().map(|job| job.counts.records_kept).max().unwrap_or(0),
        ),
        ("spooled_bytes", sum(|job| job.bytes)),
    ];
    // Only where that was asked for.
    let hosts = (judging > 0).then_some(("hosts_that_judged", judging));
    named
        .into_iter()
        .chain(hosts)
        .map(|(name, value)| Count {
            name: name.into(),
            value,
        })
        .collect()
}

/// MPICH's launcher turns a signal that ended a process into an exit status of the same number.
fn hydra_lost_a_process(jobs: &[Judged]) -> bool {
    let lost = |job: &Judged| job.members.iter().any(|(_, end)| *end == End::Lost);
    jobs.iter()
        .any(|job| job.library.starts_with("MPICH") && lost(job))
}

fn in_words(ended: &Ended, hydra_lost_a_process: bool) -> String {
    let mut words = match ended.status {
        Some(status) => status_in_words(status, hydra_lost_a_process),
        None if ended.interrupted.is_some() => "still running".into(),
        None => "not ended, even by SIGKILL".into(),
    };
    if let Some(limit) = ended.limit {
        words = format!("time limit of {} s ({words})", limit.as_secs_f64());
    } else if let Some(number) = ended.interrupted {
        words = format!("{words}, after farside got {}", signal_name(number));
    }
    words
}

fn status_in_words(status: ExitStatus, hydra_lost_a_process: bool) -> String {
    match (status.code(), status.signal()) {
        (_, Some(number)) => format!("signal {number} ({})", signal_name(number)),
        // What shells and MPI launchers say when a process was ended by a signal.
        (Some(code), _) if (129..=192).contains(&code) => {
            format!(
                "exit status {code} (a process was ended by {})",
                signal_name(code - 128)
            )
        }
        (Some(code @ 1..=31), _) if hydra_lost_a_process => {
            format!(
                "exit status {code} (perhaps {}: MPICH's launcher passes signals on like this)",
                signal_name(code)
            )
        }
        (Some(code), _) => format!("exit status {code}"),
        (None, None) => status.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_ended() {
        for (raw, words) in [
            (0, "exit status 0"),
            (3 << 8, "exit status 3"),
            (9, "signal 9 (SIGKILL)"),
            (139 << 8, "exit status 139 (a process was ended by SIGSEGV)"),
        ] {
            assert_eq!(status_in_words(ExitStatus::from_raw(raw), false), words);
        }
        assert!(status_in_words(ExitStatus::from_raw(9 << 8), true).contains("SIGKILL"));
    }
}
