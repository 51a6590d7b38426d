//! The programs that are timed.

use farside::{Fence, Operation, Rank, Result, Window, World};
use std::time::Duration;

/// What ranks do between two fences.
#[derive(Clone, Debug)]
pub struct Epochs {
    /// Puts go to the ranks at these distances.
    distances: Vec<u32>,
    /// Of each put.
    bytes: usize,
    /// Computation between the puts and the fence.
    pub(crate) compute: Duration,
}

impl Epochs {
    /// One put of so many bytes to the next rank.
    #[must_use]
    pub fn single(bytes: usize) -> Self {
        Self {
            distances: vec![1],
            bytes,
            compute: Duration::ZERO,
        }
    }

    /// The rows of Figs. 7, 8 and 9.
    #[must_use]
    pub fn fences(ranks: u32) -> Vec<(&'static str, Self)> {
        let none = Self {
            distances: Vec::new(),
            ..Self::single(0)
        };
        let mut rows = vec![("fence, no put", none)];
        if ranks > 1 {
            rows.push(("fence, one put of 16 bytes", Self::single(16)));
        }
        if ranks > 8 {
            let eight = Self {
                distances: around(ranks, 8),
                ..Self::single(16)
            };
            rows.push(("fence, puts of 16 bytes to 8 neighbours", eight));
        }
        rows
    }

    /// The rows of Fig. 10. The paper gives neither the length of the messages nor the computation: 16 KiB, 100 us.
    #[must_use]
    pub fn halos(ranks: u32) -> Vec<(&'static str, Self)> {
        let halo = |neighbours| Self {
            distances: around(ranks, neighbours),
            bytes: 16 << 10,
            compute: Duration::from_micros(100),
        };
        let rows = [("halo, 4 neighbours", 4), ("halo, 8 neighbours", 8)];
        let possible = rows.into_iter().filter(|&(_, neighbours)| neighbours < ranks);
        possible
            .map(|(name, neighbours)| (name, halo(neighbours)))
            .collect()
    }
}

/// Distances of the nearest ranks on both sides.
fn around(ranks: u32, neighbours: u32) -> Vec<u32> {
    (1..=neighbours / 2)
        .flat_map(|distance| [distance, ranks - distance])
        .collect()
}

/// Microseconds of each epoch of a sequence, with its fence. `slow`: rank 1 computes so long more.
///
/// # Errors
/// The transport refuses the design, or a rank is lost.
pub fn epochs(world: &World, fence: Fence, what: &Epochs, samples: u32, slow: Duration) -> Result<Vec<f64>> {
    let (me, size) = (world.rank(), world.size());
    let targets: Vec<Rank> = what
        .distances
        .iter()
        .map(|distance| (me + distance) % size)
        .collect();
    let mut window = Window::<u8>::allocate(world, what.bytes * targets.len().max(1))?;
    match fence {
        Fence::Neighbour => window.set_neighbours(&targets)?,
        other => window.set_fence(other)?,
    }
    let origin = vec![me as u8; what.bytes];
    // `auto` has to get over its trial first.
    let warm = if fence == Fence::Auto { 64 } else { 5 };
    let compute = what.compute + if me == 1 { slow } else { Duration::ZERO };
    // A look at the clock costs as much as a fence of shared memory, and on a simulated network it moves ranks apart.
    let batch = 10;
    let mut times = Vec::with_capacity(samples as usize);
    window.fences(|fences| {
        let mut epoch = || {
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
        (0..warm).try_for_each(|_| epoch())?;
        for _ in 0..samples {
            let from = world.now();
            (0..batch).try_for_each(|_| epoch())?;
            times.push(microseconds(world.now() - from) / f64::from(batch));
        }
        Ok(())
    })?;
    window.free()?;
    Ok(times)
}

/// Microseconds of barrier, allreduce and reduce-scatter, the latter of 256 bytes, as in Table 1.
///
/// # Errors
/// A rank is lost.
pub fn collectives(world: &World, samples: u32) -> Result<Vec<(&'static str, Vec<f64>)>> {
    let size = world.size() as usize;
    let barrier = timed(world, samples, || world.barrier())?;
    let mut values = [1u32; 64];
    let allreduce = timed(world, samples, || world.allreduce(Operation::Max, &mut values))?;
    let mut block = vec![0u32; (64 / size).max(1)];
    let blocks = vec![1u32; block.len() * size];
    let scatter = timed(world, samples, || {
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
pub fn puts(world: &World, samples: u32) -> Result<Vec<(u64, Vec<f64>)>> {
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
                let times = timed(world, samples, || {
                    epoch.remote(|inner| inner.put(&origin[..bytes], 1, 0))
                })?;
                rows.push((bytes as u64, times));
            }
        }
        world.barrier()
    })?;
    window.free()?;
    Ok(rows)
}

fn timed(world: &World, samples: u32, mut once: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
    let batch = if world.capabilities().virtual_time { 1 } else { 10 };
    (0..5).try_for_each(|_| once())?;
    (0..samples)
        .map(|_| {
            let from = world.now();
            (0..batch).try_for_each(|_| once())?;
            Ok(microseconds(world.now() - from) / f64::from(batch))
        })
        .collect()
}

pub(crate) fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside::sim::{Network, Simulation};

    #[test]
    fn neighbours_are_other_ranks_and_distinct() {
        for (ranks, neighbours) in [(5, 4), (9, 8), (64, 8)] {
            let mut all = around(ranks, neighbours);
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), neighbours as usize);
            assert!(all.iter().all(|distance| (1..ranks).contains(distance)));
        }
    }

    #[test]
    fn the_barrier_of_the_library_is_near_table_1() {
        for (ranks, paper) in crate::paper::BARRIER {
            let simulation = Simulation::new(&Network::infiniband_2009(), ranks);
            let all = farside::simulate_with(simulation, |world| collectives(world, 5)).expect("nobody dies");
            let ratio = all[0][0].1[2] / paper;
            assert!((0.9..1.25).contains(&ratio), "{ranks} ranks: {ratio}");
        }
    }
}
