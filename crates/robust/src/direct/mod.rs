//! A direct explorer of the semantics of Table 1 (paper 003): an oracle for the product, and of no use to it.
//!
//! Promise: [`explore`] visits every state that Table 1 reaches, with all interleavings and without any reduction, and
//! knows at each step which happens-before relation (section 3) the computation has, as far as later events can ask for
//! it. "Robust" is said only if nothing was left out. A violating computation is one of least length among those within
//! the bound. Nothing of the product is used: neither normal forms (Theorem 5) nor cycle types (Lemma 13), and the
//! machine, the orders of queues and the relation are written a second time.
//!
//! Limits: a bound on the open operations of a process, [`MAX_OPEN`] of all processes together if none is given. Where
//! it holds an operation back, the answer is "robust up to the bound" at best. A program with a loop around an
//! operation has no other.
//!
//! What the paper and [`farside_pgas::calculus`] leave open is read so:
//! 1. A cycle is found as soon as the events so far have one, though computations end with empty queues: pops in order
//!    of issue empty them at any time, and no edge of the relation goes away when events are added.
//! 2. An edge between events of one command is no cycle, for the pair is in the identity relation (its equivalence
//!    closure): `write(x, me, x, q)` alone is robust.
//! 3. An atomic operation whose old value nobody wants has no popb. It is complete when popa is done and, in an ordered
//!    queue, all earlier ones are complete (section 2.4: operations in one queue are completed in the order of issue).
//! 4. An atomic operation reads and writes whatever it finds: a compare-and-swap that fails writes the old value again.
//!    Values in a request are in the domain.
//! 5. An operation takes effect at its target at the popb of a write, and at the popa of a read or of an atomic
//!    operation. What comes after a fence of its queue takes effect after what is before it and has the same target, in
//!    queues of each order. `write_after` takes effect after all earlier ones of its queue and target. In an ordered
//!    queue an atomic operation takes effect after all earlier ones of its queue (and target, if it is ordered per
//!    target); the two stages alone would let it overtake writes, as Table 1 lets reads.
//! 6. Local completion is popa for each kind of operation: the source was read. `wait h` waits for all open operations
//!    of the process that were issued with `h`.
//! 7. A command that divides by 0, or names a rank, address, queue or handle that is not there, is no step. A program
//!    that stores or sends a value which the domain does not have, in a computation without a cycle, has no verdict.
//!    So, where values can be outside, the search goes on after a violation, but not from it.
//! 8. The events of a barrier follow one another in order of ranks, with nothing in between.
//! 9. Registers keep their values: the `dead` of a transition is not looked at.

mod causes;
mod encoding;
mod explorer;
mod machine;
mod meaning;
mod operation;
mod replay;
mod set;
mod state;
mod store;

use crate::{Action, Limit, Limits, OutsideDomain};
use farside_pgas::calculus::Program;
pub use replay::{Access, Replayed, replay};

/// Most operations of all processes together that can be open at once.
pub const MAX_OPEN: usize = 127;

/// How far to explore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Most operations of a process that may be open (issued, and not complete) at once; at least 1. Without, or where
    /// it is larger: [`MAX_OPEN`] divided by the number of processes.
    pub queue_bound: Option<usize>,
    /// When to give up.
    pub limits: Limits,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No computation is violating.
    Robust,
    /// None is in which no process ever has more open operations than this; there are others.
    RobustUpTo(usize),
    /// This one is. It ends with empty queues; [`crate::replay`] makes it into events, and [`crate::cycle`] finds a
    /// cycle.
    NotRobust(Vec<Action>),
    /// A computation without a cycle makes a value that the domain does not have.
    OutsideDomain(OutsideDomain),
    /// A limit was reached.
    Inconclusive(Limit),
}

/// The answer for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Robust or not.
    pub verdict: Verdict,
    /// States that were met, with what matters of their happens-before relation.
    pub states: u64,
    /// Bytes that they took.
    pub bytes: u64,
}

/// Explores all computations of a program. `stop` is asked now and then whether to give up.
#[must_use]
pub fn explore(program: &Program, options: &Options, stop: &dyn Fn() -> bool) -> Answer {
    explorer::explore(program, options, stop)
}
