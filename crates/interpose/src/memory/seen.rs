//! What instructions without a pattern have accessed in this segment, for the callbacks to ask in place.
//!
//! Such an instruction comes to the same bytes again and again: a list of neighbours names every place dozens of times.
//! The first access is recorded; of all others, by whichever instruction without a pattern, the callback sees here that
//! nothing new is in them.
//!
//! Promise: what is said to be seen was recorded since the last [`Seen::clear`], with this kind and size. The reverse
//! is not promised: there is room for some pages.
//! Pure: no FFI, no globals.

use super::run::Code;
use std::mem::offset_of;

/// Pages that there is room for; a power of two.
const PAGES: usize = 256;
/// What of a code tells accesses apart: load or store, and the size.
const CODES: u64 = 15;
/// Pages that are next to each other for one code lie far from those for others.
const APART: u64 = 37;

/// See the module's head.
#[repr(C)]
pub(super) struct Seen {
    /// Page and code; 0 is none.
    tags: [u64; PAGES],
    bits: [[u64; 64]; PAGES],
}

impl Seen {
    /// For assembly: where the bits begin, and log2 of the bytes of those of one page.
    pub(super) const BITS: usize = offset_of!(Self, bits);
    pub(super) const BITS_SHIFT: u32 = (size_of::<[u64; 64]>()).trailing_zeros();
    pub(super) const INDEX_MASK: usize = PAGES - 1;

    /// Nothing was seen.
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            tags: [0; PAGES],
            bits: [[0; 64]; PAGES],
        })
    }

    /// What is added to the number of a page to find its place.
    pub(super) const fn offset(code: Code) -> u64 {
        (code.0 & CODES) * APART
    }

    /// The low bits of a tag.
    pub(super) const fn tag(code: Code) -> u64 {
        code.0 & CODES
    }

    /// An access of an instruction, of a size that its code fixes and aligned to it, was recorded.
    pub(super) fn note(&mut self, code: Code, address: u64) {
        let Some(size) = code.size().filter(|_| code.source() == 0) else {
            return;
        };
        let page = address >> 12;
        let index = (page.wrapping_add(Self::offset(code)) as usize) & Self::INDEX_MASK;
        let tag = page << 4 | Self::tag(code);
        if self.tags[index] != tag {
            self.tags[index] = tag;
            self.bits[index] = [0; 64];
        }
        let unit = (address & 4095) / size;
        self.bits[index][(unit / 64) as usize] |= 1 << (unit % 64);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.tags = [0; PAGES];
    }

    /// What the callbacks ask.
    #[cfg(test)]
    pub(super) fn has(&self, code: Code, address: u64) -> bool {
        let page = address >> 12;
        let index = (page.wrapping_add(Self::offset(code)) as usize) & Self::INDEX_MASK;
        let unit = (address & 4095) >> (code.0 >> 1 & 7);
        self.tags[index] == (page << 4 | Self::tag(code))
            && self.bits[index][(unit / 64) as usize] >> (unit % 64) & 1 != 0
    }
}
