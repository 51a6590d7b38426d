//! What the calls of an interface allow. How they are written, the phrasebook says.
//!
//! The crate `farside` has the calls of the standard under its own names, with these differences (its deviations 4 and
//! 5): operations with requests, and completion of operations at their origin, are allowed in every epoch; every window
//! can have attached memory; a put can notify its target.
//!
//! OpenSHMEM has no windows and no epochs. Each symmetric object, or the memory of all static ones, is a window under a
//! lock of all targets from its beginning to its end; `shmem_quiet` is a flush of all of them. A call whose buffers are
//! free when it returns has a request that is complete at once, and a fetching one is then complete at its target, too
//! (OpenSHMEM 1.5 §9.7).
//!
//! GASPI has no epochs either. A segment number is a window, of which each rank has a part from when it has the segment
//! to when it deletes it. `gaspi_wait` is a local flush of a queue; a write is done at its target when that one has
//! seen a flag after it.

use farside_events::Interface;

/// The rules in which interfaces differ.
pub(crate) trait Rules {
    /// Operations complete at their origin, by flushes and requests, in every epoch and not only under locks. A request
    /// that is dropped is complete with its epoch.
    fn completes_at_origin_everywhere(self) -> bool;

    /// A process can wait for a word of its memory that a put or a direct store of another process leaves there.
    fn waits_for_words(self) -> bool;

    /// A fetching operation is complete at its target when its value is there (OpenSHMEM 1.5 §9.7, GASPI 17.1 §10.2).
    fn fetching_completes(self) -> bool;

    /// Operations are completed within calls that do something else, too: a barrier, an allocation. None of these is to
    /// be moved for it.
    fn completes_within_calls(self) -> bool;

    /// Operations need no epoch, and nothing completes them at their targets but flags that are seen there (GASPI 17.1
    /// §8.2.3, §8.3).
    fn completes_by_flags(self) -> bool;

    /// Atomic operations on one word are atomic to each other by whatever window they reach it (GASPI 17.1 §10).
    fn has_atomics_by_address(self) -> bool;

    /// A set of processes makes the same collective calls, by their names (OpenSHMEM 1.5 §9.9, GASPI 17.1 §11); in MPI
    /// a name is not looked at, for a blocking call has no other.
    fn has_one_call_for_all(self) -> bool;

    /// Members of a collective call let others write their memory from when the first of them enters it (OpenSHMEM 1.5
    /// §9.9).
    fn hands_memory_in(self) -> bool;

    /// Memory that was allocated with a window is nobody's after the call that frees it, until it is handed out again
    /// (OpenSHMEM 1.5 §9.3.1). What MPI frees, its library need not tell.
    fn gives_memory_back(self) -> bool;

    /// Epochs are closures: the end of one is always there; it can come too late, but not be missing.
    fn ends_epochs_by_closures(self) -> bool;
}

impl Rules for Interface {
    fn completes_at_origin_everywhere(self) -> bool {
        self == Self::Farside
    }

    fn waits_for_words(self) -> bool {
        matches!(self, Self::Farside | Self::Shmem)
    }

    fn fetching_completes(self) -> bool {
        matches!(self, Self::Shmem | Self::Gaspi)
    }

    fn completes_within_calls(self) -> bool {
        self == Self::Shmem
    }

    fn completes_by_flags(self) -> bool {
        self == Self::Gaspi
    }

    fn has_atomics_by_address(self) -> bool {
        self == Self::Gaspi
    }

    fn has_one_call_for_all(self) -> bool {
        matches!(self, Self::Shmem | Self::Gaspi)
    }

    fn hands_memory_in(self) -> bool {
        self == Self::Shmem
    }

    fn gives_memory_back(self) -> bool {
        self == Self::Shmem
    }

    fn ends_epochs_by_closures(self) -> bool {
        self == Self::Farside
    }
}
