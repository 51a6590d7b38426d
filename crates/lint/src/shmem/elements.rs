//! Elements in the memory of a process, with equal distances.

use super::Shmem;
use crate::memory::Content;

/// Elements from an address on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    address: u64,
    /// From one to the next, in elements.
    stride: u64,
}

/// Elements of more pieces than this are followed in their first pieces only.
const MOST_PIECES: u64 = 1 << 16;
/// More bytes than these of one piece are not moved.
const MOST_BYTES: u64 = 1 << 26;

impl Elements {
    pub(super) fn new(address: u64, stride: u64) -> Self {
        Self { address, stride }
    }

    /// Elements that lie one after the other.
    pub(super) fn at(address: u64) -> Self {
        Self::new(address, 1)
    }

    pub(super) fn address(self) -> u64 {
        self.address
    }

    pub(super) fn stride(self) -> u64 {
        self.stride
    }

    /// The same elements elsewhere.
    pub(super) fn moved_to(self, address: u64) -> Self {
        Self { address, ..self }
    }

    /// Bytes from the first element to the end of the last of so many.
    pub(super) fn span(self, count: u64, size: u64) -> u64 {
        match count.checked_sub(1) {
            None => 0,
            Some(last) => last
                .saturating_mul(self.stride)
                .saturating_add(1)
                .saturating_mul(size),
        }
    }

    /// The pieces of memory that so many elements of a size cover: where they begin, and how long they are.
    pub(super) fn pieces(self, count: u64, size: u64) -> impl Iterator<Item = (u64, u64)> {
        let (pieces, length) = match (count, self.stride) {
            (0, _) => (0, 0),
            (_, 1) => (1, count.saturating_mul(size).min(MOST_BYTES)),
            _ => (count.min(MOST_PIECES), size),
        };
        let step = self.stride.saturating_mul(size);
        (0..pieces).map(move |number| (self.address.wrapping_add(number * step), length))
    }
}

impl Shmem<'_, '_> {
    /// What so many elements of a process hold, one after the other.
    pub(super) fn gather(&mut self, rank: u32, elements: Elements, count: u64, size: u64) -> Content {
        let mut whole = Content::default();
        for (at, length) in elements.pieces(count, size) {
            whole.append(&self.caller.memory_of(rank, at).content(at, length));
        }
        self.caller.budget().spend_on_bytes(whole.len());
        whole
    }

    /// Writes elements of this size into the memory of a process.
    pub(super) fn scatter(&mut self, rank: u32, elements: Elements, size: u64, content: &Content) {
        self.caller.budget().spend_on_bytes(content.len());
        if elements.stride == 1 {
            let at = elements.address;
            return self.caller.memory_of_mut(rank, at).put_content(at, content);
        }
        let count = content.len() / size.max(1);
        for (number, (at, length)) in (0..).zip(elements.pieces(count, size)) {
            let part = content.part(number * size, length);
            self.caller.memory_of_mut(rank, at).put_content(at, &part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_cover_the_pieces_that_their_stride_says() {
        let pieces = |elements: Elements, count| elements.pieces(count, 4).collect::<Vec<_>>();
        assert_eq!(pieces(Elements::at(64), 3), [(64, 12)]);
        assert_eq!(pieces(Elements::new(64, 3), 2), [(64, 4), (76, 4)]);
        assert!(pieces(Elements::new(64, 3), 0).is_empty());
        assert_eq!(Elements::new(64, 3).span(2, 4), 16);
        assert_eq!(Elements::at(64).span(0, 4), 0);
    }
}
