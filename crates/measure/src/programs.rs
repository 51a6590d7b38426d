//! The programs that are timed. `c/fences.c` has the same ones for an MPI: what is changed here has to be changed
//! there.

use crate::epochs::Epochs;
use farside::sim::{Network, Simulation};
use farside::{Fence, Fences, Operation, Rank, Result, Window, World};
use std::time::Duration;

/// Microseconds of each epoch of a sequence, with its fence. `slow`: rank 1 computes so long more.
///
/// # Errors
/// The transport refuses the design, or a rank is lost.
///
/// # Panics
/// A fence has returned before a put was visible: a bug of the crate `farside`.
pub fn epochs(world: &World, fence: Fence, what: &Epochs, pace: Pace, slow: Duration) -> Result<Vec<f64>> {
    Ok(sequence(world, fence, what, pace, slow)?.0)
}

/// As [`epochs`]; and what `auto` chose, and why.
pub(crate) fn sequence(
    world: &World,
    fence: Fence,
    what: &Epochs,
    pace: Pace,
    slow: Duration,
) -> Result<(Vec<f64>, Option<String>)> {
    let (me, size) = (world.rank(), world.size());
    let targets = what.targets(me, size);
    let mut window = Window::<u8>::allocate(world, what.bytes * what.distances.len().max(1))?;
    match fence {
        Fence::Neighbour => window.set_neighbours(&targets)?,
        other => window.set_fence(other)?,
    }
    let origin = vec![me as u8; what.bytes];
    let own = if what.is_origin(me) {
        what.compute
    } else {
        Duration::ZERO
    };
    let compute = own + if me == 1 { slow } else { Duration::ZERO };
    let times = window.fences(|fences| {
        let once = |fences: &mut Fences<'_, u8>| {
            fences.epoch(|epoch| {
                for (place, &target) in targets.iter().enumerate() {
                    epoch.put(&origin, target, place * origin.len())?;
                }
                if !compute.is_zero() {
                    world.compute(compute);
                }
                Ok(())
            })
        };
        // `auto` has to get over its trial first, which takes equally many epochs at all ranks.
        let mut trial = 0;
        while fences.design().is_none() && trial < TRIAL {
            once(fences)?;
            trial += 1;
        }
        pace.of_all(world, || once(fences))
    })?;
    let came = window.local()?.chunks(what.bytes.max(1));
    for (&distance, bytes) in what.distances.iter().zip(came) {
        let origin = (me + size - distance) % size;
        assert!(
            !what.is_origin(origin) || bytes.iter().all(|&byte| byte == origin as u8),
            "{fence}: a fence has returned before a put was visible"
        );
    }
    let choice = window.fence_choice();
    window.free()?;
    Ok((times, choice))
}

/// How much later than others a rank begins a sample: up to 20 us, the same in each run.
fn skew(rank: Rank, sample: u32) -> Duration {
    // Fibonacci hashing (Knuth, TAOCP 3, §6.4): neighbours are far apart.
    let key = u64::from(sample) << 32 | u64::from(rank);
    let hash = (key ^ (key >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Duration::from_nanos((hash >> 32) % 20_000)
}

/// Epochs that warm up.
const WARM: u32 = 5;

/// The most that `auto` gets to choose: more than its trial has.
const TRIAL: u32 = 1000;

/// How many samples are taken.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Samples of a row.
    pub samples: u32,
    /// Where time is real, the samples of a row take so long together at the most; there are 5 at least.
    pub budget: Duration,
}

impl Pace {
    /// Microseconds of a call that all ranks do together.
    ///
    /// Where time is virtual, ranks that begin together stay in step for ever, and their packets never meet at a port:
    /// no real ranks do. How they are out of step decides what a call takes, so each sample begins anew, its ranks
    /// apart in another way.
    fn of_all(self, world: &World, mut once: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
        if !world.capabilities().virtual_time {
            return self.measure(world, true, once);
        }
        // A look at the clock moves ranks apart as well. A call of thousands of ranks takes seconds to simulate.
        let batch = if world.size() > 1024 { 2 } else { 10 };
        (0..self.samples)
            .map(|sample| {
                world.compute(skew(world.rank(), sample));
                (0..WARM).try_for_each(|_| once())?;
                time(world, batch, &mut once)
            })
            .collect()
    }

    /// Microseconds of a call of this rank alone.
    fn of_one(self, world: &World, mut once: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
        if !world.capabilities().virtual_time {
            return self.measure(world, false, once);
        }
        (0..WARM).try_for_each(|_| once())?;
        (0..self.samples).map(|_| time(world, 1, &mut once)).collect()
    }

    /// Where time is real: a sample is as many calls as take 100 us, for a look at the clock costs as much as a fence
    /// of shared memory. `everybody`: all ranks call, equally often.
    fn measure(
        self,
        world: &World,
        everybody: bool,
        mut once: impl FnMut() -> Result<()>,
    ) -> Result<Vec<f64>> {
        (0..WARM).try_for_each(|_| once())?;
        let each = time(world, WARM, &mut once)?.max(0.01);
        let batch = (100.0 / each).clamp(1.0, 1000.0) as u32;
        let most = microseconds(self.budget) / (f64::from(batch) * each);
        let mut told = [batch, (most.max(5.0) as u32).min(self.samples)];
        if everybody {
            world.broadcast(0, &mut told)?;
        }
        (0..told[1]).map(|_| time(world, told[0], &mut once)).collect()
    }
}

/// Microseconds of a call, one of so many.
fn time(world: &World, calls: u32, once: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let from = world.now();
    (0..calls).try_for_each(|_| once())?;
    Ok(microseconds(world.now() - from) / f64::from(calls))
}

/// Microseconds of barrier, allreduce and reduce-scatter, the latter of 256 bytes, as in Table 1.
///
/// # Errors
/// A rank is lost.
pub fn collectives(world: &World, pace: Pace) -> Result<Vec<(&'static str, Vec<f64>)>> {
    let size = world.size() as usize;
    let barrier = pace.of_all(world, || world.barrier())?;
    let mut values = [1u32; 64];
    let allreduce = pace.of_all(world, || world.allreduce(Operation::Max, &mut values))?;
    let mut block = vec![0u32; (64 / size).max(1)];
    let blocks = vec![1u32; block.len() * size];
    let scatter = pace.of_all(world, || {
        world.reduce_scatter(Operation::Max, &blocks, &mut block)
    })?;
    Ok(vec![
        ("barrier", barrier),
        ("allreduce", allreduce),
        ("reduce-scatter", scatter),
    ])
}

/// Microseconds of a put and its flush, from rank 0 to rank 1, by bytes.
///
/// # Errors
/// A rank is lost.
pub fn puts(world: &World, pace: Pace) -> Result<Vec<(u64, Vec<f64>)>> {
    if world.size() < 2 {
        return Ok(Vec::new());
    }
    let most = 1 << 20;
    let mut window = Window::<u8>::allocate(world, most)?.into_passive()?;
    let origin = vec![7; most];
    let mut rows = Vec::new();
    window.lock_all(|epoch| {
        for bytes in (3..=20).map(|power| 1usize << power) {
            world.barrier()?;
            if world.rank() == 0 {
                let times = pace.of_one(world, || epoch.remote(|inner| inner.put(&origin[..bytes], 1, 0)))?;
                rows.push((bytes as u64, times));
            }
        }
        world.barrier()
    })?;
    window.free()?;
    Ok(rows)
}

pub(crate) fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The median epoch over a virtual network, in microseconds, as rank 0 sees it; not a number if there was none.
///
/// # Errors
/// As for [`epochs`].
pub fn median_epoch(network: &Network, ranks: u32, samples: u32, fence: Fence, what: &Epochs) -> Result<f64> {
    let pace = Pace {
        samples,
        budget: Duration::ZERO,
    };
    let simulation = Simulation::new(network, ranks);
    let all = farside::simulate_with(simulation, |world| {
        epochs(world, fence, what, pace, Duration::ZERO)
    })?;
    let mut times = all.into_iter().next().unwrap_or_default();
    times.sort_by(f64::total_cmp);
    Ok(times.get(times.len() / 2).copied().unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside::sim::{Network, Simulation};

    #[test]
    fn the_barrier_of_the_library_is_near_table_1() {
        let pace = Pace {
            samples: 5,
            budget: Duration::ZERO,
        };
        for (ranks, paper) in farside_measurements::paper::BARRIER {
            let simulation = Simulation::new(&Network::infiniband_2009(), ranks);
            let all =
                farside::simulate_with(simulation, |world| collectives(world, pace)).expect("nobody dies");
            let ratio = all[0][0].1[2] / paper;
            assert!((0.9..1.3).contains(&ratio), "{ranks} ranks: {ratio}");
        }
    }
}
