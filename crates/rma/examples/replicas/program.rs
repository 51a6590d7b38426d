//! Ranks fill a table; when some are lost, those that are left take what is in their windows to a new table, and do
//! what the lost have not done. The result is compared with what it must be, in every world.

use crate::table::{EMPTY, Table, entry, mix};
use farside::{Error, Operation, Rank, Result, Window, World};
use std::collections::BTreeSet;

/// What a rank takes from one world to the next.
#[derive(Default)]
struct Kept {
    entries: BTreeSet<u64>,
    /// Of the rank before this one in the first world: how many of its entries are in the table for good.
    confirmed: u64,
    /// Ranks of the first world that are here, from the second on.
    left: Option<Vec<Rank>>,
}

/// The value that belongs to a key.
fn value(key: u32) -> u32 {
    mix(key.rotate_left(7)) as u32
}

/// The keys that a rank inserts, of all up to `number`.
fn share(rank: Rank, ranks: u32, number: u32) -> std::ops::Range<u32> {
    let first = |rank: Rank| (u64::from(number) * u64::from(rank) / u64::from(ranks)) as u32 + 1;
    first(rank)..first(rank + 1)
}

/// Fills a table with `number` entries, whoever is lost meanwhile. A line about it.
pub(crate) fn run(mut world: World, number: u32) -> Result<String> {
    let ranks = world.size();
    let mut kept = Kept::default();
    loop {
        let done = fill(&world, number, ranks, &mut kept);
        // A rank may have seen the end, and another one a loss just before it: all go on, or none.
        if world.agree(done.is_ok())? {
            break;
        }
        if world.lost().is_none() {
            done?;
        }
        let next = world.shrink()?;
        let here = kept.left.unwrap_or_else(|| (0..ranks).collect());
        kept.left = Some(next.former().iter().map(|&rank| here[rank as usize]).collect());
        world = next;
    }
    let left = kept.left.unwrap_or_else(|| (0..ranks).collect());
    let line = format!("{number} entries, each as it must be; ranks at the end: {left:?}");
    match world.finish() {
        // All is done, and all know it.
        Ok(()) | Err(Error::PeerLost { .. }) => Ok(line),
        Err(error) => Err(error),
    }
}

/// All entries in a table of this world's ranks. `kept` gets what of it is here.
fn fill(world: &World, number: u32, ranks: u32, kept: &mut Kept) -> Result<()> {
    // Half of the slots stay empty, if a rank gets no more than twice its part.
    let slots = (number as usize * 8).div_ceil(world.size() as usize).max(64);
    // The last word is for the rank before this one.
    let mut window = Window::<u64>::allocate(world, slots + 1)?.into_passive()?;
    let result = fill_window(world, &mut window, number, ranks, kept);
    // Also if all went well here: another rank may have failed.
    let mut words = window.salvage();
    let confirmed = words.pop().unwrap_or(0);
    if kept.left.is_none() {
        kept.confirmed = confirmed;
    }
    kept.entries
        .extend(words.into_iter().filter(|word| *word != EMPTY));
    result
}

fn fill_window(
    world: &World,
    window: &mut Window<u64, farside::Passive>,
    number: u32,
    ranks: u32,
    kept: &Kept,
) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let slots = window.elements(me)? - 1;
    window.lock_all(|epoch| {
        let table = Table {
            epoch,
            slots,
            ranks: size,
        };
        for &entry in &kept.entries {
            table.insert(entry)?;
        }
        world.barrier()?;
        if let Some(left) = &kept.left {
            confirm(&table, kept, left, (me, ranks, number))?;
        }
        for (done, key) in (1..).zip(share(me, size, number)) {
            table.insert(entry(key, value(key)))?;
            // The next rank knows then that this entry, and all before it, are at both of their ranks.
            epoch
                .fetch(Operation::Replace, done, (me + 1) % size, slots)?
                .wait()?;
        }
        world.barrier()?;
        for key in (1..=number).filter(|key| key % size == me) {
            for home in table.homes(key) {
                let there = table.find(key, home)?;
                assert!(
                    there == Some(entry(key, value(key))),
                    "key {key} at rank {home}: {there:?}"
                );
            }
        }
        world.barrier()
    })?;
    let full = window.salvage()[..slots]
        .iter()
        .filter(|word| **word != EMPTY)
        .count() as u64;
    let mut sum = [full];
    world.allreduce(Operation::Sum, &mut sum)?;
    let copies = u64::from(size.min(2));
    assert!(sum[0] == u64::from(number) * copies, "{} slots are full", sum[0]);
    Ok(())
}

/// What the one rank that was lost had confirmed is still there: nothing but its window knew that it had come so far.
fn confirm(
    table: &Table<'_, '_>,
    kept: &Kept,
    left: &[Rank],
    (me, ranks, number): (Rank, u32, u32),
) -> Result<()> {
    let before = (left[me as usize] + ranks - 1) % ranks;
    if left.len() as u32 + 1 < ranks || left.contains(&before) {
        return Ok(());
    }
    for key in share(before, ranks, number).take(kept.confirmed as usize) {
        for home in table.homes(key) {
            let there = table.find(key, home)?;
            assert!(
                there == Some(entry(key, value(key))),
                "key {key} of rank {before} is lost"
            );
        }
    }
    Ok(())
}
