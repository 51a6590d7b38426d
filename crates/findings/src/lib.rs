//! What `farside check` and `farside lint` find, as data.
//!
//! Promise: nothing here looks for findings, and nothing knows how they are shown; ids depend on rules and places only, so
//! that they stay the same from run to run.
//!
//! | file | what it holds |
//! |---|---|
//! | `report`, `rule` | the data: findings, and the rules that they break |
//! | `identity` | ids, and joining findings that have the same id |
//! | `prediction` | findings of `farside lint` beside those of a run |
//! | `shortfall` | what was not seen |
//! | `coverage` | calls of a program that `farside lint` did not come to |
//! | `suppression`, `wildcard` | files that hide known findings |
#![forbid(unsafe_code)]

mod coverage;
mod identity;
mod prediction;
mod report;
mod rule;
mod shortfall;
pub mod suppression;
mod wildcard;

pub use coverage::{Coverage, SimulationEnd, UnreachedSite};
pub use identity::{finding_id, merge};
pub use prediction::{PredictedAccess, Prediction, Predictions, compare};
pub use report::{
    Action, Arrow, ByteRange, CheckedProgram, Count, Finding, Frame, Lane, LaneEvent, MissingOrder, Party,
    Place, Report, SCHEMA_VERSION, Suggestion, Timeline,
};
pub use rule::{Rule, Severity};
pub use shortfall::{Shortfall, ShortfallKind};
