//! `fence-flush`: remote completion at the origin, then a barrier.
//!
//! Source: MPICH 4 and 5 (ch4: `MPIDIG_mpi_win_fence`), Open MPI (osc/rdma, osc/ucx), foMPI (Gerstenberger, Besta,
//! Hoefler: *Enabling highly scalable remote memory access programming with MPI-3 one sided*, SC 2013). Paper 002 knows
//! its first half, local completion and a barrier, and shows in Fig. 2 why that is wrong.
//!
//! ```text
//! origin                 target
//!   |-- put ------------->|
//!   |<------------- ack --|      the origin waits: one round trip
//!   |== barrier ==========|      log2 n flags: complete, and the next epoch has begun
//! ```
//!
//! Needs nothing: that acknowledged is visible, every transport promises.
//!
//! Where the transport says that a flag cannot overtake short puts to the same rank
//! ([`flush_before_flag`](farside_fabric::Fabric::flush_before_flag)), the acknowledgement of those to the partner of a
//! round is not waited for before its flag: over TCP two ranks then need one message each way, which has the puts and
//! the flag.

use super::way::Way;
use super::{Fence, FenceDesign, Next};
use crate::Result;
use crate::flags::Meeting;
use crate::window::core::WindowCore;

/// See the module.
#[derive(Debug)]
pub(crate) struct Flush;

impl FenceDesign for Flush {
    fn fence(&self) -> Fence {
        Fence::Flush
    }

    fn way(&self) -> Way {
        Way::Direct
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        window.meet(meeting)
    }

    fn complete(&self, window: &WindowCore, meeting: Meeting) -> Result<Next> {
        window.flush_and_meet(meeting)?;
        Ok(Next::Begun)
    }
}
