//! `fence-imm-ri`: every put is a write with immediate, of which the target's adapter makes a notification.
//!
//! Source: paper 002, section 3.2.3 and Fig. 5.
//!
//! ```text
//! origin                 target                 others
//!   |-- put, immediate -->| notification           |      as they are called
//!   |                     |                        |      the origin waits for local completion
//!   |== allreduce ========|========================|      numbers of puts, an element for each rank
//!   |                     | takes so many          |
//!   |== barrier ==========|========================|      the next epoch
//! ```
//!
//! A notification uses up a receive descriptor, which its target gives back when it takes the notification. Thousands
//! of puts without a fence use up all (the paper's "Preposting Receive Descriptors"): then the adapter of the origin
//! tries again and again, and two ranks that wait for one another's descriptors wait for ever. So a rank takes
//! notifications whenever it waits for anything, in every call of the library ([`Serve`]), and now and then while it
//! puts.
//!
//! Needs immediates. Messages a rank: log2 n of n elements each, for the sums; and the barrier's.

use super::way::Way;
use super::{Fence, FenceDesign, Next, exchange};
use crate::endpoint::{Core, Serve};
use crate::flags::Meeting;
use crate::notify;
use crate::window::core::WindowCore;
use crate::{Error, Result};
use farside_fabric::Signal;
use std::cell::Cell;
use std::rc::Rc;

/// See the module.
pub(crate) struct ImmRi {
    /// The number that puts carry.
    immediate: u32,
    slot: u8,
    /// Notifications until the last fence, modulo 2^32.
    taken: Cell<u32>,
    /// Lives as long as the design.
    _drain: Rc<dyn Serve>,
}

impl ImmRi {
    /// # Errors
    /// The window has no number that an immediate could carry.
    pub(crate) fn new(window: &WindowCore) -> Result<Self> {
        let (Some(slot), Some(immediate)) = (window.slot, notify::fence_mark(window)) else {
            return Err(Error::Unsupported {
                what: Fence::ImmRi.name(),
                reason: "256 windows have the numbers that immediates can carry".to_owned(),
            });
        };
        let drain: Rc<dyn Serve> = Rc::new(Drain {
            shift: notify::shift(window),
        });
        window.core().serve_with(&drain);
        Ok(Self {
            immediate,
            slot,
            taken: Cell::new(window.core().mailbox.fence_puts(slot)),
            _drain: drain,
        })
    }
}

/// Takes notifications in, whenever this rank waits.
struct Drain {
    shift: u32,
}

impl Serve for Drain {
    fn serve(&self, core: &Core) -> Result<()> {
        core.mailbox.take_notifications(core.fabric(), self.shift)
    }
}

impl FenceDesign for ImmRi {
    fn fence(&self) -> Fence {
        Fence::ImmRi
    }

    fn way(&self) -> Way {
        Way::Recorded(Signal::Immediate(self.immediate))
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        window.meet(meeting)
    }

    fn complete(&self, window: &WindowCore, _: Meeting) -> Result<Next> {
        let (core, group) = (window.core(), &window.group);
        let targets = window.record.take();
        window.complete_unsignalled()?;
        let mut counts = exchange::dense(group.size(), &targets, |puts| puts)?;
        exchange::allreduce(group, &mut counts)?;
        let expected = self.taken.get().wrapping_add(counts[group.rank() as usize]);
        // No put of the next epoch comes before the barrier, so there are never more.
        core.wait(|| Ok(core.mailbox.fence_puts(self.slot) == expected))?;
        self.taken.set(expected);
        Ok(Next::ToBegin)
    }
}
