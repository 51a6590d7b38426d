//! Loads and stores that the C library and the Fortran runtime make for the program.
//!
//! `-fsanitize=thread` instruments the program's own instructions only. `memcpy`, string functions, formatted output
//! and the transfers of Fortran's `print` and `read` access memory on its behalf, so their names are interposed: each
//! looks at its arguments, records what the real function will access, and jumps to it with everything as it was.
//!
//! Promise: the program's results do not change. While nothing is watched the cost is one comparison and a jump.
//! Recorded is what the C standard says that the function accesses (a comparison up to the first difference), not
//! what a vectorised implementation touches beyond.
//! Only calls from the program's own code count ([`caller`]): what libraries do between themselves is theirs.
//!
//! Limits: see each file. GCC expands copies of small constant size in place without a callback; the compiler wrappers
//! switch that off where GCC lets them (`-fno-builtin-memcpy` and friends, C and C++ only).

mod caller;
mod ends;
mod format;
mod fortran;
mod forward;
mod input;
mod jump;
mod jumps;
mod memory;
mod numbers;
mod output;
mod release;
mod strings;

use crate::guard;
use crate::memory::slots::busy;
use crate::memory::{library_access, watched, watched_itself};
use crate::{recorder, stacks};
use farside_events::AccessKind::{self, Load, Store};

/// Makes this library's own calls of the C library known as its own; called once, when recording starts.
pub(crate) fn initialise() {
    caller::find_own_code();
}

/// A call of the program to a function of a library.
#[derive(Clone, Copy)]
struct Call {
    name: &'static str,
    /// Its return address.
    pc: usize,
}

impl Call {
    /// The call, if it counts: made by the program's own code while recording, and not within MPI.
    fn of_program(name: &'static str, pc: usize) -> Option<Self> {
        let counts = recorder::active() && !busy() && caller::is_program(pc) && !recorder::inside_mpi();
        counts.then_some(Self { name, pc })
    }

    fn loads(self, address: u64, len: usize) {
        self.accesses(Load, address, len);
    }

    fn stores(self, address: u64, len: usize) {
        self.accesses(Store, address, len);
    }

    fn accesses(self, kind: AccessKind, address: u64, len: usize) {
        let range = (address as usize, len);
        if len != 0 && watched(range.0, range.1) && !self.is_ordered_by_the_interpreter(range) {
            library_access(kind, self.name, range.0, len, self.pc);
            guard::touch(range.0, range.1);
        }
    }

    /// Whether the access is one of an interpreter, to memory that only several threads make worth a look: what it does
    /// with its lock comes before what a thread issues that had the lock later.
    fn is_ordered_by_the_interpreter(self, (address, len): (usize, usize)) -> bool {
        !watched_itself(address, len) && stacks::is_locked_interpreter(self.pc)
    }
}
