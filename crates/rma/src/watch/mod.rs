//! What a rank tells the check (see [`crate::check`]): one seam between the library and the race detector.
//!
//! A world that is checked has a [`Recorder`], and its windows a
//! [`WindowWatch`](crate::window::core::watch::WindowWatch); else both are `None`, and each hook is one branch. A hook
//! is a guard around a call ([`Recorder::call`]), or a line before an operation. Calls within calls say nothing: an
//! allreduce of the library's own, within the creation of a window, is not the program's.
//!
//! Places are those of the program's calls (`#[track_caller]`).
//!
//! What is recorded of memory: operations at their targets; loads and stores of single elements that the library does
//! ([`Cells`](crate::Cells)); slices that an epoch lends by promise of the program, as an access of all that was
//! promised; the slice of [`lock_local`](crate::Window::lock_local), as a store of all. Origin buffers are recorded
//! where they lie in window memory: elsewhere the compiler keeps everybody away from them until the operation is
//! complete. Slices that are lent between epochs are not recorded: nobody else has access then.

#[cfg(any(feature = "shm", feature = "sim"))]
mod judge;
mod recorder;

#[cfg(any(feature = "shm", feature = "sim"))]
pub(crate) use judge::Judge;
pub(crate) use recorder::{Access, Guard, OnThread, Place, Recorder, Started};

/// The environment variable that asks for the check of programs whose ranks are all in one process.
#[cfg(any(feature = "launch", feature = "shm", feature = "sim"))]
const WANTED: &str = "FARSIDE_CHECK";

/// Whether a run within this process is to be checked here: it is asked for, and nobody reads a spool.
#[cfg(any(feature = "launch", feature = "shm", feature = "sim"))]
pub(crate) fn is_wanted() -> bool {
    farside_spool::folder().is_none()
        && std::env::var_os(WANTED).is_some_and(|value| !value.is_empty() && value != "0")
}
