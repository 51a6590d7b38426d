//! What a rank publishes of itself while the job starts.

use crate::address::Address;
use crate::segment::system;
use farside_fabric::{Error, Rank, Result};

/// First byte of an encoded card; changes with its layout.
const VERSION: u8 = 1;

/// Bytes in front of the processors.
const FIXED: usize = 1 + 1 + 8 + 8 + 8 + 16 + Address::BYTES;

/// A card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Card {
    /// Its control segment.
    pub(crate) control: Address,
    /// Others' fences of membarrier(2) reach it.
    pub(crate) fenced: bool,
    /// When its process began, as the kernel counts: with the number of the process, who it is.
    pub(crate) began: u64,
    /// When it made the card: monotonic, in nanoseconds.
    pub(crate) clock: u64,
    /// Of its pid namespace.
    pub(crate) namespace: u64,
    /// The machine since its last start.
    pub(crate) machine: [u8; 16],
    /// Processors it may run on: bit `i % 8` of byte `i / 8`, without zeros at the end.
    pub(crate) processors: Vec<u8>,
}

impl Card {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, self.fenced.into()];
        for word in [self.began, self.clock, self.namespace] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.machine);
        bytes.extend_from_slice(&self.control.encode());
        bytes.extend_from_slice(&self.processors);
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self> {
        let wrong = |detail: String| Error::Malformed {
            what: "the card of a rank",
            detail,
        };
        if bytes.len() < FIXED || bytes[0] != VERSION {
            return Err(wrong(format!(
                "{} bytes of version {:?}, not {VERSION}: do all ranks run the same version?",
                bytes.len(),
                bytes.first()
            )));
        }
        let (fixed, processors) = bytes.split_at(FIXED);
        let word = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&fixed[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        let (mut machine, mut control) = ([0; 16], [0; Address::BYTES]);
        machine.copy_from_slice(&fixed[26..42]);
        control.copy_from_slice(&fixed[42..]);
        Ok(Self {
            control: Address::decode(&control),
            fenced: fixed[1] != 0,
            began: word(2),
            clock: word(10),
            namespace: word(18),
            machine,
            processors: processors.to_vec(),
        })
    }

    /// That memory of this rank can be shared with another, by `rank`.
    pub(crate) fn meets(&self, rank: Rank, other: &Self) -> Result<()> {
        let differ = |what: &str| {
            Err(Error::Bootstrap(format!(
                "rank {rank} runs {what}: shared memory does not reach there; start all ranks on one machine and in \
                 one \
                 container, or choose another transport, such as FARSIDE_TRANSPORT=ofi"
            )))
        };
        if self.machine != other.machine {
            return differ("on another machine");
        }
        if self.namespace != other.namespace {
            return differ("in another pid namespace");
        }
        Ok(())
    }
}

/// Monotonic time of the machine, in nanoseconds.
pub(crate) fn clock() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// A number of this machine since it was started.
///
/// # Errors
/// `/proc` is not mounted.
pub fn machine() -> Result<[u8; 16]> {
    let path = "/proc/sys/kernel/random/boot_id";
    let text =
        std::fs::read_to_string(path).map_err(|error| system("read", format_args!("{path}: {error}")))?;
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    u128::from_str_radix(&digits, 16)
        .map(u128::to_le_bytes)
        .map_err(|error| system("read", format_args!("{path}: {error}")))
}

/// The number of the own pid namespace: ranks of different ones do not see one another's memory.
///
/// # Errors
/// `/proc` is not mounted.
pub fn namespace() -> Result<u64> {
    rustix::fs::stat("/proc/self/ns/pid")
        .map(|found| found.st_ino)
        .map_err(|error| system("stat", format_args!("/proc/self/ns/pid: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> Card {
        Card {
            control: Address {
                process: 1,
                file: 2,
                cookie: 3,
                bytes: 4,
            },
            fenced: true,
            began: 5,
            clock: 6,
            namespace: 7,
            machine: [8; 16],
            processors: vec![3, 0, 1],
        }
    }

    #[test]
    fn a_card_survives_encoding() {
        assert_eq!(Card::decode(&card().encode()), Ok(card()));
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = card().encode();
        let mut other = bytes.clone();
        other[0] = 99;
        for wrong in [&[][..], &bytes[..FIXED - 1], &other] {
            assert!(Card::decode(wrong).is_err());
        }
    }

    #[test]
    fn ranks_of_other_machines_and_containers_are_refused_by_name() {
        let away = Card {
            machine: [9; 16],
            ..card()
        };
        let inside = Card {
            namespace: 9,
            ..card()
        };
        assert_eq!(card().meets(1, &card()), Ok(()));
        for (other, word) in [(away, "machine"), (inside, "namespace")] {
            let error = card().meets(5, &other).expect_err("cannot meet").to_string();
            assert!(error.contains("rank 5") && error.contains(word), "{error}");
        }
    }

    #[test]
    fn the_machine_and_the_namespace_are_there() {
        assert_eq!(machine(), machine());
        assert!(machine().is_ok() && namespace().is_ok());
    }
}
