//! The strongest model that allows what was seen, and what says so.

use serde::Serialize;

/// What a search found, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// Tests that were looked at.
    pub tests: usize,
    /// The strongest models; the first one is written.
    pub strongest: Vec<Strongest>,
    /// Others that give up more.
    pub costlier: usize,
    /// Outcomes that no model of the family allows.
    pub unexplained: Vec<Seen>,
    /// Questions without an answer.
    pub unanswered: usize,
    /// The model file of the first one; empty if there is none.
    pub model: String,
}

/// A strongest model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Strongest {
    /// What it guarantees.
    pub guarantees: Vec<Kept>,
    /// What stock coreRMA has beyond it, and the outcome that takes it away.
    pub lacks: Vec<Lacking>,
    /// What it has beyond stock coreRMA.
    pub adds: Vec<String>,
}

/// A guarantee that nothing seen contradicts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kept {
    /// Its name.
    pub guarantee: String,
    /// Tests that could have shown its absence.
    pub telling_tests: usize,
}

/// A guarantee that is not given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lacking {
    /// Its name.
    pub guarantee: String,
    /// What shows it.
    pub seen: Seen,
    /// The guarantees that forbid this together.
    pub together: Vec<String>,
}

/// An outcome of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// The test.
    pub test: String,
    /// The outcome, as a state is printed.
    pub outcome: String,
}
