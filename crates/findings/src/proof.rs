//! What came of trying a suggestion.

use serde::{Deserialize, Serialize};

/// What came of trying a suggestion in the events of the run that has the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// With it the finding goes, nothing new comes, and nobody waits for ever.
    Verified,
    /// The same in the beginning of the run, which is all that there was time to judge.
    InPart,
    /// The finding stays.
    Stays,
    /// The finding goes, and others come.
    BringsOthers,
    /// Some processes wait for others that do not come.
    Blocks,
    /// In this run nobody does; where processes take a lock in another order, some wait for ever.
    MayBlock,
    /// It helps with some numbers of processes; that it helps with all is not known (`farside lint`).
    ForSome,
    /// Nobody knows how to try such a change in recorded events.
    Untried,
    /// The run is too large for its events to be kept.
    TooLarge,
    /// The time that is set aside for trials was over.
    NoTime,
}

impl Proof {
    /// Whether it helps, as far as it was tried.
    #[must_use]
    pub fn helps(self) -> bool {
        matches!(self, Self::Verified | Self::InPart)
    }

    /// Whether it was tried and does not help.
    #[must_use]
    pub fn refutes(self) -> bool {
        matches!(
            self,
            Self::Stays | Self::BringsOthers | Self::Blocks | Self::MayBlock
        )
    }
}
