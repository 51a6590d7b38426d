//! Which cores each rank may use.

use rustix::thread::{CpuSet, sched_getaffinity};
use serde::{Deserialize, Serialize};

/// Whether ranks are bound to cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pinning {
    /// Each rank gets cores of its own, if there are enough.
    #[default]
    WherePossible,
    /// Each rank gets cores of its own, or one core in turn if there are more ranks.
    Always,
    /// All ranks run on all cores.
    Never,
}

/// The cores of a rank, out of those that this process may use; empty: as this process.
///
/// With enough cores each rank gets an equal share of neighbours. With too few, [`Pinning::Always`] gives them out in
/// turn.
pub(crate) fn of_rank(rank: u32, ranks: u32, pinning: Pinning) -> Vec<usize> {
    match pinning {
        Pinning::Never => Vec::new(),
        Pinning::WherePossible => share(&allowed(), rank, ranks, false),
        Pinning::Always => share(&allowed(), rank, ranks, true),
    }
}

fn allowed() -> Vec<usize> {
    // Without an answer nothing is pinned.
    let set = sched_getaffinity(None).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

fn share(cores: &[usize], rank: u32, ranks: u32, forced: bool) -> Vec<usize> {
    let (rank, ranks) = (rank as usize, ranks as usize);
    if ranks > 1 && ranks <= cores.len() {
        return cores[rank * cores.len() / ranks..(rank + 1) * cores.len() / ranks].to_vec();
    }
    if forced && ranks > cores.len() && !cores.is_empty() {
        return vec![cores[rank % cores.len()]];
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enough_cores_are_shared_out_whole() {
        let cores = [0, 2, 4, 6, 8];
        assert_eq!(share(&cores, 0, 2, false), [0, 2]);
        assert_eq!(share(&cores, 1, 2, false), [4, 6, 8]);
        let all: Vec<usize> = (0..3).flat_map(|rank| share(&cores, rank, 3, false)).collect();
        assert_eq!(all, cores);
    }

    #[test]
    fn too_few_cores_are_given_out_on_demand_only() {
        assert!(share(&[0, 1], 2, 3, false).is_empty());
        assert_eq!(share(&[0, 1], 2, 3, true), [0]);
        // One rank has nobody to be kept apart from.
        assert!(share(&[0, 1], 0, 1, true).is_empty());
        assert!(share(&[], 0, 2, true).is_empty());
    }
}
