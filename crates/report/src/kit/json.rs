//! Reports for programs: the types of the data as JSON.
//!
//! The schemas in `schema/` are generated from the types: after a change, run the tests of this crate with
//! `FARSIDE_UPDATE_SCHEMA=1` and commit the new files.

use crate::kit::visible::acts_unseen;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io::{self, Write};

/// A value as JSON, two blanks a level, ending with a line end. `value` must not contain maps with keys other than
/// strings.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value)
        .expect("reports have string keys, and writing to memory does not fail")
        + "\n"
}

/// As [`pretty`], with characters that act unseen escaped.
pub(crate) fn visible(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let formatter = VisibleFormatter(PrettyFormatter::new());
    value
        .serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, formatter))
        .expect("reports have string keys, and writing to memory does not fail");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("serde_json writes UTF-8")
}

/// Compares a committed schema with that of the type, or writes it anew.
#[cfg(test)]
pub(crate) fn compare_schema<T: schemars::JsonSchema>(committed: &str, file: &str) {
    let generated = pretty(&schemars::schema_for!(T));
    if std::env::var_os("FARSIDE_UPDATE_SCHEMA").is_some() {
        let path = format!("{}/schema/{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, &generated).expect("the schema can be written");
        return;
    }
    assert!(
        committed == generated,
        "types and schema differ: run this test with FARSIDE_UPDATE_SCHEMA=1"
    );
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
    fn unseen_characters_are_escaped_and_come_back() {
        let hostile = "a\u{1b}[31m\u{9b}\u{202e}\u{e0041}\"\\\u{0}\u{7f} ü";
        let json = visible(&hostile);
        assert_eq!(
            json,
            "\"a\\u001b[31m\\u009b\\u202e\\udb40\\udc41\\\"\\\\\\u0000\\u007f ü\"\n"
        );
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }
}
