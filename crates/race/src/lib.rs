//! The race engine: event stream in, findings out.
#![forbid(unsafe_code)]

mod detector;
mod finding;

pub use detector::{Counts, Detector, Ending, Options, Polling};
pub use finding::{RawFinding, RawLaneEvent, RawParty, RawSuggestion, RawTimeline, Site};
