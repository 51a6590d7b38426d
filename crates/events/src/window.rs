//! Windows (MPI-4.1 §12.2).

use crate::{CommId, Rank, StackId, WinId};
use serde::{Deserialize, Serialize};

/// How a window came to be (MPI-4.1 §12.2, `MPI_WIN_CREATE_FLAVOR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WindowFlavor {
    /// `MPI_Win_create` (§12.2.1).
    Create,
    /// `MPI_Win_allocate` (§12.2.2).
    Allocate,
    /// `MPI_Win_allocate_shared` (§12.2.3).
    Shared,
    /// `MPI_Win_create_dynamic` (§12.2.4).
    Dynamic,
}

/// The `accumulate_ops` info key (MPI-4.1 §12.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccumulateOps {
    /// All concurrent accumulates to one location use the same operator, or `MPI_NO_OP`. The standard's default.
    SameOpNoOp,
    /// All concurrent accumulates to one location use the same operator.
    SameOp,
    /// The user asked for something else: no assumption.
    Any,
}

/// A window as one process of its group sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// The window, equal on all processes of the group.
    pub id: WinId,
    /// The communicator that it was created on.
    pub comm: CommId,
    /// How it was created.
    pub flavor: WindowFlavor,
    /// Address of this process' part; 0 for dynamic windows.
    pub base: u64,
    /// Bytes of this process' part; 0 for dynamic windows.
    pub size: u64,
    /// This process' `disp_unit`, in bytes; 1 for dynamic windows.
    pub disp_unit: u32,
    /// The `accumulate_ops` hint in force.
    pub accumulate_ops: AccumulateOps,
    /// For shared windows: where the parts of all processes lie in this process' address space.
    pub shared: Vec<SharedSegment>,
    /// Where it was created.
    pub stack: StackId,
}

/// The part of one process of a shared window, as mapped in the process that the event comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedSegment {
    /// Whose part this is.
    pub owner: Rank,
    /// Its address here.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
}
