//! A queue in the memory of rank 0 that all ranks fill and empty, under the lock.

use super::mcs::{McsLock, WORDS};
use farside::{LockAllEpoch, Operation, Result, Window, World};

/// Words of the queue: how many were put in, how many were taken, and the items.
const IN: usize = 0;
const OUT: usize = 1;
const ITEMS: usize = 2;
const CAPACITY: usize = 64;

/// Puts and takes items, `rounds` a rank. Verified: what comes out is what was put in, each item once, and the items of
/// a rank in their order. Rank 0 gets a table.
pub(crate) fn run(world: &World, rounds: u64) -> Result<Option<String>> {
    let me = world.rank();
    let mut words = Window::<u64>::allocate(world, WORDS)?.into_passive()?;
    let length = if me == 0 { ITEMS + CAPACITY } else { 0 };
    let mut queue = Window::<u64>::allocate(world, length)?.into_passive()?;
    let began = world.now();
    let taken = words.lock_all(|lock| {
        queue.lock_all(|queue| {
            let lock = McsLock::new(lock, me);
            let mut taken = Vec::new();
            let mut put = 0;
            while put < rounds || taken.len() < rounds as usize {
                lock.acquire()?;
                if put < rounds && push(queue, u64::from(me) << 32 | put)? {
                    put += 1;
                }
                // A rank takes as many as it puts, so that all are taken in the end.
                if taken.len() < rounds as usize {
                    taken.extend(pop(queue)?);
                }
                lock.release()?;
            }
            Ok(taken)
        })
    })?;
    world.barrier()?;
    let time = world.now() - began;
    let mut all = vec![0; (rounds * u64::from(world.size())) as usize];
    world.allgather(&taken, &mut all)?;
    for (rank, items) in all.chunks(rounds.max(1) as usize).enumerate() {
        for source in 0..u64::from(world.size()) {
            let of_source = items.iter().filter(|item| *item >> 32 == source);
            assert!(
                of_source.is_sorted(),
                "rank {rank} took items of rank {source} out of order"
            );
        }
    }
    all.sort_unstable();
    let wanted = (0..u64::from(world.size())).flat_map(|rank| (0..rounds).map(move |item| rank << 32 | item));
    assert!(all.iter().copied().eq(wanted), "items were lost, or came twice");
    queue.free()?;
    words.free()?;
    Ok((me == 0).then(|| {
        format!(
            "{} ranks, {rounds} items each: all came out once, in {time:?}, {:?} a critical section\n",
            world.size(),
            time / (rounds.max(1) as u32 * world.size())
        )
    }))
}

/// The words of the queue; who holds the lock is alone there.
fn counts(queue: &LockAllEpoch<'_, '_, u64>) -> Result<(u64, u64)> {
    let mut counts = [0; 2];
    queue.remote(|batch| batch.get(&mut counts, 0, IN))?;
    Ok((counts[IN], counts[OUT]))
}

fn push(queue: &LockAllEpoch<'_, '_, u64>, item: u64) -> Result<bool> {
    let (entered, left) = counts(queue)?;
    if entered - left == CAPACITY as u64 {
        return Ok(false);
    }
    queue.remote(|batch| {
        batch.put_value(item, 0, ITEMS + entered as usize % CAPACITY)?;
        batch.put_value(entered + 1, 0, IN)
    })?;
    Ok(true)
}

fn pop(queue: &LockAllEpoch<'_, '_, u64>) -> Result<Option<u64>> {
    let (entered, left) = counts(queue)?;
    if entered == left {
        return Ok(None);
    }
    let mut item = [0];
    queue.remote(|batch| {
        batch.get(&mut item, 0, ITEMS + left as usize % CAPACITY)?;
        batch.put_value(left + 1, 0, OUT)
    })?;
    Ok(Some(item[0]))
}

/// As a sum of a counter that is read, changed and written without atomic operations: the lock alone protects it.
pub(crate) fn count(world: &World, rounds: u64) -> Result<u64> {
    let me = world.rank();
    let mut words = Window::<u64>::allocate(world, WORDS)?.into_passive()?;
    let mut counter = Window::<u64>::allocate(world, 1)?.into_passive()?;
    words.lock_all(|lock| {
        counter.lock_all(|counter| {
            let lock = McsLock::new(lock, me);
            for _ in 0..rounds {
                lock.acquire()?;
                let mut value = [0];
                counter.remote(|batch| batch.get(&mut value, 0, 0))?;
                counter.remote(|batch| batch.put_value(value[0] + 1, 0, 0))?;
                lock.release()?;
            }
            Ok(())
        })
    })?;
    let mut sum = [0];
    counter.lock_all(|epoch| {
        world.barrier()?;
        sum[0] = epoch.fetch(Operation::NoOp, 0, 0, 0)?.wait()?;
        Ok(())
    })?;
    counter.free()?;
    words.free()?;
    Ok(sum[0])
}
