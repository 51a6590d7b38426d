//! What is said of any number of ranks.

use crate::place::Place;
use crate::rule::Rule;
use serde::{Deserialize, Serialize};

/// What `farside lint --prove` says of a program, whatever the number of its ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnyRanks {
    /// What came of it.
    #[serde(flatten)]
    pub verdict: AnyRanksVerdict,
    /// The fewest ranks that it speaks of.
    pub least: u32,
    /// Ways of one process through the program, by its rank and the number of ranks.
    pub paths: u64,
    /// Pairs of accesses that nothing but their addresses keeps apart.
    pub pairs: u64,
    /// Questions that the solver was asked.
    pub questions: u64,
    /// A simulation found a race though it was proved that there is none: a bug of ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refuted: bool,
}

impl AnyRanks {
    /// An answer for so many ranks and more, for which nothing was looked at.
    #[must_use]
    pub fn of(verdict: AnyRanksVerdict, least: u32) -> Self {
        Self {
            verdict,
            least,
            paths: 0,
            pairs: 0,
            questions: 0,
            refuted: false,
        }
    }

    /// Whether there is no race for any number of ranks.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        self.verdict == AnyRanksVerdict::Proved
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum AnyRanksVerdict {
    /// There is no race, for any number of ranks from the fewest on.
    Proved,
    /// There are findings with this number of ranks, by a simulation.
    Found {
        /// The smallest number of ranks that is known to have one.
        processes: u32,
        /// The ranks that take part in the first finding.
        ranks: Vec<u32>,
        /// Its rule.
        rule: Rule,
    },
    /// Two accesses may race for some number of ranks, as far as one can tell.
    NotProved {
        /// The one.
        one: Option<Place>,
        /// The other.
        other: Option<Place>,
        /// Why that is not known, in words.
        reason: String,
    },
    /// The program does what is not looked at.
    Outside {
        /// Where.
        place: Option<Place>,
        /// What it does there, in words.
        reason: String,
    },
}
