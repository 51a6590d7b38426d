//! Locks.

use crate::machine::bytes::Bytes;
use crate::machine::{Followed, Machine};
use crate::program::{name, number, register};
use crate::tables::RegisterUse;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Predicate};
use farside_pgas::ast::{BinaryOperator, Call, Expression as Written, Statement, StatementKind};

impl Machine<'_> {
    /// Locks: at process 0, taken by compare-and-swap until it succeeds. The standard does not say that they are made
    /// so; what a failed try reads may be more than a library reads.
    pub(super) fn lock(
        &mut self,
        kind: &str,
        lock: &Value,
        result: Option<u32>,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let first = Value::Known(0);
        let own = Value::Known(u64::from(self.rank) + 1);
        let bytes = self.shared_bytes(lock, 8, place)?;
        self.lock_by(
            bytes.object(),
            place,
            "a lock is taken for a loop of compare-and-swap at process 0",
        );
        self.follow(&bytes);
        match kind {
            "clear_lock" => {
                // It completes all that was begun before (OpenSHMEM 1.5 §9.12.1).
                self.emit_call("shmem_quiet", Vec::new(), place);
                self.atomic("swap", &[lock.clone(), Value::Known(0), first], 8, None, place)?;
                Ok(None)
            }
            "test_lock" => {
                let values = [lock.clone(), Value::Known(0), own, first];
                let old = self.atomic("cswap", &values, 8, result, place)?;
                let old = old.unwrap_or(Value::Known(0));
                Ok(Some(self.compare(
                    Predicate::Ne,
                    64,
                    &old,
                    &Value::Known(0),
                    place,
                )))
            }
            _ => {
                let register = RegisterUse::Exchange(u32::MAX);
                self.spin(&bytes, &own, register, place)?;
                Ok(None)
            }
        }
    }

    /// `do old = compare_swap(lock, 0, own) while old != 0`
    pub(super) fn spin(
        &mut self,
        bytes: &Bytes,
        own: &Value,
        of: RegisterUse,
        place: PlaceId,
    ) -> Followed<()> {
        let free = self.written_to(bytes, &Value::Known(0), 64);
        let own = self.written_to(bytes, own, 64);
        let old = register(self.tables.register(of));
        let at = self.address_of(bytes);
        let attempt = StatementKind::Call {
            into: Some(old.clone()),
            call: Call {
                name: name("shmem_atomic_compare_swap"),
                arguments: vec![at, free.clone(), own, number(0)],
            },
        };
        self.emit(attempt.clone(), place);
        let at = self.place(place);
        let held = Written::Binary(
            BinaryOperator::NotEqual,
            Box::new(Written::Value(old)),
            Box::new(free),
        );
        let body = vec![Statement {
            kind: attempt,
            place: at,
        }];
        self.emit(
            StatementKind::While {
                condition: held,
                body,
            },
            place,
        );
        Ok(())
    }
}
