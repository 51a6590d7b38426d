//! Reports for programs: the types of this crate as JSON.
//!
//! The format is `schema/robust.schema.json`, generated from the types: after a change, run the tests of this crate
//! with `FARSIDE_UPDATE_SCHEMA=1` and commit the new file.

use crate::Report;

/// The JSON schema (draft 2020-12) of [`render`]'s output.
pub const SCHEMA: &str = include_str!("../schema/robust.schema.json");

/// The report as JSON, two blanks a level, ending with a line end.
///
/// # Panics
/// Never: all maps have string keys, and writing to memory does not fail.
#[must_use]
pub fn render(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("types of this crate can be written as JSON") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schema_is_that_of_the_types() {
        let schema = schemars::schema_for!(Report);
        let generated = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("FARSIDE_UPDATE_SCHEMA").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/robust.schema.json");
            std::fs::write(path, &generated).expect("the schema can be written");
            return;
        }
        assert!(
            SCHEMA == generated,
            "types and schema differ: run this test with FARSIDE_UPDATE_SCHEMA=1"
        );
    }
}
