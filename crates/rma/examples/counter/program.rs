//! The program: each task is done once, by whom, nobody knows before.

use farside::{Operation, Result, Window, World};
use std::fmt::Write as _;
use std::time::Duration;

/// Does all tasks; rank 0 gets a table of who did how many. Verified: every task was done by exactly one rank.
pub(crate) fn run(world: &World, tasks: u64) -> Result<Option<String>> {
    let mut next = Window::<u64>::allocate(world, usize::from(world.rank() == 0))?.into_passive()?;
    let mut done = vec![0_u64; tasks as usize];
    let began = world.now();
    next.lock_all(|epoch| {
        loop {
            let task = epoch.fetch(Operation::Sum, 1, 0, 0)?.wait()?;
            if task >= tasks {
                return Ok(());
            }
            // Some tasks take longer than others.
            world.compute(Duration::from_micros(1 + task % 7));
            done[task as usize] += 1;
        }
    })?;
    let mine = done.iter().sum::<u64>();
    world.allreduce(Operation::Sum, &mut done)?;
    let taken = world.now() - began;
    assert!(
        done.iter().all(|times| *times == 1),
        "a task was done twice, or not at all"
    );
    let mut shares = vec![0; world.size() as usize];
    world.allgather(&[mine], &mut shares)?;
    next.free()?;
    if world.rank() != 0 {
        return Ok(None);
    }
    let mut table = format!("{tasks} tasks in {taken:?}\n");
    for (rank, share) in shares.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "rank {rank:>3} {share:>6} {}",
            "#".repeat((share * 60 / tasks.max(1)) as usize)
        );
    }
    Ok(Some(table))
}
