//! `fence-imm-opt`: operations at once, a finish message to each target, a barrier.
//!
//! Source: paper 002, section 3.2.2 and Fig. 4.
//!
//! ```text
//! origin                 target                 others
//!   |-- put ------------->|                        |      as they are called
//!   |-- finish ---------->|                        |      on each channel that a put used
//!   |== reduce-scatter ===|========================|      how many finish messages come
//!   |                     | waits for them         |
//!   |== barrier ==========|========================|      the next epoch
//! ```
//!
//! Needs that a message does not overtake the puts before it. Messages a rank: its targets, and twice ceil(log2 n).

use super::way::Way;
use super::{Fence, FenceDesign, Next, imm_naive};
use crate::Result;
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use farside_fabric::Signal;

/// See the module.
#[derive(Debug)]
pub(crate) struct ImmOpt;

impl FenceDesign for ImmOpt {
    fn fence(&self) -> Fence {
        Fence::ImmOpt
    }

    fn way(&self) -> Way {
        Way::Recorded(Signal::None)
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        window.meet(meeting)
    }

    fn complete(&self, window: &WindowCore, _: Meeting) -> Result<Next> {
        imm_naive::finish(window)?;
        Ok(Next::ToBegin)
    }
}
