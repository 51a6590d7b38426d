//! Addresses, queues and handles: numbers from 0, of which expressions name one.
//!
//! Promise: the number that an expression gives in a computation is one of its [`Numbers`].

use super::form::{Bounds, Form, Meeting, Role, meet};
use farside_pgas::calculus::Expression;
use std::ops::RangeInclusive;

/// Some of the numbers from 0: addresses, queues or handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    low: i64,
    /// Included.
    high: i64,
    /// Which one, counted from `low`.
    which: Form,
}

impl Numbers {
    /// Those that an expression may be, of so many.
    pub(super) fn of(
        expression: &Expression,
        registers: &[Form],
        role: Role,
        bounds: Bounds,
        count: usize,
    ) -> Self {
        let all = |which| Self {
            low: 0,
            high: count as i64 - 1,
            which,
        };
        let one = |number| Self {
            low: number,
            high: number,
            which: Form::number(0),
        };
        match expression {
            Expression::Element { base, count, index } => {
                let which = Form::of(index, registers, role, bounds);
                match which.as_number() {
                    Some(index) => one(base + index),
                    None => Self {
                        low: *base,
                        high: base + count - 1,
                        which,
                    },
                }
            }
            other => match Form::of(other, registers, role, bounds) {
                form if form.as_number().is_some() => one(form.as_number().unwrap_or(0)),
                form => all(form),
            },
        }
    }

    /// Whether two evaluations by one process give the same number.
    pub(super) fn is_same(self, other: Self) -> bool {
        (self.low, self.high) == (other.low, other.high) && self.which.is_same(other.which)
    }

    /// When two processes come to the same number.
    pub(super) fn meet(self, role: Role, other: Self, other_role: Role, bounds: Bounds) -> Meeting {
        if self.high < other.low || other.high < self.low {
            return Meeting::Never;
        }
        // An element is compared with another one of its array, or with one that is known.
        let shifted = |numbers: Self| {
            let from = self.low.min(other.low);
            numbers
                .which
                .as_number()
                .map_or(numbers.which, |which| Form::number(numbers.low + which - from))
        };
        let comparable = self.low == other.low
            || self.which.as_number().is_some() && self.low >= other.low
            || other.which.as_number().is_some() && other.low >= self.low;
        if comparable {
            meet((shifted(self), role), (shifted(other), other_role), bounds)
        } else {
            Meeting::Maybe
        }
    }

    /// All that it may be.
    pub(super) fn range(self) -> RangeInclusive<i64> {
        self.low..=self.high
    }

    /// The number, if it can only be one.
    pub(super) fn one(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }
}
