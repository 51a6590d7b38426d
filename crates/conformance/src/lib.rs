//! What came out when litmus tests ran on a target, as data: how often the target did what a model forbids, how much of what
//! it allows came, and the strongest model that allows all of it.
//!
//! Promise: every test that was named is counted once in a [`Row`]. Nothing here knows how it is shown.
#![forbid(unsafe_code)]

mod fitted;
mod report;

pub use fitted::{Fitted, Kept, Lacking, Seen, Strongest};
pub use report::{Conclusion, Failed, Forbidden, LeftOut, Report, Row, SCHEMA_VERSION, TestError, What};
