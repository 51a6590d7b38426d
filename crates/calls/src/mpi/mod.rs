//! MPI's table: every procedure of MPI-5.0 by name, with its parameters, their roles, and its meaning where it is
//! followed.
//!
//! [`Procedure`] and the table are generated (see `generate/`). To follow one more call, give it a meaning in
//! `generate/meanings.txt`, run `generate/table.py`, and write what the meaning does, if no other call has it.

#[rustfmt::skip]
mod procedures;

pub use procedures::Procedure;

use crate::abi::Combiner;
use crate::meaning::Meaning;
use crate::signature::Signature;
use crate::table;
use procedures::TABLE;

impl Procedure {
    /// The parameters and how they are passed.
    pub const fn signature(self) -> &'static Signature {
        TABLE[self as usize].signature()
    }

    /// What the call means; `None` for one that is not followed.
    pub const fn meaning(self) -> Option<Meaning> {
        TABLE[self as usize].meaning()
    }

    /// The name in C, of the form without large counts.
    pub const fn name(self) -> &'static str {
        self.signature().name()
    }

    /// What it makes a datatype by; `None` for one that makes none, and for distributed arrays.
    pub const fn combiner(self) -> Option<Combiner> {
        Some(match self {
            Self::Type_dup => Combiner::Dup,
            Self::Type_contiguous => Combiner::Contiguous,
            Self::Type_vector => Combiner::Vector,
            Self::Type_create_hvector | Self::Type_hvector => Combiner::Hvector,
            Self::Type_indexed => Combiner::Indexed,
            Self::Type_create_hindexed | Self::Type_hindexed => Combiner::Hindexed,
            Self::Type_create_indexed_block => Combiner::IndexedBlock,
            Self::Type_create_hindexed_block => Combiner::HindexedBlock,
            Self::Type_create_struct | Self::Type_struct => Combiner::Struct,
            Self::Type_create_subarray => Combiner::Subarray,
            Self::Type_create_resized => Combiner::Resized,
            _ => return None,
        })
    }

    /// All procedures.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.procedure())
    }

    /// The procedure of a name in C, and whether it is the form with large counts (`MPI_Put_c`).
    pub fn of_name(name: &str) -> Option<(Self, bool)> {
        let find = |name| table::find(&TABLE, name);
        find(name).map(|procedure| (procedure, false)).or_else(|| {
            let plain = find(name.strip_suffix("_c")?)?;
            plain.signature().has_large_counts().then_some((plain, true))
        })
    }
}
