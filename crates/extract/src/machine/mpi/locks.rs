//! Exclusive locks of windows.

use crate::declare::locks;
use crate::machine::bytes::Bytes;
use crate::machine::{Followed, Machine};
use crate::program::{name, number, written};
use crate::tables::{ObjectKind, Tables};
use crate::value::Value;
use farside_lint::ir::PlaceId;
use farside_pgas::ast::{
    AtomicOperation, BinaryOperator, Completion, Expression as Written, Statement, StatementKind, Target,
};

/// Bytes of what stands for a lock, and of the cell that says what it was.
const SIZE: u64 = 4;

impl Machine<'_> {
    /// Accesses under an exclusive lock are not concurrent with those under another one of the same window and target
    /// (MPI-4.1 §12.5.3): it is taken by compare-and-swap at the target until it succeeds. The standard does not say
    /// that locks are made so, nor when in its epoch a process has one.
    pub(super) fn lock_window(&mut self, rank: &Value, window: u32, place: PlaceId) -> Followed<()> {
        self.inexact(
            place,
            "an exclusive lock is taken for a loop of compare-and-swap at its target",
        );
        self.knowledge.lock_exclusively(window);
        let attempt = self.lock_statements(AtomicOperation::CompareSwap, &[0, 1], rank, window, place)?;
        attempt.iter().for_each(|kind| self.emit(kind.clone(), place));
        let old = self.lock_cell(ObjectKind::LockResult(window), place)?;
        let condition = Written::Binary(
            BinaryOperator::NotEqual,
            Box::new(Written::Value(self.target(&old))),
            Box::new(number(self.knowledge.bias())),
        );
        let at = self.place(place);
        let body = attempt.into_iter().map(|kind| Statement {
            kind,
            place: at.clone(),
        });
        let body = body.collect();
        self.emit(StatementKind::While { condition, body }, place);
        Ok(())
    }

    /// Gives the lock back, after all operations of the epoch.
    pub(super) fn unlock_window(&mut self, rank: &Value, window: u32, place: PlaceId) -> Followed<()> {
        for kind in self.lock_statements(AtomicOperation::Swap, &[0], rank, window, place)? {
            self.emit(kind, place);
        }
        Ok(())
    }

    /// Does something to a lock, and waits for it.
    fn lock_statements(
        &mut self,
        operation: AtomicOperation,
        operands: &[u64],
        rank: &Value,
        window: u32,
        place: PlaceId,
    ) -> Followed<Vec<StatementKind>> {
        let rank = written(&self.number_of(rank, 32, "a process", place)?);
        let (lock, old) = (
            self.lock_cell(ObjectKind::Lock(window), place)?,
            self.lock_cell(ObjectKind::LockResult(window), place)?,
        );
        let values = operands.iter().map(|&value| Value::Known(value));
        let operands = values.map(|value| self.written_to(&lock, &value, 32)).collect();
        let queue = || Target::Name(name(&locks(window)));
        Ok(vec![
            StatementKind::Atomic {
                operation,
                local: Some(self.target(&old)),
                rank,
                remote: self.target(&lock),
                operands,
                queue: queue(),
                handle: None,
            },
            StatementKind::Wait {
                what: queue(),
                completion: Completion::Full,
            },
        ])
    }

    fn lock_cell(&mut self, kind: ObjectKind, place: PlaceId) -> Followed<Bytes> {
        let object = self.tables.object(kind, SIZE, "mpi_lock");
        let address = Value::Known(Tables::address(object, 0));
        let bytes = self.shared_bytes(&address, SIZE, place)?;
        self.follow(&bytes);
        Ok(bytes)
    }
}
