//! The table as seen in an epoch: each rank has slots of its own, and an entry is at the rank of its hash and at the
//! next one. A slot is one word, which a compare-and-swap fills: an entry is there or not, however its origin ends.

use farside::{LockAllEpoch, Operation, Rank, Result};

/// An empty slot; keys begin at 1.
pub(crate) const EMPTY: u64 = 0;

/// A key in the upper half, its value in the lower.
pub(crate) fn entry(key: u32, value: u32) -> u64 {
    u64::from(key) << 32 | u64::from(value)
}

/// The key of a slot that is not empty.
pub(crate) fn key(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// Spreads keys.
pub(crate) fn mix(key: u32) -> u64 {
    let key = u64::from(key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (key ^ key >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 16
}

pub(crate) struct Table<'scope, 'env> {
    pub(crate) epoch: &'scope LockAllEpoch<'scope, 'env, u64>,
    pub(crate) slots: usize,
    pub(crate) ranks: u32,
}

impl Table<'_, '_> {
    /// The ranks that have an entry: two, if there are two.
    pub(crate) fn homes(&self, key: u32) -> impl Iterator<Item = Rank> + use<> {
        let (first, ranks) = ((mix(key) % u64::from(self.ranks)) as Rank, self.ranks);
        (0..ranks.min(2)).map(move |step| (first + step) % ranks)
    }

    /// Slots of a rank from the hash of a key on.
    fn places(&self, key: u32) -> impl Iterator<Item = usize> + use<> {
        let (first, slots) = (mix(!key) as usize % self.slots, self.slots);
        (0..slots).map(move |step| (first + step) % slots)
    }

    /// Puts an entry at both of its ranks, where it is not there. When this returns it outlives either.
    pub(crate) fn insert(&self, new: u64) -> Result<()> {
        for home in self.homes(key(new)) {
            for slot in self.places(key(new)) {
                let there = self.epoch.swap(EMPTY, new, home, slot)?.wait()?;
                assert!(
                    there == new || key(there) != key(new),
                    "another value of key {}",
                    key(new)
                );
                if there == EMPTY || there == new {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The entry of a key at a rank, if it is there.
    pub(crate) fn find(&self, wanted: u32, home: Rank) -> Result<Option<u64>> {
        for slot in self.places(wanted) {
            let there = self.epoch.fetch(Operation::NoOp, 0, home, slot)?.wait()?;
            if there == EMPTY || key(there) == wanted {
                return Ok((there != EMPTY).then_some(there));
            }
        }
        Ok(None)
    }
}
