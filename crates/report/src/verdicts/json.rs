//! Verdicts for programs.
//!
//! The format is `schema/litmus.schema.json`, generated from the types.

use crate::kit::json;
use farside_verdicts::Report;

/// The JSON schema (draft 2020-12) of [`render`]'s output.
pub const SCHEMA: &str = include_str!("../../schema/litmus.schema.json");

/// The report as JSON, two blanks a level, ending with a line end.
#[must_use]
pub fn render(report: &Report) -> String {
    json::pretty(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schema_is_that_of_the_types() {
        json::compare_schema::<Report>(SCHEMA, "litmus.schema.json");
    }
}
