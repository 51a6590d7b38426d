//! A program with races, on demand, to be run under the check: `farside run --check -n 2 races put`.
//!
//! `clean`: all is ordered. `put`: all ranks put to one element. `early`: a message is sent before the put it tells of
//! is complete. `gather`: the root of a gather gets what others put before it, which is ordered. `scatter`: the same
//! with a scatter, which is not. `die`: as `put`, and then rank 0 kills itself.

use farside::{Result, Window, World};

fn main() -> Result<()> {
    let what = std::env::args().nth(1).unwrap_or_default();
    farside::run(|world| match what.as_str() {
        "clean" => clean(world),
        "put" => put(world),
        "early" => early(world),
        "gather" => collected(world, |sums| world.gather(0, &[1u8], &mut sums[..])),
        "scatter" => collected(world, |sums| world.scatter(0, sums, &mut [0])),
        "die" => {
            put(world)?;
            if world.rank() == 0 {
                std::process::abort();
            }
            world.barrier()
        }
        _ => {
            eprintln!("say one of clean, put, early, gather, scatter, die");
            std::process::exit(2);
        }
    })?;
    Ok(())
}

/// A ring.
fn clean(world: &World) -> Result<()> {
    let mut window = Window::<u32>::allocate(world, 1)?;
    let next = (world.rank() + 1) % world.size();
    window.fence(|epoch| epoch.put_value(world.rank(), next, 0))?;
    println!("{} has {}", world.rank(), window.local()?[0]);
    window.free()
}

/// Who was last?
fn put(world: &World) -> Result<()> {
    let mut window = Window::<u32>::allocate(world, 1)?;
    let mine = [world.rank()];
    window.fence(|epoch| {
        epoch.put(&mine, 0, 0) // all of them
    })?;
    window.free()
}

/// It may not be there.
fn early(world: &World) -> Result<()> {
    let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
    window.lock_all(|epoch| {
        if world.rank() == 0 {
            epoch.put_value(42, 1, 0)?; // not flushed
            return world.send(1, 0, &[0u8]);
        }
        if world.rank() == 1 {
            world.receive::<u8>(Some(0), None)?;
            epoch.direct(1)?.load(0)?; // too early
        }
        Ok(())
    })?;
    window.free()
}

/// All put to rank 0, and rank 0 reads it after a call.
fn collected(world: &World, call: impl Fn(&mut [u8]) -> Result<()>) -> Result<()> {
    let (me, size) = (world.rank(), world.size() as usize);
    let mut window = Window::<u64>::allocate(world, size)?.into_passive()?;
    window.lock_all(|epoch| {
        if me != 0 {
            epoch.put_value(42, 0, me as usize)?; // to the root
            epoch.flush(0)?;
        }
        call(&mut vec![1; size])?;
        if me == 0 {
            for from in 1..size {
                epoch.direct(0)?.load(from)?; // by the root
            }
        }
        Ok(())
    })?;
    window.free()
}
