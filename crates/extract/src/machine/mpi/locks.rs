//! Locks of windows.
//!
//! Accesses under an exclusive lock are not concurrent with those under another lock of the same window and target
//! (MPI-4.1 §12.5.3). Where a window is only locked shared, nobody keeps anybody away, and a lock does nothing. Else it
//! is a number at the target: how many hold it shared, or one that says that it is held exclusively; who wants it tries
//! by compare-and-swap until it succeeds. The standard does not say that locks are made so, and two shared ones are not
//! ordered by it: from there on the program that is left may do and order more. Nor does it say when in its epoch a
//! process has a lock, unless it is one of its own window: what others may see before that is noted (`Machine::seen`).

use super::constants::target_of;
use crate::declare::locks;
use crate::machine::bytes::{Bytes, constant};
use crate::machine::{Followed, Machine};
use crate::program::{name, number, register, written};
use crate::progress::Lock;
use crate::tables::{ObjectKind, RegisterUse, Tables};
use crate::value::Value;
use farside_lint::ir::PlaceId;
use farside_pgas::ast::{
    AtomicOperation, BinaryOperator, Completion, Expression as Written, Statement, StatementKind, Target,
};

/// Bytes of what stands for a lock, and of the cell that says what it was.
const SIZE: u64 = 4;

impl Machine<'_> {
    /// `MPI_Win_lock` with `MPI_LOCK_EXCLUSIVE`.
    pub(super) fn lock_exclusively(&mut self, rank: &Value, window: u32, place: PlaceId) -> Followed<()> {
        self.knowledge.lock_exclusively(window);
        self.lock_as(
            window,
            place,
            "an exclusive lock is taken for a loop of compare-and-swap at its target",
        )?;
        self.take(rank, window, Lock::Exclusive, place)
    }

    /// A shared lock.
    pub(super) fn lock_shared(&mut self, rank: &Value, window: u32, place: PlaceId) -> Followed<()> {
        self.knowledge.lock_shared(window);
        if !self.knowledge.is_locked_both_ways(window) {
            return Ok(());
        }
        self.lock_as(
            window,
            place,
            "a shared lock is taken for a loop of compare-and-swap at its target, since there are exclusive ones",
        )?;
        self.take(rank, window, Lock::Shared, place)
    }

    /// A lock of a window is the cell that stands for it.
    fn lock_as(&mut self, window: u32, place: PlaceId, text: &str) -> Followed<()> {
        for kind in [ObjectKind::Lock(window), ObjectKind::LockResult(window)] {
            let cell = self.lock_cell(kind, place)?;
            self.lock_by(cell.object(), place, text);
        }
        Ok(())
    }

    /// A lock with `MPI_MODE_NOCHECK` keeps nobody away: the program says that nobody is to be kept away.
    pub(super) fn assert_lock(&mut self, assertion: &Value, window: u32, place: PlaceId) {
        if constant(assertion, 32) != Some(0) && self.knowledge.is_locked_exclusively(window) {
            self.less(
                place,
                "a lock with an assertion (MPI_MODE_NOCHECK) orders nothing (MPI-4.1 §12.5.5), which is not followed",
            );
        }
    }

    /// Tries with what the lock was before, as far as it is free, until that is what it is: a number in a register.
    fn take(&mut self, rank: &Value, window: u32, lock: Lock, place: PlaceId) -> Followed<()> {
        self.seen(place);
        self.hold(rank, window, lock, place)?;
        let free = self.lock_value(0);
        let taken = self.lock_value(self.exclusively(window));
        let old = self.lock_cell(ObjectKind::LockResult(window), place)?;
        let guess = self.guess();
        let (expected, new) = match lock {
            Lock::Exclusive => (free.clone(), taken.clone()),
            Lock::Shared => (Written::Value(guess.clone()), sum(&guess, BinaryOperator::Add)),
        };
        let attempt = self.attempt((expected.clone(), new), rank, window, place)?;
        let mut again = Vec::new();
        if lock == Lock::Shared {
            self.emit(assign(&guess, free.clone()), place);
            again.push(assign(&guess, Written::Value(self.target(&old))));
            let is_taken = equal(Written::Value(guess.clone()), taken);
            again.push(StatementKind::If {
                condition: is_taken,
                then: vec![self.at(assign(&guess, free), place)],
                otherwise: Vec::new(),
            });
        }
        self.repeat(attempt, again, (&old, expected), place);
        // A lock of the own window is given when the call returns.
        if *rank != Value::Known(u64::from(self.rank)) {
            self.state.progress_mut().ask(window, target_of(rank));
        }
        Ok(())
    }

    /// Gives a lock back, after all operations of the epoch.
    pub(super) fn unlock_window(&mut self, rank: &Value, window: u32, place: PlaceId) -> Followed<()> {
        self.state.progress_mut().end_lock(window, target_of(rank));
        if !self.knowledge.is_locked_exclusively(window) {
            return Ok(());
        }
        let lock = match (target_of(rank), self.knowledge.is_locked_both_ways(window)) {
            (_, false) => Lock::Exclusive,
            (Some(target), true) => match self.state.progress_mut().unlock(window, target) {
                Some(lock) => lock,
                None => return Err(self.lost(place, "an unlock of what is not locked")),
            },
            _ => return Err(self.lost(place, "an unlock of a process that only a run knows")),
        };
        if lock == Lock::Exclusive {
            let free = self.lock_value(0);
            for kind in self.lock_statements(AtomicOperation::Swap, vec![free], rank, window, place)? {
                self.emit(kind, place);
            }
            return Ok(());
        }
        let old = self.lock_cell(ObjectKind::LockResult(window), place)?;
        let guess = self.guess();
        let one = self.lock_value(1);
        self.emit(assign(&guess, one), place);
        let expected = Written::Value(guess.clone());
        let fewer = sum(&guess, BinaryOperator::Subtract);
        let attempt = self.attempt((expected.clone(), fewer), rank, window, place)?;
        let again = vec![assign(&guess, Written::Value(self.target(&old)))];
        self.repeat(attempt, again, (&old, expected), place);
        Ok(())
    }

    /// Which lock is held is known where it matters.
    fn hold(&mut self, rank: &Value, window: u32, lock: Lock, place: PlaceId) -> Followed<()> {
        if !self.knowledge.is_locked_both_ways(window) {
            return Ok(());
        }
        let Some(target) = target_of(rank) else {
            return Err(self.lost(
                place,
                "a lock of a process that only a run knows, of a window that is locked in both ways",
            ));
        };
        self.state.progress_mut().lock(window, target, lock);
        Ok(())
    }

    /// What an exclusive lock is where so many processes may hold it shared.
    fn exclusively(&self, window: u32) -> i64 {
        match self.knowledge.is_locked_both_ways(window) {
            true => i64::from(self.ranks) + 1,
            false => 1,
        }
    }

    /// A value of a lock, as cells have it.
    fn lock_value(&self, value: i64) -> Written {
        number(value + self.knowledge.bias())
    }

    /// The register for what a lock is taken to be.
    fn guess(&mut self) -> Target {
        register(self.tables.register(RegisterUse::Guess))
    }

    fn at(&self, kind: StatementKind, place: PlaceId) -> Statement {
        Statement {
            kind,
            place: self.place(place),
        }
    }

    /// Does something once, and again as long as the lock was not what was expected; before that, something else.
    fn repeat(
        &mut self,
        attempt: Vec<StatementKind>,
        mut again: Vec<StatementKind>,
        (old, expected): (&Bytes, Written),
        place: PlaceId,
    ) {
        attempt.iter().for_each(|kind| self.emit(kind.clone(), place));
        let condition = Written::Binary(
            BinaryOperator::NotEqual,
            Box::new(Written::Value(self.target(old))),
            Box::new(expected),
        );
        again.extend(attempt);
        let body = again.into_iter().map(|kind| self.at(kind, place)).collect();
        self.emit(StatementKind::While { condition, body }, place);
    }

    /// Tries once to make the lock another one.
    fn attempt(
        &mut self,
        (expected, new): (Written, Written),
        rank: &Value,
        window: u32,
        place: PlaceId,
    ) -> Followed<Vec<StatementKind>> {
        self.lock_statements(
            AtomicOperation::CompareSwap,
            vec![expected, new],
            rank,
            window,
            place,
        )
    }

    /// Does something to a lock, and waits for it.
    fn lock_statements(
        &mut self,
        operation: AtomicOperation,
        operands: Vec<Written>,
        rank: &Value,
        window: u32,
        place: PlaceId,
    ) -> Followed<Vec<StatementKind>> {
        let rank = written(&self.number_of(rank, 32, "a process", place)?);
        let lock = self.lock_cell(ObjectKind::Lock(window), place)?;
        let old = self.lock_cell(ObjectKind::LockResult(window), place)?;
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

fn assign(into: &Target, value: Written) -> StatementKind {
    StatementKind::Assign {
        into: into.clone(),
        value,
    }
}

fn equal(left: Written, right: Written) -> Written {
    Written::Binary(BinaryOperator::Equal, Box::new(left), Box::new(right))
}

/// One more or fewer than a register.
fn sum(register: &Target, operator: BinaryOperator) -> Written {
    Written::Binary(
        operator,
        Box::new(Written::Value(register.clone())),
        Box::new(number(1)),
    )
}
