//! Open addressing over the memory of all ranks: a key goes to the first free slot from its hash on.

use farside::{LockAllEpoch, Operation, Rank, Result, Window, World};
use std::collections::BTreeSet;

/// An empty slot.
const EMPTY: u64 = 0;

/// The table as seen in an epoch.
struct Table<'scope, 'env> {
    epoch: &'scope LockAllEpoch<'scope, 'env, u64>,
    /// Slots of a rank.
    slots: usize,
    ranks: u32,
}

impl Table<'_, '_> {
    /// Places from the hash of a key on.
    fn places(&self, key: u64) -> impl Iterator<Item = (Rank, usize)> {
        let all = self.slots * self.ranks as usize;
        let (start, slots) = ((mix(key) % all as u64) as usize, self.slots);
        (0..all).map(move |step| {
            let place = (start + step) % all;
            ((place / slots) as Rank, place % slots)
        })
    }

    /// Whether the key is new. `None` if the table is full.
    fn insert(&self, key: u64) -> Result<Option<bool>> {
        for (rank, slot) in self.places(key) {
            let there = self.epoch.swap(EMPTY, key, rank, slot)?.wait()?;
            if there == EMPTY || there == key {
                return Ok(Some(there == EMPTY));
            }
        }
        Ok(None)
    }

    fn contains(&self, key: u64) -> Result<bool> {
        for (rank, slot) in self.places(key) {
            let there = self.epoch.fetch(Operation::NoOp, 0, rank, slot)?.wait()?;
            if there == EMPTY || there == key {
                return Ok(there == key);
            }
        }
        Ok(false)
    }
}

/// Spreads keys.
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    key ^ key >> 27
}

/// The keys that a rank inserts: some of them others insert as well.
fn keys(rank: u64, number: u64) -> impl Iterator<Item = u64> {
    (0..number).map(move |index| 1 + mix(rank * number + index) % (number * 2))
}

/// Inserts `number` keys a rank. Verified against a set: all keys are there, no other is, none is there twice, and of
/// those who insert the same key just one is told that it is new. Rank 0 gets a table of how full ranks are.
pub(crate) fn run(world: &World, number: u64) -> Result<Option<String>> {
    let slots = number as usize * 3;
    let mut window = Window::<u64>::allocate(world, slots)?.into_passive()?;
    let mut new = [0];
    let began = world.now();
    window.lock_all(|epoch| {
        let table = Table {
            epoch,
            slots,
            ranks: world.size(),
        };
        for key in keys(world.rank().into(), number) {
            new[0] += u64::from(table.insert(key)?.expect("there are more slots than keys"));
        }
        world.barrier()?;
        let all: BTreeSet<u64> = (0..world.size())
            .flat_map(|rank| keys(rank.into(), number))
            .collect();
        for key in 1..=number * 2 {
            assert!(
                table.contains(key)? == all.contains(&key),
                "key {key} is lost, or was never inserted"
            );
        }
        new[0] = new[0] << 32 | all.len() as u64;
        Ok(())
    })?;
    let time = world.now() - began;
    let (mine, distinct) = (new[0] >> 32, new[0] & u64::from(u32::MAX));
    let mut sum = [mine];
    world.allreduce(Operation::Sum, &mut sum)?;
    assert!(
        sum[0] == distinct,
        "{} keys were new, {distinct} are distinct",
        sum[0]
    );
    let window = window.into_active()?;
    let full = window.local()?.iter().filter(|key| **key != EMPTY).count();
    let mut filled = vec![0; world.size() as usize];
    world.allgather(&[full as u64], &mut filled)?;
    window.free()?;
    assert!(filled.iter().sum::<u64>() == distinct, "a key is there twice");
    Ok((world.rank() == 0).then(|| {
        let shares: Vec<String> = filled.iter().map(u64::to_string).collect();
        format!(
            "{distinct} keys in {time:?}; at the ranks: {}\n",
            shares.join(" ")
        )
    }))
}
