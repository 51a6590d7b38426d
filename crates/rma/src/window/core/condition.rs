//! Whether a window can still be used: threads that have contexts may find out that it cannot.

use crate::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

/// What has failed on a window.
#[derive(Default)]
pub(crate) struct Condition {
    broken: AtomicBool,
    /// Operations were not completed: their targets may still change.
    given_up: AtomicBool,
}

impl Condition {
    /// Refuses a window that an earlier call left in a state that nobody knows.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        refuse(&self.broken)
    }

    /// Refuses one on which operations may still be on their way.
    #[inline]
    pub(crate) fn check_completed(&self) -> Result<()> {
        refuse(&self.given_up)
    }

    /// A call failed midway.
    pub(crate) fn break_off(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Operations could not be completed.
    pub(crate) fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        self.break_off();
    }
}

// Relaxed: what threads with contexts write, the epoch reads when they have ended.
#[inline]
fn refuse(flag: &AtomicBool) -> Result<()> {
    match flag.load(Ordering::Relaxed) {
        true => Err(Error::Broken("window")),
        false => Ok(()),
    }
}
