//! One call as an observer sees it: arguments by meaning, whatever the caller's language.

use super::{Hook, Language, MAX_WORDS};
use crate::abi::{HandleKind, constants, handle};
use crate::stacks;
use farside_events::StackId;
use std::ffi::CStr;

/// A choice buffer argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// `MPI_IN_PLACE`.
    InPlace,
    /// An address; `MPI_BOTTOM` is 0.
    At(usize),
}

impl Choice {
    /// The address; 0 for `MPI_IN_PLACE`.
    pub(crate) fn address(self) -> usize {
        match self {
            Self::InPlace => 0,
            Self::At(address) => address,
        }
    }
}

/// One call in progress. Indices count the arguments as in C.
pub(crate) struct CallView {
    hook: &'static Hook,
    words: [usize; MAX_WORDS],
    return_address: usize,
    result: usize,
    /// Takes the error code where an `mpi_f08` caller left its argument out.
    own_error: i32,
    /// Takes the status where the caller ignores it.
    own_status: [u64; 8],
}

impl CallView {
    pub(super) fn new(hook: &'static Hook, words: [usize; MAX_WORDS], return_address: usize) -> Self {
        Self {
            hook,
            words,
            return_address,
            result: 0,
            own_error: 0,
            own_status: [0; 8],
        }
    }

    /// The name of the function in C.
    pub(crate) fn name(&self) -> &'static str {
        self.hook.function.name
    }

    /// Number of arguments in C.
    pub(crate) fn arity(&self) -> usize {
        self.hook.function.arity
    }

    /// Where the call returns to.
    pub(crate) fn return_address(&self) -> usize {
        self.return_address
    }

    /// The stack of the call.
    pub(crate) fn stack(&self) -> StackId {
        stacks::capture(self.return_address)
    }

    /// Whether indices that the library returns count from 1.
    pub(crate) fn indices_from_one(&self) -> bool {
        self.hook.language != Language::C
    }

    /// The argument as passed: an array, a place for an answer.
    pub(crate) fn word(&self, i: usize) -> usize {
        self.words[i - self.dropped()]
    }

    /// An `int` argument.
    pub(crate) fn int(&self, i: usize) -> i32 {
        match self.hook.language {
            Language::C => self.word(i) as i32,
            // SAFETY: Fortran passes the address of an integer.
            _ => unsafe { read(self.word(i)) },
        }
    }

    /// An `int` argument, or `MPI_Count` in a large-count function.
    pub(crate) fn count(&self, i: usize) -> i64 {
        if self.hook.function.large {
            self.aint(i)
        } else {
            i64::from(self.int(i))
        }
    }

    /// An `MPI_Aint` argument.
    pub(crate) fn aint(&self, i: usize) -> i64 {
        match self.hook.language {
            Language::C => self.word(i) as i64,
            // SAFETY: Fortran passes the address of an integer of that kind.
            _ => unsafe { read(self.word(i)) },
        }
    }

    /// A handle, as the C handle.
    pub(crate) fn handle(&self, i: usize, kind: HandleKind) -> usize {
        match self.hook.language {
            Language::C => self.word(i) & constants().handle_mask,
            // SAFETY: Fortran passes the address of an integer (or of a type that holds just one).
            _ => handle::from_fortran(kind, unsafe { read(self.word(i)) }),
        }
    }

    /// The handle that argument `i` points to: an in-out argument, or after the call an out argument.
    pub(crate) fn handle_behind(&self, i: usize, kind: HandleKind) -> usize {
        self.place(i).handle(0, kind)
    }

    /// Element `k` of an array of handles.
    pub(crate) fn element_handle(&self, i: usize, k: usize, kind: HandleKind) -> usize {
        self.place(i).handle(k, kind)
    }

    /// Element `k` of an array of `int`.
    pub(crate) fn element_int(&self, i: usize, k: usize) -> i32 {
        // SAFETY: the caller passes an array that long.
        unsafe { read(self.word(i) + 4 * k) }
    }

    /// Element `k` of an array of `int`, or of `MPI_Count` in a large-count function.
    pub(crate) fn element_count(&self, i: usize, k: usize) -> i64 {
        if self.hook.function.large {
            self.element_aint(i, k)
        } else {
            i64::from(self.element_int(i, k))
        }
    }

    /// Element `k` of an array of `MPI_Aint`.
    pub(crate) fn element_aint(&self, i: usize, k: usize) -> i64 {
        // SAFETY: the caller passes an array that long.
        unsafe { read(self.word(i) + 8 * k) }
    }

    /// The integer that argument `i` points to, in every language: a flag, an index, a count that was returned.
    pub(crate) fn out_int(&self, i: usize) -> i32 {
        self.element_int(i, 0)
    }

    /// The address that argument `i` points to: `baseptr` of window allocation.
    pub(crate) fn out_address(&self, i: usize) -> usize {
        // SAFETY: a place for an address in every language.
        unsafe { read(self.word(i)) }
    }

    /// A choice buffer.
    pub(crate) fn choice(&self, i: usize) -> Choice {
        let word = self.word(i);
        let address = match self.hook.language {
            // SAFETY: the address of a descriptor, whose first field is the base address with every compiler.
            Language::Fortran08Descriptors => unsafe { read(word) },
            _ => word,
        };
        let constants = constants();
        if self.hook.language == Language::C {
            if address == constants.in_place {
                return Choice::InPlace;
            }
        } else if constants.fortran.in_place.contains(&address) {
            return Choice::InPlace;
        } else if constants.fortran.bottom.contains(&address) {
            return Choice::At(0);
        }
        Choice::At(address)
    }

    /// The text argument `i`, the only one of the call.
    pub(crate) fn text(&self, i: usize) -> String {
        if self.hook.language == Language::C {
            // SAFETY: C passes a C string.
            let text = unsafe { CStr::from_ptr(self.word(i) as *const _) };
            return text.to_string_lossy().into_owned();
        }
        // MPI's own limit keeps a wrong length from doing harm.
        let length = (self.words[self.hook.words() - 1] as u32 as usize).min(255);
        // SAFETY: Fortran passes that many characters, padded with blanks.
        let bytes = unsafe { std::slice::from_raw_parts(self.word(i) as *const u8, length) };
        String::from_utf8_lossy(bytes).trim_end().to_owned()
    }

    /// Makes sure that the status argument `i` is filled by the library.
    pub(crate) fn want_status(&mut self, i: usize) {
        if self.status_ignored(i) {
            let place = (&raw mut self.own_status) as usize;
            let dropped = self.dropped();
            self.words[i - dropped] = place;
        }
    }

    /// Gives the array-of-statuses argument `i` a place, if the caller ignores it. The place must live until the call
    /// returned.
    pub(crate) fn want_statuses(&mut self, i: usize, count: usize) -> Vec<u64> {
        let mut place = Vec::new();
        if self.status_ignored(i) {
            place.resize(count * constants().status_size.div_ceil(8), 0);
            let dropped = self.dropped();
            self.words[i - dropped] = place.as_mut_ptr() as usize;
        }
        place
    }

    /// Source and tag of the status at argument `i`, element `k`; after the call, when it was wanted.
    pub(crate) fn status(&self, i: usize, k: usize) -> (i32, i32) {
        let constants = constants();
        let address = self.status_address(i, k);
        // SAFETY: the caller's status or ours, of the library's layout.
        unsafe {
            (
                read(address + constants.status_source),
                read(address + constants.status_tag),
            )
        }
    }

    /// Where the `k`-th status at argument `i` lies, once it was wanted.
    pub(crate) fn status_address(&self, i: usize, k: usize) -> usize {
        self.word(i) + k * constants().status_size
    }

    /// Whether the caller ignores the status.
    fn status_ignored(&self, i: usize) -> bool {
        let (constants, word) = (constants(), self.word(i));
        match self.hook.language {
            Language::C => word == constants.status_ignore,
            _ => constants.fortran.status_ignore.contains(&word),
        }
    }

    /// The error code, if the call failed.
    pub(crate) fn failure(&self) -> Option<i32> {
        let code = match self.hook.language {
            Language::C => self.result as i32,
            // SAFETY: the error argument exists, see `provide_error_argument`.
            _ => unsafe { read(self.words[self.error_argument()]) },
        };
        (code != 0).then_some(code)
    }

    /// A place that outlives the call: an out argument that is filled when a request completes.
    pub(crate) fn place(&self, i: usize) -> Place {
        Place {
            address: self.word(i),
            fortran: self.hook.language != Language::C,
        }
    }

    pub(super) fn words(&self) -> &[usize; MAX_WORDS] {
        &self.words
    }

    pub(super) fn set_result(&mut self, result: usize) {
        self.result = result;
    }

    /// An `mpi_f08` caller may leave out the error argument; then we pass one, to know.
    pub(super) fn provide_error_argument(&mut self) {
        if self.hook.language != Language::C {
            let i = self.error_argument();
            if self.words[i] == 0 {
                self.words[i] = (&raw mut self.own_error) as usize;
            }
        }
    }

    fn dropped(&self) -> usize {
        match self.hook.language {
            Language::C => 0,
            _ => self.hook.function.dropped,
        }
    }

    fn error_argument(&self) -> usize {
        self.hook.function.arity - self.hook.function.dropped
    }
}

/// See [`CallView::place`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    address: usize,
    fortran: bool,
}

impl Place {
    /// The `k`-th handle there.
    pub(crate) fn handle(self, k: usize, kind: HandleKind) -> usize {
        let variable = self.variable(k);
        // SAFETY: an array of handles of the caller's language.
        unsafe {
            if self.fortran {
                handle::from_fortran(kind, read(variable))
            } else if constants().handle_mask == usize::MAX {
                read(variable)
            } else {
                read::<u32>(variable) as usize
            }
        }
    }

    /// The address of the `k`-th handle there.
    pub(crate) fn variable(self, k: usize) -> usize {
        let wide = !self.fortran && constants().handle_mask == usize::MAX;
        self.address + k * if wide { 8 } else { 4 }
    }
}

/// # Safety
/// `address` must be that of a `T`, perhaps unaligned.
unsafe fn read<T: Copy>(address: usize) -> T {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::read_unaligned(address as *const T) }
}
