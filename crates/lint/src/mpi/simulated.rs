//! How [`farside_calls`] reads a call in the memory of a simulated process.

use crate::communicator::Comm;
use crate::handles::DataType;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::site::Site;
use farside_calls::abi::Numbers;
use farside_calls::arguments::{Arguments, Datatype, Window};
use farside_calls::signature::{Role, Signature};
use farside_events::{AccumulateOp, Rank, TypeId, WinId};

/// A call in the memory of its process.
pub(super) struct Simulated<'c, 'm> {
    pub(super) job: &'c mut Job<'m>,
    pub(super) site: &'c Site,
    pub(super) call: &'c Invocation,
}

/// A window that is known.
#[derive(Clone, Debug)]
pub(super) struct KnownWindow {
    id: WinId,
    comm: Comm,
}

impl Arguments for Simulated<'_, '_> {
    type Window = KnownWindow;
    type Datatype = DataType;

    fn signature(&self) -> &'static Signature {
        self.call.procedure().signature()
    }

    fn numbers(&self) -> &Numbers {
        self.job.abi.numbers
    }

    fn int(&self, role: Role) -> i32 {
        self.call[role].signed32()
    }

    /// Nothing is the least: MPI refuses a negative count, and the simulation moves nothing.
    fn count(&self, role: Role) -> i64 {
        self.job.number(self.call[role]).max(0)
    }

    fn aint(&self, role: Role) -> i64 {
        self.call[role].bits.cast_signed()
    }

    fn address(&self, role: Role) -> u64 {
        self.call[role].bits
    }

    fn window(&self) -> Option<KnownWindow> {
        let id = self.job.window(self.site, self.call[Role::Window].bits)?;
        let comm = self.job.windows.get(id)?.comm().clone();
        Some(KnownWindow { id, comm })
    }

    fn datatype(&mut self, role: Role) -> Option<DataType> {
        Some(self.job.datatype(self.site, self.call[role].bits))
    }

    fn operator(&self) -> AccumulateOp {
        self.job.abi.operator(self.call[Role::Operator].bits)
    }

    fn group(&self) -> Vec<Rank> {
        self.job.group_ranks(self.site, self.call[Role::Group].bits)
    }
}

impl Window for KnownWindow {
    fn id(&self) -> WinId {
        self.id
    }

    fn peer(&self, rank: i32) -> Option<Rank> {
        let place = usize::try_from(rank).ok()?;
        self.comm.peers().get(place).copied().map(Rank)
    }
}

impl Datatype for DataType {
    fn id(&self) -> TypeId {
        self.id
    }

    fn size(&self) -> u64 {
        self.map.size()
    }
}
