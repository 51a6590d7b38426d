//! Where pages are not guarded: the guard decodes instructions of x86-64. `farside check --guard` says so on other
//! processors before it starts anything; a library that is told to guard all the same records no loads and stores, and
//! says that they were not seen (see [`crate::mpi`]).

/// Whether pages are guarded in this process: never.
#[inline]
pub(crate) fn is_on() -> bool {
    false
}

/// Nothing starts.
pub(crate) fn initialise() {}

/// No module is looked at.
pub(crate) fn look_at_modules() {}

/// Threads need nothing.
pub(crate) fn thread_begins() {}

/// No page is closed for whose sake they would be born.
pub(crate) fn bears() -> bool {
    false
}

/// Never called, since [`bears`] says no.
pub(crate) fn born() {}

/// As [`born`].
pub(crate) fn not_born() {}

/// Nor does their end.
pub(crate) fn thread_ends() {}

/// No page is closed.
pub(crate) fn touch(_address: usize, _length: usize) {}

/// Never asked, since [`is_on`] says no.
pub(crate) fn is_program(_pc: usize) -> bool {
    false
}

/// Nothing was left out by a guard.
pub(crate) fn report() {}

/// A call of the library, in which nothing has to be opened.
pub(crate) struct Inside(());

impl Inside {
    /// The thread goes into a call.
    #[inline]
    pub(crate) fn enter() -> Self {
        Self(())
    }
}
