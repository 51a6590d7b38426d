//! Order between the threads of a process: pthread, `GOMP_*`. (Stub: owned by engineer "threads".)
//!
//! A wait is `record(EventKind::Enter { call: Call::ThreadWait { .. }, .. })`, then the forwarded call, then
//! `record(EventKind::Acquire { .. })` and `record(EventKind::Leave(Outcome::Done))`.

/// Called once, when recording starts (in `MPI_Init`), on the thread that initialises MPI.
pub(crate) fn initialise() {}
