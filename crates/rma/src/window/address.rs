//! What the ranks of a window tell one another when it is made.

use crate::endpoint::Core;
use crate::window::seal::Key;
use crate::{Error, Group, Rank, Result};
use bytemuck::{Pod, Zeroable};
use farside_fabric::{Descriptor, Exposed};

/// What all ranks must know before they exchange addresses: combined over all of them.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Agreement {
    /// The lowest rank that has no memory for the window; [`Agreement::NOBODY`] if all have.
    without_memory: u64,
    /// The least and the greatest size of an element.
    least_bytes: u64,
    greatest_bytes: u64,
    /// The length of the longest descriptor.
    descriptor: u64,
    /// Slots for notified puts that somebody uses, as bits.
    slots: [u64; 4],
    /// What each rank adds to the key of tokens.
    pub(super) key: Key,
}

impl Agreement {
    const NOBODY: u64 = u64::MAX;

    /// Collective. `exposed` is the memory of this rank, if it has some, with what it adds to the key.
    pub(super) fn reach(
        group: &Group,
        element_bytes: usize,
        exposed: Option<&(Exposed, Key)>,
    ) -> Result<Self> {
        let mut own = [Self {
            without_memory: exposed.map_or(u64::from(group.rank()), |_| Self::NOBODY),
            least_bytes: element_bytes as u64,
            greatest_bytes: element_bytes as u64,
            descriptor: exposed.map_or(0, |(exposed, _)| exposed.descriptor.bytes().len() as u64),
            slots: *group.core().slots.borrow(),
            key: exposed.map_or_else(Key::zeroed, |(_, key)| *key),
        }];
        group.allreduce_with(&mut own, |left, right| Self {
            without_memory: left.without_memory.min(right.without_memory),
            least_bytes: left.least_bytes.min(right.least_bytes),
            greatest_bytes: left.greatest_bytes.max(right.greatest_bytes),
            descriptor: left.descriptor.max(right.descriptor),
            slots: std::array::from_fn(|word| left.slots[word] | right.slots[word]),
            key: left.key.join(right.key),
        })?;
        Ok(own[0])
    }

    /// Whether there can be a window; the same answer at all ranks that have memory.
    pub(super) fn check(&self, element_bytes: usize) -> Result<()> {
        if self.without_memory != Self::NOBODY {
            return Err(Error::Refused {
                rank: self.without_memory as Rank,
                what: "the creation of a window: it has no memory",
            });
        }
        if self.least_bytes != self.greatest_bytes {
            let ours = element_bytes as u64;
            let other = if ours == self.least_bytes {
                self.greatest_bytes
            } else {
                self.least_bytes
            };
            return Err(Error::Length {
                what: "the bytes of an element of the window at another rank",
                expected: element_bytes,
                found: other as usize,
            });
        }
        Ok(())
    }

    /// The lowest slot that is free at all ranks, taken.
    pub(super) fn take_slot(&self, core: &Core) -> Option<u8> {
        let free = |&slot: &u8| self.slots[usize::from(slot) / 64] >> (slot % 64) & 1 == 0;
        let slot = (0..=u8::MAX).find(free)?;
        core.slots.borrow_mut()[usize::from(slot) / 64] |= 1 << (slot % 64);
        Some(slot)
    }
}

/// Where the memory of each rank is, and how long: for each rank its number of elements, the length of its descriptor,
/// and the descriptor, padded.
pub(crate) struct Addresses {
    words: Box<[u64]>,
    /// Of a rank.
    stride: usize,
}

impl Addresses {
    /// Collective.
    pub(super) fn exchange(
        group: &Group,
        exposed: &Exposed,
        elements: usize,
        agreement: &Agreement,
    ) -> Result<Self> {
        let stride = 2 + (agreement.descriptor as usize).div_ceil(8);
        let bytes = exposed.descriptor.bytes();
        let mut own = vec![0; stride];
        own[0] = elements as u64;
        own[1] = bytes.len() as u64;
        bytemuck::cast_slice_mut::<u64, u8>(&mut own[2..])[..bytes.len()].copy_from_slice(bytes);
        let mut words = vec![0; stride * group.size() as usize].into_boxed_slice();
        group.allgather(&own, &mut words)?;
        Ok(Self { words, stride })
    }

    /// Number of elements of a rank, which is one of the group.
    pub(crate) fn elements(&self, rank: Rank) -> usize {
        self.words[rank as usize * self.stride] as usize
    }

    /// What is needed to connect to a rank, which is one of the group.
    pub(crate) fn descriptor(&self, rank: Rank) -> Result<Descriptor> {
        let own = &self.words[rank as usize * self.stride..][..self.stride];
        let bytes: &[u8] = bytemuck::cast_slice(&own[2..]);
        let length = (own[1] as usize).min(bytes.len());
        Ok(Descriptor::new(&bytes[..length])?)
    }
}
