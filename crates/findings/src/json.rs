//! Reports for programs: the types of this crate as JSON.
//!
//! The format is `schema/report.schema.json`, generated from the types: after a change, run the tests of this crate
//! with `FARSIDE_UPDATE_SCHEMA=1` and commit the new file.
//!
//! Promise: output is ASCII wherever a character could act on a terminal: control and direction characters stand as
//! `\u202e`. Parsers give the original string back.

use crate::Report;
use crate::visible::acts_unseen;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io::{self, Write};

/// The JSON schema (draft 2020-12) of [`render`]'s output.
pub const SCHEMA: &str = include_str!("../schema/report.schema.json");

/// The report as JSON, two blanks a level, ending with a line end.
pub fn render(report: &Report) -> String {
    to_json(report)
}

/// Any value as JSON with unseen characters escaped. `value` must not contain maps with keys other than strings.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let formatter = VisibleFormatter(PrettyFormatter::new());
    value
        .serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, formatter))
        .expect("types of this crate have string keys, and writing to memory does not fail");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("serde_json writes UTF-8")
}

/// serde_json's pretty formatter, which also escapes what [`acts_unseen`].
struct VisibleFormatter(PrettyFormatter<'static>);

impl Formatter for VisibleFormatter {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain_from = 0;
        for (at, character) in fragment
            .char_indices()
            .filter(|(_, character)| acts_unseen(*character))
        {
            writer.write_all(&fragment.as_bytes()[plain_from..at])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain_from = at + character.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[plain_from..])
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schema_is_that_of_the_types() {
        let generated = to_json(&schemars::schema_for!(Report));
        if std::env::var_os("FARSIDE_UPDATE_SCHEMA").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/report.schema.json");
            std::fs::write(path, &generated).expect("the schema can be written");
            return;
        }
        assert!(
            SCHEMA == generated,
            "types and schema differ: run this test with FARSIDE_UPDATE_SCHEMA=1"
        );
    }

    #[test]
    fn unseen_characters_are_escaped_and_come_back() {
        let hostile = "a\u{1b}[31m\u{9b}\u{202e}\u{e0041}\"\\\u{0}\u{7f} ü";
        let json = to_json(&hostile);
        assert_eq!(
            json,
            "\"a\\u001b[31m\\u009b\\u202e\\udb40\\udc41\\\"\\\\\\u0000\\u007f ü\"\n"
        );
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }
}
