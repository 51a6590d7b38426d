//! A spool folder that was kept, judged once more.

use crate::binaries::Binaries;
use crate::judges::HowMany;
use crate::order::Ties;
use crate::request::News;
use crate::spool::Spool;
use crate::symbols::Symbols;
use farside_events::Interface;
use farside_findings::{Finding, Layers, merge};
use farside_race::{Options, place};
use std::path::Path;
use std::time::Duration;

/// What is found in recordings that were kept.
#[derive(Debug)]
pub struct Again {
    /// The findings of all jobs.
    pub findings: Vec<Finding>,
    /// Events of which it is not known whether they follow what they acquire.
    pub forced: u64,
    /// Races that were left out, for it is not known which of two lock epochs came first.
    pub left_open: u64,
    /// Events that were judged.
    pub events: u64,
}

/// Judges the recordings in a folder, whose processes have ended. `hanging` says that they were ended at a time limit.
/// `ties` rules who goes first of hosts that do not wait for each other, and so many judge each job. The folder stays
/// as it is.
#[must_use]
pub fn judge_again(folder: &Path, options: Options, (ties, judges): (Ties, usize), hanging: bool) -> Again {
    let mut spool = Spool::new(folder.to_path_buf(), true, options, false)
        .with_ties(ties)
        .with_judges(HowMany::Exactly(judges));
    let mut tell = |_: News<'_>| {};
    let mut cut = false;
    loop {
        let handed = spool.pump(Duration::from_secs(1), None, &mut tell);
        // Now all recordings are known.
        spool.close();
        if handed > 0 {
            continue;
        }
        if cut || spool.finished() {
            break;
        }
        // Of processes elsewhere nobody says whether they have ended.
        spool.cut_now(u64::MAX);
        cut = true;
    }
    let mut symbols = Symbols::new(|| false, Layers::default(), Binaries::new(None, Path::new("")));
    let mut again = Again {
        findings: Vec::new(),
        forced: 0,
        left_open: 0,
        events: 0,
    };
    for job in spool.finish(hanging).jobs {
        let interface = Interface::of_library(&job.library);
        again.forced += job.forced;
        again.left_open += job.counts.left_open;
        again.events += job.counts.events;
        again
            .findings
            .extend(place(job.findings, interface, &job.code, &mut symbols));
    }
    again.findings = merge(again.findings);
    again
}
