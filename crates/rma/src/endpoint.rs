//! What a rank has once, whatever groups and windows it makes: the endpoint of its transport, and what goes with it.

use crate::mailbox::Mailbox;
use crate::matching::Matching;
use crate::watch::Recorder;
use crate::{Error, Rank, Result};
use farside_fabric::{Fabric, Ticket};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::time::Duration;

/// What a rank has once: its endpoint, what arrived, and the numbers that it gave out.
pub(crate) struct Core {
    fabric: Arc<dyn Fabric>,
    pub(crate) mailbox: Mailbox,
    /// Whether collective calls match those of others.
    pub(crate) matching: Matching,
    /// The smallest context that no group of this rank had yet.
    pub(crate) contexts: Cell<u32>,
    /// Slots of windows in the immediates of notified puts: bits of those in use.
    pub(crate) slots: RefCell<[u64; 4]>,
    limit: Cell<Option<Duration>>,
    /// What is told to the check; `None` if nobody checks.
    pub(crate) watch: Option<Arc<Recorder>>,
    /// What operations of groups and windows that were dropped may still read or write: it stays until the end.
    retired: RefCell<Vec<Box<dyn Any>>>,
    /// All ranks have come to the end of the world: whatever one of them waited for has been there.
    ended: Cell<bool>,
    /// What is done for others while this rank waits.
    services: RefCell<Vec<Weak<dyn Service>>>,
    serving: Cell<bool>,
}

/// What a rank does for others whenever it waits.
pub(crate) trait Service {
    /// Does what is there to be done, and does not wait for more.
    fn serve(&self, core: &Core) -> Result<()>;
}

impl Core {
    /// Over a transport whose ranks are those of the world.
    pub(crate) fn new(fabric: Arc<dyn Fabric>, recorder: Option<Recorder>) -> Self {
        Self {
            matching: Matching::new(&*fabric),
            fabric,
            mailbox: Mailbox::default(),
            contexts: Cell::new(1),
            slots: RefCell::new([0; 4]),
            limit: Cell::new(None),
            watch: recorder.map(Arc::new),
            retired: RefCell::default(),
            ended: Cell::new(false),
            services: RefCell::new(Vec::new()),
            serving: Cell::new(false),
        }
    }

    /// Bounds the time for which calls wait for others.
    pub(crate) fn set_time_limit(&self, limit: Option<Duration>) {
        self.limit.set(limit);
    }

    pub(crate) fn fabric(&self) -> &dyn Fabric {
        &*self.fabric
    }

    /// Waits until `ready` says so, up to the time limit.
    pub(crate) fn wait(&self, ready: impl FnMut() -> Result<bool>) -> Result<()> {
        self.wait_for(self.limit.get(), ready)
    }

    /// Waits until `ready` says so, up to a limit.
    pub(crate) fn wait_for(
        &self,
        limit: Option<Duration>,
        mut ready: impl FnMut() -> Result<bool>,
    ) -> Result<()> {
        let patience = self.matching.patience();
        if let Some(limit) = limit.filter(|limit| *limit <= patience) {
            let waited = self.wait_plainly(Some(limit), &mut ready);
            return waited.map_err(|error| self.told(error));
        }
        match self.wait_plainly(Some(patience), &mut ready) {
            Ok(()) => Ok(()),
            Err(Error::TimeOut(_)) => self.wait_asking(limit, patience, &mut ready),
            Err(error) => Err(self.told(error)),
        }
    }

    fn wait_plainly(&self, limit: Option<Duration>, ready: &mut dyn FnMut() -> Result<bool>) -> Result<()> {
        let mut failure = None;
        self.fabric
            .wait(limit, &mut || match self.serve().and_then(|()| ready()) {
                Ok(done) => Ok(done),
                Err(error) => {
                    failure = Some(error);
                    Ok(true)
                }
            })?;
        failure.map_or(Ok(()), Err)
    }

    /// As [`Core::wait_for`], after so long a time that the others may be in another call: see [`crate::matching`].
    #[cold]
    fn wait_asking(
        &self,
        limit: Option<Duration>,
        waited: Duration,
        ready: &mut dyn FnMut() -> Result<bool>,
    ) -> Result<()> {
        self.matching.ask(self.fabric());
        let left = limit.map(|limit| limit.saturating_sub(waited));
        let mut asking = || {
            self.matching.attend(self.fabric(), &self.mailbox)?;
            Ok(self.matching.is_mismatched() || ready()?)
        };
        match self.wait_plainly(left, &mut asking) {
            Ok(()) if self.matching.is_mismatched() => Err(self.told(Error::Broken("group"))),
            Err(Error::TimeOut(_)) => Err(self.told(Error::TimeOut(limit.unwrap_or(waited)))),
            other => other.map_err(|error| self.told(error)),
        }
    }

    /// The error of a wait; but where the calls of others do not match, that: who left because of it is lost.
    #[cold]
    fn told(&self, error: Error) -> Error {
        if !self.matching.is_within() {
            return error;
        }
        // What arrived before is still there; if that fails as well, the first failure counts.
        let _ = self.matching.attend(self.fabric(), &self.mailbox);
        self.matching
            .settle(self.fabric(), &self.mailbox)
            .unwrap_or(error)
    }

    /// The error of a call in which another rank was seen to be in another one: who is asked says in which.
    #[cold]
    pub(crate) fn mismatch(&self) -> Error {
        if !self.matching.is_within() {
            return Error::Broken("barrier of the group");
        }
        let waited = self.wait_asking(self.limit.get(), Duration::ZERO, &mut || Ok(false));
        waited.err().unwrap_or(Error::Broken("barrier of the group"))
    }

    /// Has a service done as long as it lives, whenever this rank waits.
    pub(crate) fn serve_with(&self, service: &Rc<dyn Service>) {
        let mut services = self.services.borrow_mut();
        services.retain(|other| other.strong_count() > 0);
        services.push(Rc::downgrade(service));
    }

    /// Does what others wait for. A service that waits itself is not disturbed.
    pub(crate) fn serve(&self) -> Result<()> {
        if self.services.borrow().is_empty() || self.serving.replace(true) {
            return Ok(());
        }
        let services: Vec<Rc<dyn Service>> =
            self.services.borrow().iter().filter_map(Weak::upgrade).collect();
        let result = services.iter().try_for_each(|service| service.serve(self));
        self.serving.set(false);
        result
    }

    /// Waits until an operation is complete locally.
    pub(crate) fn complete(&self, ticket: Ticket) -> Result<()> {
        if ticket == Ticket::DONE {
            return Ok(());
        }
        Ok(self.fabric.wait(None, &mut || self.fabric.test(ticket))?)
    }

    /// Lets time pass while something at another rank is polled.
    pub(crate) fn pause(&self, time: Duration) -> Result<()> {
        match self.fabric.wait(Some(time), &mut || Ok(false)) {
            Ok(()) | Err(farside_fabric::Error::TimeOut(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// A rank of the world, checked.
    pub(crate) fn check_rank(rank: Rank, size: u32) -> Result<()> {
        if rank < size {
            return Ok(());
        }
        Err(Error::RankOutOfRange { rank, size })
    }

    /// Keeps what operations may still use, until the end.
    pub(crate) fn retire(&self, under_way: Option<Box<dyn Any>>) {
        self.retired.borrow_mut().extend(under_way);
    }

    /// All ranks have come to their end.
    pub(crate) fn finish(&self) -> Result<()> {
        self.fabric.finish()?;
        self.ended.set(true);
        Ok(())
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        if !self.ended.get() {
            // The rank failed; nobody says when its operations are over.
            std::mem::forget(self.retired.take());
        }
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::{Window, simulate};

    /// What operations may still use is kept by the rank that started them, also where another rank of the same
    /// process, which can complete nothing for it, drops the last handle.
    #[test]
    fn what_another_rank_drops_is_kept_by_the_rank_that_made_it() -> Result<()> {
        let handed = RefCell::new(None);
        simulate(2, |world| {
            let group = world.duplicate()?;
            let window = Window::<u64>::allocate(&group, 1)?;
            group.barrier()?;
            drop(group);
            let kept = || world.core().retired.borrow().len();
            assert_eq!(kept(), 0);
            if world.rank() == 0 {
                handed.replace(Some(window));
                world.barrier()?;
                world.barrier()?;
                // The flags of the window, and of its group.
                assert_eq!(kept(), 2);
                return Ok(());
            }
            world.barrier()?;
            drop(handed.take());
            assert_eq!(kept(), 0);
            world.barrier()?;
            // This rank waits for its own; the flags of the group are those of its last barrier.
            drop(window);
            assert_eq!(kept(), 1);
            Ok(())
        })?;
        Ok(())
    }
}
