//! The header and the name of a chunk.

use crate::Error;

/// First bytes of a chunk.
pub const CHUNK_MAGIC: [u8; 8] = *b"FARSIDE\0";
macro_rules! version {
    () => {
        3
    };
}

/// Version of the record format; raise it with every change of `farside-events`.
pub const CHUNK_VERSION: u32 = version!();
/// What build a library or program is of. Shared libraries export it as `FARSIDE_BUILD`, so that `farside check` can
/// tell before the run that they belong together.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " trace ", version!());
/// Bytes before the first record.
pub const CHUNK_HEADER: usize = 64;
/// Where the `u64` of committed record bytes lies (8-byte aligned, little endian, accessed atomically).
pub const COMMITTED_OFFSET: usize = 16;
/// Where the `u32` flag lies that is 1 when no more records will come to this chunk but a next chunk exists or
/// will, and 2 when the process ended its recording properly.
pub const SEALED_OFFSET: usize = 24;

/// A fresh header: nothing committed, not sealed.
pub fn header() -> [u8; CHUNK_HEADER] {
    let mut bytes = [0; CHUNK_HEADER];
    bytes[..8].copy_from_slice(&CHUNK_MAGIC);
    bytes[8..12].copy_from_slice(&CHUNK_VERSION.to_le_bytes());
    bytes
}

/// Whether `bytes` start a chunk of this version.
///
/// # Errors
/// [`Error::Magic`] or [`Error::Version`].
pub fn check_header(bytes: &[u8]) -> Result<(), Error> {
    if bytes.len() < CHUNK_HEADER || bytes[..8] != CHUNK_MAGIC {
        return Err(Error::Magic);
    }
    let found = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
    if found == CHUNK_VERSION {
        Ok(())
    } else {
        Err(Error::Version {
            found,
            expected: CHUNK_VERSION,
        })
    }
}

/// Whose events a row of chunks holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recording {
    /// The process that writes.
    pub pid: u32,
    /// 0 for what the process does as an MPI process. From 1 on: the ranks of the crate `farside` in it, of which there
    /// can be many in one process.
    pub part: u32,
}

impl Recording {
    /// A process as an MPI process.
    pub const fn of_process(pid: u32) -> Self {
        Self { pid, part: 0 }
    }

    /// File name of its `number`-th chunk.
    pub fn chunk_name(self, number: u32) -> String {
        match self.part {
            0 => format!("{}.{number}.chunk", self.pid),
            part => format!("{}-{part}.{number}.chunk", self.pid),
        }
    }

    /// The recording, and the number, from a chunk's file name; `None` for other files.
    pub fn parse_chunk_name(name: &str) -> Option<(Self, u32)> {
        let (who, number) = name.strip_suffix(".chunk")?.split_once('.')?;
        let (pid, part) = who.split_once('-').unwrap_or((who, "0"));
        let recording = Self {
            pid: pid.parse().ok()?,
            part: part.parse().ok()?,
        };
        let number = number.parse().ok()?;
        // One name a chunk: `07.0.chunk` is none of ours.
        (recording.chunk_name(number) == name).then_some((recording, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_chunks() {
        for (pid, part, number, name) in [(12, 0, 3, "12.3.chunk"), (12, 4, 0, "12-4.0.chunk")] {
            let recording = Recording { pid, part };
            assert_eq!(recording.chunk_name(number), name);
            assert_eq!(Recording::parse_chunk_name(name), Some((recording, number)));
        }
        for other in [
            "owner",
            "12.chunk",
            "12-.0.chunk",
            "12-0.0.chunk",
            "012.0.chunk",
            "1.0.chunk.new",
        ] {
            assert_eq!(Recording::parse_chunk_name(other), None, "{other}");
        }
    }
}
