//! The suite of the fence designs, in a job: all designs that its transport allows mean the same. Rank 0 says which
//! ran, and which are refused: `farside run -n 3 --transport ofi:net fences`.

#[path = "../tests/support/programs.rs"]
mod programs;

use farside::{Error, Fence, Result, World};
use std::time::Duration;

fn main() -> Result<()> {
    farside::run(suite)?;
    Ok(())
}

fn suite(world: &World) -> Result<()> {
    // A fence that waits for ever is an error, and no test that hangs.
    world.set_time_limit(Some(Duration::from_secs(60)));
    for fence in Fence::ALL {
        let refused = world.fence_refusal(fence);
        match &refused {
            None => programs::all(world, fence)?,
            Some(_) => is_refused(world, fence)?,
        }
        if world.rank() == 0 {
            let verdict = if refused.is_none() {
                "as all others"
            } else {
                "refused"
            };
            println!("{fence}: {verdict}");
        }
    }
    world.barrier()
}

/// A window does not take the design, and stays as it was.
fn is_refused(world: &World, fence: Fence) -> Result<()> {
    let mut window = farside::Window::<u64>::allocate(world, 1)?;
    let chosen = programs::choose(&mut window, fence);
    assert!(
        matches!(chosen, Err(Error::Unsupported { .. })),
        "{fence}: {chosen:?}"
    );
    let next = (world.rank() + 1) % world.size();
    window.fence(|epoch| epoch.put_value(u64::from(next), next, 0))?;
    assert_eq!(window.local()?, [u64::from(world.rank())]);
    window.free()
}
