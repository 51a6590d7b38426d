//! Relational expressions: what model files say beyond the rules.
//!
//! An expression is a set of actions or a relation between them. Each node's type is fixed when it is read
//! ([`crate::file`]); engines evaluate it over the actions of a path.

use super::{Action, ActionKind, Parts, Path, Rule};

/// A set of actions by type or attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseSet {
    /// `_`: every action.
    All,
    /// `R`: *Reader*.
    Reader,
    /// `W`: *Writer*, first values included.
    Writer,
    /// `Local`
    Local,
    /// `External`
    External,
    /// `Remote`
    Remote,
    /// `Flush`
    Flush,
    /// `init`: first values.
    Init,
    /// `r`, `w`, `rw`, `er`, `ew`, `erw`, `nw`, `wait`, `enter`, `leave`: actions of one type.
    Kind(ActionKind),
    /// `atomic`
    Atomic,
    /// `nonatomic`
    NonAtomic,
    /// `put`: actions of puts, those with a notification included.
    Put,
    /// `get`
    Get,
    /// `rga`
    Rga,
    /// `cas`
    Cas,
    /// `self`: actions whose statement targets the process itself.
    SelfTarget,
}

impl BaseSet {
    /// Names as model files write them, with what they hold.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("_", Self::All),
        ("R", Self::Reader),
        ("W", Self::Writer),
        ("Local", Self::Local),
        ("External", Self::External),
        ("Remote", Self::Remote),
        ("Flush", Self::Flush),
        ("init", Self::Init),
        ("r", Self::Kind(ActionKind::LocalRead)),
        ("w", Self::Kind(ActionKind::LocalWrite)),
        ("er", Self::Kind(ActionKind::ExternalRead)),
        ("ew", Self::Kind(ActionKind::ExternalWrite)),
        ("erw", Self::Kind(ActionKind::ExternalReadWrite)),
        ("nw", Self::Kind(ActionKind::Notification)),
        ("rw", Self::Kind(ActionKind::LocalReadWrite)),
        ("wait", Self::Kind(ActionKind::QueueWait)),
        ("enter", Self::Kind(ActionKind::Enter)),
        ("leave", Self::Kind(ActionKind::Leave)),
        ("atomic", Self::Atomic),
        ("nonatomic", Self::NonAtomic),
        ("put", Self::Put),
        ("get", Self::Get),
        ("rga", Self::Rga),
        ("cas", Self::Cas),
        ("self", Self::SelfTarget),
    ];

    /// Whether the action is in the set.
    #[must_use]
    pub fn contains(self, path: &Path, index: usize) -> bool {
        let action: &Action = &path.actions[index];
        let parts = path.parts(index);
        match self {
            Self::All => true,
            Self::Reader => action.is_reader(),
            Self::Writer => action.is_writer(),
            Self::Local => action.is_local(),
            Self::External => action.is_external(),
            Self::Remote => path.is_remote(index),
            Self::Flush => action.is_flush(),
            Self::Init => action.kind == ActionKind::FirstValue,
            Self::Kind(kind) => action.kind == kind,
            Self::Atomic => action.is_atomic() && action.variable().is_some(),
            Self::NonAtomic => !action.is_atomic(),
            Self::Put => matches!(parts, Some(Parts::Put { .. } | Parts::PutNotify { .. })),
            Self::Get => matches!(parts, Some(Parts::Get { .. } | Parts::GetNotify { .. })),
            Self::Rga => matches!(parts, Some(Parts::Rga { .. })),
            Self::Cas => matches!(parts, Some(Parts::Cas { .. })),
            Self::SelfTarget => match parts.and_then(Parts::remote) {
                Some(remote) => path.actions[remote].destination == action.source,
                None => action.is_flush() && action.source == action.destination,
            },
        }
    }
}

/// A relation that every execution has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseRelation {
    /// `po`
    Po,
    /// `rf`
    Rf,
    /// `hb`
    Hb,
    /// `id`
    Identity,
    /// `loc`: the same variable.
    Location,
    /// `int`: the same process.
    Internal,
    /// `ext`: different processes; first values are external to all.
    External,
    /// `same-statement`
    Statement,
    /// `same-source`
    Source,
    /// `same-destination`
    Destination,
    /// `same-queue`: the same queue of the same process.
    Queue,
    /// `same-barrier`: the same barrier, of whichever processes.
    Barrier,
    /// `IR`, `LO`, ...: what a rule that orders by the program alone demands, whether or not it is in force.
    Rule(Rule),
}

impl BaseRelation {
    /// Names as model files write them; rules have theirs.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("po", Self::Po),
        ("rf", Self::Rf),
        ("hb", Self::Hb),
        ("id", Self::Identity),
        ("loc", Self::Location),
        ("int", Self::Internal),
        ("ext", Self::External),
        ("same-statement", Self::Statement),
        ("same-source", Self::Source),
        ("same-destination", Self::Destination),
        ("same-queue", Self::Queue),
        ("same-barrier", Self::Barrier),
    ];
}

/// A set or a relation. Operators on two are given lists, so that long chains are not deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// `R`
    Set(BaseSet),
    /// `po`
    Relation(BaseRelation),
    /// A `let`, by index into [`super::CoreModel::definitions`].
    Defined(usize),
    /// `0`: the empty relation.
    EmptyRelation,
    /// `{}`: the empty set.
    EmptySet,
    /// `a | b`
    Union(Vec<Expression>),
    /// `a & b`
    Intersection(Vec<Expression>),
    /// `a \ b`
    Difference(Box<Expression>, Box<Expression>),
    /// `a ; b`
    Composition(Vec<Expression>),
    /// `S * T`
    Product(Box<Expression>, Box<Expression>),
    /// `[S]`
    IdentityOn(Box<Expression>),
    /// `r^-1`
    Inverse(Box<Expression>),
    /// `r+`
    Closure(Box<Expression>),
    /// `r*`
    ReflexiveClosure(Box<Expression>),
    /// `r?`
    Optional(Box<Expression>),
    /// `domain(r)`
    Domain(Box<Expression>),
    /// `range(r)`
    Range(Box<Expression>),
}

/// `order EXPRESSION as NAME`: further edges of hb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordering {
    /// What explanations call it.
    pub name: String,
    /// A relation; grows with hb.
    pub expression: Expression,
    /// Whether it depends on rf or hb.
    pub dynamic: bool,
}

impl Ordering {
    /// Whether it orders nothing in a program without barriers, as its form shows.
    #[must_use]
    pub fn is_of_barriers(&self) -> bool {
        match &self.expression {
            Expression::Intersection(parts) => parts.contains(&Expression::Relation(BaseRelation::Barrier)),
            _ => false,
        }
    }
}

/// What a requirement demands of its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequirementKind {
    /// `acyclic`
    Acyclic,
    /// `irreflexive`
    Irreflexive,
    /// `empty`
    Empty,
}

impl RequirementKind {
    /// As model files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Acyclic => "acyclic",
            Self::Irreflexive => "irreflexive",
            Self::Empty => "empty",
        }
    }
}

/// `acyclic EXPRESSION as NAME`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// What explanations call it.
    pub name: String,
    /// What is demanded.
    pub kind: RequirementKind,
    /// Of which relation (or set, for `empty`).
    pub expression: Expression,
    /// Whether it depends on rf or hb.
    pub dynamic: bool,
}
