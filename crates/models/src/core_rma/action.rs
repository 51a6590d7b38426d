//! Actions (paper, section 4): what statements are made of, and the attributes that rules ask for.

use super::value::{Source, Term};
use farside_litmus::ast::{Atomicity, Place, Queue, Rank, VariableId};

/// One of the paper's six types of actions, a first value, or what queues, flags and barriers add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// The write that gives a variable its first value.
    FirstValue,
    /// `r`
    LocalRead,
    /// `w`
    LocalWrite,
    /// `er`
    ExternalRead,
    /// `ew`
    ExternalWrite,
    /// `erw`
    ExternalReadWrite,
    /// `flush`
    Flush,
    /// `nw`: sets a flag.
    Notification,
    /// `rw`: the processor reads and resets a flag.
    LocalReadWrite,
    /// `wait`: for a queue.
    QueueWait,
    /// `enter`: a barrier.
    Enter,
    /// `leave`: a barrier.
    Leave,
}

impl ActionKind {
    /// The paper's name, or the one that model files use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstValue => "init",
            Self::LocalRead => "r",
            Self::LocalWrite => "w",
            Self::ExternalRead => "er",
            Self::ExternalWrite => "ew",
            Self::ExternalReadWrite => "erw",
            Self::Flush => "flush",
            Self::Notification => "nw",
            Self::LocalReadWrite => "rw",
            Self::QueueWait => "wait",
            Self::Enter => "enter",
            Self::Leave => "leave",
        }
    }
}

/// An action with its attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its type.
    pub kind: ActionKind,
    /// Its star; actions without memory are atomic for want of a better word.
    pub atomicity: Atomicity,
    /// `src`: the process that originates it; the owner for first values.
    pub source: Rank,
    /// `dst`: the process that executes it.
    pub destination: Rank,
    /// `rloc`, for readers.
    pub reads: Option<VariableId>,
    /// `wloc`, for writers.
    pub writes: Option<VariableId>,
    /// Index into [`Path::statements`]; none for first values.
    pub statement: Option<usize>,
}

impl Action {
    /// The set *Reader*.
    #[must_use]
    pub fn is_reader(&self) -> bool {
        self.reads.is_some()
    }

    /// The set *Writer*.
    #[must_use]
    pub fn is_writer(&self) -> bool {
        self.writes.is_some()
    }

    /// Whether it is atomic.
    #[must_use]
    pub fn is_atomic(&self) -> bool {
        self.atomicity == Atomicity::Atomic
    }

    /// The set *Local*: what the processor does itself.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(
            self.kind,
            ActionKind::LocalRead
                | ActionKind::LocalWrite
                | ActionKind::LocalReadWrite
                | ActionKind::QueueWait
                | ActionKind::Enter
                | ActionKind::Leave
        )
    }

    /// The set *External*.
    #[must_use]
    pub fn is_external(&self) -> bool {
        matches!(
            self.kind,
            ActionKind::ExternalRead
                | ActionKind::ExternalWrite
                | ActionKind::ExternalReadWrite
                | ActionKind::Notification
        )
    }

    /// The set *Flush*.
    #[must_use]
    pub fn is_flush(&self) -> bool {
        self.kind == ActionKind::Flush
    }

    /// The variable it is directed towards.
    #[must_use]
    pub fn variable(&self) -> Option<VariableId> {
        self.reads.or(self.writes)
    }
}

/// The read-write action of an rga or a cas: one action, or two where only remote atomics see it whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadWrite {
    /// The action that reads.
    pub read: usize,
    /// The action that writes; the same unless split.
    pub write: usize,
}

impl ReadWrite {
    /// Whether it is two actions.
    #[must_use]
    pub fn is_split(self) -> bool {
        self.read != self.write
    }
}

/// The actions of a statement by their part in it: the paper's predicates `rp`, `rg`, `rga`, `rcas`. Numbers are
/// indices into [`Path::actions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// An action of the processor: a local read or write, an awaited or taken flag, a wait for a queue.
    Local(usize),
    /// `rg(er, ew)`
    Get {
        /// Reads the target.
        er: usize,
        /// Writes the origin.
        ew: usize,
    },
    /// `rp(er, ew)`
    Put {
        /// Reads the origin.
        er: usize,
        /// Writes the target.
        ew: usize,
    },
    /// `rga(er, erw, ew)`
    Rga {
        /// Reads the operand.
        er: usize,
        /// Changes the target.
        erw: ReadWrite,
        /// Writes the result.
        ew: usize,
    },
    /// `rcas(er1, er2, erw, ew)`
    Cas {
        /// Reads what is compared.
        er1: usize,
        /// Reads what is swapped in.
        er2: usize,
        /// Changes the target.
        erw: ReadWrite,
        /// Writes the result.
        ew: usize,
        /// Whether it succeeds on this path, where the model distinguishes paths by that.
        succeeds: Option<bool>,
    },
    /// A flush.
    Flush(usize),
    /// A notification by itself.
    Notify(usize),
    /// A put with its notification.
    PutNotify {
        /// Reads the origin.
        er: usize,
        /// Writes the target.
        ew: usize,
        /// Sets the flag at the target.
        nw: usize,
    },
    /// A get with its notification.
    GetNotify {
        /// Reads the target.
        er: usize,
        /// Writes the origin.
        ew: usize,
        /// Sets the flag of the origin.
        nw: usize,
    },
    /// A barrier.
    Barrier {
        /// The process comes.
        enter: usize,
        /// The process goes on.
        leave: usize,
        /// Counts the barriers that the process came to before.
        turn: usize,
    },
}

impl Parts {
    /// The set *Remote*: the external actions at the target process.
    #[must_use]
    pub fn is_remote(self, action: usize) -> bool {
        match self {
            Self::Get { er, .. } | Self::GetNotify { er, .. } => action == er,
            Self::Put { ew, .. } => action == ew,
            Self::PutNotify { ew, nw, .. } => action == ew || action == nw,
            Self::Notify(nw) => action == nw,
            Self::Rga { erw, .. } | Self::Cas { erw, .. } => action == erw.read || action == erw.write,
            Self::Local(_) | Self::Flush(_) | Self::Barrier { .. } => false,
        }
    }

    /// One of its *Remote* actions.
    #[must_use]
    pub fn remote(self) -> Option<usize> {
        match self {
            Self::Get { er, .. } | Self::GetNotify { er, .. } => Some(er),
            Self::Put { ew, .. } | Self::PutNotify { ew, .. } => Some(ew),
            Self::Notify(nw) => Some(nw),
            Self::Rga { erw, .. } | Self::Cas { erw, .. } => Some(erw.read),
            Self::Local(_) | Self::Flush(_) | Self::Barrier { .. } => None,
        }
    }
}

/// A statement on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// Whose.
    pub rank: Rank,
    /// Counts the statements that the process executes on this path.
    pub ordinal: usize,
    /// Where it stands.
    pub place: Place,
    /// Its actions.
    pub parts: Parts,
    /// The queue that it is handed to, or waits for.
    pub queue: Option<Queue>,
}

/// One way through all processes: loops unrolled, branches taken. First values come first, then the actions of each
/// process in program order; so program order is the order of indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Every action.
    pub actions: Vec<Action>,
    /// What each writer writes, by action.
    pub written: Vec<Option<Source>>,
    /// Every statement that has actions.
    pub statements: Vec<Executed>,
    /// Values of `a = ...` statements, referred to by [`Term::Assigned`].
    pub assigned: Vec<Term>,
    /// Branches taken: each term is true or false as said, or undefined.
    pub branches: Vec<(Term, bool)>,
    /// By process and register: its value in the end.
    pub registers: Vec<Vec<Term>>,
}

impl Path {
    /// Program order: the same process, and earlier.
    #[must_use]
    pub fn po(&self, a: usize, b: usize) -> bool {
        a < b && self.process(a).is_some() && self.process(a) == self.process(b)
    }

    /// The process whose program has the action; none for first values.
    #[must_use]
    pub fn process(&self, action: usize) -> Option<Rank> {
        let action = &self.actions[action];
        action.statement.map(|_| action.source)
    }

    /// The parts of the action's statement; none for first values.
    #[must_use]
    pub fn parts(&self, action: usize) -> Option<Parts> {
        self.actions[action]
            .statement
            .map(|statement| self.statements[statement].parts)
    }

    /// The queue of the action's statement; none where it has none.
    #[must_use]
    pub fn queue(&self, action: usize) -> Option<Queue> {
        self.statements[self.actions[action].statement?].queue
    }

    /// Which of its process's barriers the action belongs to, counted from 0; none for what is no barrier.
    #[must_use]
    pub fn barrier(&self, action: usize) -> Option<usize> {
        match self.parts(action)? {
            Parts::Barrier { turn, .. } => Some(turn),
            _ => None,
        }
    }

    /// Whether the action is in the set *Remote*.
    #[must_use]
    pub fn is_remote(&self, action: usize) -> bool {
        self.parts(action).is_some_and(|parts| parts.is_remote(action))
    }

    /// Read-write actions that are split in two (`rmw-remote-only`).
    pub fn split(&self) -> impl Iterator<Item = ReadWrite> + '_ {
        self.statements
            .iter()
            .filter_map(|statement| match statement.parts {
                Parts::Rga { erw, .. } | Parts::Cas { erw, .. } if erw.is_split() => Some(erw),
                _ => None,
            })
    }
}
