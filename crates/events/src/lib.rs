//! The words that every other part of Farside speaks: ranks, windows, byte ranges, operations, epochs, completion.
//!
//! An [`Event`] is one thing that happened in one process of an MPI job, in the order in which that process saw it.
//! `interpose` and the crate `farside` make events, `trace` writes them down, `race` judges them. This crate holds data
//! only: no I/O, no clock, no environment, no unsafe code.
//!
//! Addresses are virtual addresses of the process that the event comes from, unless a field says otherwise.
//! Times are nanoseconds of the machine's monotonic clock, the same for every process of one machine.
#![forbid(unsafe_code)]

mod access;
mod call;
mod condition;
mod datatype;
mod event;
mod exchange;
mod ids;
mod interface;
mod mistake;
mod operation;
mod places;
mod window;

pub use access::{AccessKind, AccessRun, AccessSet, AccessSource};
pub use call::{Assertions, Call, CallKind, Direction, LockKind, Outcome, SendMode};
pub use condition::{Comparison, Condition};
pub use datatype::{BasicType, TypeBlock, TypeMap};
pub use event::{Event, EventKind, Module, Shortfall, SourcePlace, ThreadLevel};
pub use exchange::Exchange;
pub use ids::{
    ChannelId, CommId, ObjectId, OperationId, PostId, Rank, RequestId, StackId, ThreadId, TypeId, WinId,
};
pub use interface::Interface;
pub use mistake::{Fault, GaspiArgument, Mistake, Nearest};
pub use operation::{AccumulateOp, Buffer, Flag, Notice, Operation, OperationKind, value_of};
pub use places::Places;
pub use window::{
    AccumulateHints, AccumulateOps, AccumulateOrdering, HandlePlace, SharedSegment, StackFrame, Window,
    WindowFlavor, WindowPromises,
};
