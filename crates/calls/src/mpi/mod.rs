//! MPI's table: every procedure of MPI-5.0 by name, with its parameters, their roles, and its meaning where it is followed.
//!
//! [`Procedure`] and the table are generated (see `generate/`); [`Meaning`] is written by hand.
//! To follow one more call, give it a meaning in `generate/meanings.txt`, run `generate/table.py`, and write what the meaning does,
//! if no other call has it.

mod meaning;
#[rustfmt::skip]
mod table;

pub use meaning::{Completion, Making, Meaning, Synchronisation, Waits};
pub use table::Procedure;

use crate::signature::{Interfaces, Parameter, Returns, Signature};
use table::TABLE;

/// What the table has of one procedure.
struct Row {
    procedure: Procedure,
    signature: Signature,
    meaning: Option<Meaning>,
}

impl Row {
    const fn new(
        procedure: Procedure,
        name: &'static str,
        large: bool,
        returns: Returns,
        interfaces: Interfaces,
        meaning: Option<Meaning>,
        parameters: &'static [Parameter],
    ) -> Self {
        Self {
            procedure,
            signature: Signature::new(name, large, returns, interfaces, parameters),
            meaning,
        }
    }
}

impl Procedure {
    /// The parameters and how they are passed.
    pub const fn signature(self) -> &'static Signature {
        &TABLE[self as usize].signature
    }

    /// What the call means; `None` for one that is not followed.
    pub const fn meaning(self) -> Option<Meaning> {
        TABLE[self as usize].meaning
    }

    /// The name in C, of the form without large counts.
    pub const fn name(self) -> &'static str {
        self.signature().name()
    }

    /// All procedures.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.procedure)
    }

    /// The procedure of a name in C, and whether it is the form with large counts (`MPI_Put_c`).
    pub fn of_name(name: &str) -> Option<(Self, bool)> {
        // The table goes by names without regard to case.
        let find = |name: &str| {
            let key = |name: &str| name.to_ascii_lowercase();
            let found = TABLE.binary_search_by(|row| key(row.signature.name()).cmp(&key(name)));
            let row = &TABLE[found.ok()?];
            (row.signature.name() == name).then_some(row.procedure)
        };
        find(name).map(|procedure| (procedure, false)).or_else(|| {
            let plain = find(name.strip_suffix("_c")?)?;
            plain.signature().has_large_counts().then_some((plain, true))
        })
    }
}
