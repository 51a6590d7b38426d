//! One event of one process.

use crate::{
    AccessRun, AccessSet, Call, ChannelId, CommId, Condition, Exchange, LockKind, Mistake, ObjectId,
    Operation, OperationId, OperationKind, Outcome, PostId, Rank, RequestId, SharedSegment, StackId,
    ThreadId, TypeId, TypeMap, WinId, Window,
};
use serde::{Deserialize, Serialize};

/// Something that happened in a process. Events of one process come in the order of `time`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Nanoseconds of the machine's monotonic clock. What the event releases was done before this moment, and what it
    /// acquires is used after it, so that every happens-before edge goes forward in time.
    pub time: u64,
    /// The thread that did it.
    pub thread: ThreadId,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // Fields repeat the names of their types; each variant's line explains the rest.
pub enum EventKind {
    /// First event of every process: MPI was initialised.
    Init {
        /// This process.
        rank: Rank,
        /// Processes in `MPI_COMM_WORLD`.
        size: u32,
        /// Operating system's process id.
        pid: u32,
        /// Name and version of the MPI library.
        library: Box<str>,
    },
    /// A module of the program is mapped (repeated when more are loaded). For finding source places after the run.
    Module(Module),
    /// A call stack: code addresses, innermost first. All but the innermost are return addresses of calls; the
    /// innermost is one too.
    Stack { id: StackId, frames: Vec<u64> },
    /// A datatype, before its first use.
    Type { id: TypeId, map: TypeMap },
    /// A communicator exists from now on; `members` in rank order (for an inter-communicator: local, then remote
    /// group).
    Comm { id: CommId, members: Vec<Rank> },
    /// A window exists from now on. Comes before anyone can use it.
    Window(Window),
    /// `MPI_Win_set_name`.
    WindowName { win: WinId, name: Box<str> },
    /// `MPI_Win_set_info` said something of accumulates.
    WindowInfo {
        win: WinId,
        accumulates: crate::AccumulateHints,
    },
    /// What the info says that a window was made with, or was given later (`MPI_Win_set_info`), if it says something
    /// of promises.
    WindowPromises {
        win: WinId,
        promises: crate::WindowPromises,
    },
    /// A thread enters a synchronising call.
    Enter { call: Call, stack: StackId },
    /// The thread leaves the call that it last entered.
    Leave(Outcome),
    /// A communication call is issued (before it is forwarded to the library).
    Operation(Operation),
    /// A request of an RMA operation completed (Wait, Test families).
    OperationRequestDone { request: RequestId },
    /// A fetching operation completed locally and brought this value ([`value_of`](crate::value_of) the result).
    Fetched { operation: OperationId, value: u64 },
    /// A non-blocking receive completed. `source` is `None` for `MPI_PROC_NULL` or when it was cancelled.
    ReceiveDone {
        post: PostId,
        source: Option<Rank>,
        tag: i32,
    },
    /// A non-blocking send completed.
    SendDone { request: RequestId },
    /// A non-blocking collective completed.
    CollectiveDone { comm: CommId, sequence: u64 },
    /// Loads and stores of this thread since its last event that synchronises. Comes before that event.
    Accesses(Vec<AccessRun>),
    /// This thread makes what it did so far visible through an object of its process.
    Release { object: ObjectId },
    /// This thread sees what was released through an object of its process.
    Acquire { object: ObjectId },
    /// The thread has come to its end: it accesses nothing any more.
    ThreadEnd,
    /// This memory of the process, as starts and ends of ranges, is the same for all strands ([`ThreadId::strand`])
    /// that this thread forks: which thread runs a strand does not decide what lies there. Takes the place of what the
    /// thread said before. Memory of windows need not be named.
    Common(Vec<(u64, u64)>),
    /// Something was not seen; the report must say so.
    Shortfall(Shortfall),
    /// The process is about to end after `MPI_Finalize`.
    Exit,
    /// What a code address of this process stands for, where the program itself says so: before its first use in a
    /// stack. Programs that know their places need no debug information.
    Source { address: u64, place: SourcePlace },
    /// The target of an operation with [`Operation::notice`] was told: it has waited for a notice of this window with
    /// this number, and its bytes are visible to this thread. `source` is `None` where the transport does not say whose
    /// it was.
    Notice {
        win: WinId,
        source: Option<Rank>,
        number: u32,
    },
    /// This thread has waited until the `size` bytes (8 at most) at an address of this process had a value, which is
    /// now seen, with everything that its writer did before: `value` is what they hold, little endian. If all that the
    /// thread knows of it is that the value is as it waited for (`until`), it knows only what had to be done for that.
    Seen {
        address: u64,
        size: u32,
        value: u64,
        until: Option<Condition>,
    },
    /// The part of another process of a window is mapped into this one. As [`Window::shared`], later.
    Mapped { win: WinId, segment: SharedSegment },
    /// As [`Self::Accesses`], for accesses without a pattern.
    Scattered(Vec<AccessSet>),
    /// As [`Self::Accesses`] or [`Self::Scattered`], of so many runs or sets, which are judged where they were recorded
    /// and do not leave that place.
    Withheld { runs: u64 },
    /// What this thread has sent to a process on a channel so far is done there before what it sends on this channel to
    /// the same process from now on (`shmem_fence`, OpenSHMEM 1.5 §9.11.1); gets are not concerned. If `latest`, only
    /// what it issued last is done before what it issues next, and before that alone (`shmem_put_signal`, §9.8.3).
    /// Nothing is complete by that.
    Ordered { channel: ChannelId, latest: bool },
    /// This thread has seen that a flag of this process is set ([`crate::Flag`]), or has taken it: it has set it back,
    /// and found this value.
    FlagSeen {
        win: WinId,
        number: u32,
        taken: Option<u64>,
    },
    /// The call that issued an operation has failed: there is no such operation.
    Withdrawn { operation: OperationId },
    /// What the collective call that this thread has just entered reads and writes of its process.
    Exchange(Exchange),
    /// An argument of the collective call that this thread has just entered, which must be the same at all members.
    Agreed {
        comm: CommId,
        sequence: u64,
        argument: Box<str>,
        value: u64,
    },
    /// A call breaks a rule that its process alone can look after. It has this name; `earlier` is the call that made it
    /// wrong, if one did.
    Mistaken {
        mistake: Mistake,
        name: Box<str>,
        stack: StackId,
        earlier: Option<(Box<str>, StackId)>,
    },
    /// A probe has found a message, which was sent (MPI-4.1 §3.8).
    Probed {
        comm: CommId,
        source: Rank,
        tag: i32,
        /// It could have found nothing, or the message of another.
        by_chance: bool,
    },
    /// This thread passes a fence (C17 §7.17.4), as [`crate::Call::Sync`] is one: what it did so far is what a
    /// [`Self::ReleaseFenced`] makes visible from now on.
    Fence,
    /// This thread makes what it did before its last fence visible through an object of its process.
    ReleaseFenced { object: ObjectId },
    /// This thread has initialised MPI by the call of this name, and the library allows its process no more than this.
    ThreadLevel {
        level: ThreadLevel,
        name: Box<str>,
        stack: StackId,
    },
}

impl EventKind {
    /// Whether who comes first decides what a thread is given: a value of an atomic operation, a lock, a word that
    /// others write, a test that says yes or no. Without any of these and [receives from any
    /// source](Self::takes_any_message), processes of other speeds do the same.
    #[must_use]
    pub fn depends_on_order(&self) -> bool {
        match self {
            Self::Operation(operation) => matches!(
                operation.kind,
                OperationKind::GetAccumulate | OperationKind::FetchAndOp | OperationKind::CompareAndSwap
            ),
            Self::Enter { call, .. } => match call {
                Call::Wait { test, .. } => *test,
                Call::Lock { kind, .. } => *kind == LockKind::Exclusive,
                Call::Completion { name } => chooses_requests(name),
                _ => false,
            },
            Self::Leave(Outcome::Flag(_))
            | Self::Acquire { .. }
            | Self::Seen { .. }
            | Self::FlagSeen { .. } => true,
            Self::Probed { by_chance, .. } => *by_chance,
            _ => false,
        }
    }

    /// Whether it is a receive that takes the message of whoever is there first.
    #[must_use]
    pub fn takes_any_message(&self) -> bool {
        matches!(
            self,
            Self::Enter {
                call: Call::Receive { source: None, .. },
                ..
            }
        )
    }

    /// Loads and stores as they are told where nobody looks at them; `None` of other events.
    #[must_use]
    pub fn withheld(&self) -> Option<Self> {
        let runs = match self {
            Self::Accesses(runs) => runs.len(),
            Self::Scattered(sets) => sets.len(),
            _ => return None,
        };
        Some(Self::Withheld { runs: runs as u64 })
    }
}

/// Whether a call of this name may complete some of its requests and others not, or none (MPI-4.1 §3.7.5).
fn chooses_requests(name: &str) -> bool {
    const CHOOSING: [&str; 6] = [
        "MPI_Waitany",
        "MPI_Waitsome",
        "MPI_Test",
        "MPI_Testall",
        "MPI_Testany",
        "MPI_Testsome",
    ];
    CHOOSING
        .iter()
        .any(|choosing| name.eq_ignore_ascii_case(choosing))
}

/// Which threads of a process may call MPI (MPI-4.1 §11.6.2), where not all may at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThreadLevel {
    /// `MPI_THREAD_SINGLE`: the process has one thread.
    Single,
    /// `MPI_THREAD_FUNNELED`: the one that initialised MPI.
    Funneled,
    /// `MPI_THREAD_SERIALIZED`: all, and never two at once.
    Serialized,
}

impl ThreadLevel {
    /// The level of a number of MPI's; `None` if it is that at which all threads may call MPI, or none.
    #[must_use]
    pub fn of_number(number: i32) -> Option<Self> {
        match number {
            0 => Some(Self::Single),
            1 => Some(Self::Funneled),
            2 => Some(Self::Serialized),
            _ => None,
        }
    }

    /// Its name in MPI.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "MPI_THREAD_SINGLE",
            Self::Funneled => "MPI_THREAD_FUNNELED",
            Self::Serialized => "MPI_THREAD_SERIALIZED",
        }
    }
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourcePlace {
    /// Path as the compiler recorded it.
    pub file: Box<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if it is not known.
    pub column: u32,
    /// The function that it is in, if that is known.
    pub function: Option<Box<str>>,
}

/// A file mapped into the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Absolute path.
    pub path: Box<str>,
    /// First mapped address.
    pub start: u64,
    /// End of the mapping (exclusive).
    pub end: u64,
    /// What to subtract from an address to get the address in the file's own numbering (ELF `p_vaddr`).
    pub bias: u64,
    /// The name of its build that the linker gave it (`NT_GNU_BUILD_ID`); empty if it has none.
    pub build: Box<[u8]>,
}

/// What the checker could not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shortfall {
    /// No module of the program calls the load and store callbacks.
    NotInstrumented,
    /// The table of tracked pages could not be reserved, so that loads and stores were not seen.
    NoPageTable,
    /// The spool could not grow (disk full, folder gone): events after this one are missing.
    SpoolFull(Box<str>),
    /// An MPI call that this version does not understand was used; its effect on ordering is not known.
    UnknownCall(Box<str>),
    /// A bug of the checker switched recording off in this process.
    Internal(Box<str>),
    /// Not all processes of the job are able to record, so none of them does.
    NotAll {
        /// The host of this process.
        host: Box<str>,
        /// Processes of the job on this host, if the launcher says so.
        here: Option<u32>,
    },
    /// Loads and stores were seen by guarded pages, and some were not.
    Guard {
        /// How often a page stayed open after an access, until the next call of the library had ended.
        left_open: u64,
        /// Instructions of which not all bytes were known.
        partly: u64,
        /// Several threads ran: pages are open for all while one of them is in a call of the library, and memory that
        /// nothing used yet is not guarded.
        threads: bool,
    },
}
