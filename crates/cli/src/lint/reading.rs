//! What a source may cost to read, and which compiler knows where the headers are.

use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;

/// The compiler that is asked for folders of headers, if no other is named.
pub(crate) const MPICC: &str = "mpicc";
/// Seconds for compiling or reading one file.
pub(crate) const SECONDS: u64 = 300;
/// Memory for reading one file, and for the simulations, in MiB.
pub(crate) const MEMORY: u64 = 8192;

/// How sources are read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    mpicc: OsString,
    seconds: u64,
    memory: u64,
    headers: OnceLock<Vec<OsString>>,
}

impl Reading {
    /// With this compiler for headers, and as much of each for a file.
    pub(crate) fn new(mpicc: OsString, seconds: u64, memory: u64) -> Self {
        Self {
            mpicc,
            seconds,
            memory,
            headers: OnceLock::new(),
        }
    }

    /// Options by which the compiler finds the headers of libraries; the MPI compiler that knows where mpi.h is, is
    /// asked once.
    pub(super) fn headers(&self, ask: impl FnOnce(&OsStr) -> Vec<OsString>) -> &[OsString] {
        self.headers.get_or_init(|| ask(&self.mpicc))
    }

    /// Seconds for compiling or reading one file.
    pub(super) fn seconds(&self) -> u64 {
        self.seconds
    }

    /// Memory for reading one file, in MiB.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }
}
