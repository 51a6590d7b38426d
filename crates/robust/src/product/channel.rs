//! What a state remembers of the operations of a channel.

/// Largest part of popa, of popb, of the event at the target; part after which a fence keeps what is issued later.
pub(super) fn unpack(word: u32) -> [u32; 4] {
    [word & 3, word >> 2 & 3, word >> 4 & 3, word >> 6 & 3]
}

pub(super) fn pack([pa, pb, target, fence]: [u32; 4]) -> u32 {
    pa | pb << 2 | target << 4 | fence << 6
}
