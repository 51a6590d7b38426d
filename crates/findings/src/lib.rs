//! What `farside check` and `farside lint` find, as data.
//!
//! Promise: nothing here looks for findings, and nothing knows how they are shown; ids depend on rules and places only, so
//! that they stay the same from run to run.
//!
//! | file | what it holds |
//! |---|---|
//! | `report`, `rule` | the data: findings, and the rules that they break |
//! | `cause` | what explains findings: one missing call, many pairs of accesses |
//! | `layer` | libraries between a program and MPI |
//! | `identity` | ids, and joining findings that have the same id |
//! | `prediction` | findings of `farside lint` beside those of a run |
//! | `shortfall` | what was not seen |
//! | `coverage` | calls of a program that `farside lint` did not come to |
//! | `suppression`, `wildcard` | files that hide known findings |
#![forbid(unsafe_code)]

mod cause;
mod coverage;
mod identity;
mod layer;
mod prediction;
mod report;
mod rule;
mod shortfall;
pub mod suppression;
mod wildcard;

pub use cause::{Cause, Gap, Guarantee, source_order};
pub use coverage::{Coverage, SimulationEnd, UnreachedSite};
pub use identity::{finding_id, merge};
pub use layer::Layers;
pub use prediction::{PredictedAccess, Prediction, Predictions, compare};
pub use report::{
    Action, Arrow, ByteRange, CheckedProgram, Count, Finding, Frame, Lane, LaneEvent, MissingOrder, Party,
    Place, Report, SCHEMA_VERSION, Suggestion, Timeline, shown_frame,
};
pub use rule::{Rule, Severity};
pub use shortfall::{Shortfall, ShortfallKind};
