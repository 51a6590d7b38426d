//! What happened on a target, for programs.

use crate::kit::json;
use farside_conformance::Report;

/// The JSON schema (draft 2020-12) of [`render`]'s output.
pub const SCHEMA: &str = include_str!("../../schema/conform.schema.json");

/// The report as JSON, two blanks a level, ending with a line end.
#[must_use]
pub fn render(report: &Report) -> String {
    json::pretty(report)
}
