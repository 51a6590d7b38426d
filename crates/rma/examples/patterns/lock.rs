//! All ranks add to a counter of rank 0 under an exclusive lock.

use farside::{Lock, Result, Window, World};

/// `forget`: the lock is a shared one.
pub(crate) fn run(world: &World, forget: bool) -> Result<()> {
    let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
    let lock = if forget { Lock::Shared } else { Lock::Exclusive };
    window.lock(0, lock, |epoch| {
        let mut count = [0];
        epoch.remote(|batch| batch.get(&mut count, 0, 0))?;
        count[0] += 1;
        epoch.remote(|batch| batch.put(&count, 0, 0))
    })?;
    // Collective: all have let go.
    let window = window.into_active()?;
    if world.rank() == 0 && !forget {
        println!("{}", window.local()?[0]);
    }
    window.free()
}
