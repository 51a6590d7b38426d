//! What a register or private memory of the C program holds, as far as it is known before a run.

use crate::expression::Expression;
use crate::tables::{NoteId, Object, Span};
use farside_lint::{mask, signed};
use std::hash::{Hash, Hasher};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// Bits, zero-extended.
    Known(u64),
    /// What an expression over registers of the calculus says, as a signed number.
    Dynamic(Expression),
    /// Any.
    Unknown(Cause),
    /// An address somewhere in an object.
    Within(Object, Cause),
    /// A structure, field by field.
    Aggregate(Vec<Value>),
}

/// Why a value is not known. Two states that differ in causes only are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// It was read from memory whose values are not followed so far.
    Memory(Span),
    /// It cannot be followed.
    Lost(NoteId),
}

impl PartialEq for Cause {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Cause {}

impl Hash for Cause {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Cause {
    /// Why what depends on both is not known: what cannot be followed decides.
    fn and(self, other: Option<Self>) -> Self {
        match (self, other) {
            (Self::Memory(_), Some(lost @ Self::Lost(_))) => lost,
            _ => self,
        }
    }
}

impl Value {
    /// Why it is not known; `None` if it is.
    pub(crate) fn cause(&self) -> Option<Cause> {
        match self {
            Self::Known(_) | Self::Dynamic(_) => None,
            Self::Unknown(cause) | Self::Within(_, cause) => Some(*cause),
            Self::Aggregate(fields) => cause_of(fields),
        }
    }

    /// It as a signed number of so many bits.
    pub(crate) fn number(&self, bits: u32) -> Option<Expression> {
        match self {
            Self::Known(value) => Some(Expression::Number(signed(*value, bits))),
            Self::Dynamic(expression) => Some(expression.clone()),
            _ => None,
        }
    }

    /// An expression as a value of so many bits.
    pub(crate) fn of(expression: Expression, bits: u32) -> Self {
        match expression {
            Expression::Number(value) => Self::Known(mask(value as u64, bits)),
            other => Self::Dynamic(other),
        }
    }
}

/// Why something that is computed of these values is not known, if one of them is not.
pub(crate) fn cause_of<'v>(values: impl IntoIterator<Item = &'v Value>) -> Option<Cause> {
    let mut causes = values.into_iter().filter_map(Value::cause);
    let first = causes.next()?;
    Some(causes.fold(first, |cause, other| cause.and(Some(other))))
}
