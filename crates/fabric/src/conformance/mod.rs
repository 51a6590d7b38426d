//! The suite that every transport passes.
//!
//! Each check is a function that all ranks of a job call, each with its own endpoint. How ranks are run, as threads or
//! as processes, is the caller's affair: every rank calls [`run`], and a failure at any of them is a failure. No check
//! waits for ever: a rank that fails leaves the others to their time limits.
//!
//! Checks ask [`Capabilities`](crate::Capabilities) what is promised, and test just that; what is not promised and not
//! refused is a failure as well.

mod arithmetic;
mod atomicity;
mod completion;
mod death;
mod locked;
mod message;
mod notification;
mod ordering;
mod region;
mod rig;
mod transfer;

use crate::{Error, Fabric};
pub use death::lose;
pub use rig::{Rig, Shared};
use std::time::Duration;

/// How far the checks go.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Longest a wait may take.
    pub limit: Duration,
    /// Repetitions of what may go wrong now and then.
    pub rounds: u32,
    /// Bytes of the largest transfer.
    pub large: usize,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            limit: Duration::from_secs(60),
            rounds: 200,
            large: 48 << 20,
        }
    }
}

/// A check did not pass.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A call failed that should not have.
    #[error(transparent)]
    Fabric(#[from] Error),
    /// What came is not what was promised.
    #[error("{0}")]
    Wrong(String),
}

/// What a check gives.
pub type Checked = Result<(), Failure>;

/// A check.
#[derive(Clone, Copy)]
pub struct Check {
    /// What it checks, as a sentence.
    pub name: &'static str,
    /// It needs so many ranks.
    pub ranks: u32,
    /// All ranks call this.
    pub run: fn(&Rig<'_>) -> Checked,
}

/// All checks.
#[must_use]
pub fn checks() -> Vec<Check> {
    [
        region::CHECKS,
        completion::CHECKS,
        transfer::CHECKS,
        atomicity::CHECKS,
        locked::CHECKS,
        message::CHECKS,
        notification::CHECKS,
        ordering::CHECKS,
    ]
    .concat()
}

/// Runs all checks that the job has ranks for, of which the name contains `filter`; says how many. All ranks call it
/// with the same arguments. `began` gets the name of each.
///
/// # Errors
/// The first check that fails at this rank, with its name.
pub fn run(
    fabric: &dyn Fabric,
    extent: Extent,
    filter: &str,
    began: &mut dyn FnMut(&str),
) -> Result<usize, Failure> {
    let rig = Rig::new(fabric, extent);
    let mut number = 0;
    for check in checks() {
        if check.ranks > fabric.size() || !check.name.contains(filter) {
            continue;
        }
        began(check.name);
        (check.run)(&rig)
            .and_then(|()| Ok(rig.barrier()?))
            .map_err(|failure| {
                Failure::Wrong(format!(
                    "rank {} of {}: {}: {failure}",
                    fabric.rank(),
                    fabric.size(),
                    check.name
                ))
            })?;
        number += 1;
    }
    Ok(number)
}

/// Fails with a message unless a condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err($crate::conformance::Failure::Wrong(format!($($message)+)));
        }
    };
}
use ensure;
