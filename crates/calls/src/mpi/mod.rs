//! MPI's table: every procedure of MPI-5.0 by name, with its parameters, their roles, and its meaning where it is followed.
//!
//! [`Procedure`] and the table are generated (see `generate/`); [`Meaning`] is written by hand.
//! To follow one more call, give it a meaning in `generate/meanings.txt`, run `generate/table.py`, and write what the meaning does,
//! if no other call has it.

mod meaning;
#[rustfmt::skip]
mod table;

pub use meaning::{Completion, Making, Meaning, Waits};
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
        find(name).map(|procedure| (procedure, false)).or_else(|| {
            let plain = find(name.strip_suffix("_c")?)?;
            plain.signature().has_large_counts().then_some((plain, true))
        })
    }
}

/// The table goes by names without regard to case.
fn find(name: &str) -> Option<Procedure> {
    let found = TABLE.binary_search_by(|row| {
        let known = row.signature.name().bytes().map(|byte| byte.to_ascii_lowercase());
        known.cmp(name.bytes().map(|byte| byte.to_ascii_lowercase()))
    });
    let row = &TABLE[found.ok()?];
    (row.signature.name() == name).then_some(row.procedure)
}
