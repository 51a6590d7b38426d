//! OpenSHMEM's table: the functions by name, and the meaning of each (OpenSHMEM 1.5, chapter 9; those of 1.4 that 1.5
//! deprecates, too).
//!
//! The functions come in families, one for each type of a set; [`crate::functions_of_openshmem`] lists families and
//! types, and hands each function to a macro.
//!
//! Promise: every function of the standard that moves data or orders processes is in the table, under its C name. What
//! is not followed has [`Meaning::NotUnderstood`], so that a report says so.
//!
//! Limits: Fortran's names (gone in 1.5) are not there, nor what is new in 1.6.

mod functions;
mod lookup;

pub use lookup::of_name;

/// The context of calls that name none, `SHMEM_CTX_DEFAULT` of Farside's header (§9.5).
pub const DEFAULT_CONTEXT: u64 = 1;
/// The team of all processes, `SHMEM_TEAM_WORLD` of Farside's header (§9.4).
pub const WORLD_TEAM: u64 = 1;
/// The team of processes that share memory, `SHMEM_TEAM_SHARED` of Farside's header (§9.4).
pub const SHARED_TEAM: u64 = 2;

/// Variables in which some libraries have their predefined contexts and teams, and what a program that is followed
/// finds there.
pub const PREDEFINED: [(&str, u64); 4] = [
    ("oshmem_ctx_default", DEFAULT_CONTEXT),
    ("SHMEM_CTX_DEFAULT", DEFAULT_CONTEXT),
    ("SHMEM_TEAM_WORLD", WORLD_TEAM),
    ("SHMEM_TEAM_SHARED", SHARED_TEAM),
];

/// What a type of the standard is, as far as atomicity and values depend on it (OpenSHMEM 1.5 §3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Integers, and bytes that have no type.
    Integer,
    /// Floating point numbers.
    Float,
}

/// The type of the elements that a function moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Element {
    /// Bytes of one.
    pub size: u32,
    /// Its class.
    pub class: Class,
}

/// When the call of an operation returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// The caller's buffers are free, and what is fetched is there.
    Complete,
    /// It is issued: `_nbi`.
    Issued,
}

/// What an atomic operation does at its target (§9.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The variants are the names of the standard.
pub enum Atomic {
    Fetch,
    Set,
    Swap,
    CompareSwap,
    Add,
    Inc,
    And,
    Or,
    Xor,
}

/// A collective operation on an active set or on all processes (§9.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The variants are the names of the standard.
pub enum Collective {
    Broadcast,
    Collect,
    Fcollect,
    Alltoall,
    Alltoalls,
    Reduce,
}

/// What a call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `shmem_init`, `shmem_init_thread`, `start_pes`.
    Init,
    /// `shmem_finalize`.
    Finalize,
    /// `shmem_global_exit`.
    GlobalExit,
    /// `shmem_malloc` and its like: the number of bytes is an argument, or the product of two.
    Allocate {
        /// The arguments whose product is the number of bytes.
        bytes: (usize, Option<usize>),
    },
    /// `shmem_realloc`.
    Reallocate,
    /// `shmem_free`.
    Free,
    /// `shmem_ptr`.
    Pointer,
    /// Put of consecutive elements, or with a stride on both sides (`iput`).
    Put(Returns, Strided),
    /// Get, likewise.
    Get(Returns, Strided),
    /// `shmem_TYPE_p`: the value is an argument.
    PutValue,
    /// `shmem_TYPE_g`.
    GetValue,
    /// An atomic operation, and whether it fetches.
    Atomic(Atomic, Option<Returns>),
    /// Put of consecutive elements, and then an update of a word of the target (`put_signal`, §9.8).
    PutSignal(Returns),
    /// `shmem_signal_fetch`, `shmem_signal_wait_until`: the result is what the word of the caller holds.
    Signal,
    /// `shmem_quiet`.
    Quiet,
    /// `shmem_fence`.
    Fence,
    /// `shmem_barrier_all`, `shmem_barrier`: operations are complete, and all have come.
    Barrier(Members),
    /// `shmem_sync_all`, `shmem_sync`: all have come.
    Sync(Members),
    /// `shmem_TYPE_wait_until` and its older forms: the word is the first argument.
    Wait,
    /// `shmem_TYPE_test`: likewise, if the result is not 0.
    Test,
    /// `shmem_TYPE_wait_until_all` and its like, for arrays of words; `tests` says that it does not wait.
    WaitArray {
        /// Which of them the call says to have come.
        which: Which,
        /// The call does not wait.
        tests: bool,
    },
    /// `shmem_set_lock`.
    SetLock,
    /// `shmem_clear_lock`.
    ClearLock,
    /// `shmem_test_lock`: 0 says that the caller has the lock.
    TestLock,
    /// A collective operation on an active set.
    Collective(Collective),
    /// `shmem_team_sync`, and the calls that make teams: all members of the team that is the first argument have come.
    Team,
    /// `shmem_team_destroy`.
    TeamDestroy,
    /// `shmem_ctx_create(options, context)`, `shmem_team_create_ctx(team, options, context)`.
    ContextCreate {
        /// The numbers of processes on it are those of the team that is the first argument.
        of_team: bool,
    },
    /// `shmem_ctx_destroy`: what was issued on the context is complete.
    ContextDestroy,
    /// A collective operation on a team.
    TeamCollective(Collective),
    /// Its effect on order is not known.
    NotUnderstood,
}

/// Of which words of an array a wait tells (§9.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All.
    All,
    /// The one that is returned, if that is one.
    Any,
    /// Those whose numbers are written to an array, as many as are returned.
    Some,
}

/// Whether elements lie one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strided {
    /// They do.
    No,
    /// Two arguments say how far apart they are, in elements: at the destination and at the source.
    Yes,
}

/// Who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// All processes.
    All,
    /// Those of an active set: three arguments say which.
    ActiveSet,
}

/// A function of the table.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    name: &'static str,
    meaning: Meaning,
    element: Element,
    context: bool,
    words: usize,
}

impl Function {
    /// A function of `words` arguments, each a machine word; the first may be a context.
    #[must_use]
    pub const fn new(
        name: &'static str,
        meaning: Meaning,
        element: Element,
        context: bool,
        words: usize,
    ) -> Self {
        Self {
            name,
            meaning,
            element,
            context,
            words,
        }
    }

    /// The name in C.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What a call means.
    #[must_use]
    pub const fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// The type of its elements; bytes where it has none.
    #[must_use]
    pub const fn element(&self) -> Element {
        self.element
    }

    /// Where the arguments begin that it has in common with its form without a context.
    #[must_use]
    pub const fn first(&self) -> usize {
        self.context as usize
    }

    /// Whether its first argument is a context.
    #[must_use]
    pub const fn has_context(&self) -> bool {
        self.context
    }

    /// Its arguments.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }
}

#[cfg(test)]
mod tests;
