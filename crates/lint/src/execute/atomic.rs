//! Loads and stores in one: atomic updates and exchanges.

use crate::arithmetic;
use crate::execute::Job;
use crate::ir::{Action, PlaceId, Type};
use crate::site::At;
use crate::value::Value;
use farside_events::{AccessKind, AccessSource};
use std::rc::Rc;

impl Job<'_> {
    /// Does an atomic update or a comparison with exchange; its result.
    pub(super) fn exchange(&mut self, at: At, action: &Action, place: PlaceId) -> Value {
        let announce = |job: &mut Self, kind, address, ty: &Type| {
            job.access(at, kind, address, ty.size(), AccessSource::Atomic, place);
        };
        match action {
            Action::AtomicUpdate {
                operator,
                address,
                value,
                ty,
                ordering,
            } => {
                let address = self.deciding(at, address);
                let value = self.scalar(at, value);
                self.before_atomic(at, address, Some(*ordering));
                announce(self, AccessKind::Load, address, ty);
                announce(self, AccessKind::Store, address, ty);
                let old = self.load(at.rank, address, ty).scalar();
                let new = arithmetic::atomic(*operator, 8 * ty.size() as u32, old, value);
                self.store(at.rank, address, ty, &Value::Scalar(new));
                self.after_atomic(at, address, Some(*ordering));
                Value::Scalar(old)
            }
            Action::CompareExchange {
                address,
                expected,
                replacement,
                ty,
                ordering,
            } => {
                let address = self.deciding(at, address);
                self.before_atomic(at, address, Some(*ordering));
                let expected = self.scalar(at, expected);
                let replacement = self.scalar(at, replacement);
                announce(self, AccessKind::Load, address, ty);
                let old = self.load(at.rank, address, ty).scalar();
                let equal = old.bits == expected.bits;
                if equal {
                    announce(self, AccessKind::Store, address, ty);
                    self.store(at.rank, address, ty, &Value::Scalar(replacement));
                }
                self.after_atomic(at, address, Some(*ordering));
                Value::Aggregate(Rc::new(vec![Value::Scalar(old), Value::known(u64::from(equal))]))
            }
            _ => Value::default(),
        }
    }
}
