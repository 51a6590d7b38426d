//! A call of MPI on its way to the library: which function, from which language, with which arguments.

mod after;
mod view;

pub(crate) use after::{After, Returned, Then};
pub(crate) use view::{CallView, Choice, Place};

use farside_calls::meaning::Meaning;
use farside_calls::mpi::Procedure;
use farside_calls::signature::Signature;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Most argument words of any hooked call: the 13 of `MPI_Rget_accumulate` and the Fortran error argument.
pub(crate) const MAX_WORDS: usize = 16;

/// The caller's language, which decides how arguments are passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// By value.
    C,
    /// `mpif.h`, `use mpi`: all by reference, the error code last.
    Fortran,
    /// `use mpi_f08`: likewise; the error argument may be absent.
    Fortran08,
    /// `use mpi_f08` with descriptors for choice buffers (TS 29113). Their layout is the compiler's, and a section with
    /// gaps becomes a datatype: the binding sorts that out and calls the C function, which is observed instead.
    Fortran08Descriptors,
}

/// Makes the calls that Farside adds to one.
pub(crate) type Added = Option<fn(&CallView)>;

/// An MPI function, whatever language it is called from.
pub(crate) struct Function {
    /// The name in C.
    pub(crate) name: &'static str,
    /// What the call means.
    meaning: Meaning,
    signature: &'static Signature,
    /// Whether counts and displacements are `MPI_Count`.
    large: bool,
    /// Number of arguments in C.
    arity: usize,
    /// Arguments that Fortran does not pass (the first ones: `argc`, `argv`).
    dropped: usize,
    /// Number of string arguments, whose lengths Fortran passes after all others.
    texts: usize,
    /// Whether an argument is a choice buffer.
    has_choice: bool,
    /// Observed even while nothing is recorded: it starts recording.
    always: bool,
    /// Makes the calls that Farside adds to this one, where the observer did not: recording has stopped in this
    /// process.
    added: Added,
}

impl Function {
    /// The function of a followed procedure; `large` for its form with large counts.
    pub(crate) const fn of(procedure: Procedure, name: &'static str, large: bool, added: Added) -> Self {
        let signature = procedure.signature();
        let Some(meaning) = procedure.meaning() else {
            panic!("a procedure without a meaning is not hooked");
        };
        Self {
            name,
            meaning,
            signature,
            large,
            arity: signature.arity(),
            dropped: signature.dropped(),
            texts: signature.texts(),
            has_choice: signature.has_choice(),
            always: matches!(meaning, Meaning::Init),
            added,
        }
    }

    /// Whether it is observed even while nothing is recorded.
    pub(crate) fn is_always_observed(&self) -> bool {
        self.always
    }

    /// The calls that Farside adds to this one.
    pub(crate) fn added(&self) -> Added {
        self.added
    }
}

/// One exported symbol.
pub(crate) struct Hook {
    pub(crate) symbol: &'static CStr,
    pub(crate) language: Language,
    pub(crate) function: &'static Function,
    /// The library's function; 0 until it was looked up.
    pub(crate) target: AtomicUsize,
    /// The call does not reach the C function, though it was expected to.
    pub(crate) alone: AtomicBool,
}

impl Hook {
    /// Whether observing is left to the C function that the library's binding calls.
    pub(crate) fn left_to_inner_call(&self) -> bool {
        self.language == Language::Fortran08Descriptors
            && self.function.has_choice
            && !self.alone.load(Ordering::Relaxed)
    }

    /// Argument words of this symbol.
    pub(crate) fn words(&self) -> usize {
        match self.language {
            Language::C => self.function.arity,
            _ => self.function.arity - self.function.dropped + 1 + self.function.texts,
        }
    }
}
