//! Memory that a rank exposes, and what others hold of it.

use crate::{Error, Rank, Result};
use std::ptr::NonNull;

/// Names a region among those that its owner exposes. Not used again within a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region(pub u64);

/// Memory that this rank exposes.
#[derive(Clone, Debug)]
pub struct Exposed {
    /// Its name, for [`Fabric::withdraw`](crate::Fabric::withdraw) and [`Fabric::arrivals`](crate::Fabric::arrivals).
    pub region: Region,
    /// Where it is in this process, aligned to 64 bytes; dangling if there are 0 bytes.
    pub base: NonNull<u8>,
    /// How long it is.
    pub bytes: usize,
    /// What others need to connect.
    pub descriptor: Descriptor,
}

// SAFETY: `base` is an address of memory that belongs to the endpoint, which is `Sync`; who loads and stores there
// keeps the rules of `Fabric`, whatever the thread.
unsafe impl Send for Exposed {}
// SAFETY: the value is an address, a length and names: nothing changes through a shared reference to it.
unsafe impl Sync for Exposed {}

/// What a rank must know of a region of another to connect to it: bytes that only the transport reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Descriptor(Vec<u8>);

impl Descriptor {
    /// The longest descriptor, in bytes.
    pub const LIMIT: usize = 72;

    /// Wraps bytes, also such that came over the wire.
    ///
    /// # Errors
    /// There are more than [`Descriptor::LIMIT`].
    pub fn new(bytes: &[u8]) -> Result<Self> {
        if bytes.len() > Self::LIMIT {
            return Err(Error::Malformed {
                what: "a descriptor of a region",
                detail: format!("{} bytes, {} at the most", bytes.len(), Self::LIMIT),
            });
        }
        Ok(Self(bytes.to_vec()))
    }

    /// The bytes, to be sent.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A connection to memory of a target.
///
/// Made by a transport. A copy is the same connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remote {
    target: Rank,
    address: u64,
    key: u64,
    bytes: usize,
}

impl Remote {
    /// For transports: `address` and `key` are what they need to find the memory; `bytes` is its length.
    #[must_use]
    pub fn new(target: Rank, address: u64, key: u64, bytes: usize) -> Self {
        Self {
            target,
            address,
            key,
            bytes,
        }
    }

    /// Whose memory.
    #[must_use]
    pub fn target(&self) -> Rank {
        self.target
    }

    /// What the transport gave as key.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// How long the region is, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The address, in the transport's terms, of `bytes` bytes at `displacement`. Every operation asks here.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn at(&self, displacement: usize, bytes: usize) -> Result<u64> {
        match displacement.checked_add(bytes) {
            Some(end) if end <= self.bytes => Ok(self.address + displacement as u64),
            _ => Err(Error::OutOfBounds {
                target: self.target,
                displacement,
                bytes,
                exposed: self.bytes,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_at_the_end_are_in_bounds_and_one_more_is_not() {
        let remote = Remote::new(3, 4096, 0, 16);
        assert_eq!(remote.at(8, 8), Ok(4104));
        assert_eq!(remote.at(16, 0), Ok(4112));
        for (displacement, bytes) in [(9, 8), (17, 0), (usize::MAX, 2), (0, 17)] {
            let error = remote.at(displacement, bytes).expect_err("out of bounds");
            assert!(error.to_string().contains("rank 3 exposes 16 bytes"), "{error}");
        }
    }

    #[test]
    fn a_descriptor_has_a_limit() {
        assert!(Descriptor::new(&[0; Descriptor::LIMIT]).is_ok());
        assert!(Descriptor::new(&[0; Descriptor::LIMIT + 1]).is_err());
    }
}
