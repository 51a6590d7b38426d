//! The pieces of a test.

use farside_litmus::ast::StatementKind;

/// With or without the repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Broken,
    Repaired,
}

/// A statement of a test, or the end of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    kind: StatementKind,
    /// Items of one group are left out together.
    group: Group,
    /// None: in both.
    only: Option<Variant>,
    /// The act of its lane that it is, if it is one.
    act: Option<usize>,
}

/// What an item belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Group {
    /// An access of the race.
    Access(u8),
    /// The repair.
    Repair,
    /// What was recorded; what is before it in the other lane is ordered before what is after it in this one.
    Order(u32),
    /// What was recorded besides.
    Other(u32),
}

impl Item {
    /// In both variants.
    pub(crate) fn new(kind: StatementKind, group: Group) -> Self {
        Self {
            kind,
            group,
            only: None,
            act: None,
        }
    }

    /// It is this act of its lane.
    pub(crate) fn of_act(self, act: usize) -> Self {
        Self {
            act: Some(act),
            ..self
        }
    }

    /// The same in one variant.
    pub(crate) fn only_in(self, variant: Variant) -> Self {
        Self {
            only: Some(variant),
            ..self
        }
    }

    /// The same with another statement.
    pub(crate) fn saying(self, kind: StatementKind) -> Self {
        Self { kind, ..self }
    }

    pub(crate) fn kind(&self) -> &StatementKind {
        &self.kind
    }

    pub(crate) fn into_kind(self) -> StatementKind {
        self.kind
    }

    pub(crate) fn group(&self) -> Group {
        self.group
    }

    pub(crate) fn is_of_act(&self, act: usize) -> bool {
        self.act == Some(act)
    }

    /// The variant that it is in; none if it is in both.
    pub(crate) fn only(&self) -> Option<Variant> {
        self.only
    }
}
