//! A finding as data, and one renderer a file: text, JSON, SARIF 2.1.0, HTML.
//!
//! Promise: rendering is a pure function of a [`Report`]; everything that the checked program controls is escaped for
//! the format at hand; ids depend on rules and places only, so that they stay the same from run to run.
//!
//! | file | what it holds |
//! |---|---|
//! | `report`, `rule` | the data: findings, and the rules that they break |
//! | `identity` | ids, and joining findings that have the same id |
//! | `prediction` | findings of `farside lint` beside those of a run |
//! | `coverage` | calls of a program that `farside lint` did not come to |
//! | `suppression`, `wildcard` | files that hide known findings |
//! | `text`, `json`, `sarif`, `html` | a format each, all called `render` |
//! | `phrases` | the sentences that the formats for people share |
//! | `visible` | control and direction characters made visible |
#![forbid(unsafe_code)]

mod coverage;
pub mod html;
mod identity;
pub mod json;
mod phrases;
mod prediction;
mod report;
mod rule;
pub mod sarif;
mod sources;
pub mod suppression;
pub mod text;
mod visible;
mod wildcard;

pub use coverage::{Coverage, SimulationEnd, UnreachedSite};
pub use identity::{finding_id, merge};
pub use prediction::{PredictedAccess, Prediction, Predictions, compare};
pub use report::{
    Action, Arrow, ByteRange, CheckedProgram, Count, Finding, Frame, Lane, LaneEvent, MissingOrder, Party,
    Place, Report, SCHEMA_VERSION, Shortfall, Suggestion, Timeline,
};
pub use rule::{Rule, Severity};
pub use sources::{Sources, no_sources};
