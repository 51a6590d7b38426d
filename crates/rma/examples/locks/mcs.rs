//! The lock of Mellor-Crummey and Scott over one-sided operations (Hoefler et al. 2014, section 4.3).
//!
//! Those who wait form a list. Each polls a word of its own memory, which the one before writes when it leaves: nobody
//! polls across the network.

use farside::{LockAllEpoch, Operation, Rank, Result};

/// Words of a rank in the window: who comes after it, whether it must wait, and at rank 0 the end of the list.
pub(crate) const WORDS: usize = 3;
const NEXT: usize = 0;
const WAITS: usize = 1;
const TAIL: usize = 2;

/// Ranks are stored as rank + 1; 0 is nobody.
const NOBODY: u64 = 0;

/// The lock as seen by a rank, in an epoch on a window of [`WORDS`] words a rank.
pub(crate) struct McsLock<'scope, 'env> {
    epoch: &'scope LockAllEpoch<'scope, 'env, u64>,
    me: Rank,
}

impl<'scope, 'env> McsLock<'scope, 'env> {
    /// For the rank that calls.
    pub(crate) fn new(epoch: &'scope LockAllEpoch<'scope, 'env, u64>, me: Rank) -> Self {
        Self { epoch, me }
    }

    /// Waits for the lock.
    pub(crate) fn acquire(&self) -> Result<()> {
        let (epoch, me) = (self.epoch, self.me);
        epoch.fetch(Operation::Replace, NOBODY, me, NEXT)?.wait()?;
        epoch.fetch(Operation::Replace, 1, me, WAITS)?.wait()?;
        epoch.flush(me)?;
        let before = epoch
            .fetch(Operation::Replace, u64::from(me) + 1, 0, TAIL)?
            .wait()?;
        if before == NOBODY {
            return Ok(());
        }
        let before = before as Rank - 1;
        epoch
            .fetch(Operation::Replace, u64::from(me) + 1, before, NEXT)?
            .wait()?;
        epoch.flush(before)?;
        epoch.wait_until(WAITS, |waits| waits == 0)?;
        Ok(())
    }

    /// Gives the lock to the next one. What this rank put before must be complete at its target: flush first.
    pub(crate) fn release(&self) -> Result<()> {
        let (epoch, me) = (self.epoch, self.me);
        let alone = epoch.swap(u64::from(me) + 1, NOBODY, 0, TAIL)?.wait()? == u64::from(me) + 1;
        if alone {
            return epoch.flush(0);
        }
        // Somebody comes after this rank, and is about to say who.
        let next = epoch.wait_until(NEXT, |next| next != NOBODY)? as Rank - 1;
        epoch.fetch(Operation::Replace, 0, next, WAITS)?.wait()?;
        epoch.flush(next)
    }
}
