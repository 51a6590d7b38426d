//! Which of a program's calls an analysis came to, and what kept it from the others.

use crate::place::Place;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The one-sided and synchronising calls of a program, and those that no simulation reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Number of places in the program's code that make such a call.
    pub sites: u64,
    /// Those of them that no simulation reached, in the order of the sources.
    pub unreached: Vec<UnreachedSite>,
    /// The others whose places are known, in the order of the sources.
    #[serde(default)]
    pub reached: Vec<ReachedSite>,
    /// What ended simulations, the most frequent first; empty if all sites were reached.
    pub ends: Vec<SimulationEnd>,
}

/// A call that no simulation reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnreachedSite {
    /// `MPI_Put`, `MPI_Barrier`, ...
    pub operation: String,
    /// The function that holds it.
    pub function: String,
    /// Where it is, if known.
    pub place: Option<Place>,
    /// What kept the simulations from it, in words.
    pub reason: String,
}

/// A call that a simulation reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReachedSite {
    /// Where it is.
    pub place: Place,
    /// `MPI_Put`, `MPI_Barrier`, ...
    pub operation: String,
}

/// The calls of one file: each with its line, its operation, and whether a simulation reached it.
pub type FileSites<'a> = (&'a str, Vec<(u32, &'a str, bool)>);

/// A place at which simulations ended, or went another way than the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulationEnd {
    /// `exit(1)`, `MPI_Abort`, `main returned 1`, `the limit of steps`, ...
    pub what: String,
    /// Where.
    pub place: Option<Place>,
    /// The condition that led there, if one did.
    pub condition: Option<Place>,
    /// Whether the outside world decides that condition: arguments, files, functions that are not known.
    pub from_outside: bool,
    /// In how many simulations.
    pub simulations: u64,
}

impl Coverage {
    /// Whether all sites were reached.
    pub fn is_complete(&self) -> bool {
        self.unreached.is_empty()
    }

    /// The calls whose places are known, by file, in the order of their lines.
    pub fn by_file(&self) -> Vec<FileSites<'_>> {
        let missed = self
            .unreached
            .iter()
            .filter_map(|site| Some((site.place.as_ref()?, &site.operation, false)));
        let reached = self
            .reached
            .iter()
            .map(|site| (&site.place, &site.operation, true));
        let mut files: BTreeMap<&str, Vec<(u32, &str, bool)>> = BTreeMap::new();
        for (place, operation, is_reached) in missed.chain(reached) {
            let sites = files.entry(&place.file).or_default();
            sites.push((place.line, operation, is_reached));
        }
        for sites in files.values_mut() {
            sites.sort_unstable();
        }
        files.into_iter().collect()
    }

    /// `12 of 31 one-sided and synchronising call sites were not reached`.
    pub fn summary(&self) -> String {
        let (missing, sites) = (self.unreached.len(), self.sites);
        match sites {
            1 => "the only one-sided or synchronising call site was not reached".to_owned(),
            _ => {
                let were = if missing == 1 { "was" } else { "were" };
                format!("{missing} of {sites} one-sided and synchronising call sites {were} not reached")
            }
        }
    }
}
