//! The header and the name of a chunk.

use crate::Error;

/// First bytes of a chunk.
pub const CHUNK_MAGIC: [u8; 8] = *b"FARSIDE\0";
macro_rules! version {
    () => {
        1
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

/// File name of the `number`-th chunk of a process.
pub fn chunk_name(pid: u32, number: u32) -> String {
    format!("{pid}.{number}.chunk")
}

/// Process id and number from a chunk's file name; `None` for other files.
pub fn parse_chunk_name(name: &str) -> Option<(u32, u32)> {
    let (pid, rest) = name.strip_suffix(".chunk")?.split_once('.')?;
    Some((pid.parse().ok()?, rest.parse().ok()?))
}
