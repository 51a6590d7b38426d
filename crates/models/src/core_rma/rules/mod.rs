//! Figure 4, a function a rule.
//!
//! A rule that orders by the program alone says of two actions whether it demands `a hb b`: [`ORDERING`] lists them.
//! Rules that look at reads-from or at hb itself take these as predicates. The functions are the definitions word by
//! word; engines that compute the same otherwise are compared with them.

mod conflicts;
mod flush;
mod local;
mod put_get;
mod read_modify_write;
mod reads_from;
mod routing;
mod writes;

pub use conflicts::{conflict, no_c, read_conflict, write_conflict};
pub use flush::{f1, f2, f3};
pub use local::lo;
pub use put_get::pg;
pub use read_modify_write::{cas_f, cas_t, ga, ga_atomic};
pub use reads_from::{r1, r2};
pub use routing::ir;
pub use writes::{ws, ws_apart};

use super::{Path, Switches};

/// A rule of Figure 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A read stands before the next write.
    R1,
    /// A read stands after the write that it reads.
    R2,
    /// A read without conflict has the value written.
    NoC,
    /// A read with conflict has no defined value.
    C,
    /// In-order routing.
    Ir,
    /// Remote get accumulate.
    Ga,
    /// Compare and swap that fails.
    CasF,
    /// Compare and swap that succeeds.
    CasT,
    /// Flush, then local.
    F1,
    /// Remote, then flush.
    F2,
    /// Flush, then remote.
    F3,
    /// Remote put and remote get.
    Pg,
    /// Local order.
    Lo,
    /// Write sequentiality.
    Ws,
}

impl Rule {
    /// Every rule, in the order of Figure 4.
    pub const ALL: [Self; 14] = [
        Self::R1,
        Self::R2,
        Self::NoC,
        Self::C,
        Self::Ir,
        Self::Ga,
        Self::CasF,
        Self::CasT,
        Self::F1,
        Self::F2,
        Self::F3,
        Self::Pg,
        Self::Lo,
        Self::Ws,
    ];

    /// As in the paper.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::R1 => "R1",
            Self::R2 => "R2",
            Self::NoC => "no-C",
            Self::C => "C",
            Self::Ir => "IR",
            Self::Ga => "GA",
            Self::CasF => "CAS-F",
            Self::CasT => "CAS-T",
            Self::F1 => "F1",
            Self::F2 => "F2",
            Self::F3 => "F3",
            Self::Pg => "PG",
            Self::Lo => "LO",
            Self::Ws => "WS",
        }
    }
}

/// Whether a rule demands `a hb b`, whatever is read from where.
pub type Demands = fn(&Path, Switches, usize, usize) -> bool;

/// The rules that order by the program alone.
pub const ORDERING: [(Rule, Demands); 9] = [
    (Rule::Pg, pg),
    (Rule::Ga, ga),
    (Rule::CasF, cas_f),
    (Rule::CasT, cas_t),
    (Rule::F1, f1),
    (Rule::F2, f2),
    (Rule::F3, f3),
    (Rule::Ir, ir),
    (Rule::Lo, lo),
];
