//! The form of a spool: events as bytes, the versioned form in which a checked process hands them to the analysis.
//!
//! A process writes *chunks*, files named by [`Recording::chunk_name`] in one private folder. A chunk is a
//! [`CHUNK_HEADER`]-byte header and then records; a record is a little-endian `u32` length and that many bytes of one
//! encoded [`Event`](farside_events::Event), or, with the highest bit of the length set, of what an event has of its
//! own (see `repeats`). The header's *committed* field says how many bytes of records are valid; a writer stores it
//! (release) after the record, a reader loads it (acquire), so that a process killed at any moment leaves a chunk that
//! reads well up to its last whole record. When the writer opens chunk n+1 it first sets *sealed* on n.
//!
//! Promise: decoding never panics and never allocates more than the input justifies; a damaged record is an error
//! with its offset. Not promised: reading another version's files ([`Error::Version`] names both).
#![forbid(unsafe_code)]

mod chunk;
mod record;
mod repeats;

pub use chunk::{
    BUILD, CHUNK_HEADER, CHUNK_MAGIC, CHUNK_VERSION, COMMITTED_OFFSET, Machine, Recording, SEALED_OFFSET,
    check_header, header, image,
};
pub use record::{Decoder, Encoder, Records, encode};

/// Why bytes are not events.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Error {
    /// Not a chunk at all.
    #[error("not a farside spool chunk (wrong magic number)")]
    Magic,
    /// A chunk of another version of Farside.
    #[error(
        "spool chunk has format version {found}, this program reads version {expected}; use the farside command and \
         the preloaded library, or the crate farside, of one build"
    )]
    Version {
        /// Version in the file.
        found: u32,
        /// Version of this build.
        expected: u32,
    },
    /// A record that does not decode.
    #[error("damaged record at byte {offset}")]
    Damaged {
        /// Offset in the records area.
        offset: usize,
    },
}
