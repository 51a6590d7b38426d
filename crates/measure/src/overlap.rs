//! Overlap: how much computation fits between a put and its fence before the epoch takes longer (paper 002, §4.2.1).

use crate::programs::{Epochs, epochs, microseconds};
use farside::{Fence, Operation, Result, World};
use std::time::Duration;

/// Lengths of the put, in bytes.
pub const SIZES: [usize; 6] = [1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// An epoch may take so much longer than one without computation.
const TOLERANCE: f64 = 1.05;

/// Steps of the bisection: the result is exact to 1 % or so.
const STEPS: u32 = 7;

/// Computation that can be inserted, in hundredths of the time of an epoch without it: the largest for which the median epoch
/// takes at the most 5 % longer. The same at all ranks.
///
/// # Errors
/// The transport refuses the design, or a rank is lost.
pub fn percent(world: &World, fence: Fence, bytes: usize) -> Result<f64> {
    let samples = if world.capabilities().virtual_time { 3 } else { 101 };
    let time = |share: f64, base: f64| -> Result<f64> {
        let mut what = Epochs::single(bytes);
        what.compute = Duration::from_secs_f64(base * share * 1e-6);
        let mut times = epochs(world, fence, &what, samples, Duration::ZERO)?;
        times.sort_by(f64::total_cmp);
        // In nanoseconds, that of the slowest rank.
        let mut median = [(times[times.len() / 2] * 1e3) as u64];
        world.allreduce(Operation::Max, &mut median)?;
        Ok(microseconds(Duration::from_nanos(median[0])))
    };
    let base = time(0.0, 0.0)?;
    let (mut fits, mut exceeds) = (0.0, 1.0);
    if time(exceeds, base)? <= TOLERANCE * base {
        return Ok(100.0);
    }
    for _ in 0..STEPS {
        let middle = f64::midpoint(fits, exceeds);
        if time(middle, base)? <= TOLERANCE * base {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    Ok(100.0 * fits)
}
