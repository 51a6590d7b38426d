//! Findings that `farside lint` made of the sources, beside this run.

use super::job::Judged;
use super::symbols::Symbols;
use crate::fault::Fault;
use farside_events::Rank;
use farside_findings::{Place, Predictions, Report, SCHEMA_VERSION};
use farside_race::code_places;
use std::collections::BTreeSet;
use std::path::Path;

/// A report of `farside lint`, as JSON.
#[derive(Debug)]
pub(super) struct LintReport {
    file: String,
    report: Report,
}

impl LintReport {
    /// Reads it before the program starts.
    pub(super) fn read(path: &Path) -> Result<Self, Fault> {
        let unusable = |why: String| Fault::LintReport(path.to_path_buf(), why);
        let text =
            std::fs::read_to_string(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
        let report: Report = serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        if report.schema_version != SCHEMA_VERSION {
            return Err(unusable(format!(
                "it has version {} of the format, this is {SCHEMA_VERSION}",
                report.schema_version
            )));
        }
        Ok(Self {
            file: path.display().to_string(),
            report,
        })
    }

    /// What a run that came to these places says of it.
    pub(super) fn compare(&self, run: &Report, executed: &[Place]) -> Predictions {
        farside_findings::compare(&self.file, &self.report, run, executed)
    }
}

/// The places of all code that was recorded as executed: calls with those that led to them, loads and stores. Empty
/// where that was not followed.
pub(super) fn executed(jobs: &[Judged], symbols: &mut Symbols) -> Vec<Place> {
    let mut places = BTreeSet::new();
    for job in jobs {
        let Some(accessed) = &job.accessed else { continue };
        let called = job.code.stacks();
        let called = called.flat_map(|(rank, frames)| frames.iter().map(move |address| (rank, *address)));
        let addresses: BTreeSet<(Rank, u64)> = called.chain(accessed.iter().copied()).collect();
        for (rank, address) in addresses.into_iter().filter(|(_, address)| *address != 0) {
            places.extend(code_places(&job.code, rank, address, symbols));
        }
    }
    places.into_iter().collect()
}
