//! Which of a program's calls an analysis came to, and what kept it from the others.

use crate::place::Place;
use serde::{Deserialize, Serialize};

/// The one-sided and synchronising calls of a program, and those that no simulation reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Number of places in the program's code that make such a call.
    pub sites: u64,
    /// Those of them that no simulation reached, in the order of the sources.
    pub unreached: Vec<UnreachedSite>,
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
