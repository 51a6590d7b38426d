//! A call of a simulated process, with the arguments of the C binding; and how [`farside_calls`] reads it.

use crate::handles::{Comm, DataType};
use crate::job::Job;
use crate::site::Site;
use crate::value::Scalar;
use farside_calls::abi::Numbers;
use farside_calls::arguments::{Arguments, Datatype, Window};
use farside_calls::mpi::Procedure;
use farside_calls::signature::{Role, Signature};
use farside_events::{AccumulateOp, Rank, TypeId, WinId};
use std::ops::Index;

/// No procedure that is followed has more arguments.
const MOST: usize = 13;

/// A call. Arguments are found by their roles, or by their places where the table has no roles.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    procedure: Procedure,
    arguments: [Scalar; MOST],
}

impl Invocation {
    /// A call with these arguments; a call with too few of them is not MPI's, and is given zeros.
    pub(super) fn new(procedure: Procedure, given: &[Scalar]) -> Self {
        let mut arguments = [Scalar::default(); MOST];
        let count = given.len().min(MOST);
        arguments[..count].copy_from_slice(&given[..count]);
        Self { procedure, arguments }
    }

    pub(super) fn procedure(&self) -> Procedure {
        self.procedure
    }

    /// The name in C, of the form without large counts.
    pub(super) fn name(&self) -> &'static str {
        self.procedure.name()
    }

    /// Where the handle of its request is to be given; `None` if it gives none.
    pub(super) fn request(&self) -> Option<u64> {
        self.has(Role::Request).then(|| self[Role::Request].bits)
    }

    /// Whether an argument plays this role.
    pub(super) fn has(&self, role: Role) -> bool {
        self.procedure.signature().has(role)
    }
}

impl Index<usize> for Invocation {
    type Output = Scalar;

    fn index(&self, place: usize) -> &Scalar {
        &self.arguments[place]
    }
}

impl Index<Role> for Invocation {
    type Output = Scalar;

    fn index(&self, role: Role) -> &Scalar {
        let place = self.procedure.signature().place(role);
        &self.arguments[place.expect("the call has this role")]
    }
}

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
        self.call.procedure.signature()
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
        let comm = self.job.windows.get(&id)?.comm.clone();
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
