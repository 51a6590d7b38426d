//! What front and collector say to each other.
//!
//! Messages travel in the frames of `farside_link`. Bytes of recordings are compressed block by block (deflate, the
//! fastest level: recordings shrink about ten times).
//!
//! Promise: a block that does not unpack, or to another length than it says, is an error, never a panic; no more memory
//! is taken than the longest block needs.

pub(crate) use farside_link::{BLOCK, Wire, malformed};

use serde::{Deserialize, Serialize};
use std::io;

/// From a collector.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ToFront {
    /// The first message.
    Hello {
        /// Of the library, as `farside_spool::BUILD`.
        build: String,
        /// The secret of the job.
        token: u128,
        /// The name of the host.
        host: String,
        /// What its process ids count on.
        machine: String,
    },
    /// It lives.
    Alive,
    /// A file of the agreement, which is empty.
    File {
        /// Its name.
        name: String,
    },
    /// A recording was found. Recordings are numbered in the order of these messages, from 0.
    Begin {
        /// What the names of its chunks begin with.
        recording: String,
        /// See `Launched::job`.
        job: Option<String>,
    },
    /// More bytes of records of the chunk that is current.
    Data {
        /// The recording.
        number: u32,
        /// Their number, before they were compressed.
        length: u32,
        /// They, compressed.
        packed: Vec<u8>,
    },
    /// The current chunk is whole.
    Sealed {
        /// The recording.
        number: u32,
        /// Whether a next chunk follows; else the recording has ended properly.
        more: bool,
    },
    /// The process ended without sealing its recording.
    Lost {
        /// The recording.
        number: u32,
    },
    /// After [`ToCollector::Finish`]: all that was recorded here was sent.
    Delivered,
    /// The answer to [`ToCollector::Read`].
    Bytes {
        /// Which question.
        request: u64,
        /// The length of the file; none if it cannot be read.
        size: Option<u64>,
        /// How many bytes there are, before they were compressed.
        length: u32,
        /// They, compressed.
        packed: Vec<u8>,
    },
}

/// From the front.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ToCollector {
    /// The first message: this is the front that was looked for.
    Greeting(u128),
    /// It lives.
    Alive,
    /// What was decided for a job.
    Decision {
        /// What the job is called in the names of files.
        job: String,
        /// All record.
        all: bool,
    },
    /// A whole chunk has arrived, the last one of a lost recording included.
    Have {
        /// The recording.
        number: u32,
        /// The chunk.
        chunk: u32,
    },
    /// It was judged, too.
    Judged {
        /// The recording.
        number: u32,
        /// The chunk.
        chunk: u32,
    },
    /// The command has ended: send what is there.
    Finish,
    /// A piece of a file of the host is wanted.
    Read {
        /// Which question.
        request: u64,
        /// The file.
        path: String,
        /// Where the piece begins.
        offset: u64,
        /// Bytes that are wanted, of those that are there.
        length: u32,
    },
    /// Nothing more is wanted.
    Bye,
}

/// A block of a recording, as it travels.
pub(crate) fn pack(block: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(block, 1)
}

/// It again.
///
/// # Errors
/// It is not what was packed, or of another length.
pub(crate) fn unpack(packed: &[u8], length: u32) -> io::Result<Vec<u8>> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    if length > BLOCK {
        return Err(malformed("a block is too long"));
    }
    let block = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, length)
        .map_err(|_| malformed("a block does not unpack"))?;
    if block.len() != length {
        return Err(malformed("a block is shorter than it says"));
    }
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_such_message() {
        let mut wire = Wire::new(std::io::Cursor::new(vec![1, 0, 0, 0, 200]));
        wire.receive().unwrap();
        assert!(wire.next::<ToFront>().is_err());
    }

    #[test]
    fn blocks() {
        let noise: Vec<u8> = (0..BLOCK as u64)
            .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8)
            .collect();
        for block in [&noise[..], &[0; 1000], &[]] {
            let packed = pack(block);
            let length = u32::try_from(block.len()).unwrap();
            assert_eq!(unpack(&packed, length).unwrap(), block);
            assert!(unpack(&packed, length + 1).is_err());
            assert!(length == 0 || unpack(&packed, length - 1).is_err());
            // The longest block fits into a frame even if it does not shrink.
            assert!(packed.len() < BLOCK + 1024);
        }
        assert!(unpack(&[0xff; 10], 10).is_err());
        assert!(unpack(&pack(&vec![0; BLOCK + 1]), BLOCK as u32 + 1).is_err());
    }
}
