//! `fence-count`: puts are counted by the adapter of the target.
//!
//! Source: ours; the counters are libfabric's `FI_RMA_EVENT` (fi_cntr(3)) and Portals 4's counting events. As
//! `fence-imm-ri` without its two costs: a counter needs no receive descriptors, and a rank needs the sum for itself
//! only.
//!
//! ```text
//! origin                 target                 others
//!   |-- put, counted ---->| counter + 1            |      as they are called
//!   |                     |                        |      the origin waits for local completion
//!   |== reduce-scatter ===|========================|      numbers of puts
//!   |                     | waits for the counter  |
//!   |== barrier ==========|========================|      the next epoch
//! ```
//!
//! Needs counted puts. Messages a rank: ceil(log2 n), of n - 1 elements in all; and the barrier's.

use super::way::Way;
use super::{Fence, FenceDesign, Next, exchange};
use crate::Result;
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use farside_fabric::Signal;
use std::cell::Cell;

/// See the module.
pub(crate) struct Count {
    counter: Counter,
}

impl Count {
    pub(crate) fn new(window: &WindowCore) -> Result<Self> {
        Ok(Self {
            counter: Counter::new(window)?,
        })
    }
}

impl FenceDesign for Count {
    fn fence(&self) -> Fence {
        Fence::Count
    }

    fn way(&self) -> Way {
        Way::Recorded(Signal::Count)
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        window.meet(meeting)
    }

    fn complete(&self, window: &WindowCore, _: Meeting) -> Result<Next> {
        let group = &window.group;
        let targets = window.record.take();
        window.complete_unsignalled()?;
        let counts = exchange::dense(group.size(), &targets, |puts| puts)?;
        let expected = exchange::reduce_scatter(group, counts)?;
        self.counter.wait(window, u64::from(expected))?;
        Ok(Next::ToBegin)
    }
}

/// The counter of the puts to the window's own memory.
pub(super) struct Counter {
    /// Puts of all epochs until now, modulo 2^64.
    seen: Cell<u64>,
}

impl Counter {
    pub(super) fn new(window: &WindowCore) -> Result<Self> {
        Ok(Self {
            seen: Cell::new(window.fabric().arrivals(&window.exposed.region)?),
        })
    }

    /// Waits for so many more.
    pub(super) fn wait(&self, window: &WindowCore, more: u64) -> Result<()> {
        if more == 0 {
            return Ok(());
        }
        let expected = self.seen.get().wrapping_add(more);
        let (core, region) = (window.core(), &window.exposed.region);
        core.wait(|| {
            // More than that are of a next epoch that began without a barrier: the puts of this one were all flushed
            // then.
            Ok(core.fabric().arrivals(region)?.wrapping_sub(expected) as i64 >= 0)
        })?;
        self.seen.set(expected);
        Ok(())
    }
}
