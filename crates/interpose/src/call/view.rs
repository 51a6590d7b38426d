//! One call as an observer sees it: arguments by meaning, whatever the caller's language.

use super::{Hook, Language, MAX_WORDS};
use crate::abi::{constants, handle};
use crate::stacks;
use farside_calls::meaning::Meaning;
use farside_calls::signature::{Handle, Kind, Role, Signature};
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

/// One call in progress. Arguments are named by their roles in the call's signature.
pub(crate) struct CallView {
    hook: &'static Hook,
    words: [usize; MAX_WORDS],
    return_address: usize,
    result: usize,
    /// Takes the error code where an `mpi_f08` caller left its argument out.
    own_error: i32,
    /// Takes the status where the caller ignores it.
    own_status: [u64; 8],
    /// What is passed in the place of an integer of the caller's.
    own_int: i32,
}

impl CallView {
    pub(crate) fn new(hook: &'static Hook, words: [usize; MAX_WORDS], return_address: usize) -> Self {
        Self {
            hook,
            words,
            return_address,
            result: 0,
            own_error: 0,
            own_status: [0; 8],
            own_int: 0,
        }
    }

    /// The name of the function in C.
    pub(crate) fn name(&self) -> &'static str {
        self.hook.function.name
    }

    /// What the call means.
    pub(crate) fn meaning(&self) -> Meaning {
        self.hook.function.meaning
    }

    /// The parameters of the function.
    pub(crate) fn signature(&self) -> &'static Signature {
        self.hook.function.signature
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
    pub(crate) fn word(&self, role: Role) -> usize {
        self.words[self.at(role)]
    }

    /// An `int` argument.
    pub(crate) fn int(&self, role: Role) -> i32 {
        match self.hook.language {
            Language::C => self.word(role) as i32,
            // SAFETY: Fortran passes the address of an integer.
            _ => unsafe { read(self.word(role)) },
        }
    }

    /// An `int` argument, or `MPI_Count` in a large-count function.
    pub(crate) fn count(&self, role: Role) -> i64 {
        if self.hook.function.large {
            self.aint(role)
        } else {
            i64::from(self.int(role))
        }
    }

    /// An `MPI_Aint` argument.
    pub(crate) fn aint(&self, role: Role) -> i64 {
        match self.hook.language {
            Language::C => self.word(role) as i64,
            // SAFETY: Fortran passes the address of an integer of that kind.
            _ => unsafe { read(self.word(role)) },
        }
    }

    /// A handle, as the C handle.
    pub(crate) fn handle(&self, role: Role) -> usize {
        match self.hook.language {
            Language::C => self.word(role) & constants().handle_mask,
            // SAFETY: Fortran passes the address of an integer (or of a type that holds just one).
            _ => handle::from_fortran(self.kind(role), unsafe { read(self.word(role)) }),
        }
    }

    /// The handle that an argument points to: an in-out argument, or after the call an out argument.
    pub(crate) fn handle_behind(&self, role: Role) -> usize {
        self.place(role).handle(0)
    }

    /// Element `k` of an array of handles.
    pub(crate) fn element_handle(&self, role: Role, k: usize) -> usize {
        self.place(role).handle(k)
    }

    /// Element `k` of an array of `int`.
    pub(crate) fn element_int(&self, role: Role, k: usize) -> i32 {
        // SAFETY: the caller passes an array that long.
        unsafe { read(self.word(role) + 4 * k) }
    }

    /// Element `k` of an array of `int`, or of `MPI_Count` in a large-count function.
    pub(crate) fn element_count(&self, role: Role, k: usize) -> i64 {
        if self.hook.function.large {
            self.element_aint(role, k)
        } else {
            i64::from(self.element_int(role, k))
        }
    }

    /// Element `k` of an array of `MPI_Aint`.
    pub(crate) fn element_aint(&self, role: Role, k: usize) -> i64 {
        // SAFETY: the caller passes an array that long.
        unsafe { read(self.word(role) + 8 * k) }
    }

    /// The integer that an argument points to, in every language: a flag, an index, a count that was returned.
    pub(crate) fn out_int(&self, role: Role) -> i32 {
        self.element_int(role, 0)
    }

    /// The address that an argument points to: `baseptr` of window allocation.
    pub(crate) fn out_address(&self, role: Role) -> usize {
        // SAFETY: a place for an address in every language.
        unsafe { read(self.word(role)) }
    }

    /// A choice buffer.
    pub(crate) fn choice(&self, role: Role) -> Choice {
        let word = self.word(role);
        let address = match self.hook.language {
            // SAFETY: the address of a descriptor, whose first field is the base address with every compiler.
            Language::Fortran08Descriptors => unsafe { read(word) },
            _ => word,
        };
        let constants = constants();
        if self.hook.language == Language::C {
            if address == constants.in_place() {
                return Choice::InPlace;
            }
        } else if constants.fortran.in_place.contains(&address) {
            return Choice::InPlace;
        } else if constants.fortran.bottom.contains(&address) {
            return Choice::At(0);
        }
        Choice::At(address)
    }

    /// A text argument, the only one of the call.
    pub(crate) fn text(&self, role: Role) -> String {
        if self.hook.language == Language::C {
            // SAFETY: C passes a C string.
            let text = unsafe { CStr::from_ptr(self.word(role) as *const _) };
            return text.to_string_lossy().into_owned();
        }
        // MPI's own limit keeps a wrong length from doing harm.
        let length = (self.words[self.hook.words() - 1] as u32 as usize).min(255);
        // SAFETY: Fortran passes that many characters, padded with blanks.
        let bytes = unsafe { std::slice::from_raw_parts(self.word(role) as *const u8, length) };
        String::from_utf8_lossy(bytes).trim_end().to_owned()
    }

    /// Passes another integer than the caller's; of one argument of a call.
    pub(crate) fn replace_int(&mut self, role: Role, value: i32) {
        self.own_int = value;
        let at = self.at(role);
        self.words[at] = match self.hook.language {
            Language::C => value as u32 as usize,
            _ => (&raw mut self.own_int) as usize,
        };
    }

    /// Makes sure that a status argument is filled by the library.
    pub(crate) fn want_status(&mut self, role: Role) {
        if self.status_ignored(role) {
            let place = (&raw mut self.own_status) as usize;
            let at = self.at(role);
            self.words[at] = place;
        }
    }

    /// Gives an argument that is an array of statuses a place, if the caller ignores it. The place must live until the
    /// call returned.
    pub(crate) fn want_statuses(&mut self, role: Role, count: usize) -> Vec<u64> {
        let mut place = Vec::new();
        if self.status_ignored(role) {
            place.resize(count * constants().status_size().div_ceil(8), 0);
            let at = self.at(role);
            self.words[at] = place.as_mut_ptr() as usize;
        }
        place
    }

    /// Source and tag of the `k`-th status of an argument; after the call, when it was wanted.
    pub(crate) fn status(&self, role: Role, k: usize) -> (i32, i32) {
        let constants = constants();
        let address = self.status_address(role, k);
        // SAFETY: the caller's status or ours, of the library's layout.
        unsafe {
            (
                read(address + constants.numbers.status_source as usize),
                read(address + constants.numbers.status_tag as usize),
            )
        }
    }

    /// Where the `k`-th status of an argument lies, once it was wanted.
    pub(crate) fn status_address(&self, role: Role, k: usize) -> usize {
        self.word(role) + k * constants().status_size()
    }

    /// Whether the caller ignores the status.
    fn status_ignored(&self, role: Role) -> bool {
        let (constants, word) = (constants(), self.word(role));
        match self.hook.language {
            Language::C => word == constants.status_ignore(),
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
    pub(crate) fn place(&self, role: Role) -> Place {
        Place {
            address: self.word(role),
            fortran: (self.hook.language != Language::C).then(|| self.kind(role)),
        }
    }

    pub(crate) fn words(&self) -> &[usize; MAX_WORDS] {
        &self.words
    }

    pub(crate) fn set_result(&mut self, result: usize) {
        self.result = result;
    }

    /// An `mpi_f08` caller may leave out the error argument; then we pass one, to know.
    pub(crate) fn provide_error_argument(&mut self) {
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

    /// Which of the words plays a role. A role that the call lacks is a bug of ours: it ends the observer, not
    /// the program.
    fn at(&self, role: Role) -> usize {
        let place = self.hook.function.signature.place(role);
        place.expect("the call has this role") - self.dropped()
    }

    /// The kind of handle at a role.
    fn kind(&self, role: Role) -> Handle {
        match self
            .hook
            .function
            .signature
            .parameter(role)
            .map(|parameter| parameter.kind)
        {
            Some(Kind::Handle(kind)) => kind,
            other => panic!("{role:?} is no handle but {other:?}"),
        }
    }
}

/// See [`CallView::place`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    address: usize,
    /// The kind of handle that is there, where it is one of Fortran's.
    fortran: Option<Handle>,
}

impl Place {
    /// The `k`-th handle there.
    pub(crate) fn handle(self, k: usize) -> usize {
        let variable = self.variable(k);
        // SAFETY: an array of handles of the caller's language.
        unsafe {
            if let Some(kind) = self.fortran {
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
        let wide = self.fortran.is_none() && constants().handle_mask == usize::MAX;
        self.address + k * if wide { 8 } else { 4 }
    }
}

/// # Safety
/// `address` must be that of a `T`, perhaps unaligned.
unsafe fn read<T: Copy>(address: usize) -> T {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::read_unaligned(address as *const T) }
}
