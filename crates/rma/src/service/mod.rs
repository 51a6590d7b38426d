//! Active messages: requests that a handler of the target rank handles, and answers.
//!
//! Von Eicken, Culler, Goldstein, Schauser: *Active Messages* (ISCA 1992); in GASNet and UPC++ (remote procedure calls)
//! as here on top of what a transport has of messages. Not in MPI. `docs/design/active-messages.md` has the decisions.
//!
//! - [`wire`]: the messages; [`credit`]: how many of them are kept where.
//! - [`Service::finish`] waits until nothing is on its way: two counts in a row over all ranks, of which the second has
//!   sent no more than the first had taken (Mattern: *Algorithms for distributed termination detection*, 1987: the four
//!   counter method).

mod call;
mod credit;
mod handler;
mod payload;
mod watch;
mod wire;

pub use call::Reply;
pub use handler::Handling;
pub use payload::{Payload, Values};

use crate::endpoint::Serve;
use crate::matching::{Name, Signature};
use crate::waits::Wait;
use crate::watch::Place;
use crate::{Error, Group, Operation, Rank, Result};
use handler::{Handler, MESSAGE};
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::Rc;
use watch::Way;
use wire::{LIMIT, Wire, letter};

/// A handler at each rank of a group, with a state of its own there, that others call: active messages with replies, or
/// remote procedure calls.
///
/// `Q` is what a request carries and `R` what a reply does: a [`Plain`](crate::Plain) value, or [`Values`] of any
/// number; `()` is nothing. `S` is the state.
///
/// ```
/// use farside::{Service, Values};
///
/// farside::simulate(2, |world| {
///     // Each rank keeps a list. A request appends to it, and the reply is the new length.
///     let lists = Service::<Values<u32>, u64, Vec<u32>>::register(world, Vec::new(), |list, _, more| {
///         list.extend(more);
///         list.len() as u64
///     })?;
///     let reply = lists.call(1 - world.rank(), &[world.rank(); 3])?;
///     assert_eq!(reply.wait()?, 3);
///     let list = lists.finish()?;
///     assert_eq!(list, [1 - world.rank(); 3]);
///     Ok(())
/// })?;
/// # Ok::<(), farside::Error>(())
/// ```
///
/// # Progress
///
/// Handlers run on the thread of the world, and only inside calls of this crate:
///
/// - while this rank *waits* in one: for a reply, for room, in a collective call, a receive, a lock, a notice, the
///   end of an epoch as far as it waits for other ranks' calls, a request;
/// - in [`Group::progress`] and [`Reply::test`], which handle what is here and do not wait.
///
/// They do not run while a rank computes, nor while the transport itself waits: in [`Group::send`], and in a flush or
/// the end of an epoch while operations complete. Nobody interrupts a rank. A rank that computes for long calls
/// [`Group::progress`] now and then, else its callers wait. A call of this crate that does not wait may run handlers or
/// not.
///
/// # Order
///
/// Requests that the program of one rank makes of another one, calls and sends, are handled in the order in which they
/// were made; so are those of handlers of one rank for another one. Nothing else is ordered: not requests of two ranks,
/// nor those of a program with those of its handlers, nor those of two services. Replies may be waited for in any
/// order.
///
/// Each request is handled once. A handler is never entered while another one of the rank runs, of whatever service,
/// nor while [`Service::with`] has its state.
///
/// Requests are not ordered with operations on windows: put, flush, then call.
///
/// # What a handler may do
///
/// Change its state, compute, and send requests ([`Handling::send`]), which leave when it has returned. It waits for
/// nobody: collective calls, receives, calls of services and waits for replies are refused with [`Error::Unsupported`].
/// [`Group::send`] is allowed. What it does with windows that it owns is as safe as elsewhere; but while it waits, in a
/// lock for instance, no handler runs here, so two that wait for each other wait until the time limit.
///
/// If a handler panics, the panic ends there. Its state may be half changed, so no handler of that service runs at that
/// rank any more: its caller, all that call later, and at the end all ranks, get [`Error::Panicked`].
///
/// # Room
///
/// A request or a reply has at most [`Service::LIMIT`] bytes; longer payloads go in pieces. For each rank that sends to
/// it, a rank keeps at most 128 requests and 768 KiB that it has not handled. Programs wait for room, and run handlers
/// meanwhile, so ranks that all call each other get on. Requests of handlers are held where they were made until there
/// is room, up to 65,536 and 64 MiB; more are refused.
pub struct Service<Q: Payload, R: Payload, S: 'static = ()> {
    handler: Rc<Handler<S>>,
    payloads: PhantomData<(Q, R)>,
}

impl<Q: Payload, R: Payload, S: 'static> Service<Q, R, S> {
    /// Bytes of a request or a reply, at the most.
    pub const LIMIT: usize = LIMIT;

    /// Registers a handler for requests of the ranks of a group to one another, with the state that it has at this
    /// rank. It is given the state, what it needs to know of the request ([`Handling`]), and what that carries, and
    /// gives the reply. Collective: all ranks register handlers of the same types. A rank may be in many services.
    ///
    /// # Errors
    /// [`Error::Mismatch`]: other ranks register other types, or are in another call; at all ranks. A rank is lost.
    #[track_caller]
    pub fn register(
        group: &Group,
        state: S,
        handler: impl FnMut(&mut S, &Handling<'_, Q>, Q::Taken) -> R::Taken + 'static,
    ) -> Result<Self> {
        let place = Location::caller();
        let types = std::any::type_name::<fn(Q) -> R>();
        let _entered =
            group.enter(Signature::new(const { Name::new("Service::register") }, place).named(types))?;
        let _call = group.collective_of_all(place, "Service::register");
        // Whoever leaves has heard that all are here with these types.
        group.allreduce(Operation::Max, &mut [0u32])?;
        let wire = Rc::new(Wire::new(group, place));
        let handler = Rc::new(Handler::new::<Q, R>(wire, state, handler));
        let serving: Rc<dyn Serve> = Rc::clone(&handler) as Rc<dyn Serve>;
        group.core().serve_with(&serving);
        Ok(Self {
            handler,
            payloads: PhantomData,
        })
    }

    /// Has a request handled by a rank of the group, also the own one, and gives what waits for the reply. It returns
    /// when the request has left; while the target has much to handle already, it waits, and handlers run here.
    ///
    /// # Errors
    /// No such rank, or a rank is lost; the request is longer than [`Service::LIMIT`]; time ran out; a handler makes
    /// the call.
    #[track_caller]
    pub fn call(&self, target: Rank, request: Q::Given<'_>) -> Result<Reply<R>> {
        let bytes = self.prepare(Location::caller(), target, request, "call")?;
        let call = self.wire().call(target, bytes)?;
        Ok(Reply::new(
            self.wire(),
            Rc::clone(&self.handler) as _,
            target,
            call,
        ))
    }

    /// As [`Service::call`], of a request whose reply nobody wants. If its handler panics, [`Service::finish`] says so.
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn send(&self, target: Rank, request: Q::Given<'_>) -> Result<()> {
        let bytes = self.prepare(Location::caller(), target, request, "send")?;
        self.wire().request(target, bytes)
    }

    /// Lends the state of this rank. What handlers that ran did, and those whose requests they handled, is known then.
    /// No handler runs meanwhile; calls that handlers may not make are refused in `look` as well.
    ///
    /// # Errors
    /// A handler calls it, or `look` does; [`Error::Panicked`]: a handler of this rank has panicked.
    pub fn with<T>(&self, look: impl FnOnce(&mut S) -> T) -> Result<T> {
        self.wire()
            .group()
            .core()
            .matching
            .check_handling("a look at a service")?;
        self.handler.with(look)
    }

    /// Ends the service when nothing is on its way any more: all requests are handled, those of handlers too, and all
    /// replies are here. Gives the state back. Collective; handlers run until the last rank is here and all is handled.
    /// Replies that are here can still be waited for.
    ///
    /// A service that is dropped instead handles nothing more at this rank: who calls it waits until the time limit.
    ///
    /// # Errors
    /// [`Error::Panicked`], at all ranks: a handler of some rank panicked; the lowest is named. A rank is lost, or in
    /// another collective call; time ran out.
    #[track_caller]
    pub fn finish(self) -> Result<S> {
        let place = Location::caller();
        let (group, core) = (self.wire().group(), self.wire().group().core());
        let signature = Signature::new(const { Name::new("Service::finish") }, place);
        let _entered = group.enter(signature)?;
        let _call = group.collective_of_all(place, "Service::finish");
        let mut taken_before = None;
        loop {
            core.wait_in(&|| core.collective(None), || Ok(self.wire().is_idle()))?;
            let (sent, taken) = self.wire().counts();
            let mut sums = [sent, taken];
            group.allreduce(Operation::Sum, &mut sums)?;
            if taken_before == Some(sums[0]) {
                break;
            }
            taken_before = Some(sums[1]);
        }
        self.share_panic()?;
        self.handler.end()
    }

    /// Tells all ranks of a panic of one of them.
    fn share_panic(&self) -> Result<()> {
        let group = self.wire().group();
        let own = self.handler.panic();
        let mut first = [own.as_ref().map_or(Rank::MAX, |_| group.rank())];
        group.allreduce(Operation::Min, &mut first)?;
        let [rank] = first;
        if rank == Rank::MAX {
            return Ok(());
        }
        let mut text = [0; MESSAGE];
        if let Some(own) = &own {
            text[..own.len()].copy_from_slice(own.as_bytes());
        }
        group.broadcast(rank, &mut text)?;
        let length = text.iter().position(|&byte| byte == 0).unwrap_or(MESSAGE);
        let message = String::from_utf8_lossy(&text[..length]).into_owned();
        Err(Error::Panicked { rank, message })
    }

    /// Waits for room for a request; its bytes.
    fn prepare(
        &self,
        place: Place,
        target: Rank,
        request: Q::Given<'_>,
        name: &'static str,
    ) -> Result<Vec<u8>> {
        let (wire, group) = (self.wire(), self.wire().group());
        let core = group.core();
        core.matching.check_handling("a request of a program")?;
        let world_target = group.world_rank(target)?;
        let bytes = letter(|bytes| Q::write(request, bytes))?;
        if !wire.has_room(target) {
            let waits = || {
                let call = format!("{name} of a service, for room,");
                Wait::new(core.fabric().rank(), call, Some(place), [world_target])
            };
            core.wait_in(&waits, || Ok(wire.has_room(target)))?;
        }
        wire.order().sends(place, Way::Program, world_target, name);
        Ok(bytes)
    }

    fn wire(&self) -> &Rc<Wire> {
        self.handler.wire()
    }
}

impl<Q: Payload, R: Payload, S> std::fmt::Debug for Service<Q, R, S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Service({:?})", self.wire().group())
    }
}

impl Group {
    /// Handles the requests of [services](Service) that are here, and goes on with what was begun; waits for nothing.
    /// For ranks that compute for long. In a handler it does nothing.
    ///
    /// # Errors
    /// A rank is lost.
    pub fn progress(&self) -> Result<()> {
        self.core().progress()
    }
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::simulate;

    /// Who has sent as much as its target keeps waits until that handles some.
    #[test]
    fn a_program_waits_for_room() -> Result<()> {
        let busy = std::time::Duration::from_secs(1);
        simulate(2, |world| {
            let sums = Service::<u64, (), u64>::register(world, 0, |sum, _, value| *sum += value)?;
            if world.rank() == 1 {
                world.compute(busy);
                return sums.finish();
            }
            for _ in 0..credit::MESSAGES {
                assert!(sums.wire().has_room(1));
                sums.send(1, 1)?;
            }
            assert!(!sums.wire().has_room(1) && world.now() < busy);
            sums.send(1, 1)?;
            assert!(world.now() > busy);
            sums.finish()
        })
        .map(|sums| assert_eq!(sums, [0, 65]))
    }

    /// When a service has ended, none of its messages is left at any rank or on its way: no reply, and no word of room.
    #[test]
    fn the_end_leaves_no_message() -> Result<()> {
        simulate(3, |world| {
            let chain = Service::<u32, u32, ()>::register(world, (), |(), handling, hops| {
                if hops > 0 {
                    let next = (handling.group().rank() + 1) % handling.group().size();
                    let _ = handling.send(next, hops - 1);
                }
                hops
            })?;
            for index in 0..200 {
                chain.send(index % 3, index % 5)?;
                drop(chain.call((index + 1) % 3, 0)?);
            }
            chain.finish()?;
            let tag = crate::mailbox::tag(crate::mailbox::Purpose::Service, world.context(), 0);
            let left = || {
                let core = world.core();
                core.mailbox
                    .take(core.fabric(), &|message| crate::mailbox::is_tagged(message, tag))
            };
            assert!(left()?.is_none());
            world.compute(std::time::Duration::from_millis(10));
            world.barrier()?;
            assert!(left()?.is_none());
            Ok(())
        })?;
        Ok(())
    }
}
