//! A call of the program: its name, for messages, and what ends the program when it cannot be done.
//!
//! Misuse of the interface (OpenSHMEM 1.5 annex C leaves it undefined) ends the process by `abort`, after a line on
//! stderr that begins with `farside:` and names the PE and the call. What the system or the network refuses, and the
//! loss of a PE, ends it with status 1: no call of the standard can report it.

use crate::ending;
use farside_fabric::{Error, Result};
use std::fmt::Display;

/// The name of the call that the program made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call(&'static str);

impl Call {
    /// A call by its name.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Says what the program did wrong, and ends it.
    #[cold]
    pub(crate) fn misuse(self, what: impl Display) -> ! {
        eprintln!("farside: {}{}: {what}", ending::label(), self.0);
        std::process::abort()
    }

    /// Says what failed, and ends the process; or ends it as `shmem_global_exit` of another PE asked for.
    #[cold]
    pub(crate) fn fail(self, what: impl Display) -> ! {
        ending::exit_if_asked();
        eprintln!("farside: {}{}: {what}", ending::label(), self.0);
        // The others learn of it as of a loss. Handlers of the program would run in the middle of a call.
        // SAFETY: it ends the process.
        unsafe { libc::_exit(1) }
    }

    /// The value of an operation of the transport, or the end.
    #[inline]
    pub(crate) fn check<V>(self, result: Result<V>) -> V {
        match result {
            Ok(value) => value,
            Err(error @ (Error::OutOfBounds { .. } | Error::Misaligned { .. })) => self.misuse(error),
            Err(error) => self.fail(error),
        }
    }
}
