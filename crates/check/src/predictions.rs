//! Findings that `farside lint` made of the sources, beside this run.

use crate::error::Error;
use crate::job::Judged;
use crate::symbols::Symbols;
use farside_events::Rank;
use farside_findings::{Place, Predictions, Report, SCHEMA_VERSION, Superfluous};
use farside_race::code_places;
use std::collections::BTreeSet;
use std::path::Path;

/// A report of `farside lint`, as JSON.
#[derive(Clone, Debug)]
pub struct LintReport {
    file: String,
    report: Report,
}

impl LintReport {
    /// Reads it. Do so before the program starts, so that a long run is not lost for it.
    ///
    /// # Errors
    /// The file cannot be read, or is no such report.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let unusable = |why: String| Error::LintReport(path.to_path_buf(), why);
        let text =
            std::fs::read_to_string(path).map_err(|error| Error::Unreadable(path.to_path_buf(), error))?;
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

    /// Says of synchronisation that a run did not need whether no simulation needed it either, if it was asked that.
    pub(crate) fn confirm(&self, found: &mut Superfluous) {
        if let Some(simulated) = self
            .report
            .superfluous
            .as_ref()
            .filter(|known| known.refused.is_none())
        {
            found.compare(simulated);
        }
    }

    /// What a run that came to these places says of it.
    pub(crate) fn compare(&self, run: &Report, executed: &[Place]) -> Predictions {
        farside_findings::compare(&self.file, &self.report, run, executed)
    }
}

/// The places of all code that was recorded as executed: calls with those that led to them, loads and stores. Empty
/// where that was not followed.
pub(crate) fn executed(jobs: &[Judged], symbols: &mut Symbols<'_, impl Fn() -> bool>) -> Vec<Place> {
    let mut places = BTreeSet::new();
    for job in jobs {
        let Some(accessed) = &job.accessed else { continue };
        symbols.enter(&job.hosts);
        let called = job.code.stacks();
        let called = called.flat_map(|(rank, frames)| frames.iter().map(move |address| (rank, *address)));
        let addresses: BTreeSet<(Rank, u64)> = called.chain(accessed.iter().copied()).collect();
        for (rank, address) in addresses.into_iter().filter(|(_, address)| *address != 0) {
            places.extend(code_places(&job.code, rank, address, symbols));
        }
    }
    places.into_iter().collect()
}
