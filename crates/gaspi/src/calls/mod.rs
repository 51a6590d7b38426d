//! The C interface: each function as `gaspi_X`, and as `pgaspi_X`, which the first one calls.
//!
//! Promise: nothing unwinds into the program; bad arguments are return codes. What a page here does not say is in the
//! section of GASPI 17.1 that it names.
//!
//! Limits: both names are strong symbols. A tool that takes the place of `gaspi_X` does so from a library that is
//! preloaded, or linked before this one.

mod collectives;
mod info;
mod requests;
mod segments;
mod setup;

pub use collectives::*;
pub use info::*;
pub use requests::*;
pub use segments::*;
pub use setup::*;

use crate::abi::{Failure, Outcome, ReturnCode};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a call; gives its return code. A panic, which is a bug of this library, is GASPI_ERROR.
fn entered(call: impl FnOnce() -> Outcome) -> ReturnCode {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => 0,
        Ok(Err(failure)) => failure.code(),
        Err(_) => Failure::ERROR.code(),
    }
}

/// Where a C program wants a result. Only C programs make such values.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// # Errors
    /// NULL_POINTER.
    fn check(&self) -> Outcome {
        match self.0.is_null() {
            true => Err(Failure::NULL_POINTER),
            false => Ok(()),
        }
    }

    /// # Errors
    /// NULL_POINTER.
    fn give(self, value: T) -> Outcome {
        self.check()?;
        // SAFETY: not NULL, and so valid for a write, as the caller of each function promises.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Gives several values, for which the program has room.
    ///
    /// # Errors
    /// NULL_POINTER.
    fn give_all(self, values: impl IntoIterator<Item = T>) -> Outcome {
        self.check()?;
        for (at, value) in values.into_iter().enumerate() {
            // SAFETY: not NULL, and so an array that has room, as the caller promises.
            unsafe { self.0.add(at).write(value) };
        }
        Ok(())
    }
}

/// What a C program passes by its address. Only C programs make such values.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct In<T>(*const T);

impl<T> In<T> {
    /// So many values.
    ///
    /// # Errors
    /// NULL_POINTER, unless there are none.
    fn all(&self, number: usize) -> Outcome<&[T]> {
        match (number, self.0.is_null()) {
            (0, _) => Ok(&[]),
            (_, true) => Err(Failure::NULL_POINTER),
            // SAFETY: not NULL, and so valid for reads of so many, during the call, as the caller promises.
            _ => Ok(unsafe { std::slice::from_raw_parts(self.0, number) }),
        }
    }
}

/// Defines functions of the C interface under both names.
macro_rules! calls {
    ($($(#[$doc:meta])* $inner:ident, $outer:ident ($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// Pointers are NULL, or valid for what the standard reads or writes there.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments, reason = "the standard's")]
            pub unsafe extern "C" fn $inner($($argument: $type),*) -> crate::abi::ReturnCode {
                crate::calls::entered(|| $body)
            }

            $(#[$doc])*
            ///
            /// # Safety
            /// Pointers are NULL, or valid for what the standard reads or writes there.
            #[unsafe(no_mangle)]
            #[allow(clippy::too_many_arguments, reason = "the standard's")]
            pub unsafe extern "C" fn $outer($($argument: $type),*) -> crate::abi::ReturnCode {
                // SAFETY: by the caller.
                unsafe { $inner($($argument),*) }
            }
        )*
    };
}

use calls;
