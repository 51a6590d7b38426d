//! What a rank has once, whatever groups and windows it makes: the endpoint of its transport, and what goes with it.

use crate::mailbox::{self, Mailbox};
use crate::matching::Matching;
use crate::waits::{self, Asking, Book, Holds, LONGEST, Leader, Round, Turn, Wait};
use crate::watch::Recorder;
use crate::{Error, Rank, Result};
use farside_fabric::{Fabric, Ticket};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
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
    /// What this rank waits for, and for how long.
    waits: Rc<Book>,
    /// Whose question begins the round of an executor: see [`crate::future`].
    leader: Leader,
    /// What is told to the check; `None` if nobody checks.
    pub(crate) watch: Option<Arc<Recorder>>,
    /// What operations of groups and windows that were dropped may still read or write: it stays until the end.
    retired: RefCell<Vec<Box<dyn Any>>>,
    /// All ranks have come to the end of the world: whatever one of them waited for has been there.
    ended: Cell<bool>,
    /// What is done for others while this rank waits.
    services: RefCell<Vec<Weak<dyn Serve>>>,
    /// What goes on by itself while this rank waits.
    tasks: RefCell<Vec<Rc<dyn Task>>>,
    serving: Cell<bool>,
    /// Targets and tags of messages of which only a part was sent: another would be taken for the rest.
    cut_off: RefCell<BTreeSet<(Rank, u64)>>,
    /// Who knows of locks that this rank holds.
    holders: RefCell<Vec<Weak<dyn Holds>>>,
}

/// How long a rank waits for the answers of others when its time is over: some times as long as it has patience.
const GRACE: u32 = 2;

/// What a rank does for others whenever it waits.
pub(crate) trait Serve {
    /// Does what is there to be done, and does not wait for more.
    fn serve(&self, core: &Core) -> Result<()>;
}

/// What a rank began, and goes on whenever it waits.
pub(crate) trait Task {
    /// Goes on, and waits for nobody; whether it is over.
    fn advance(&self) -> bool;
}

impl Core {
    /// Over a transport whose ranks are those of the world. Waits are bounded by a limit.
    pub(crate) fn new(fabric: Arc<dyn Fabric>, recorder: Option<Recorder>, limit: Option<Duration>) -> Self {
        Self {
            matching: Matching::new(&*fabric),
            waits: Rc::new(Book::new(&*fabric, limit)),
            leader: Leader::default(),
            fabric,
            mailbox: Mailbox::default(),
            contexts: Cell::new(1),
            slots: RefCell::new([0; 4]),
            watch: recorder.map(Arc::new),
            retired: RefCell::default(),
            ended: Cell::new(false),
            services: RefCell::new(Vec::new()),
            tasks: RefCell::default(),
            serving: Cell::new(false),
            cut_off: RefCell::default(),
            holders: RefCell::default(),
        }
    }

    /// Bounds the time for which a call waits for others.
    pub(crate) fn set_time_limit(&self, limit: Option<Duration>) {
        self.waits.set_limit(limit);
    }

    /// The bound of every wait.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.waits.limit()
    }

    pub(crate) fn fabric(&self) -> &dyn Fabric {
        &*self.fabric
    }

    /// Waits until `ready` says so, up to the time limit, in the collective call in which this rank is.
    pub(crate) fn wait(&self, ready: impl FnMut() -> Result<bool>) -> Result<()> {
        self.wait_in(&|| self.collective(None), ready)
    }

    /// Waits until `ready` says so, up to the time limit. For what, is said if it takes long.
    pub(crate) fn wait_in(
        &self,
        wait: &dyn Fn() -> Wait,
        mut ready: impl FnMut() -> Result<bool>,
    ) -> Result<()> {
        let (limit, patience) = (self.waits.limit(), self.matching.patience());
        let first = limit.map_or(patience, |limit| limit.min(patience));
        match self.wait_for(Some(first), &mut ready) {
            Ok(true) => Ok(()),
            Ok(false) if first < patience => Err(self.told(waits::alone(first, wait()))),
            Ok(false) => self.wait_long(wait, first, &mut ready),
            Err(error) => Err(self.told(error)),
        }
    }

    /// Sends a message of the program's to a rank of the world with a tag, and waits for room up to the time limit.
    /// Meanwhile it takes in what comes, so that ranks that all send first go on.
    pub(crate) fn send(&self, wait: &dyn Fn() -> Wait, to: (Rank, u64), bytes: &[u8]) -> Result<()> {
        if self.cut_off.borrow().contains(&to) {
            return Err(Error::Broken("sequence of messages with this tag to this rank"));
        }
        for (index, (tag, part)) in mailbox::parts(&*self.fabric, to.1, bytes).enumerate() {
            if self.fabric.try_send(to.0, tag, part)? {
                continue;
            }
            let _sparing = self.mailbox.sparing();
            let sent = self.wait_in(wait, || {
                self.mailbox.take(&*self.fabric, &|_| false)?;
                Ok(self.fabric.try_send(to.0, tag, part)?)
            });
            if sent.is_err() && index > 0 {
                self.cut_off.borrow_mut().insert(to);
            }
            sent?;
        }
        Ok(())
    }

    /// What this rank waits for in a collective call: a rank of the world, or all of the group.
    pub(crate) fn collective(&self, target: Option<Rank>) -> Wait {
        let me = self.fabric.rank();
        let Some((called, members)) = self.matching.called() else {
            let others = (0..self.fabric.size()).collect();
            let targets = target.map_or(others, |target| vec![target]);
            return Wait::new(me, "a message of the library".to_owned(), None, targets);
        };
        let targets = target.map_or(members, |target| vec![target]);
        Wait::new(me, called.call, None, targets)
            .at(called.place)
            .in_meeting()
    }

    /// Waits for a time at the most; whether `ready` said so.
    fn wait_for(&self, limit: Option<Duration>, ready: &mut dyn FnMut() -> Result<bool>) -> Result<bool> {
        let mut failure = None;
        let mut ask = || match self.serve().and_then(|()| ready()) {
            Ok(done) => Ok(done),
            Err(error) => {
                failure = Some(error);
                Ok(true)
            }
        };
        match self.fabric.wait(limit, &mut ask) {
            Ok(()) => failure.map_or(Ok(true), Err),
            Err(farside_fabric::Error::TimeOut(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// As [`Core::wait_in`], after so long a time that the others may be in another call (see [`crate::matching`]), or
    /// wait for this rank (see [`crate::waits`]).
    #[cold]
    fn wait_long(
        &self,
        wait: &dyn Fn() -> Wait,
        waited: Duration,
        ready: &mut dyn FnMut() -> Result<bool>,
    ) -> Result<()> {
        self.matching.ask(self.fabric());
        let _open = self.waits.enter(wait(), self.held());
        let limit = self.waits.limit();
        let mut asking = || Ok(self.attend()? || ready()?);
        match self.wait_for(limit.map(|limit| limit.saturating_sub(waited)), &mut asking) {
            Ok(true) if self.matching.is_mismatched() => Err(self.told(Error::Broken("group"))),
            Ok(true) => Ok(()),
            Ok(false) => Err(self.over(limit.unwrap_or(waited))),
            Err(error) => Err(self.told(error)),
        }
    }

    /// Waits until `ready` says so, up to the time limit, for something that changes elsewhere: asks again and again,
    /// with growing pauses.
    #[cold]
    pub(crate) fn poll(
        &self,
        wait: &dyn Fn() -> Wait,
        mut ready: impl FnMut() -> Result<bool>,
    ) -> Result<()> {
        let mut asking = Asking::default();
        while !self.ask(&mut asking, wait, &mut ready)? {
            let left = self
                .waits
                .limit()
                .map_or(Duration::MAX, |limit| limit - asking.waited());
            if let Err(error) = self.pause(asking.pause().min(left)) {
                return Err(self.told(error));
            }
        }
        Ok(())
    }

    /// Asks once whether what is waited for is there, and does what a rank does while it waits. It is an error when the
    /// time limit is over.
    pub(crate) fn ask(
        &self,
        asking: &mut Asking,
        wait: &dyn Fn() -> Wait,
        ready: &mut dyn FnMut() -> Result<bool>,
    ) -> Result<bool> {
        self.serve()?;
        if ready()? {
            return Ok(true);
        }
        let waited = asking.asked(self.fabric.now());
        if let Some(limit) = self.waits.limit().filter(|&limit| waited >= limit) {
            return Err(match asking.told() {
                true => self.over(limit),
                false => waits::alone(limit, wait()),
            });
        }
        if waited >= self.matching.patience() {
            asking.tell(|| self.waits.enter(wait(), self.held()));
            self.attend()?;
        }
        Ok(false)
    }

    /// As [`Core::ask`], of a future: whether it is ready. Where it leads the round of its executor (see
    /// [`crate::future`]), waits a moment for it.
    pub(crate) fn ask_for_future(
        &self,
        asking: &mut Asking,
        turn: &mut Turn,
        wait: &dyn Fn() -> Wait,
        ready: &mut dyn FnMut() -> Result<bool>,
    ) -> Result<bool> {
        if self.ask(asking, wait, ready)? {
            return Ok(true);
        }
        match turn.take(&self.leader) {
            Round::Goes => Ok(false),
            Round::Begins => {
                asking.hurry();
                Ok(false)
            }
            Round::IsOver => {
                let longest = match self.fabric.capabilities().virtual_time {
                    true => Duration::MAX,
                    false => LONGEST,
                };
                let pause = asking.pause().min(longest);
                self.wait_for(Some(pause), ready)
                    .map_err(|error| self.told(error))
            }
        }
    }

    /// Asks others what they call, and takes in what they tell, if this rank has waited long in the collective call in
    /// which it is: for one that asks again and again itself.
    pub(crate) fn look_around(&self, waited: Duration) -> Result<()> {
        if waited < self.matching.patience() {
            return Ok(());
        }
        self.matching.ask(self.fabric());
        match self.attend()? {
            true => Err(self.told(Error::Broken("group"))),
            false => Ok(()),
        }
    }

    /// Takes in what others ask and tell about calls and waits; whether calls do not match.
    fn attend(&self) -> Result<bool> {
        self.matching.attend(self.fabric(), &self.mailbox)?;
        self.waits.attend(self.fabric(), &self.mailbox)?;
        Ok(self.matching.is_mismatched())
    }

    /// The time of the open wait is over.
    #[cold]
    fn over(&self, limit: Duration) -> Error {
        let grace = GRACE * self.matching.patience();
        let error = self.waits.give_up(self.fabric(), &self.mailbox, limit, grace);
        self.told(error)
    }

    /// The error of a wait; but where the calls of others do not match, that: who left because of it is lost. So is who
    /// gave up waiting.
    #[cold]
    fn told(&self, error: Error) -> Error {
        if self.matching.is_within() {
            // What arrived before is still there; if that fails as well, the first failure counts.
            let _ = self.matching.attend(self.fabric(), &self.mailbox);
            if let Some(mismatch) = self.matching.settle(self.fabric(), &self.mailbox) {
                return mismatch;
            }
        }
        let reported = matches!(error, Error::PeerLost { .. })
            .then(|| self.waits.reported(self.fabric(), &self.mailbox));
        reported.flatten().unwrap_or(error)
    }

    /// The locks that this rank holds.
    fn held(&self) -> Vec<waits::LockName> {
        let holders = self.holders.borrow();
        holders
            .iter()
            .filter_map(Weak::upgrade)
            .flat_map(|holder| holder.held())
            .collect()
    }

    /// Asks who holds locks, if somebody waits for them, as long as it lives.
    pub(crate) fn know_holder(&self, holder: Weak<dyn Holds>) {
        let mut holders = self.holders.borrow_mut();
        holders.retain(|other| other.strong_count() > 0);
        holders.push(holder);
    }

    /// The error of a call in which another rank was seen to be in another one: who is asked says in which.
    #[cold]
    pub(crate) fn mismatch(&self) -> Error {
        if !self.matching.is_within() {
            return Error::Broken("barrier of the group");
        }
        let waited = self.wait_long(&|| self.collective(None), Duration::ZERO, &mut || Ok(false));
        waited.err().unwrap_or(Error::Broken("barrier of the group"))
    }

    /// The error of a call in which another rank gave what does not fit: it is asked what it has called, and told
    /// `what` this one expects.
    #[cold]
    pub(crate) fn disagree(&self, with: Rank, what: &str) -> Error {
        self.matching.doubt(self.fabric(), with, what);
        self.mismatch()
    }

    /// Has a service done as long as it lives, whenever this rank waits.
    pub(crate) fn serve_with(&self, service: &Rc<dyn Serve>) {
        let mut services = self.services.borrow_mut();
        services.retain(|other| other.strong_count() > 0);
        services.push(Rc::downgrade(service));
    }

    /// Goes on with a task whenever this rank waits, until it is over.
    pub(crate) fn go_on_with(&self, task: Rc<dyn Task>) {
        self.tasks.borrow_mut().push(task);
    }

    /// Forgets all tasks: each may keep what keeps this.
    pub(crate) fn give_up_tasks(&self) {
        let tasks = self.tasks.take();
        drop(tasks);
    }

    /// Does what is here to be done for others, and what was begun and can go on, without waiting.
    pub(crate) fn progress(&self) -> Result<()> {
        self.fabric.send_held();
        self.mailbox.take(&*self.fabric, &|_| false)?;
        self.serve()?;
        self.fabric
            .lost()
            .map_or(Ok(()), |rank| Err(Error::PeerLost { rank }))
    }

    /// Does what others wait for. A service that waits itself is not disturbed.
    pub(crate) fn serve(&self) -> Result<()> {
        if self.services.borrow().is_empty() && self.tasks.borrow().is_empty() || self.serving.replace(true) {
            return Ok(());
        }
        let tasks = self.tasks.take();
        let left = tasks.into_iter().filter(|task| !task.advance()).collect();
        let begun = self.tasks.replace(left);
        self.tasks.borrow_mut().extend(begun);
        let services: Vec<Rc<dyn Serve>> = self.services.borrow().iter().filter_map(Weak::upgrade).collect();
        let result = services.iter().try_for_each(|service| service.serve(self));
        self.serving.set(false);
        result
    }

    /// Waits until an operation is complete locally. If that fails, it may still be under way.
    pub(crate) fn complete(&self, wait: &dyn Fn() -> Wait, ticket: Ticket) -> Result<()> {
        if ticket == Ticket::DONE {
            return Ok(());
        }
        self.wait_in(wait, || Ok(self.fabric.test(ticket)?))
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
