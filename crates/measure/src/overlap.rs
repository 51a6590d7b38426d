//! Overlap: how much computation fits between a put and its fence before the epoch takes longer (paper 002, §4.2.1).

use crate::epochs::Epochs;
use crate::programs::{Pace, epochs, microseconds};
use farside::{Fence, Operation, Result, World};
use std::time::Duration;

/// Lengths of the put, in bytes.
pub const SIZES: [usize; 6] = [1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// An epoch may take so much longer than one without computation.
const TOLERANCE: f64 = 1.05;

/// Steps of the bisection: the result is exact to 1 % or so.
const STEPS: u32 = 7;

/// Overlap of a design at one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// As the paper measures it: computation that can be inserted, in hundredths of the time of an epoch without it.
    pub of_latency: f64,
    /// The same computation, in hundredths of what the put adds to an empty fence, 100 at the most: of the latency, a
    /// fence's own messages are a part that nothing can hide, since no rank may leave before all have come. `None`: the
    /// put adds less than a tenth, and the share would be noise.
    pub of_transfer: Option<f64>,
}

impl Overlap {
    /// From the time of an epoch, that of an empty one, and the computation that fits.
    fn new(base: f64, empty: f64, fits: f64) -> Self {
        let transfer = base - empty;
        Self {
            of_latency: 100.0 * fits / base,
            of_transfer: (transfer > 0.1 * base).then(|| (100.0 * fits / transfer).min(100.0)),
        }
    }
}

/// Computation that can be inserted until the median epoch takes more than 5 % longer, by bisection; the same at all
/// ranks. All ranks put and compute, or, `one_way`, rank 0 alone: then the processor of its target is free to move the
/// bytes.
///
/// # Errors
/// The transport refuses the design, or a rank is lost.
pub fn overlap(world: &World, fence: Fence, bytes: usize, one_way: bool) -> Result<Overlap> {
    let pace = Pace {
        samples: if world.capabilities().virtual_time { 9 } else { 101 },
        budget: Duration::from_millis(200),
    };
    let median = |what: &Epochs| -> Result<f64> {
        let mut times = epochs(world, fence, what, pace, Duration::ZERO)?;
        times.sort_by(f64::total_cmp);
        // In nanoseconds, that of the slowest rank.
        let mut median = [(times[times.len() / 2] * 1e3) as u64];
        world.allreduce(Operation::Max, &mut median)?;
        Ok(microseconds(Duration::from_nanos(median[0])))
    };
    let with = |computation: f64| {
        let mut what = Epochs::single(bytes);
        if one_way {
            what = what.one_way();
        }
        what.compute = Duration::from_secs_f64(computation * 1e-6);
        median(&what)
    };
    let empty = median(&Epochs::empty())?;
    let base = with(0.0)?;
    let (mut fits, mut exceeds) = (0.0, base);
    if with(exceeds)? <= TOLERANCE * base {
        return Ok(Overlap::new(base, empty, base));
    }
    for _ in 0..STEPS {
        let middle = f64::midpoint(fits, exceeds);
        if with(middle)? <= TOLERANCE * base {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    Ok(Overlap::new(base, empty, fits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside::sim::{Network, Simulation};

    #[test]
    fn shares_are_of_the_epoch_and_of_what_the_put_adds() {
        let overlap = Overlap::new(100.0, 20.0, 60.0);
        assert_eq!((overlap.of_latency, overlap.of_transfer), (60.0, Some(75.0)));
        assert_eq!(Overlap::new(100.0, 20.0, 90.0).of_transfer, Some(100.0));
        assert_eq!(Overlap::new(10.0, 9.5, 5.0).of_transfer, None);
    }

    #[test]
    fn where_one_rank_puts_its_target_waits_and_the_transfer_hides_behind_computation() {
        let simulation = Simulation::new(&Network::infiniband_2009(), 2);
        let all = farside::simulate_with(simulation, |world| overlap(world, Fence::Flush, 64 << 10, true));
        let found = all.expect("nobody dies")[0];
        assert!(found.of_transfer.is_some_and(|share| share >= 95.0), "{found:?}");
    }

    /// The paper's finding, and the aim for the immediate designs at 64 KiB.
    #[test]
    fn immediate_designs_hide_the_transfer_and_the_deferred_one_hides_nothing() {
        let at = |fence| {
            let simulation = Simulation::new(&Network::infiniband_2009(), 4);
            let all = farside::simulate_with(simulation, |world| overlap(world, fence, 64 << 10, false));
            all.expect("nobody dies")[0]
        };
        let deferred = at(Fence::Deferred);
        // What the tolerance lets through.
        assert!(deferred.of_latency < 6.0, "{deferred:?}");
        for fence in [
            Fence::ImmNaive,
            Fence::ImmOpt,
            Fence::ImmRi,
            Fence::Flush,
            Fence::Count,
        ] {
            let overlap = at(fence);
            assert!(overlap.of_latency > 65.0, "{fence}: {overlap:?}");
            assert!(
                overlap.of_transfer.is_some_and(|share| share >= 95.0),
                "{fence}: {overlap:?}"
            );
        }
    }
}
