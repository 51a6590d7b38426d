//! How [`farside_calls`] reads a call in the memory of a simulated process.

use crate::communicator::{Comm, Member};
use crate::invocation::Invocation;
use crate::mpi::Mpi;
use farside_calls::abi::Numbers;
use farside_calls::arguments::{Arguments, OfMpi, Standing, Window};
use farside_calls::datatype::Datatype;
use farside_calls::signature::{Role, Signature};
use farside_events::{AccumulateOp, Rank, WinId};
use std::sync::Arc;

/// A call in the memory of its process.
pub(super) struct Simulated<'c, 'm, 'j> {
    mpi: &'c mut Mpi<'m, 'j>,
    call: &'c Invocation,
}

impl<'m, 'j> Mpi<'m, 'j> {
    /// A call, to be read.
    pub(super) fn read<'c>(&'c mut self, call: &'c Invocation) -> Simulated<'c, 'm, 'j> {
        Simulated { mpi: self, call }
    }
}

/// A window that is known.
#[derive(Clone, Debug)]
pub(super) struct KnownWindow {
    id: WinId,
    comm: Comm,
}

impl Arguments for Simulated<'_, '_, '_> {
    type Window = KnownWindow;
    type Communicator = Member;

    fn signature(&self) -> &'static Signature {
        self.call.procedure().signature()
    }

    fn int(&self, role: Role) -> i32 {
        self.call[role].signed32()
    }

    /// A negative one, which MPI refuses, is one that the program computes; of a sample from outside, nothing is the
    /// least.
    fn count(&self, role: Role) -> i64 {
        let given = self.call[role];
        let count = self.call.number(given);
        if given.is_known() { count } else { count.max(0) }
    }

    fn aint(&self, role: Role) -> i64 {
        self.call[role].bits.cast_signed()
    }

    fn address(&self, role: Role) -> u64 {
        self.call[role].bits
    }

    fn is_in_place(&self, role: Role) -> bool {
        self.call[role].bits == self.mpi.numbers().in_place
    }

    fn is_root_of_other_group(&self) -> bool {
        self.int(Role::Root) == self.mpi.numbers().root
    }

    fn displacement(&self, _: &KnownWindow) -> i64 {
        self.aint(Role::TargetDisplacement)
    }

    fn element_count(&self, role: Role, k: usize) -> i64 {
        self.mpi.number_at(self.call, self.call[role].bits, k)
    }

    fn element_aint(&self, role: Role, k: usize) -> i64 {
        let at = self.call[role].bits.wrapping_add(8 * k as u64);
        self.mpi.caller.long_at(at).cast_signed()
    }

    fn communicator(&mut self) -> Option<Member> {
        let comm = self.mpi.comm(self.call[Role::Communicator].bits)?;
        Some(Member::new(comm, self.mpi.caller.rank()))
    }

    fn window(&self) -> Option<KnownWindow> {
        let id = self.mpi.window(self.call[Role::Window].bits)?;
        let comm = self.mpi.library.windows.get(id)?.comm().clone();
        Some(KnownWindow { id, comm })
    }

    fn datatype(&mut self, role: Role) -> Option<Arc<Datatype>> {
        Some(self.mpi.datatype(self.call[role].bits))
    }

    fn element_datatype(&mut self, role: Role, k: usize) -> Option<Arc<Datatype>> {
        let width = self.mpi.numbers().handle_size;
        let at = self.call[role].bits.wrapping_add(width * k as u64);
        let handle = self.mpi.handle_at(at);
        Some(self.mpi.datatype(handle))
    }

    fn operator(&self) -> AccumulateOp {
        self.mpi.library.abi.operator(self.call[Role::Operator].bits)
    }

    fn group(&self) -> Vec<Rank> {
        self.mpi.group_ranks(self.call[Role::Group].bits)
    }
}

impl OfMpi for Simulated<'_, '_, '_> {
    fn numbers(&self) -> &Numbers {
        self.mpi.numbers()
    }

    /// A zero may be what code that was not given has overwritten.
    fn is_given(&self, role: Role) -> bool {
        let value = self.call[role];
        value.is_known() && (value.bits != 0 || !self.mpi.caller.may_miss_stores())
    }

    fn standing(&self, role: Role) -> Standing {
        let handle = self.call[role].bits;
        match self.mpi.library.abi.null("datatype") == handle {
            true => Standing::Null,
            false if self.mpi.caller.handles().is_uncommitted(handle) => Standing::NotCommitted,
            false => Standing::Usable,
        }
    }

    fn has_no_window(&self) -> bool {
        self.mpi.library.abi.null("win") == self.call[Role::Window].bits
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

    fn processes(&self) -> u32 {
        self.comm.peers().len() as u32
    }
}
