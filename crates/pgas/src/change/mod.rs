//! Changes of the synchronisation of a program: waits, fences, barriers and ordered queues put in, made stronger, or
//! taken out.
//!
//! Promise: [`offers()`] lists what can be put in or made stronger, in the words of the program's API; [`takings`] what
//! can be taken out or weakened. [`apply`] changes the tree, and [`patch()`] the text, so that both are one program;
//! inserted statements have places from [`INSERTED`] on. Nothing is said of whether a change helps: that is for an
//! engine to decide.
//!
//! A place for a statement is the gap after each statement without a block, and the gap before the first one of a block
//! or after a block. A barrier is offered only where all processes come by, unconditionally: in gaps that are in no
//! block of a program without `goto`.

mod offers;
mod patch;
mod words;

use crate::ast::{
    Completion, DeclarationKind, Expression, Order, Place, Program, Statement, StatementKind, Target,
};
use crate::printer;
pub use offers::{offers, takings};
pub use patch::{patch, patch_with};

/// Places of inserted statements begin here: past every text, on machines of 32 bits, too.
pub const INSERTED: usize = 1 << (usize::BITS - 1);

/// What a change puts in; each kind has a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A wait for a queue or a handle.
    Wait,
    /// A fence.
    Fence,
    /// A barrier.
    Barrier,
    /// An operation moved to an ordered queue, or a queue declared ordered.
    Ordered,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Wait, Self::Fence, Self::Barrier, Self::Ordered];

    /// In one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Fence => "fence",
            Self::Barrier => "barrier",
            Self::Ordered => "ordered",
        }
    }
}

/// A place between two statements. Statements are named by the first byte of their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The statement beside it.
    pub statement: usize,
    /// The first byte after that statement.
    pub end: usize,
    /// After the statement; before it otherwise.
    pub behind: bool,
    /// All processes come by.
    pub everyone: bool,
}

/// A change of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A statement put in.
    Insert {
        /// Where.
        gap: Gap,
        /// What.
        statement: StatementKind,
        /// As what it counts.
        kind: Kind,
    },
    /// An operation put into another queue, which is ordered.
    Move {
        /// The operation.
        statement: usize,
        /// The first byte after it.
        end: usize,
        /// Its queue in the text.
        place: Place,
        /// The other queue.
        to: Expression,
    },
    /// A queue declared ordered.
    Order {
        /// Its name.
        queue: String,
        /// The name in its declaration.
        place: Place,
    },
    /// A statement replaced by one that waits or orders more.
    Strengthen {
        /// Which.
        statement: usize,
        /// The first byte after it.
        end: usize,
        /// By what.
        with: StatementKind,
        /// As what that counts.
        kind: Kind,
        /// As what the statement counts, which is saved.
        instead: Option<Kind>,
    },
    /// A statement left out.
    Remove {
        /// Which.
        statement: usize,
        /// The first byte after it.
        end: usize,
    },
    /// A statement replaced.
    Replace {
        /// Which.
        statement: usize,
        /// The first byte after it.
        end: usize,
        /// By what.
        with: StatementKind,
    },
}

impl Change {
    /// What is put in; none if something is taken out.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Insert { kind, .. } | Self::Strengthen { kind, .. } => Some(*kind),
            Self::Move { .. } | Self::Order { .. } => Some(Kind::Ordered),
            Self::Remove { .. } | Self::Replace { .. } => None,
        }
    }

    /// The byte of the text that it is about.
    #[must_use]
    pub fn at(&self) -> usize {
        match self {
            Self::Insert { gap, .. } => gap.statement,
            Self::Move { statement, .. }
            | Self::Strengthen { statement, .. }
            | Self::Remove { statement, .. }
            | Self::Replace { statement, .. } => *statement,
            Self::Order { place, .. } => place.0.start,
        }
    }

    /// What to do; `statement` is what stands [there](Self::at).
    #[must_use]
    pub fn words(&self, statement: &str) -> String {
        match self {
            Self::Insert {
                gap, statement: new, ..
            } => {
                let side = if gap.behind { "after" } else { "before" };
                format!("insert `{}` {side} `{statement}`", printer::head(new))
            }
            Self::Move {
                to: to @ Expression::Number(..),
                ..
            } => format!("put `{statement}` into queue {to}"),
            Self::Move { to, .. } => format!("put `{statement}` into the queue `{to}`, which is ordered"),
            Self::Order { queue, .. } => format!("declare the queue `{queue}` ordered"),
            Self::Strengthen { with, .. } => format!("replace `{statement}` by `{}`", printer::head(with)),
            Self::Remove { .. } => format!("`{statement}` can be left out"),
            Self::Replace { with, .. } => format!("`{statement}` can be `{}`", printer::head(with)),
        }
    }
}

/// The program with changes.
#[must_use]
pub fn apply(program: &Program, changes: &[Change]) -> Program {
    let mut changed = program.clone();
    for (at, change) in changes.iter().enumerate() {
        match change {
            Change::Order { queue, .. } => {
                for declaration in &mut changed.declarations {
                    if declaration.name.text == *queue {
                        declaration.kind = DeclarationKind::Queue(Some(Order::Ordered));
                    }
                }
            }
            Change::Insert { gap, statement, .. } => {
                let place = Place(INSERTED + at..INSERTED + at + 1);
                let kind = statement.clone();
                insert(&mut changed.body, gap, &Statement { kind, place });
            }
            Change::Move { statement, to, .. } => {
                each(&mut changed.body, *statement, &mut |kind| enqueue(kind, to))
            }
            Change::Remove { statement, .. } => {
                each(&mut changed.body, *statement, &mut |kind| {
                    *kind = StatementKind::Skip
                });
            }
            Change::Strengthen { statement, with, .. } => {
                each(&mut changed.body, *statement, &mut |kind| strengthen(kind, with));
            }
            Change::Replace { statement, with, .. } => {
                each(&mut changed.body, *statement, &mut |kind| kind.clone_from(with));
            }
        }
    }
    changed
}

/// The blocks in a statement.
fn blocks(kind: &mut StatementKind) -> Vec<&mut Vec<Statement>> {
    match kind {
        StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
        StatementKind::Rank { body, otherwise, .. } => vec![body, otherwise],
        StatementKind::While { body, .. } | StatementKind::Loop(body) => vec![body],
        StatementKind::Choice(ways) => ways.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Calls `change` with each statement that begins there and has no block.
fn each(block: &mut [Statement], statement: usize, change: &mut dyn FnMut(&mut StatementKind)) {
    for one in block {
        if one.place.0.start == statement && blocks(&mut one.kind).is_empty() {
            change(&mut one.kind);
        }
        for inner in blocks(&mut one.kind) {
            each(inner, statement, change);
        }
    }
}

/// Makes a statement stronger: one of several that a call stands for, each of which waits for what it waited for.
fn strengthen(kind: &mut StatementKind, with: &StatementKind) {
    match (&mut *kind, with) {
        (StatementKind::Wait { completion, .. }, StatementKind::Wait { .. }) => {
            *completion = Completion::Full
        }
        (StatementKind::Fence { queue, rank: None }, StatementKind::Wait { completion, .. }) => {
            *kind = StatementKind::Wait {
                what: queue.clone(),
                completion: *completion,
            };
        }
        (StatementKind::Call { .. }, StatementKind::Call { .. }) => kind.clone_from(with),
        _ => {}
    }
}

/// Puts a statement into a gap. What stands for one statement of the text may be several in the tree.
fn insert(block: &mut Vec<Statement>, gap: &Gap, new: &Statement) {
    for one in block.iter_mut() {
        for inner in blocks(&mut one.kind) {
            insert(inner, gap, new);
        }
    }
    let beside = |one: &mut Statement| one.place.0.start == gap.statement && blocks(&mut one.kind).is_empty();
    let mut at = 0;
    while at < block.len() {
        if beside(&mut block[at]) {
            let mut end = at;
            while end < block.len() && beside(&mut block[end]) {
                end += 1;
            }
            block.insert(if gap.behind { end } else { at }, new.clone());
            at = end + 1;
        } else {
            at += 1;
        }
    }
}

/// Puts an operation into another queue.
fn enqueue(kind: &mut StatementKind, to: &Expression) {
    match (kind, to) {
        (
            StatementKind::Transfer { queue, .. } | StatementKind::Atomic { queue, .. },
            Expression::Value(target),
        ) => *queue = target.clone(),
        (StatementKind::Call { call, .. }, _) => {
            if let Some(queue) = words::queue_argument(call).and_then(|at| call.arguments.get_mut(at)) {
                *queue = to.clone();
            }
        }
        _ => {}
    }
}

/// The bytes of a queue in the text, if it is a name or an element of known place.
fn place_of(queue: &Target) -> Option<Place> {
    match queue {
        Target::Name(name) => Some(name.place.clone()),
        Target::Element(..) | Target::Memory(..) => None,
    }
}
