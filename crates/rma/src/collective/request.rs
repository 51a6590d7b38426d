//! Collective calls that do not block: requests.
//!
//! A call that was begun goes on whenever its rank waits for something, in whatever call, and in
//! [`CollectiveRequest::test`] ([`Task`]): so no rank has to wait for its request before others can go on. It owns its
//! buffers, so a request that is dropped or forgotten leaves nothing that others could free: the call goes on without
//! it, and its result is lost.
//!
//! Limits: a rank that computes passes nothing on. To begin a call sends at once what can be sent, and so may wait
//! until its target has room for a message, as [`Group::send`] does.

use super::steps::Steps;
use crate::endpoint::{Core, Task};
use crate::future::{Asked, Awaited, sealed::Awaitable};
use crate::matching::{Pending, Signature};
use crate::watch::Started;
use crate::{Group, Result};
use farside_events::Direction;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

/// A collective call that was begun, and what it will give (`MPI_Request`, MPI-4.1 §6.12).
///
/// All ranks of the group have to begin it, in the same order with respect to their other collective calls of the
/// group, and none has to wait for it in any order. Dropped, it leaves the call to go on by itself.
#[must_use = "dropped, it loses the result; its buffers stay until the call is complete"]
pub struct CollectiveRequest<R> {
    state: Rc<State<R>>,
    /// What it is, to be compared with the calls of others.
    pending: Pending,
    /// Its name, where somebody watches; once.
    started: Cell<Option<Started>>,
    /// When it was first asked for in vain.
    asked: Cell<Option<Duration>>,
}

/// What an algorithm is while it waits.
type Algorithm<R> = Pin<Box<dyn Future<Output = Result<R>>>>;

/// A call that is under way.
struct State<R> {
    steps: Rc<Steps>,
    /// Until it is over.
    algorithm: RefCell<Option<Algorithm<R>>>,
    result: RefCell<Option<Result<R>>>,
}

impl<R> State<R> {
    /// Goes on as far as messages are here; whether it is over.
    fn advance(&self) -> bool {
        // Who is in it already goes on.
        let Ok(mut algorithm) = self.algorithm.try_borrow_mut() else {
            return false;
        };
        let Some(running) = &mut *algorithm else {
            return true;
        };
        let result = loop {
            match self.steps.look() {
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => break Err(error),
            }
            if let Poll::Ready(result) = self.steps.poll(running.as_mut()) {
                break result;
            }
        };
        *algorithm = None;
        *self.result.borrow_mut() = Some(result);
        true
    }
}

impl<R> Task for State<R> {
    fn advance(&self) -> bool {
        Self::advance(self)
    }
}

impl<R: 'static> CollectiveRequest<R> {
    /// Whether the call is complete (`MPI_Test`, MPI-4.1 §3.7.3). Then [`CollectiveRequest::wait`] returns at once.
    ///
    /// # Errors
    /// A rank is lost, or the ranks' calls do not match. It waits for nobody, and so has no time limit.
    #[track_caller]
    pub fn test(&self) -> Result<bool> {
        let done = self.look()?;
        if done {
            self.tell_done(Location::caller(), "test");
        }
        Ok(done)
    }

    /// As [`CollectiveRequest::test`], of which nobody is told.
    fn look(&self) -> Result<bool> {
        let core = self.core();
        if self.state.advance() {
            return Ok(true);
        }
        core.fabric().send_held();
        if let Some(rank) = core.fabric().lost() {
            return Err(crate::Error::PeerLost { rank });
        }
        let _entered = core.matching.enter_again(&self.pending)?;
        let now = core.fabric().now();
        let first = self.asked.get().unwrap_or(now);
        self.asked.set(Some(first));
        core.look_around(now.saturating_sub(first))?;
        Ok(false)
    }

    /// Waits until the call is complete, and gives its result (`MPI_Wait`, MPI-4.1 §3.7.3): other ranks may not be so
    /// far.
    ///
    /// # Errors
    /// A rank is lost, or the ranks' calls do not match; time ran out. The call then goes on as if the request were
    /// dropped, as far as it can.
    #[track_caller]
    pub fn wait(self) -> Result<R> {
        self.wait_at(Location::caller())
    }

    fn wait_at(self, place: &'static Location<'static>) -> Result<R> {
        let core = self.core();
        if !self.state.advance() {
            let _entered = core.matching.enter_again(&self.pending)?;
            core.fabric().send_held();
            core.wait_in(&|| core.collective(None), || Ok(self.state.advance()))?;
        }
        self.tell_done(place, "wait");
        let result = self.state.result.take();
        result.unwrap_or(Err(crate::Error::Broken("collective call")))
    }

    fn core(&self) -> &Core {
        self.state.steps.group().core()
    }

    /// The program knows that it is complete.
    fn tell_done(&self, place: &'static Location<'static>, name: &'static str) {
        let is_well = matches!(&*self.state.result.borrow(), Some(Ok(_)));
        if let (true, Some(started), Some(watch)) = (is_well, self.started.take(), &self.core().watch) {
            watch.tell_done(started, place, name);
        }
    }
}

/// `request.await` is [`CollectiveRequest::wait`] that lets an executor do other things meanwhile.
impl<R: 'static> IntoFuture for CollectiveRequest<R> {
    type Output = Result<R>;
    type IntoFuture = Awaited<Self>;

    #[track_caller]
    fn into_future(self) -> Awaited<Self> {
        Awaited::new(self)
    }
}

impl<R: 'static> Awaitable for CollectiveRequest<R> {
    type Output = R;

    fn ask(&self, asked: &mut Asked) -> Result<bool> {
        let (core, place) = (self.core(), asked.place());
        let wait = || {
            // Whose call does not match any more is told so by a look.
            let _entered = core.matching.enter_again(&self.pending);
            core.collective(None)
                .at(format!("{}:{}", place.file(), place.line()))
        };
        asked.ask(core, &wait, &mut || self.look())
    }

    fn take(self, place: &'static Location<'static>) -> Result<R> {
        self.wait_at(place)
    }
}

impl<R> std::fmt::Debug for CollectiveRequest<R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "CollectiveRequest({:?})", self.state.steps.group())
    }
}

impl Group {
    /// Begins a collective call that goes on by itself.
    #[track_caller]
    pub(super) fn begin<R: 'static, F: Future<Output = Result<R>> + 'static>(
        &self,
        signature: Signature,
        direction: Direction,
        algorithm: impl FnOnce(Rc<Steps>) -> F,
    ) -> Result<CollectiveRequest<R>> {
        let core = self.core();
        let _entered = self.enter(signature)?;
        let started = self.started(Location::caller(), signature.name(), direction);
        let steps = Rc::new(Steps::new(self));
        let state = Rc::new(State {
            algorithm: RefCell::new(Some(Box::pin(algorithm(Rc::clone(&steps))))),
            steps,
            result: RefCell::new(None),
        });
        if !state.advance() {
            core.go_on_with(Rc::clone(&state) as Rc<dyn Task>);
        }
        Ok(CollectiveRequest {
            state,
            pending: core.matching.pending(self.ledger()),
            started: Cell::new(started),
            asked: Cell::new(None),
        })
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::simulate;

    /// Rank 0 begins a barrier in which rank 1 never is, and drops it: its world goes all the same, and with it what
    /// others take for its life.
    #[test]
    fn a_call_that_never_ends_does_not_keep_its_world() -> Result<()> {
        let cores = RefCell::new(Vec::new());
        simulate(2, |world| {
            let group = world.duplicate()?;
            if world.rank() == 0 {
                drop(group.ibarrier()?);
            }
            cores.borrow_mut().push(Rc::downgrade(world.core()));
            Ok(())
        })?;
        let alive = cores.take().into_iter().filter(|core| core.strong_count() > 0);
        assert_eq!(alive.count(), 0);
        Ok(())
    }
}
