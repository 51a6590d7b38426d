//! A token goes round: a put with a notification brings it, and whoever has it waits for the notification first.

use farside::{Result, Window, World};

/// `forget`: without waiting.
pub(crate) fn run(world: &World, forget: bool) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
    window.lock_all(|epoch| {
        let mut token = [u64::from(me)];
        if me != 0 {
            if !forget {
                epoch.wait_notice(Some(0))?;
            }
            token[0] += epoch.direct(me)?.load(0)?;
        }
        if me + 1 != size {
            return epoch.remote(|batch| batch.put_notify(&token, me + 1, 0, 0));
        }
        if !forget {
            println!("{me}: {}", token[0]);
        }
        Ok(())
    })?;
    window.free()
}
