//! Which judge has the memory of which process.

use farside_events::Rank;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// For every rank the number of its judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owners {
    judges: u32,
    ranks: Arc<[u32]>,
}

impl Owners {
    /// Splits so many ranks among judges, as evenly as they can be; ranks of one host, as `host` says, stay together
    /// where they can. There are never more judges than ranks, and always one.
    #[must_use]
    pub fn new(ranks: u32, judges: usize, host: impl Fn(Rank) -> u32) -> Self {
        let judges = u32::try_from(judges).unwrap_or(u32::MAX).clamp(1, ranks.max(1));
        let mut order: Vec<u32> = (0..ranks).collect();
        order.sort_by_key(|rank| host(Rank(*rank)));
        let mut of = vec![0; ranks as usize];
        for (place, rank) in (0_u64..).zip(order) {
            of[rank as usize] = (place * u64::from(judges) / u64::from(ranks)) as u32;
        }
        Self {
            judges,
            ranks: of.into(),
        }
    }

    /// For each rank the number of its judge; there are as many as the greatest number says, and at least one.
    #[must_use]
    pub fn of_ranks(ranks: Vec<u32>) -> Self {
        Self {
            judges: ranks.iter().max().map_or(1, |last| last.saturating_add(1)),
            ranks: ranks.into(),
        }
    }

    /// How many judges there are.
    #[must_use]
    pub fn judges(&self) -> usize {
        self.judges as usize
    }

    /// The judge of a process; the first, if it is none of the job.
    #[must_use]
    pub fn of(&self, rank: Rank) -> u32 {
        self.ranks.get(rank.0 as usize).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_a_host_stay_together() {
        let owners = |ranks, judges, hosts: u32| {
            let owners = Owners::new(ranks, judges, |rank| rank.0 % hosts);
            (0..ranks).map(|rank| owners.of(Rank(rank))).collect::<Vec<_>>()
        };
        assert_eq!(owners(5, 2, 1), [0, 0, 0, 1, 1]);
        assert_eq!(owners(4, 2, 2), [0, 1, 0, 1]);
        assert_eq!(owners(2, 5, 1), [0, 1]);
        assert_eq!(Owners::new(0, 3, |_| 0).judges(), 1);
    }
}
