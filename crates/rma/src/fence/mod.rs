//! Designs of the fence: how the ranks of a window learn that an epoch is complete, and that the next one has begun.
//!
//! | design | operations | remote completion | next epoch | source |
//! |---|---|---|---|---|
//! | [`deferred`] | queued, sent as messages by the fence | the last message of an origin says so | at once | paper 002, §3.1 |
//! | [`imm_naive`] | at once | a finish message to each target | a flag from each rank to each | paper 002, Fig. 3 |
//! | [`imm_opt`] | at once | a finish message to each target | barrier | paper 002, Fig. 4 |
//! | [`imm_ri`] | at once, puts with an immediate | notifications counted, allreduce of counts | barrier | paper 002, Fig. 5 |
//! | [`flush`] | at once | acknowledged to the origin | the same barrier | MPICH, Open MPI today |
//! | [`count`] | at once, puts counted | the adapter's counter, reduce-scatter of counts | barrier | ours |
//! | [`fold`] | at once, puts counted | as `count`, the counts ride on the barrier | that barrier, if no put was under way | ours |
//! | [`hierarchical`] | at once | acknowledged to the origin | barrier of nodes, and of their leaders | ours, the barrier MPICH's |
//! | [`neighbour`] | at once, puts counted | counts from each origin that may come | a word from each target | ours |
//! | `auto` | as the design that it chose | | | ours |
//!
//! Promise: after a fence, operations of the epoch are complete at their origins, and visible at the targets that have
//! left the fence; no operation of the next epoch takes effect at a rank before that rank has left the fence. So for
//! every design, on every transport that has what the design needs; on others it is refused ([`Fence::needs`]).
//!
//! Not promised: that the operations of *other* ranks are visible at third ones; MPI-4.1 §12.5.1 does not either.
//! Whoever would look has to get there by an epoch.

mod choice;
pub(crate) mod count;
pub(crate) mod deferred;
mod exchange;
pub(crate) mod flush;
pub(crate) mod fold;
pub(crate) mod hierarchical;
pub(crate) mod imm_naive;
pub(crate) mod imm_opt;
pub(crate) mod imm_ri;
pub(crate) mod neighbour;
#[cfg(all(test, feature = "sim"))]
mod overtaking;
pub(crate) mod record;
mod select;
pub(crate) mod told;
pub(crate) mod way;

pub use choice::Fence;
pub(crate) use select::{from_environment, make};

use crate::Result;
use crate::flags::Meeting;
use crate::window::core::WindowCore;
use told::Partners;
use way::Way;

/// What a fence has done besides completing its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The memory of all ranks may be accessed again.
    Begun,
    /// It may be accessed when [`FenceDesign::begin`] has returned.
    ToBegin,
}

/// A way to do a fence. The functions are collective over the window.
pub(crate) trait FenceDesign {
    /// Which it is.
    fn fence(&self) -> Fence;

    /// How the operations of an epoch are started.
    fn way(&self) -> Way;

    /// Returns when the memory of those to whom this rank has access may be accessed.
    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()>;

    /// Returns when the operations of this rank are complete locally, and those of others are visible here; all ranks,
    /// or all that have access to this one, have come here then.
    fn complete(&self, window: &WindowCore, meeting: Meeting) -> Result<Next>;

    /// The ranks to which an epoch gives access, sorted, and those that have access to this one; `None`: all.
    fn partners(&self) -> Option<Partners<'_>> {
        None
    }

    /// The design whose fences are done, if that is no trial.
    fn settled(&self) -> Option<Fence> {
        Some(self.fence())
    }

    /// What was chosen, and why.
    fn explain(&self) -> Option<String> {
        None
    }
}
