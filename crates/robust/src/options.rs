//! How to search, and how far.

/// What a search may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of the product.
    pub states: u64,
    /// Memory for them, as far as it is counted.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 1 << 31,
            bytes: 8 << 30,
        }
    }
}

/// What is searched. Both decide the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedure {
    /// Sequentially consistent computations with one delayed event, what must come after it, and a last command.
    Delay,
    /// Normal-form computations in four parts with marked events, as in section 5 of the paper.
    FourParts,
}

/// How to search. No option but the limits changes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// When to give up.
    pub limits: Limits,
    /// What is searched.
    pub procedure: Procedure,
    /// Partial-order reduction.
    pub reduce: bool,
    /// Give up states from which no cycle can be closed, by what each process can still access, and forget private
    /// memory that is written before it is read again ([`Procedure::Delay`] only).
    pub prune: bool,
    /// Take states that differ in the names of processes for one, where the program does not tell them apart
    /// ([`Procedure::Delay`] only).
    pub symmetry: bool,
    /// Look on, when a violation is found, for one of fewest events, through at most [`MOST_STATES_FOR_SHORTEST`]
    /// states ([`Procedure::Delay`] only).
    pub shortest: bool,
}

/// How far a shortest violation is looked for.
pub const MOST_STATES_FOR_SHORTEST: u64 = 300_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            procedure: Procedure::Delay,
            reduce: true,
            prune: true,
            symmetry: true,
            shortest: true,
        }
    }
}
