//! Loads and stores in one: atomic updates and exchanges.

use crate::arithmetic;
use crate::ir::{Action, PlaceId, Type};
use crate::job::Job;
use crate::value::Value;
use farside_events::{AccessKind, AccessSource};
use std::rc::Rc;

impl Job<'_> {
    /// Does an atomic update or a comparison with exchange; its result.
    pub(super) fn exchange(&mut self, rank: u32, thread: usize, action: &Action, place: PlaceId) -> Value {
        let announce = |job: &mut Self, kind, address, ty: &Type| {
            job.access(
                rank,
                thread,
                kind,
                address,
                ty.size(),
                AccessSource::Atomic,
                place,
            );
        };
        match action {
            Action::AtomicUpdate {
                operator,
                address,
                value,
                ty,
                ordering,
            } => {
                let address = self.scalar(rank, thread, address).bits;
                let value = self.scalar(rank, thread, value);
                self.before_atomic(rank, thread, address, Some(*ordering));
                announce(self, AccessKind::Load, address, ty);
                announce(self, AccessKind::Store, address, ty);
                let old = self.load(rank, address, ty).scalar();
                let new = arithmetic::atomic(*operator, 8 * ty.size() as u32, old, value);
                self.store(rank, address, ty, &Value::Scalar(new));
                self.after_atomic(rank, thread, address, Some(*ordering));
                Value::Scalar(old)
            }
            Action::CompareExchange {
                address,
                expected,
                replacement,
                ty,
                ordering,
            } => {
                let address = self.scalar(rank, thread, address).bits;
                self.before_atomic(rank, thread, address, Some(*ordering));
                let expected = self.scalar(rank, thread, expected);
                let replacement = self.scalar(rank, thread, replacement);
                announce(self, AccessKind::Load, address, ty);
                let old = self.load(rank, address, ty).scalar();
                let equal = old.bits == expected.bits;
                if equal {
                    announce(self, AccessKind::Store, address, ty);
                    self.store(rank, address, ty, &Value::Scalar(replacement));
                }
                self.after_atomic(rank, thread, address, Some(*ordering));
                Value::Aggregate(Rc::new(vec![Value::Scalar(old), Value::known(u64::from(equal))]))
            }
            _ => Value::default(),
        }
    }
}
