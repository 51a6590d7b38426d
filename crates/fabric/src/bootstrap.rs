//! How ranks find one another before a transport connects them: a few bytes by name.

use crate::{Rank, Result};
use std::sync::Arc;

/// Names and bytes that the ranks of a job share while it starts (as PMI and PMIx offer it).
pub trait Bootstrap: Send + Sync {
    /// The own rank.
    fn rank(&self) -> Rank;

    /// Number of ranks of the job.
    fn size(&self) -> u32;

    /// A name of the job that no other job on the machines has now; letters, digits, `-` and `.` only.
    fn job(&self) -> &str;

    /// Publishes bytes under a name, to be seen by others after the next [`Bootstrap::fence`]. A name of a rank is
    /// given once.
    ///
    /// # Errors
    /// The launcher is gone, or a limit of it was reached.
    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()>;

    /// What `rank` published under a name, waiting for a rank that has not yet where the launcher can wait.
    ///
    /// # Errors
    /// Nothing was published before the last fence, or the launcher is gone.
    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>>;

    /// Waits for all ranks.
    ///
    /// # Errors
    /// The launcher is gone, or a rank is lost.
    fn fence(&self) -> Result<()>;

    /// Says to the launcher that this rank ends as it should.
    ///
    /// # Errors
    /// The launcher is gone.
    fn finish(&self) -> Result<()>;

    /// A rank that the launcher knows to have ended, if it watches. Cheap: asked in every waiting loop now and then.
    fn lost(&self) -> Option<Rank>;

    /// Says to the launcher that another rank has ended before its time, as this one has seen. Whoever fails for a loss
    /// says so first: then the launcher knows who failed first, however late it looks. Does not wait; told twice is
    /// told once.
    fn tell_lost(&self, _rank: Rank) {}

    /// Whether all ranks that are not lost say yes: waits until each has called this, is lost, or has finished, and
    /// gives all that called the same answer. Who calls [`Bootstrap::shrink`] instead says no. `None` as there.
    ///
    /// # Errors
    /// As for [`Bootstrap::shrink`].
    fn agree(&self, yes: bool) -> Result<Option<bool>> {
        let _ = yes;
        Ok(None)
    }

    /// Leaves this job for a smaller one, of the ranks that are not lost: waits until each rank has called this, is
    /// lost, or has finished, and gives all that called the same answer. `None`: the launcher does not see ranks end,
    /// so nobody could say whose call is still to come.
    ///
    /// # Errors
    /// The launcher is gone, or takes this rank for lost.
    fn shrink(&self) -> Result<Option<Shrunk>> {
        Ok(None)
    }
}

/// What is left of a job that lost ranks.
pub struct Shrunk {
    /// The job of those that are left, which the own rank has joined. Nothing of the former one is in it.
    pub bootstrap: Arc<dyn Bootstrap>,
    /// By its rank, the rank that each had before; in the same order.
    pub former: Vec<Rank>,
}
