//! The ranks of a node, as `shm` numbers them: by their place among themselves; and those elsewhere after them, for
//! losses only.

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Rank, Result};
use std::sync::Arc;

/// The ranks of the own node. A launcher of theirs, too.
pub(crate) struct Members {
    job: Arc<dyn Bootstrap>,
    /// By their number in the job, in order.
    ranks: Vec<Rank>,
}

impl Members {
    /// `ranks` is sorted, and has the own one.
    pub(crate) fn new(job: Arc<dyn Bootstrap>, ranks: Vec<Rank>) -> Self {
        Self { job, ranks }
    }

    /// The number in the node of a rank of the job that is there.
    pub(crate) fn inside(&self, rank: Rank) -> Option<Rank> {
        self.ranks.binary_search(&rank).ok().map(|at| at as Rank)
    }

    /// The number by which `shm` knows a rank of the job.
    pub(crate) fn known_as(&self, rank: Rank) -> Rank {
        self.inside(rank).unwrap_or(self.ranks.len() as Rank + rank)
    }

    /// The rank of the job that `shm` knows by a number.
    pub(crate) fn in_job(&self, known: Rank) -> Rank {
        let size = self.ranks.len() as Rank;
        self.ranks
            .get(known as usize)
            .copied()
            .unwrap_or_else(|| known - size)
    }
}

impl Bootstrap for Members {
    fn rank(&self) -> Rank {
        self.known_as(self.job.rank())
    }

    fn size(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn job(&self) -> &str {
        self.job.job()
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.job.publish(name, bytes)
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        self.job.lookup(self.in_job(rank), name)
    }

    /// Of the whole job.
    fn fence(&self) -> Result<()> {
        self.job.fence()
    }

    /// The job ends when both transports have.
    fn finish(&self) -> Result<()> {
        Ok(())
    }

    fn lost(&self) -> Option<Rank> {
        self.job.lost().map(|rank| self.known_as(rank))
    }

    fn tell_lost(&self, rank: Rank) {
        self.job.tell_lost(self.in_job(rank));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Job(u32);

    impl Bootstrap for Job {
        fn rank(&self) -> Rank {
            5
        }
        fn size(&self) -> u32 {
            self.0
        }
        fn job(&self) -> &str {
            "test"
        }
        fn publish(&self, _: &str, _: &[u8]) -> Result<()> {
            Ok(())
        }
        fn lookup(&self, rank: Rank, _: &str) -> Result<Vec<u8>> {
            Ok(vec![rank as u8])
        }
        fn fence(&self) -> Result<()> {
            Ok(())
        }
        fn finish(&self) -> Result<()> {
            Ok(())
        }
        fn lost(&self) -> Option<Rank> {
            Some(0)
        }
    }

    #[test]
    fn ranks_of_a_node_come_first_and_no_two_have_one_number() {
        let members = Members::new(Arc::new(Job(8)), vec![2, 5, 7]);
        assert_eq!((members.rank(), members.size()), (1, 3));
        assert_eq!(members.lookup(2, "any"), Ok(vec![7]));
        assert_eq!((members.inside(7), members.inside(3)), (Some(2), None));
        let mut known: Vec<Rank> = (0..8).map(|rank| members.known_as(rank)).collect();
        assert!((0..8).all(|rank| members.in_job(known[rank as usize]) == rank));
        known.sort_unstable();
        known.dedup();
        assert_eq!(known.len(), 8);
        assert_eq!(members.lost().map(|known| members.in_job(known)), Some(0));
    }
}
