//! The header and the name of a chunk.

use super::Error;

/// First bytes of a chunk.
pub const CHUNK_MAGIC: [u8; 8] = *b"FARSIDE\0";
macro_rules! version {
    () => {
        11
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

/// A chunk as its writer leaves it: `committed` bytes of `records` count, `sealed` stands at [`SEALED_OFFSET`].
pub fn image(records: &[u8], committed: u64, sealed: u32) -> Vec<u8> {
    let mut bytes = header().to_vec();
    bytes[COMMITTED_OFFSET..COMMITTED_OFFSET + 8].copy_from_slice(&committed.to_le_bytes());
    bytes[SEALED_OFFSET..SEALED_OFFSET + 4].copy_from_slice(&sealed.to_le_bytes());
    bytes.extend_from_slice(records);
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

/// What a process id counts on: it tells equal ids of two hosts, or of two containers, apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Machine {
    /// The boot of the kernel.
    pub boot: u128,
    /// The namespace of its clocks, by which events are stamped.
    pub clocks: u32,
    /// The namespace of process ids.
    pub processes: u32,
}

impl Machine {
    /// Whether times of the one can be compared with times of the other.
    pub fn shares_clock(self, other: Self) -> bool {
        (self.boot, self.clocks) == (other.boot, other.clocks)
    }

    /// From the 48 digits that [`Recording::chunk_name`] begins with.
    fn parse(digits: &str) -> Option<Self> {
        if digits.len() != 48 || !digits.is_ascii() {
            return None;
        }
        Some(Self {
            boot: u128::from_str_radix(&digits[..32], 16).ok()?,
            clocks: u32::from_str_radix(&digits[32..40], 16).ok()?,
            processes: u32::from_str_radix(&digits[40..], 16).ok()?,
        })
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:032x}{:08x}{:08x}", self.boot, self.clocks, self.processes)
    }
}

/// Whose events a row of chunks holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recording {
    /// Where the process runs.
    pub machine: Machine,
    /// The process that writes.
    pub pid: u32,
    /// When it was started, in clock ticks of that machine: ids are used again. 0 if it is not known.
    pub started: u64,
    /// 0 for what the process does as an MPI process. From 1 on: the ranks of the crate `farside` in it, of which there
    /// can be many in one process.
    pub part: u32,
}

impl Recording {
    /// File name of its `number`-th chunk.
    pub fn chunk_name(self, number: u32) -> String {
        format!("{self}.{number}.chunk")
    }

    /// The recording, and the number, from a chunk's file name; `None` for other files.
    pub fn parse_chunk_name(name: &str) -> Option<(Self, u32)> {
        let (who, number) = name.strip_suffix(".chunk")?.split_once('.')?;
        let (recording, number) = (Self::parse(who)?, number.parse().ok()?);
        // One name a chunk: `....00.chunk` is none of ours.
        (recording.chunk_name(number) == name).then_some((recording, number))
    }

    /// From what the names of its files begin with.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split('-');
        let recording = Self {
            machine: Machine::parse(words.next()?)?,
            pid: words.next()?.parse().ok()?,
            started: words.next()?.parse().ok()?,
            part: words.next()?.parse().ok()?,
        };
        (recording.to_string() == text).then_some(recording)
    }
}

impl std::fmt::Display for Recording {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            machine,
            pid,
            started,
            part,
        } = self;
        write!(out, "{machine}-{pid}-{started}-{part}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_chunks() {
        let machine = Machine {
            boot: 0xabc,
            clocks: 1,
            processes: 2,
        };
        let digits = "00000000000000000000000000000abc0000000100000002";
        for (pid, started, part, number, rest) in
            [(12, 5, 0, 3, "12-5-0.3.chunk"), (12, 0, 4, 0, "12-0-4.0.chunk")]
        {
            let recording = Recording {
                machine,
                pid,
                started,
                part,
            };
            let name = format!("{digits}-{rest}");
            assert_eq!(recording.chunk_name(number), name);
            assert_eq!(Recording::parse_chunk_name(&name), Some((recording, number)));
        }
        for other in [
            "owner",
            "12.0.chunk",
            "-12-1-0.0.chunk",
            &format!("{digits}-12.0.chunk"),
            &format!("{digits}-012-1-0.0.chunk"),
            &format!("{digits}-12-1-0-0.0.chunk"),
            &format!("{}-12-1-0.0.chunk", digits.to_uppercase()),
            &format!("{digits}-12-1-0.0.chunk.new"),
        ] {
            assert_eq!(Recording::parse_chunk_name(other), None, "{other}");
        }
    }

    #[test]
    fn containers_share_a_clock_and_hosts_do_not() {
        let here = Machine {
            boot: 1,
            clocks: 1,
            processes: 1,
        };
        assert!(here.shares_clock(Machine { processes: 2, ..here }));
        assert!(!here.shares_clock(Machine { boot: 2, ..here }));
        assert!(!here.shares_clock(Machine { clocks: 2, ..here }));
    }
}
