//! Why there is no test of a finding.

use std::fmt;

/// Why there is no test of a finding, or nothing is said of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It is no race: a call is misused.
    NoRace,
    /// Both accesses are of one process.
    Threads,
    /// Who makes an access does not own the memory, and is no operation.
    Shared,
    /// The accesses differ in the types of their elements, or in their operators.
    Types,
    /// The repair is told in words.
    NoRepair,
    /// The repair does something that the language does not have.
    Repair,
    /// The model says that the test has no race.
    NotARace,
    /// The model says that the repaired test has a race.
    StillARace,
    /// The model says that the test is not valid.
    Invalid,
    /// The model says that the repaired test is not valid.
    InvalidRepair,
    /// The model came to no answer.
    TooLarge,
    /// Networks have no such statement.
    NoNetwork,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoRace => "it is no race of two accesses",
            Self::Threads => "both accesses are of one process: the language has no threads",
            Self::Shared => "a processor accesses another one's memory: the language has no shared windows",
            Self::Types => "the accesses differ in types or operators: the language has one type",
            Self::NoRepair => "the repair is told in words only",
            Self::Repair => "the language has no words for the repair",
            Self::NotARace => "the model calls the two accesses with what is between them no race",
            Self::StillARace => "the model calls the test with the repair a race, too",
            Self::Invalid => "the model calls the test invalid",
            Self::InvalidRepair => "the model calls the test with the repair invalid",
            Self::TooLarge => "the model came to no answer",
            Self::NoNetwork => "networks have no such statements",
        })
    }
}
