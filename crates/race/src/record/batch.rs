//! What a process has ordered at once, without completing it.

use super::Op;
use farside_clocks::{Component, Epoch};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What one call ordered of what its process had sent to one target on one channel, with all that its thread had
/// ordered there before.
#[derive(Debug)]
pub(crate) struct Batch {
    ops: Vec<Rc<Op>>,
    /// From when on what its process sends is done later.
    at: Epoch,
    earlier: Option<Rc<Batch>>,
    /// Threads that know of all of it, with what is earlier, that it is done.
    noticed: RefCell<SmallVec<[Component; 1]>>,
    /// How many of them, from the first one on, are complete.
    complete: Cell<usize>,
}

/// Batches that an operation comes after: one for each thread that ordered some.
pub(crate) type Batches = SmallVec<[Rc<Batch>; 1]>;

impl Batch {
    /// These were ordered then, after what is earlier.
    pub(crate) fn new(ops: Vec<Rc<Op>>, at: Epoch, earlier: Option<Rc<Self>>) -> Self {
        Self {
            ops,
            at,
            earlier,
            noticed: RefCell::default(),
            complete: Cell::new(0),
        }
    }

    /// From when on what its process sends is done later.
    pub(crate) fn at(&self) -> Epoch {
        self.at
    }

    /// A thread knows from this moment on that all of it is done at its target. Gives how many operations were gone
    /// through for that.
    pub(crate) fn notice(&self, at: Epoch) -> usize {
        let mut visits = 0;
        let mut next = Some(self);
        while let Some(batch) = next {
            let mut noticed = batch.noticed.borrow_mut();
            if noticed.contains(&at.component) {
                break;
            }
            noticed.push(at.component);
            visits += batch.ops.len();
            batch.ops.iter().for_each(|op| op.notice(at));
            next = batch.earlier.as_deref();
        }
        visits
    }

    /// Whether nothing of it is left to complete.
    pub(crate) fn is_complete(&self) -> bool {
        let left = self.ops[self.complete.get()..].iter();
        let complete = left.take_while(|op| op.is_complete()).count();
        self.complete.set(self.complete.get() + complete);
        self.complete.get() == self.ops.len()
    }
}

impl Drop for Batch {
    /// One after the other: there may be more than calls can be nested.
    fn drop(&mut self) {
        let mut next = self.earlier.take();
        while let Some(batch) = next {
            next = Rc::into_inner(batch).and_then(|mut batch| batch.earlier.take());
        }
    }
}
