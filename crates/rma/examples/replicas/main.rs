//! A hash table that loses no entry when a rank is killed: each entry is at two ranks.
//!
//! `farside run --keep-going -n 4 -- replicas ENTRIES [RANK:MICROSECONDS...]` kills those ranks by SIGKILL, so long
//! after their world has begun.

mod program;
mod table;

use farside::World;
use rustix::process::{Signal, getpid, kill_process};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let entries = words.next().map_or(Ok(1000), |word| word.parse())?;
    let deaths: Vec<(u32, u64)> = words.map(|word| death(&word)).collect::<Result<_, _>>()?;
    let world = World::init()?;
    // A world can lose ranks when all have it.
    world.agree(true)?;
    let began = Instant::now();
    for (_, after) in deaths.into_iter().filter(|(rank, _)| *rank == world.rank()) {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(after));
            // Nobody is left to look at the answer.
            let _ = kill_process(getpid(), Signal::KILL);
        });
    }
    // By each rank that is left: any other may die before it has said it.
    let line = program::run(world, entries)?;
    println!("{line}; {} us", began.elapsed().as_micros());
    Ok(())
}

/// `RANK:MICROSECONDS`.
fn death(word: &str) -> Result<(u32, u64), String> {
    let parsed = word
        .split_once(':')
        .and_then(|(rank, after)| Some((rank.parse().ok()?, after.parse().ok()?)));
    parsed.ok_or_else(|| format!("`{word}` is not RANK:MICROSECONDS"))
}
