//! What the open fence epoch has started: the one place where operations meet the design of the fence.
//!
//! An operation asks [`Record::is_direct`] first. If so, the design needs to know nothing of it, and the operation goes
//! the shortest way that the transport has; else it goes through [`put`], and the fetching ones ask for
//! [`Record::is_deferred`].

use super::deferred::Deferred;
use super::way::Way;
use crate::sparse::Sparse;
use crate::window::core::WindowCore;
use crate::{Error, Rank, Result};
use farside_fabric::{Put, Signal, Ticket};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What the open epoch has started. Of a window.
pub(crate) struct Record {
    way: Cell<Way>,
    /// Recorded puts to each rank; those to the ranks in `targets` are not 0.
    puts: Sparse<Cell<u32>>,
    targets: RefCell<Vec<Rank>>,
    bytes: Cell<u64>,
    /// A put was started of which the target learns nothing.
    unsignalled: Cell<bool>,
    /// Where operations are queued; there from the first deferred epoch on.
    deferred: RefCell<Option<Rc<Deferred>>>,
}

impl Record {
    pub(crate) fn new(size: u32) -> Self {
        Self {
            way: Cell::new(Way::Direct),
            puts: Sparse::new(size as usize),
            targets: RefCell::default(),
            bytes: Cell::new(0),
            unsignalled: Cell::new(false),
            deferred: RefCell::default(),
        }
    }

    /// Whether operations go the shortest way.
    #[inline]
    pub(crate) fn is_direct(&self) -> bool {
        self.way.get() == Way::Direct
    }

    /// Whether operations are queued.
    #[inline]
    pub(crate) fn is_deferred(&self) -> bool {
        self.way.get() == Way::Deferred
    }

    /// An epoch begins.
    pub(crate) fn open(&self, way: Way) {
        self.way.set(way);
    }

    /// An epoch has ended.
    pub(crate) fn close(&self) {
        self.way.set(Way::Direct);
    }

    /// Remembers a put.
    fn add(&self, target: Rank, bytes: usize) {
        if let Some(count) = self.puts.get(target as usize) {
            if count.get() == 0 {
                self.targets.borrow_mut().push(target);
            }
            count.set(count.get() + 1);
        }
        self.bytes.set(self.bytes.get() + bytes as u64);
    }

    /// Remembers a put of which the target learns nothing: it is complete when it is acknowledged.
    pub(crate) fn add_unsignalled(&self) {
        self.unsignalled.set(true);
    }

    /// Whether there was such a put; forgets it.
    pub(crate) fn take_unsignalled(&self) -> bool {
        self.unsignalled.replace(false)
    }

    /// Number of targets, and of bytes put to them.
    pub(super) fn pattern(&self) -> (usize, u64) {
        (self.targets.borrow().len(), self.bytes.get())
    }

    /// The targets of recorded puts, each with its number of puts; forgets them.
    pub(super) fn take(&self) -> Vec<(Rank, u32)> {
        self.bytes.set(0);
        let mut targets = self.targets.borrow_mut();
        let count = |target: Rank| self.puts.get(target as usize).map_or(0, |count| count.replace(0));
        targets.drain(..).map(|target| (target, count(target))).collect()
    }

    /// Where operations are queued, if a deferred epoch was there.
    pub(crate) fn deferred(&self) -> Option<Rc<Deferred>> {
        self.deferred.borrow().clone()
    }

    pub(super) fn set_deferred(&self, deferred: &Rc<Deferred>) {
        *self.deferred.borrow_mut() = Some(Rc::clone(deferred));
    }

    /// Refuses an operation of an epoch that was broken off.
    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        match self.way.get() {
            Way::Off => Err(Error::Broken("window")),
            _ => Ok(()),
        }
    }

    /// The epoch is broken off: nothing is started in it any more, what is queued is dropped, and buffers are not
    /// touched any more. What was started stays recorded, for the fence, which may still come, tells others of it.
    pub(crate) fn abandon(&self) {
        self.way.set(Way::Off);
        if let Some(deferred) = self.deferred() {
            deferred.abandon();
        }
    }
}

/// Starts a put of an epoch that is not direct. `attached`: the address of the memory at its owner, if it is attached.
///
/// # Safety
/// As for `Fabric::put`.
pub(crate) unsafe fn put(
    window: &WindowCore,
    target: Rank,
    attached: Option<u64>,
    put: Put,
) -> Result<Ticket> {
    let record = &window.record;
    match record.way.get() {
        Way::Deferred => {
            // SAFETY: the caller's promise; the bytes are copied now.
            let bytes = unsafe { std::slice::from_raw_parts(put.origin, put.bytes) };
            if let Some(deferred) = record.deferred() {
                deferred.put(target, attached, put.displacement, bytes)?;
            }
            record.add(target, put.bytes);
            Ok(Ticket::DONE)
        }
        // A region counts its own puts only.
        Way::Recorded(Signal::Count) if attached.is_some() => {
            record.add_unsignalled();
            // SAFETY: the caller's promise.
            Ok(unsafe { window.fabric().put(&put) }?)
        }
        Way::Recorded(signal) => {
            let put = Put { signal, ..put };
            // SAFETY: the caller's promise.
            let ticket = unsafe { window.fabric().put(&put) }?;
            record.add(target, put.bytes);
            Ok(ticket)
        }
        // SAFETY: the caller's promise.
        Way::Direct => Ok(unsafe { window.fabric().put(&put) }?),
        Way::Off => Err(Error::Broken("window")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fence counts what arrived: a put that it is not told of would be taken for another one.
    #[test]
    fn what_an_epoch_has_put_stays_recorded_when_it_is_broken_off() {
        let record = Record::new(3);
        record.open(Way::Recorded(Signal::Count));
        record.add(2, 8);
        record.add(2, 8);
        assert_eq!(record.check(), Ok(()));
        record.abandon();
        assert!(!record.is_direct() && !record.is_deferred());
        assert_eq!(record.check(), Err(Error::Broken("window")));
        assert_eq!(record.take(), [(2, 2)]);
    }
}
