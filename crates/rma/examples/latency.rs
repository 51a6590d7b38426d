//! What calls cost, between rank 0 and rank 1: medians of batches, in nanoseconds, after a warm-up.
//!
//! ```text
//! cargo run --release -p farside --example latency                                  # two threads
//! farside run -n 2 target/release/examples/latency                                  # two processes
//! ```

use farside::{Lock, Operation, Result, Window, World};
use std::time::Instant;

/// Calls in a batch, and batches.
const BATCH: u32 = 200;
const BATCHES: usize = 101;

fn main() -> Result<()> {
    let alone = std::env::var_os("FARSIDE_RANK").is_none() && std::env::var_os("FARSIDE_TRANSPORT").is_none();
    if alone {
        farside::threads(2, program)?;
    } else {
        farside::run(program)?;
    }
    Ok(())
}

/// Runs a batch again and again and prints the median time of a call.
fn row(world: &World, name: &str, mut call: impl FnMut() -> Result<()>) -> Result<()> {
    let mut times = Vec::with_capacity(BATCHES);
    for batch in 0..BATCHES + 10 {
        world.barrier()?;
        let began = Instant::now();
        for _ in 0..BATCH {
            call()?;
        }
        if batch >= 10 {
            times.push(began.elapsed() / BATCH);
        }
    }
    times.sort_unstable();
    if world.rank() == 0 {
        println!("{name:<28}{:>10} ns", times[BATCHES / 2].as_nanos());
    }
    world.barrier()
}

fn program(world: &World) -> Result<()> {
    let other = 1 - world.rank();
    let first = world.rank() == 0;
    if first {
        println!("{:?}", world.capabilities().transport);
    }
    row(world, "barrier", || world.barrier())?;
    let mut values = [1.0f64; 32];
    row(world, "allreduce 256 B", || {
        world.allreduce(Operation::Max, &mut values)
    })?;
    let mut block = [0.0f64; 16];
    row(world, "reduce_scatter 256 B", || {
        world.reduce_scatter(Operation::Max, &values, &mut block)
    })?;

    let mut window = Window::<u64>::allocate(world, 1 << 17)?;
    let two = [1, 2];
    let one = [1];
    let large = vec![3; 8192];
    row(world, "fence pair, empty", || window.fence(|_| Ok(())))?;
    window.fences(|fences| {
        row(world, "fence, empty", || fences.epoch(|_| Ok(())))?;
        row(world, "fence + put 16 B", || {
            fences.epoch(|epoch| epoch.put(&two, other, 0))
        })?;
        row(world, "fence + 8 puts of 8 B", || {
            fences.epoch(|epoch| (0..8).try_for_each(|place| epoch.put(&one, other, place)))
        })?;
        row(world, "fence + put 64 KiB", || {
            fences.epoch(|epoch| epoch.put(&large, other, 0))
        })
    })?;
    row(world, "post/start/complete/wait", || {
        window.post(&[other], |exposure| {
            exposure.start(&[other], |epoch| epoch.put(&two, other, 0))
        })
    })?;

    let mut window = window.into_passive()?;
    row(world, "lock + put 8 B + unlock", || match first {
        true => window.lock(1, Lock::Shared, |epoch| epoch.put(&one, 1, 0)),
        false => Ok(()),
    })?;
    row(world, "exclusive lock + put 8 B", || match first {
        true => window.lock(1, Lock::Exclusive, |epoch| epoch.put(&one, 1, 0)),
        false => Ok(()),
    })?;
    let (mut read, mut result) = ([0], 0);
    let mut large_read = vec![0; 8192];
    window.lock_all(|epoch| {
        if !first {
            return (0..9).try_for_each(|_| row(world, "", || Ok(())));
        }
        row(world, "put 8 B + flush", || {
            epoch.put(&one, 1, 0)?;
            epoch.flush(1)
        })?;
        row(world, "get 8 B + flush", || {
            epoch.remote(|batch| batch.get(&mut read, 1, 0))
        })?;
        row(world, "64 puts of 8 B + flush", || {
            (0..64).try_for_each(|place| epoch.put(&one, 1, place))?;
            epoch.flush(1)
        })?;
        row(world, "accumulate 8 B + flush", || {
            epoch.accumulate(Operation::Sum, &one, 1, 0)?;
            epoch.flush(1)
        })?;
        row(world, "fetch_and_op + flush", || {
            epoch.remote(|batch| batch.fetch_and_op(Operation::Sum, 1, &mut result, 1, 0))
        })?;
        row(world, "fetch, waited for", || {
            epoch.fetch(Operation::Sum, 1, 1, 0)?.wait().map(|_| ())
        })?;
        row(world, "compare_and_swap + flush", || {
            epoch.remote(|batch| batch.compare_and_swap(0, 1, &mut result, 1, 0))
        })?;
        row(world, "put 64 KiB + flush", || {
            epoch.put(&large, 1, 0)?;
            epoch.flush(1)
        })?;
        row(world, "get 64 KiB + flush", || {
            epoch.remote(|batch| batch.get(&mut large_read, 1, 0))
        })
    })?;
    window.free()
}
