//! A call in progress, as its meaning reads it: arguments by role, and what its process knows of the objects that they name.
//!
//! Two places implement it: the registers and stack of a process that runs (`interpose`), and the memory of a simulated one
//! (`lint`). Promise to those: a meaning asks for roles that the call's [`Signature`] has, and for no others.

use crate::abi::Numbers;
use crate::signature::{Role, Signature};
use farside_events::{AccumulateOp, Rank, TypeId, WinId};
use std::sync::Arc;

/// One call in progress.
pub trait Arguments {
    /// What the process knows of a window.
    type Window: Window;
    /// What it knows of a datatype.
    type Datatype: Datatype + Clone;

    /// The call's signature.
    fn signature(&self) -> &'static Signature;
    /// The constants of the library that is called.
    fn numbers(&self) -> &Numbers;
    /// An `int`.
    fn int(&self, role: Role) -> i32;
    /// An `int`, or `MPI_Count` in the form with large counts.
    fn count(&self, role: Role) -> i64;
    /// An `MPI_Aint`.
    fn aint(&self, role: Role) -> i64;
    /// The address of a buffer; 0 for `MPI_BOTTOM` and `MPI_IN_PLACE`.
    fn address(&self, role: Role) -> u64;
    /// The window of [`Role::Window`]; `None` for one that is not known.
    fn window(&self) -> Option<Self::Window>;
    /// A datatype; `None` for the null handle.
    fn datatype(&mut self, role: Role) -> Option<Self::Datatype>;
    /// The operator of [`Role::Operator`].
    fn operator(&self) -> AccumulateOp;
    /// The members of [`Role::Group`], as ranks of the world.
    fn group(&self) -> Vec<Rank>;
}

/// What a meaning asks of a window.
pub trait Window {
    /// Its identity.
    fn id(&self) -> WinId;
    /// The process of a rank in its group; `None` for `MPI_PROC_NULL` and for no rank.
    fn peer(&self, rank: i32) -> Option<Rank>;
}

/// What a meaning asks of a datatype.
pub trait Datatype {
    /// Its identity.
    fn id(&self) -> TypeId;
    /// Bytes of data in one element.
    fn size(&self) -> u64;
}

impl<T: Window> Window for Arc<T> {
    fn id(&self) -> WinId {
        T::id(self)
    }

    fn peer(&self, rank: i32) -> Option<Rank> {
        T::peer(self, rank)
    }
}

impl<T: Datatype> Datatype for Arc<T> {
    fn id(&self) -> TypeId {
        T::id(self)
    }

    fn size(&self) -> u64 {
        T::size(self)
    }
}
