//! `fence-hierarchical`: ranks of a node meet in shared memory, and one of each node meets those of the others.
//!
//! Source: the barrier for nodes of many ranks that MPICH has (`MPIR_Barrier_intra_smp`), after the remote completion
//! of [`flush`](super::flush).
//!
//! ```text
//! origin                 leader of its node     other leaders
//!   |-- put ------------------------------------->|   to whomever, as they are called
//!   |<------------------------------------- ack --|   the origin waits: one round trip
//!   |== node ==============|                      |   log2 k flags in shared memory
//!   |                      |== leaders ===========|   log2 m flags over the network
//!   |== node ==============|                      |   all have come: the next epoch has begun
//! ```
//!
//! Of n ranks on m nodes, m use the network, in log2 m rounds instead of log2 n; where ranks of a node share an
//! adapter, it carries one flag a round instead of k. Needs ranks that share nodes. Flags a rank: twice ceil(log2 k),
//! and ceil(log2 m) more of a leader; on one node, ceil(log2 k).

use super::way::Way;
use super::{Fence, FenceDesign, Next};
use crate::Result;
use crate::flags::Meeting;
use crate::window::core::WindowCore;

/// See the module.
#[derive(Debug)]
pub(crate) struct Hierarchical;

impl Hierarchical {
    /// Collective.
    pub(crate) fn new(window: &WindowCore) -> Result<Self> {
        window.group.nodes()?;
        Ok(Self)
    }
}

impl FenceDesign for Hierarchical {
    fn fence(&self) -> Fence {
        Fence::Hierarchical
    }

    fn way(&self) -> Way {
        Way::Direct
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        window.group.nodes()?.meet(meeting)
    }

    fn complete(&self, window: &WindowCore, meeting: Meeting) -> Result<Next> {
        window.flush_before_meeting()?;
        self.begin(window, meeting)?;
        Ok(Next::Begun)
    }
}
