//! The table of an interface: a row for every procedure, with its signature and its meaning.
//!
//! An interface has an enumeration of its procedures, and a static array of rows in the same order, which goes by names
//! without regard to case.

use crate::meaning::Meaning;
use crate::signature::{Interfaces, Parameter, Returns, Signature};

/// What a table has of one procedure of `P`.
#[derive(Debug)]
pub struct Row<P> {
    procedure: P,
    signature: Signature,
    meaning: Option<Meaning>,
}

impl<P: Copy> Row<P> {
    /// A row; `large` says whether there is a form with large counts, and a procedure without a meaning is not
    /// followed.
    pub const fn new(
        procedure: P,
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

    /// The procedure.
    pub const fn procedure(&self) -> P {
        self.procedure
    }

    /// Its parameters and how they are passed.
    pub const fn signature(&self) -> &Signature {
        &self.signature
    }

    /// What it means; `None` if it is not followed.
    pub const fn meaning(&self) -> Option<Meaning> {
        self.meaning
    }
}

/// The procedure of a name in a table.
pub fn find<P: Copy>(table: &[Row<P>], name: &str) -> Option<P> {
    let found = table.binary_search_by(|row| {
        let known = row.signature.name().bytes().map(|byte| byte.to_ascii_lowercase());
        known.cmp(name.bytes().map(|byte| byte.to_ascii_lowercase()))
    });
    let row = &table[found.ok()?];
    (row.signature.name() == name).then_some(row.procedure)
}
