//! Calls that wait for their replies.

use super::payload::Payload;
use super::watch::{Way, took};
use super::wire::{Slot, Wire};
use crate::endpoint::Serve;
use crate::waits::Wait;
use crate::{Error, Rank, Result};
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::Rc;

/// A call of a [`Service`](super::Service) that was made, and the reply that will come. Dropped, it loses the reply;
/// the request is handled all the same.
#[must_use = "dropped, it loses the reply"]
pub struct Reply<R: Payload> {
    wire: Rc<Wire>,
    /// Takes replies in, also when the service's own handle is gone.
    _serving: Rc<dyn Serve>,
    target: Rank,
    call: u32,
    slot: Rc<Slot>,
    payload: PhantomData<R>,
}

impl<R: Payload> Reply<R> {
    pub(super) fn new(wire: &Rc<Wire>, serving: Rc<dyn Serve>, target: Rank, call: (u32, Rc<Slot>)) -> Self {
        Self {
            wire: Rc::clone(wire),
            _serving: serving,
            target,
            call: call.0,
            slot: call.1,
            payload: PhantomData,
        }
    }

    /// Whether the reply is here; then [`Reply::wait`] returns at once. Makes [progress](crate::Group::progress).
    ///
    /// # Errors
    /// A rank is lost.
    pub fn test(&self) -> Result<bool> {
        if self.slot.borrow().is_none() {
            self.wire.group().core().progress()?;
        }
        Ok(self.slot.borrow().is_some())
    }

    /// Waits for the reply. Handlers of this rank run meanwhile. What the target's handlers did before, and what their
    /// callers had done before they called, is known to this rank then.
    ///
    /// # Errors
    /// [`Error::Panicked`]: the handler panicked, or an earlier one at that rank. A rank is lost; time ran out. Made
    /// within a handler it is refused ([`Error::Unsupported`]).
    #[track_caller]
    pub fn wait(self) -> Result<R::Taken> {
        let (place, group) = (Location::caller(), self.wire.group());
        let core = group.core();
        core.matching.check_handling("the wait for a reply")?;
        let (source, way) = (group.world_rank(self.target)?, Way::Reply(self.call));
        let receive = self.wire.order().receive(place, way, source, "wait");
        if self.slot.borrow().is_none() {
            let waits = || {
                Wait::new(
                    core.fabric().rank(),
                    "wait of a call".to_owned(),
                    Some(place),
                    [source],
                )
            };
            core.wait_in(&waits, || Ok(self.slot.borrow().is_some()))?;
        }
        let answer = self.slot.take().unwrap_or(Err(Error::Broken("service")));
        took(receive, way, source);
        R::read(&answer?)
    }
}

impl<R: Payload> std::fmt::Debug for Reply<R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Reply(to call {} of rank {})", self.call, self.target)
    }
}
