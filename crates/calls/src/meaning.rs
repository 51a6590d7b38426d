//! What calls mean, as far as memory consistency depends on it: the same words for every interface.

use crate::collective::{CollectiveForm, Ends};
use farside_events::{CallKind, OperationKind, SendMode, WindowFlavor};

/// What a call means. Calls of one meaning differ in where their arguments stand only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The process begins to be one of MPI's.
    Init,
    /// It ends to be one.
    Finalize,
    /// The job ends at once.
    Abort,
    /// A communicator is made.
    Communicator(Making),
    /// A communicator is given up.
    CommunicatorFree,
    /// A datatype's handle is given up.
    TypeFree,
    /// A window is made.
    Window(WindowFlavor),
    /// A window gets a name.
    WindowName,
    /// A window gets hints.
    WindowInfo,
    /// Memory that the library gave ends.
    FreeMemory,
    /// A communication call on a window.
    Operation(OperationKind),
    /// A call on a window that moves no data: it synchronises, attaches and detaches memory, frees.
    OnWindow(CallKind),
    /// Requests are completed.
    Completion(Completion, Waits),
    /// A request is asked without being completed.
    RequestStatus,
    /// Persistent requests are started.
    Start,
    /// What a request stands for is cancelled.
    Cancel,
    /// A request is given up.
    RequestFree,
    /// A message is sent.
    Send(SendMode, Ends),
    /// A message is received.
    Receive(Ends),
    /// Both.
    SendReceive(Ends),
    /// A look for a message (MPI-4.1 §3.8.1).
    Probe(Waits),
    /// A message is taken from the queue.
    MatchedProbe(Waits),
    /// A message taken so is received.
    MatchedReceive(Ends),
    /// Elements are packed.
    Pack,
    /// Elements are unpacked.
    Unpack,
    /// Elements are combined within the process.
    ReduceLocal,
    /// Elements are read from a file.
    FileRead,
    /// Elements are written to a file.
    FileWrite,
    /// A collective operation.
    Collective(CollectiveForm, Ends),
    /// Its order is not understood.
    NotUnderstood,
}

/// How a communicator is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// By all of the old one; it exists when the call returns.
    AtOnce,
    /// By all of the old one; it exists when the request completes.
    Later,
    /// By the members of a group only.
    OfGroup,
    /// From two groups.
    Inter,
}

/// Which requests a call completes (MPI-4.1 §3.7.3, §3.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The one that it names.
    One,
    /// All.
    All,
    /// One of them.
    Any,
    /// At least one of them.
    Some,
}

/// Whether a call may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Until there is something.
    Blocking,
    /// It returns at once, and a flag or a number says whether there was something.
    Polling,
}
