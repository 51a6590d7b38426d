//! `fence-fold`: the numbers of puts ride on the messages of the barrier.
//!
//! Source: ours. A dissemination barrier (Hensgen, Finkel, Manber 1988) brings a word from each rank to each; the
//! numbers of puts, which concern a rank's targets only, travel along, so that what a fence tells grows with the number
//! of partners and not with that of ranks. Compare the sparse exchange of Hoefler, Siebert, Lumsdaine (*Scalable
//! communication protocols for dynamic sparse data exchange*, PPoPP 2010), which needs a barrier that goes on by
//! itself.
//!
//! ```text
//! origin                 target                 others
//!   |-- put, counted ---->| counter + 1            |      as they are called
//!   |== barrier, numbers =|========================|      all have come; who waits for how many puts;
//!   |                     |                        |      whether some rank has puts under way
//!   |                     | waits for the counter  |
//!   |== barrier ==========|========================|      the next epoch: only if there were such puts
//! ```
//!
//! An epoch without puts, or one that computed until its puts were acknowledged, costs one barrier; other designs of
//! the paper's kind cost two rounds of log2 n. Needs counted puts. Messages a rank: ceil(log2 n), and the barrier's if
//! puts were under way.

use super::count::Counter;
use super::way::Way;
use super::{Fence, FenceDesign, Next, exchange};
use crate::Result;
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use farside_fabric::Signal;

/// See the module.
pub(crate) struct Fold {
    counter: Counter,
}

impl Fold {
    pub(crate) fn new(window: &WindowCore) -> Result<Self> {
        Ok(Self {
            counter: Counter::new(window)?,
        })
    }
}

impl FenceDesign for Fold {
    fn fence(&self) -> Fence {
        Fence::Fold
    }

    fn way(&self) -> Way {
        Way::Recorded(Signal::Count)
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        window.meet(meeting)
    }

    fn complete(&self, window: &WindowCore, _: Meeting) -> Result<Next> {
        let targets = window.record.take();
        window.complete_unsignalled()?;
        let under_way = !targets.is_empty() && !window.fabric().is_flushed(window.scope)?;
        let (numbers, any) = exchange::route(&window.group, targets, under_way)?;
        let expected = numbers.iter().map(|&puts| u64::from(puts)).sum();
        self.counter.wait(window, expected)?;
        Ok(if any { Next::ToBegin } else { Next::Begun })
    }
}
