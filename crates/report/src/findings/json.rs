//! Findings for programs.
//!
//! The format is `schema/report.schema.json`, generated from the types.
//!
//! Promise: output is ASCII wherever a character could act on a terminal: control and direction characters stand as
//! `\u202e`. Parsers give the original string back.

use crate::kit::json;
use farside_findings::Report;

/// The JSON schema (draft 2020-12) of [`render`]'s output.
pub const SCHEMA: &str = include_str!("../../schema/report.schema.json");

/// The report as JSON, two blanks a level, ending with a line end.
#[must_use]
pub fn render(report: &Report) -> String {
    json::visible(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schema_is_that_of_the_types() {
        json::compare_schema::<Report>(SCHEMA, "report.schema.json");
    }
}
