//! The program: each rank makes jobs and does some, and each job is done once.

use farside::{Operation, Result, Service, Window, World};
use std::collections::VecDeque;

/// Words of a job.
const WORDS: usize = 16;

/// What a rank asks the queue for.
const PLACE: u64 = 0;
const READY: u64 = 1;
const JOB: u64 = 2;

/// No job is ready.
const NONE: u64 = u64::MAX;

/// Places that were given away, and jobs that are ready.
#[derive(Default)]
struct Queue {
    places: u64,
    ready: VecDeque<u64>,
}

impl Queue {
    fn handle(&mut self, [wish, place]: [u64; 2]) -> u64 {
        match wish {
            PLACE => self.places += 1,
            READY => self.ready.push_back(place),
            _ => return self.ready.pop_front().unwrap_or(NONE),
        }
        self.places - 1
    }
}

/// Each rank makes so many jobs; rank 0 gets a line. Verified: what was done is what was made.
pub(crate) fn run(world: &World, each: u64) -> Result<Option<String>> {
    let size = u64::from(world.size());
    let room = if world.rank() == 0 { size * each } else { 0 };
    let mut jobs = Window::<u64>::allocate(world, room as usize * WORDS)?.into_passive()?;
    let queue =
        Service::<[u64; 2], u64, _>::register(world, Queue::default(), |queue, _, wish| queue.handle(wish))?;
    let (mut made, mut done, mut count) = (0, 0, 0);
    let began = world.now();
    jobs.lock_all(|epoch| {
        for number in 0..each {
            let job = [u64::from(world.rank()) << 32 | number; WORDS];
            let place = queue.call(0, [PLACE, 0])?.wait()?;
            epoch.remote(|inner| inner.put(&job, 0, place as usize * WORDS))?;
            // The put is complete: whoever hears of it by the queue may get it.
            queue.send(0, [READY, place])?;
            made += job.iter().sum::<u64>();
        }
        loop {
            let place = queue.call(0, [JOB, 0])?.wait()?;
            if place == NONE {
                return Ok(());
            }
            let job = epoch.rget(vec![0; WORDS], 0, place as usize * WORDS)?.wait()?;
            done += job.iter().sum::<u64>();
            count += 1;
        }
    })?;
    let left = queue.finish()?.ready.len();
    let taken = world.now() - began;
    let mut sums = [made, done, count];
    world.allreduce(Operation::Sum, &mut sums)?;
    assert_eq!(
        (sums[0], sums[2], left),
        (sums[1], size * each, 0),
        "each job is done once"
    );
    jobs.free()?;
    Ok((world.rank() == 0).then(|| format!("{} jobs, of which rank 0 did {count}, in {taken:?}", sums[2])))
}
