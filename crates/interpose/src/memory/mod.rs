//! Which memory is watched, and the loads and stores of it. (Stub: owned by engineer "memory".)

use farside_events::{AccessKind, AccessRun};

/// Reserves the page table; called once, when recording starts (in `MPI_Init`). `false`: it could not be reserved.
pub(crate) fn initialise() -> bool {
    true
}

/// Whether any module of the program calls the load and store callbacks (`__tsan_init` ran).
pub(crate) fn instrumented() -> bool {
    false
}

/// Starts to watch the pages of `len` bytes at `address` (counted: as many [`untrack`] calls end it).
pub(crate) fn track(_address: usize, _len: usize) {}

/// Ends one [`track`] of the same range.
pub(crate) fn untrack(_address: usize, _len: usize) {}

/// The accesses of the calling thread since its last drain. Called without the spool's lock; may call
/// [`crate::recorder::define`].
pub(crate) fn drain() -> Vec<AccessRun> {
    Vec::new()
}

/// A library call (`name`) at return address `pc` loads or stores `len` bytes at `address` for the program.
/// Does nothing for pages that are not watched.
pub(crate) fn library_access(
    _kind: AccessKind,
    _name: &'static str,
    _address: usize,
    _len: usize,
    _pc: usize,
) {
}
