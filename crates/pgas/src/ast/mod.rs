//! A PGAS program as it is written: headers, declarations, statements, with names as they stand in the text.
//!
//! Promise: the tree says all that the text says but comments and layout, and the [printer](crate::printer) turns it
//! back. Names are resolved, and calls of an API translated, by [lowering](crate::lower). Places do not count in
//! comparisons, so that two trees are equal when they say the same.
//!
//! Source: Calin, Derevenetc, Majumdar, Meyer, *A Theory of Partitioned Global Address Spaces*, FSTTCS 2013 (paper
//! 003), Figure 2, with the control structure that programs have instead of a bare automaton.

mod expression;

pub use expression::{BinaryOperator, Expression, Target, UnaryOperator};
use std::ops::Range;

/// Bytes of the source text; empty for what was not parsed. Two places always compare equal.
#[derive(Clone, Debug, Default)]
pub struct Place(pub Range<usize>);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As written.
    pub text: String,
    /// Where.
    pub place: Place,
}

/// The library whose calls a program uses (paper 003, section 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    /// OpenSHMEM.
    Shmem,
    /// ARMCI.
    Armci,
    /// GASNet-1.
    Gasnet,
    /// GPI-1.
    Gpi,
    /// GASPI (GPI-2), as paper 003 has it: a wait completes both sides.
    Gaspi,
    /// GASPI by its standard, version 17.1: a wait completes the local side.
    Gaspi17,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Shmem,
        Self::Armci,
        Self::Gasnet,
        Self::Gpi,
        Self::Gaspi,
        Self::Gaspi17,
    ];

    /// The word of the header line and of `--api`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shmem => "shmem",
            Self::Armci => "armci",
            Self::Gasnet => "gasnet",
            Self::Gpi => "gpi",
            Self::Gaspi => "gaspi",
            Self::Gaspi17 => "gaspi17",
        }
    }

    /// The API of that [name](Self::name).
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.name() == name)
    }
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The word after `program`.
    pub name: Name,
    /// The quoted lines after it.
    pub about: Vec<String>,
    /// `api shmem`
    pub api: Option<Api>,
    /// `ranks 2`
    pub ranks: Option<Header>,
    /// `domain 2`: values are 0 to 1.
    pub domain: Option<Header>,
    /// `domain 2 wraps`: what is stored or sent is reduced to a value of the domain.
    pub wraps: bool,
    /// In order of the text.
    pub declarations: Vec<Declaration>,
    /// What every process runs.
    pub body: Vec<Statement>,
}

/// A header line with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The number.
    pub value: u32,
    /// Where it stands.
    pub place: Place,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What is declared.
    pub name: Name,
    /// As what.
    pub kind: DeclarationKind,
    /// `a[4]`: how many of them.
    pub count: Option<u32>,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// `shared x = 1`: memory that every process has one of.
    Shared(Vec<Expression>),
    /// `register r = 1`
    Register(Option<Expression>),
    /// `queue q ordered`; without a word, as the API says, and ordered if there is none.
    Queue(Option<Order>),
    /// `handle h`: names single operations; only a wait looks at it.
    Handle,
}

/// In which order the operations of one queue of one process take effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// As issued: the queues of paper 003.
    Ordered,
    /// As issued among those to one process; nothing is said of two targets (GPI, ARMCI).
    PerTarget,
    /// In any order (GASPI, SHMEM, GASNet).
    Unordered,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub place: Place,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `r = e`, `x = e`, `a[i] = e`, `mem[e] = e`
    Assign {
        /// What gets the value.
        into: Target,
        /// The value; memory that it names is loaded first, from left to right.
        value: Expression,
    },
    /// `assume e`: goes on only if `e` is not 0.
    Assume(Expression),
    /// `assert e`: the paper's shortcut for load and assume; the answer tells when it can fail.
    Assert(Expression),
    /// `if e { ... } else { ... }`
    If {
        /// When.
        condition: Expression,
        /// Then.
        then: Vec<Statement>,
        /// Else.
        otherwise: Vec<Statement>,
    },
    /// `while e { ... }`
    While {
        /// As long as.
        condition: Expression,
        /// What.
        body: Vec<Statement>,
    },
    /// `loop { ... }`: any number of turns, none included; left at any turn.
    Loop(Vec<Statement>),
    /// `choice { ... } or { ... }`: one of them.
    Choice(Vec<Vec<Statement>>),
    /// `rank 0, 2..3 { ... }`: these processes only.
    Rank {
        /// First and last of each range.
        ranks: Vec<(u32, u32)>,
        /// What they do.
        body: Vec<Statement>,
        /// `else { ... }`: what the others do.
        otherwise: Vec<Statement>,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `goto l`
    Goto(Name),
    /// `l:`
    Label(Name),
    /// `skip`
    Skip,
    /// `read(x, r, y, q)`: from `y` of process `r` to the own `x`. `write(x, r, y, q)`: the other way.
    Transfer {
        /// Which way.
        direction: Direction,
        /// Memory of this process.
        local: Target,
        /// The other process.
        rank: Expression,
        /// Its memory.
        remote: Target,
        /// In which queue.
        queue: Target,
        /// Waited for by it, besides the queue.
        handle: Option<Target>,
        /// `write_after`: takes effect after all earlier operations of its queue to the same process; later ones may
        /// still overtake them all.
        after_earlier: bool,
    },
    /// `fetch_add(x, r, y, 1, q)`, `swap(x, r, y, 1, q)`, `cas(x, r, y, 0, 1, q)`: `y` of process `r` at once, its old
    /// value to the own `x`.
    Atomic {
        /// What happens to `y`.
        operation: AtomicOperation,
        /// Gets the old value; `_`: nothing does.
        local: Option<Target>,
        /// The other process.
        rank: Expression,
        /// Its memory.
        remote: Target,
        /// Added or written; before it, for `cas`, the value that must be there.
        operands: Vec<Expression>,
        /// In which queue.
        queue: Target,
        /// Waited for by it, besides the queue.
        handle: Option<Target>,
    },
    /// `barrier`
    Barrier,
    /// `wait q`, `wait h`: until all its operations are complete; of all elements of an array, if none is named.
    /// `wait_local q`: until their sources are read.
    Wait {
        /// A queue or a handle.
        what: Target,
        /// How far.
        completion: Completion,
    },
    /// `fence q`, `fence q, r`: later operations (to `r`) do not overtake earlier ones of the same target.
    Fence {
        /// Which queue.
        queue: Target,
        /// To which process only.
        rank: Option<Expression>,
    },
    /// `shmem_put(y, x, 1, r)`, `h = gasnet_put_nb(r, y, x, 1)`: a call of the API.
    Call {
        /// What gets the result, if there is one.
        into: Option<Target>,
        /// The call.
        call: Call,
    },
}

impl StatementKind {
    /// The blocks in it, in the order of the text; none of a statement that has no block.
    #[must_use]
    pub fn blocks(&self) -> Vec<&[Statement]> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Rank { body, otherwise, .. } => vec![body, otherwise],
            Self::While { body, .. } | Self::Loop(body) => vec![body],
            Self::Choice(ways) => ways.iter().map(Vec::as_slice).collect(),
            _ => Vec::new(),
        }
    }
}

/// A call of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name.
    pub name: Name,
    /// What stands in its brackets.
    pub arguments: Vec<Expression>,
}

/// Which way data goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To this process.
    Read,
    /// From this process.
    Write,
}

/// An operation that reads and writes remote memory at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOperation {
    /// Adds; the sum must be in the domain.
    FetchAdd,
    /// Replaces.
    Swap,
    /// Replaces if the old value is as expected.
    CompareSwap,
}

/// How far an operation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completion {
    /// The source was read, and may be changed.
    Local,
    /// The destination was written.
    Full,
}
