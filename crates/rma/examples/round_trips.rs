//! Round trips between two ranks: of an empty call of a service, and of a notified put that is answered by another one.
//!
//! `farside run -n 2 -- round_trips ROUNDS`. They take turns, 100 of each at a time, so that whatever else the machine
//! does meets both.

use farside::{Result, Service, Window, World};
use std::time::Duration;

/// Round trips that are timed together.
const BATCH: u32 = 100;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(200), |word| word.parse())?;
    farside::run(|world| measure(world, rounds))?;
    Ok(())
}

fn measure(world: &World, rounds: usize) -> Result<()> {
    let other = 1 - world.rank();
    let empty = Service::<(), ()>::register(world, (), |_, _, ()| ())?;
    let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
    let (mut calls, mut puts) = (Vec::new(), Vec::new());
    window.lock_all(|epoch| {
        for round in 0..2 * rounds {
            world.barrier()?;
            let began = world.now();
            for _ in 0..BATCH {
                match (round % 2, world.rank()) {
                    (0, 0) => empty.call(other, ())?.wait()?,
                    (0, _) => {}
                    (_, 0) => {
                        epoch.put_notify(&[1], other, 0, 0)?;
                        epoch.wait_notice(None)?;
                    }
                    _ => {
                        epoch.wait_notice(None)?;
                        epoch.put_notify(&[1], other, 0, 0)?;
                    }
                }
            }
            let taken = (world.now() - began) / BATCH;
            if round % 2 == 0 { &mut calls } else { &mut puts }.push(taken);
        }
        Ok(())
    })?;
    empty.finish()?;
    window.free()?;
    if world.rank() == 0 {
        let ratios = calls
            .iter()
            .zip(&puts)
            .map(|(call, put)| call.as_secs_f64() / put.as_secs_f64());
        let [low, middle, high] = quartiles(ratios.collect());
        for (what, times) in [("empty call", &calls), ("notified puts", &puts)] {
            let times = times.iter().map(Duration::as_secs_f64).map(|time| time * 1e6);
            let [low, middle, high] = quartiles(times.collect());
            println!("{what}: {middle:.2} us (quartiles {low:.2} to {high:.2})");
        }
        println!("a call is {middle:.2} of a pair of puts (quartiles {low:.2} to {high:.2})");
    }
    Ok(())
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}
