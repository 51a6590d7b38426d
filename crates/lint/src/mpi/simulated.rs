//! How [`farside_calls`] reads a call in the memory of a simulated process.

use crate::communicator::{Comm, Member};
use crate::invocation::Invocation;
use crate::job::Job;
use crate::site::Site;
use farside_calls::abi::Numbers;
use farside_calls::arguments::{Arguments, OfMpi, Window};
use farside_calls::datatype::Datatype;
use farside_calls::signature::{Role, Signature};
use farside_events::{AccumulateOp, Rank, WinId};
use std::sync::Arc;

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
    type Communicator = Member;

    fn signature(&self) -> &'static Signature {
        self.call.procedure().signature()
    }

    fn int(&self, role: Role) -> i32 {
        self.call[role].signed32()
    }

    /// A negative one, which MPI refuses, is one that the program computes; of a sample from outside, nothing is the least.
    fn count(&self, role: Role) -> i64 {
        let given = self.call[role];
        let count = self.job.number(given);
        if given.is_known() { count } else { count.max(0) }
    }

    fn aint(&self, role: Role) -> i64 {
        self.call[role].bits.cast_signed()
    }

    fn address(&self, role: Role) -> u64 {
        self.call[role].bits
    }

    fn is_in_place(&self, role: Role) -> bool {
        self.call[role].bits == self.job.abi.numbers.in_place
    }

    fn is_root_of_other_group(&self) -> bool {
        self.int(Role::Root) == self.job.abi.numbers.root
    }

    fn displacement(&self, _: &KnownWindow) -> i64 {
        self.aint(Role::TargetDisplacement)
    }

    fn element_count(&self, role: Role, k: usize) -> i64 {
        self.job.number_at(self.site, self.call[role].bits, k)
    }

    fn element_aint(&self, role: Role, k: usize) -> i64 {
        let at = self.call[role].bits.wrapping_add(8 * k as u64);
        self.job.memory(self.site.rank, at).load(at, 8).bits.cast_signed()
    }

    fn communicator(&mut self) -> Option<Member> {
        let comm = self.job.comm(self.site, self.call[Role::Communicator].bits)?;
        Some(Member::new(comm, self.site.rank))
    }

    fn window(&self) -> Option<KnownWindow> {
        let id = self.job.window(self.site, self.call[Role::Window].bits)?;
        let comm = self.job.windows.get(id)?.comm().clone();
        Some(KnownWindow { id, comm })
    }

    fn datatype(&mut self, role: Role) -> Option<Arc<Datatype>> {
        Some(self.job.datatype(self.site, self.call[role].bits))
    }

    fn element_datatype(&mut self, role: Role, k: usize) -> Option<Arc<Datatype>> {
        let width = self.job.abi.numbers.handle_size;
        let at = self.call[role].bits.wrapping_add(width * k as u64);
        let handle = self.job.handle_at(self.site, at);
        Some(self.job.datatype(self.site, handle))
    }

    fn operator(&self) -> AccumulateOp {
        self.job.abi.operator(self.call[Role::Operator].bits)
    }

    fn group(&self) -> Vec<Rank> {
        self.job.group_ranks(self.site, self.call[Role::Group].bits)
    }
}

impl OfMpi for Simulated<'_, '_> {
    fn numbers(&self) -> &Numbers {
        self.job.abi.numbers
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
