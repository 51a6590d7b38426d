//! Ranks within one process: over a virtual network, or as threads. For tests, examples and models of programs.

use crate::{Result, World, check, in_process, watch};
use std::panic::Location;

/// Runs a program on so many ranks over a virtual network, in virtual time, and gives what each of them returned. The
/// same run every time. See [`crate::sim`] for other networks, and [`simulate_with`].
///
/// A rank has a stack of 256 KiB, for there may be thousands: a great array belongs on the heap (`vec![0.0; 100_000]`),
/// and a deep recursion into [`threads()`].
///
/// # Errors
/// The first error that a rank returned; a deadlock, or a panic of a rank.
///
/// ```
/// let sums = farside::simulate(5, |world| {
///     let mut sum = [world.rank()];
///     world.allreduce(farside::Operation::Sum, &mut sum)?;
///     Ok(sum[0])
/// })?;
/// assert_eq!(sums, [10; 5]);
/// # Ok::<(), farside::Error>(())
/// ```
#[cfg(feature = "sim")]
#[track_caller]
pub fn simulate<R>(ranks: u32, program: impl Fn(&World) -> Result<R>) -> Result<Vec<R>> {
    use farside_fabric_sim::{Network, Simulation};
    simulate_with(Simulation::new(&Network::ethernet_100g(), ranks), program)
}

/// As [`simulate`], with a network, a seed and limits of one's own.
///
/// # Errors
/// As for [`simulate`].
///
/// ```
/// use farside::sim::{Network, Simulation};
/// let simulation = Simulation::new(&Network::infiniband_2009(), 2);
/// let times = farside::simulate_with(simulation, |world| {
///     world.barrier()?;
///     Ok(world.now())
/// })?;
/// assert!(times[0] > std::time::Duration::ZERO);
/// # Ok::<(), farside::Error>(())
/// ```
#[cfg(feature = "sim")]
#[track_caller]
pub fn simulate_with<R>(
    simulation: farside_fabric_sim::Simulation,
    program: impl Fn(&World) -> Result<R>,
) -> Result<Vec<R>> {
    if watch::is_wanted() {
        return check::as_error(check::simulate_with(simulation, program)?);
    }
    in_process::simulate_under(simulation, program, None, Location::caller())
}

/// Runs a program on so many ranks that are threads of this process and share its memory, and gives what each of them
/// returned.
///
/// # Errors
/// The error of the lowest rank that failed by itself, and not because another one was lost.
///
/// # Panics
/// A rank panicked.
///
/// ```
/// let ranks = farside::threads(2, |world| {
///     world.barrier()?;
///     Ok(world.rank())
/// })?;
/// assert_eq!(ranks, [0, 1]);
/// # Ok::<(), farside::Error>(())
/// ```
#[cfg(feature = "shm")]
#[track_caller]
pub fn threads<R: Send>(ranks: u32, program: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    if watch::is_wanted() {
        return check::as_error(check::threads(ranks, program)?);
    }
    in_process::threads_under(ranks, program, None, Location::caller())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Rank};

    #[test]
    #[cfg(feature = "sim")]
    fn the_error_of_a_rank_is_that_of_the_run() {
        let wrong = |world: &World| -> Result<Rank> {
            if world.rank() == 1 {
                return world.world_rank(7);
            }
            world.barrier()?;
            Ok(0)
        };
        assert_eq!(
            simulate(3, wrong),
            Err(Error::RankOutOfRange { rank: 7, size: 3 })
        );
        #[cfg(feature = "shm")]
        assert_eq!(threads(3, wrong), Err(Error::RankOutOfRange { rank: 7, size: 3 }));
    }

    #[test]
    #[cfg(feature = "sim")]
    fn who_waits_for_nobody_is_told() {
        let result = simulate(2, |world| {
            if world.rank() == 0 {
                world.barrier()
            } else {
                Ok(())
            }
        });
        assert!(matches!(result, Err(Error::Mismatch { .. })), "{result:?}");
    }
}
