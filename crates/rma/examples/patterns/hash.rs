//! Keys go into a table that is spread over all ranks; a compare-and-swap takes an empty slot.

use farside::{Rank, Result, Window, World};

const SLOTS: usize = 8;
const KEYS: u64 = 3;
const EMPTY: u64 = 0;

/// `forget`: looks first, and puts then.
pub(crate) fn run(world: &World, forget: bool) -> Result<()> {
    let (me, size) = (u64::from(world.rank()), u64::from(world.size()));
    let mut window = Window::<u64>::allocate(world, SLOTS)?.into_passive()?;
    window.lock_all(|epoch| {
        for key in (0..KEYS).map(|index| 1 + me * KEYS + index) {
            let owner = (key % size) as Rank;
            let mut slot = (key % SLOTS as u64) as usize;
            loop {
                let there = if forget {
                    let mut there = [EMPTY];
                    epoch.remote(|batch| batch.get(&mut there, owner, slot))?;
                    if there[0] == EMPTY {
                        epoch.put_value(key, owner, slot)?;
                        epoch.flush(owner)?;
                    }
                    there[0]
                } else {
                    epoch.swap(EMPTY, key, owner, slot)?.wait()?
                };
                if there == EMPTY {
                    break;
                }
                slot = (slot + 1) % SLOTS;
            }
        }
        Ok(())
    })?;
    let window = window.into_active()?;
    let filled = window.local()?.iter().filter(|key| **key != EMPTY).count();
    if me == 0 && !forget {
        println!("0: {filled}");
    }
    window.free()
}
