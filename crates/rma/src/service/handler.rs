//! The handler of a rank: its state, and what it does with a request.

use super::payload::Payload;
use super::watch::Way;
use super::wire::{Kind, Request, Wire, letter};
use crate::endpoint::{Core, Serve};
use crate::{Error, Group, Rank, Result};
use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::rc::Rc;

/// Bytes of what a panic says that are told to others.
pub(super) const MESSAGE: usize = 200;

/// What a handler knows of the request that it handles, and what it may do for others.
pub struct Handling<'h, Q> {
    wire: &'h Wire,
    source: Rank,
    requests: PhantomData<fn(Q)>,
}

impl<Q: Payload> Handling<'_, Q> {
    /// The rank in the group whose request it is.
    #[must_use]
    pub fn source(&self) -> Rank {
        self.source
    }

    /// The group of the service: for the own rank, and the number of ranks.
    #[must_use]
    pub fn group(&self) -> &Group {
        self.wire.group()
    }

    /// Sends a request to a rank, without a reply. It leaves when the handler has returned and the target has room;
    /// until then it is held here. Nobody waits.
    ///
    /// # Errors
    /// No such rank; the request is longer than [`Service::LIMIT`](super::Service::LIMIT); too many are held.
    #[track_caller]
    pub fn send(&self, target: Rank, request: Q::Given<'_>) -> Result<()> {
        let world_target = self.group().world_rank(target)?;
        self.wire
            .hold(target, letter(|bytes| Q::write(request, bytes))?)?;
        self.wire
            .order()
            .sends(Location::caller(), Way::Handler, world_target, "send");
        Ok(())
    }
}

impl<Q> std::fmt::Debug for Handling<'_, Q> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Handling(a request of rank {})", self.source)
    }
}

/// Handles the payload of a request; the reply, with room for its head.
type Handle<S> = Box<dyn FnMut(&mut S, &Wire, Rank, &[u8]) -> Result<Vec<u8>>>;

/// The handler of a service at this rank.
pub(super) struct Handler<S> {
    wire: Rc<Wire>,
    /// `None`: the service has ended.
    running: RefCell<Option<(S, Handle<S>)>>,
    /// What the first panic said.
    panic: RefCell<Option<String>>,
}

impl<S> Handler<S> {
    pub(super) fn new<Q: Payload, R: Payload>(
        wire: Rc<Wire>,
        state: S,
        mut handler: impl FnMut(&mut S, &Handling<'_, Q>, Q::Taken) -> R::Taken + 'static,
    ) -> Self {
        let handle = move |state: &mut S, wire: &Wire, source: Rank, payload: &[u8]| {
            let handling = Handling {
                wire,
                source,
                requests: PhantomData,
            };
            let reply = handler(state, &handling, Q::read(payload)?);
            letter(|bytes| R::write(R::give(&reply), bytes))
        };
        Self {
            wire,
            running: RefCell::new(Some((state, Box::new(handle)))),
            panic: RefCell::default(),
        }
    }

    pub(super) fn wire(&self) -> &Rc<Wire> {
        &self.wire
    }

    /// What the first panic here said.
    pub(super) fn panic(&self) -> Option<String> {
        self.panic.borrow().clone()
    }

    /// Lends the state to a function of the program's.
    pub(super) fn with<T>(&self, look: impl FnOnce(&mut S) -> T) -> Result<T> {
        self.check()?;
        let mut running = self
            .running
            .try_borrow_mut()
            .map_err(|_| Error::Broken("service"))?;
        let (state, _) = running.as_mut().ok_or(Error::Broken("service"))?;
        let order = self.wire.order();
        let _handling = self.wire.group().core().matching.handling();
        order.acquire();
        let value = look(state);
        order.release();
        Ok(value)
    }

    /// Ends the service; the state.
    pub(super) fn end(&self) -> Result<S> {
        let (state, _) = self.running.take().ok_or(Error::Broken("service"))?;
        self.wire.order().acquire();
        Ok(state)
    }

    fn check(&self) -> Result<()> {
        self.panic().map_or(Ok(()), |message| {
            let rank = self.wire.group().rank();
            Err(Error::Panicked { rank, message })
        })
    }

    /// Handles a request, and answers it.
    fn handle(&self, running: &mut (S, Handle<S>), request: &Request) -> Result<()> {
        let (wire, order) = (&*self.wire, self.wire.order());
        let source = wire.group().world_rank(request.source())?;
        let on_thread = order.handler();
        let way = match request.kind() {
            Kind::Forward => Way::Handler,
            _ => Way::Program,
        };
        order.takes(way, source);
        let answer = self.check().and_then(|()| self.run(running, request));
        wire.handled(request);
        if request.kind() == Kind::Call {
            order.replies(request.call(), source);
        }
        order.release();
        drop(on_thread);
        let (kind, bytes) = match (request.kind(), answer) {
            (Kind::Call, Ok(bytes)) => (Kind::Reply, bytes),
            (Kind::Call, Err(Error::Panicked { message, .. })) => {
                (Kind::Panicked, letter(|bytes| bytes.extend(message.as_bytes()))?)
            }
            (_, Ok(_) | Err(Error::Panicked { .. })) => return Ok(()),
            (_, Err(error)) => return Err(error),
        };
        wire.answer(request.source(), kind, request.call(), bytes)
    }

    /// Runs the handler; a panic ends here.
    fn run(&self, (state, handle): &mut (S, Handle<S>), request: &Request) -> Result<Vec<u8>> {
        let handling = self.wire.group().core().matching.handling();
        let wire = &*self.wire;
        let run = || handle(state, wire, request.source(), request.payload());
        // What a panic leaves half changed is not used any more: see `check`.
        let result = catch_unwind(AssertUnwindSafe(run));
        drop(handling);
        let said = match result {
            Ok(Err(Error::TooGreat { what, number, limit })) => {
                // As if the handler had checked the length of its reply.
                Error::TooGreat { what, number, limit }.to_string()
            }
            Ok(answer) => return answer,
            Err(panic) => said(&*panic),
        };
        self.panic.borrow_mut().get_or_insert(said);
        self.check()?;
        Err(Error::Broken("service"))
    }
}

impl<S> Serve for Handler<S> {
    fn serve(&self, _: &Core) -> Result<()> {
        // Who has the state gives it back before this rank waits.
        let Ok(mut running) = self.running.try_borrow_mut() else {
            return Ok(());
        };
        let Some(running) = &mut *running else {
            return Ok(());
        };
        for request in &self.wire.take()? {
            self.handle(running, request)?;
        }
        self.wire.settle()
    }
}

/// What a panic said, as much of it as is told.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a text".to_owned());
    let end = (0..=MESSAGE.min(text.len()))
        .rev()
        .find(|&end| text.is_char_boundary(end));
    text[..end.unwrap_or(0)].to_owned()
}
