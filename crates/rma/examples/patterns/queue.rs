//! Rank 0 gives numbers to rank 1 through a queue of four slots: data first, then the counter of items.

use farside::{Operation, Result, Window, World};

const SLOTS: usize = 4;
const ITEMS: u64 = 6;
/// How many items were given, in the memory of rank 1; how many were taken, in that of rank 0.
const HEAD: usize = SLOTS;
const TAIL: usize = SLOTS + 1;

/// `forget`: without the flush between an item and the counter.
pub(crate) fn run(world: &World, forget: bool) -> Result<()> {
    let me = world.rank();
    let mut window = Window::<u64>::allocate(world, SLOTS + 2)?.into_passive()?;
    let mut sum = 0;
    window.lock_all(|epoch| {
        for item in 0..ITEMS {
            let slot = (item % SLOTS as u64) as usize;
            if me == 0 {
                if item >= SLOTS as u64 {
                    epoch.wait_until(TAIL, |taken| taken + SLOTS as u64 > item)?;
                }
                epoch.put_value(item + 1, 1, slot)?;
                if !forget {
                    epoch.flush(1)?;
                }
                epoch.fetch(Operation::Replace, item + 1, 1, HEAD)?.wait()?;
                epoch.flush(1)?;
            } else if me == 1 {
                epoch.wait_until(HEAD, |given| given > item)?;
                sum += epoch.direct(1)?.load(slot)?;
                epoch.fetch(Operation::Replace, item + 1, 0, TAIL)?.wait()?;
                epoch.flush(0)?;
            }
        }
        Ok(())
    })?;
    if me == 1 && !forget {
        println!("{sum}");
    }
    window.free()
}
