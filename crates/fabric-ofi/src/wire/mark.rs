//! Signals of puts, as they travel.

use farside_fabric::Rank;

/// A signal as it travels with a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A notification.
    Immediate { source: Option<Rank>, number: u32 },
    /// One more for the counter of a region.
    Count { region: u32 },
}

impl Mark {
    /// Bits for the number of a notification where an immediate has so many bytes.
    pub(crate) fn bits(bytes: usize) -> u32 {
        match bytes {
            8.. => 32,
            4..8 => 31,
            // These travel in messages, with room for all.
            _ => 32,
        }
    }

    /// For an immediate of `bytes` bytes, at least 4.
    pub(crate) fn pack(self, bytes: usize) -> u64 {
        let wide = bytes >= 8;
        match self {
            Self::Immediate { source, number } if wide => {
                u64::from(source.unwrap_or(0) & 0x7FFF_FFFF) << 32 | u64::from(number)
            }
            Self::Immediate { number, .. } => u64::from(number & 0x7FFF_FFFF),
            Self::Count { region } => u64::from(region & 0x7FFF_FFFF) | 1 << if wide { 63 } else { 31 },
        }
    }

    /// The other way.
    pub(crate) fn unpack(data: u64, bytes: usize) -> Self {
        let wide = bytes >= 8;
        if data >> (if wide { 63 } else { 31 }) & 1 == 1 {
            return Self::Count {
                region: (data & 0x7FFF_FFFF) as u32,
            };
        }
        Self::Immediate {
            source: wide.then_some((data >> 32) as u32),
            number: data as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_fit_their_immediates() {
        for bytes in [4, 8] {
            let number = u32::MAX >> (32 - Mark::bits(bytes));
            let source = (bytes == 8).then_some(4095);
            for mark in [
                Mark::Immediate { source, number },
                Mark::Count { region: 0x7FFF_FFFF },
            ] {
                let data = mark.pack(bytes);
                assert!(bytes == 8 || data <= u64::from(u32::MAX), "{mark:?}");
                assert_eq!(Mark::unpack(data, bytes), mark);
            }
        }
    }
}
