//! A call in progress, as its meaning reads it: arguments by role, and what its process knows of the objects that
//! they name.
//!
//! Two places implement it: the registers and stack of a process that runs (`interpose`), and the memory of a
//! simulated one (`lint`). Promise to those: a meaning asks for roles that the call's [`Signature`] has, and for no
//! others.

use crate::abi::Numbers;
use crate::communicator::Communicator;
use crate::datatype::{Datatype, Elements};
use crate::signature::{Role, Signature};
use farside_events::{AccumulateOp, Rank, WinId};
use std::sync::Arc;

/// One call in progress.
pub trait Arguments {
    /// What the process knows of a window.
    type Window: Window;
    /// What it knows of a communicator.
    type Communicator: Communicator;

    /// The call's signature.
    fn signature(&self) -> &'static Signature;
    /// An `int`.
    fn int(&self, role: Role) -> i32;
    /// An `int`, or `MPI_Count` in the form with large counts.
    fn count(&self, role: Role) -> i64;
    /// An `MPI_Aint`.
    fn aint(&self, role: Role) -> i64;
    /// Where in a window's memory at the target: `target_disp`, in its units.
    fn displacement(&self, window: &Self::Window) -> i64;
    /// The address of a buffer; 0 for `MPI_BOTTOM` and `MPI_IN_PLACE`.
    fn address(&self, role: Role) -> u64;
    /// Whether what is to be sent lies in the receive buffer already, as this argument says (`MPI_IN_PLACE`).
    fn is_in_place(&self, role: Role) -> bool;
    /// Whether the root that the call names is this process, in a communicator of two groups (`MPI_ROOT`).
    fn is_root_of_other_group(&self) -> bool;
    /// Element `k` of an array of `int`, or of `MPI_Count` in the form with large counts.
    fn element_count(&self, role: Role, k: usize) -> i64;
    /// Element `k` of an array of `MPI_Aint`.
    fn element_aint(&self, role: Role, k: usize) -> i64;
    /// The communicator of [`Role::Communicator`]; `None` for the null handle and for one that is not known.
    fn communicator(&mut self) -> Option<Self::Communicator>;
    /// The window of [`Role::Window`]; `None` for one that is not known.
    fn window(&self) -> Option<Self::Window>;
    /// A datatype: the argument of this role, or what the call is for by its name (`shmem_int_put`). `None` for the
    /// null handle.
    fn datatype(&mut self, role: Role) -> Option<Arc<Datatype>>;
    /// Element `k` of an array of datatypes; `None` for the null handle.
    fn element_datatype(&mut self, role: Role, k: usize) -> Option<Arc<Datatype>>;
    /// The operator of [`Role::Operator`].
    fn operator(&self) -> AccumulateOp;
    /// The members of [`Role::Group`], as ranks of the world.
    fn group(&self) -> Vec<Rank>;
}

/// One call of MPI in progress.
pub trait OfMpi: Arguments {
    /// The constants of the library that is called.
    fn numbers(&self) -> &Numbers;
    /// Whether the program gives this argument the value that it has here: a simulation also has values that stand for
    /// others.
    fn is_given(&self, role: Role) -> bool;
    /// What is known of the datatype of this role.
    fn standing(&self, role: Role) -> Standing;
    /// Whether [`Role::Window`] is no window: `MPI_WIN_NULL`, say.
    fn has_no_window(&self) -> bool;
}

/// The elements at three roles: address, count (one element where the call has none), datatype; `None` if that is not
/// known.
pub fn elements<A: Arguments>(call: &mut A, [address, count, datatype]: [Role; 3]) -> Option<Elements> {
    Some(Elements {
        address: call.address(address),
        count: match call.signature().has(count) {
            true => call.count(count),
            false => 1,
        },
        datatype: call.datatype(datatype)?,
    })
}

/// What is known of a datatype that a call names, whatever it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It may be used in communication, as far as is known.
    Usable,
    /// `MPI_DATATYPE_NULL`.
    Null,
    /// It was made, and not committed (MPI-4.1 §5.1.9).
    NotCommitted,
}

/// What a meaning asks of a window.
pub trait Window {
    /// Its identity.
    fn id(&self) -> WinId;
    /// The process of a rank in its group; `None` for `MPI_PROC_NULL` and for no rank.
    fn peer(&self, rank: i32) -> Option<Rank>;
    /// How many processes its group has.
    fn processes(&self) -> u32;
}

impl<T: Window> Window for Arc<T> {
    fn id(&self) -> WinId {
        T::id(self)
    }

    fn peer(&self, rank: i32) -> Option<Rank> {
        T::peer(self, rank)
    }

    fn processes(&self) -> u32 {
        T::processes(self)
    }
}
