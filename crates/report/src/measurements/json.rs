//! Measurements for programs: all samples, the machine and the command line.

use crate::kit::json;
use farside_measurements::Report;

/// The report as JSON, two blanks a level, ending with a line end.
#[must_use]
pub fn render(report: &Report) -> String {
    json::pretty(report)
}
