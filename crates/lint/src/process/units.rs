//! The units of a Fortran program that are connected with known texts, and its statements that have begun.

use crate::fortran::statement::Statement;
use rustc_hash::FxHashMap as HashMap;

/// The first unit that `newunit=` gives; the next ones are below it (Fortran 2018, 12.5.6.12).
const FIRST_NEW: i32 = -10;

/// Units by number.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// The file that a unit is connected with, as [`Streams`](super::Streams) have it; 0 if its text is not known.
    files: HashMap<i32, u64>,
    /// By what the program has for a statement.
    statements: HashMap<u64, Statement>,
    /// How many units `newunit=` gave.
    made: i32,
}

impl Units {
    /// A unit that the program has not numbered.
    pub(crate) fn make(&mut self) -> i32 {
        self.made += 1;
        FIRST_NEW - self.made
    }

    /// The unit is a file from now on; 0 for one whose text is not known.
    pub(crate) fn connect(&mut self, unit: i32, file: u64) {
        self.files.insert(unit, file);
    }

    /// The unit is no file from now on; which one it was.
    pub(crate) fn disconnect(&mut self, unit: i32) -> Option<u64> {
        self.files.remove(&unit)
    }

    /// The file that a unit was connected with, 0 for one whose text is not known; `None` if it was with none.
    pub(crate) fn file(&self, unit: i32) -> Option<u64> {
        self.files.get(&unit).copied()
    }

    /// A statement begins.
    pub(crate) fn begin(&mut self, name: u64, statement: Statement) {
        self.statements.insert(name, statement);
    }

    /// A statement that has begun, if something is known of it.
    pub(crate) fn statement(&mut self, name: u64) -> Option<&mut Statement> {
        self.statements.get_mut(&name)
    }

    /// A statement ends, or nothing is known of it any more.
    pub(crate) fn end(&mut self, name: u64) -> Option<Statement> {
        self.statements.remove(&name)
    }
}
