//! What a run showed of the findings that `farside lint` made of the sources.

use crate::place::Place;
use crate::rule::Rule;
use serde::{Deserialize, Serialize};

/// What a run says of the findings of a `farside lint` report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Predictions {
    /// The file of the report.
    pub file: String,
    /// Its findings, in its order.
    pub findings: Vec<Prediction>,
    /// Ids of the findings of this run that the report does not have.
    pub unpredicted: Vec<String>,
}

/// One finding of `farside lint`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prediction {
    /// Its id in that report.
    pub id: String,
    /// The rule.
    pub rule: Rule,
    /// Its accesses or calls.
    pub accesses: Vec<PredictedAccess>,
    /// Id of the finding of this run that confirms it; `None` if the run did not show it.
    pub confirmed_by: Option<String>,
}

/// One side of a prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredictedAccess {
    /// `MPI_Put`, `LOAD`, `STORE`, ...
    pub operation: String,
    /// Where, if known.
    pub place: Option<Place>,
    /// Whether the run came there; `None` if that is not known.
    pub executed: Option<bool>,
}

impl Prediction {
    /// Whether the run came to all of its places: not if it missed one, unknown if that is unknown of one.
    pub fn executed(&self) -> Option<bool> {
        let known = |value| move |access: &PredictedAccess| access.executed == value;
        if self.accesses.iter().any(known(Some(false))) {
            return Some(false);
        }
        self.accesses.iter().all(known(Some(true))).then_some(true)
    }
}
