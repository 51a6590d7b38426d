//! `fence-imm-naive`: operations at once, a finish message to each target, a flag from each rank to each.
//!
//! Source: paper 002, section 3.2.1 and Fig. 3 (what MVAPICH2 did).
//!
//! ```text
//! origin                 target                 others
//!   |-- put ------------->|                        |      as they are called
//!   |-- finish ---------->|                        |      on each channel that a put used
//!   |== reduce-scatter ===|========================|      how many finish messages come
//!   |                     | waits for them         |
//!   |<- flag ------------>|<- flag --------------->|      n - 1 from each rank: the next epoch
//! ```
//!
//! Needs that a message does not overtake the puts before it. Messages a rank: its targets, ceil(log2 n), n - 1.

use super::way::Way;
use super::{Fence, FenceDesign, Next, exchange};
use crate::Result;
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use farside_fabric::Signal;

/// See the module.
#[derive(Debug)]
pub(crate) struct ImmNaive;

impl FenceDesign for ImmNaive {
    fn fence(&self) -> Fence {
        Fence::ImmNaive
    }

    fn way(&self) -> Way {
        Way::Recorded(Signal::None)
    }

    fn begin(&self, window: &WindowCore, _: Meeting) -> Result<()> {
        let group = &window.group;
        let call = group.next_call();
        let (me, size) = (group.rank(), group.size());
        for distance in 1..size {
            group.send_step::<u32>((me + distance) % size, call, &[])?;
        }
        exchange::receive_signs(window, call, size - 1)
    }

    fn complete(&self, window: &WindowCore, _: Meeting) -> Result<Next> {
        finish(window)?;
        Ok(Next::ToBegin)
    }
}

/// Completes an epoch by finish messages.
pub(super) fn finish(window: &WindowCore) -> Result<()> {
    let group = &window.group;
    let call = group.next_call();
    let targets = window.record.take();
    for &(target, _) in &targets {
        group.send_sign_along(target, call)?;
    }
    window.complete_unsignalled()?;
    let marks = exchange::dense(group.size(), &targets, |_| 1)?;
    let origins = exchange::reduce_scatter(group, marks)?;
    exchange::receive_signs(window, call, origins)
}
