//! Where memory of another process is: a few bytes in cards and descriptors.

/// How another process finds a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Of its owner.
    pub(crate) process: u32,
    /// The file, there.
    pub(crate) file: u32,
    /// A random number in the header.
    pub(crate) cookie: u64,
    /// Of the contents.
    pub(crate) bytes: u64,
}

impl Address {
    /// Bytes of an encoded address.
    pub(crate) const BYTES: usize = 24;

    pub(crate) fn encode(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&self.process.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.file.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.cookie.to_le_bytes());
        bytes[16..].copy_from_slice(&self.bytes.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8; Self::BYTES]) -> Self {
        let short = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(short(at)) | u64::from(short(at + 4)) << 32;
        Self {
            process: short(0),
            file: short(4),
            cookie: long(8),
            bytes: long(16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_survives_encoding() {
        let address = Address {
            process: 7,
            file: 9,
            cookie: 0x0123_4567_89AB_CDEF,
            bytes: 1 << 40,
        };
        assert_eq!(Address::decode(&address.encode()), address);
    }
}
