//! How a lock is taken and given back, on two words at the target: the number of tickets, and the tickets that are
//! called (see [`super::calls`]).
//!
//! Who wants a lock takes a ticket, waits until it is called, and calls the next one: a shared holder calls the next
//! shared one as soon as it holds the lock, an exclusive one when it unlocks. So locks are given in the order of
//! tickets, nobody starves, and shared holders hold together. Without contention a lock costs one round trip, an unlock
//! one besides the completion of the operations; where this process reaches the words itself, an atomic addition each.
//! Who waits polls the target, with growing pauses.

use super::calls::Calls;
use crate::waits::Wait;
use crate::watch::Place;
use crate::window::core::WindowCore;
use crate::window::header::Header;
use crate::window::peer::{Held, Peer};
use crate::{Error, Rank, Result};
use farside_fabric::{AtomicKind, AtomicOperation, Fetch, Ticket};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};

/// Who may hold a lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// All who lock shared (`MPI_LOCK_SHARED`).
    Shared,
    /// Nobody else (`MPI_LOCK_EXCLUSIVE`).
    Exclusive,
}

/// Polls of the calls without a pause.
const POLLS: u32 = 100;

/// Takes the shared lock of a target in a lock_all epoch, if it is not held yet.
#[track_caller]
pub(super) fn demand(window: &WindowCore, target: Rank) -> Result<()> {
    let peer = window.peer(target)?;
    if peer.demanded.get() {
        return Ok(());
    }
    take(window, target, Lock::Shared, Location::caller())?;
    peer.demanded.set(true);
    window.demanded.borrow_mut().push(target);
    Ok(())
}

/// Gives the locks of a lock_all epoch back.
pub(super) fn release_all(window: &WindowCore) -> Result<()> {
    let mut demanded = window.demanded.borrow_mut();
    let mut result = Ok(());
    while let Some(target) = demanded.pop() {
        window.peer(target)?.demanded.set(false);
        let released = release(window, target);
        result = result.and(released);
    }
    result
}

/// Waits for a lock.
#[inline]
pub(super) fn take(window: &WindowCore, target: Rank, lock: Lock, place: Place) -> Result<()> {
    window.check()?;
    let peer = window.peer(target)?;
    if let Some(held) = peer.held.get() {
        let (call, held) = (place, held.since());
        return Err(Error::AlreadyLocked { target, call, held });
    }
    let ticket = match word(peer, Header::TICKETS) {
        Some(tickets) => Calls::<32>::ticket(tickets.fetch_add(1, Ordering::Relaxed)),
        None => return window.guard(take_by_transport(window, peer, lock, place)),
    };
    if !matches!(word(peer, Header::CALLS), Some(calls) if is_called(calls.load(Ordering::Acquire), ticket, lock))
    {
        window.guard(wait(window, peer, ticket, lock, place))?;
    }
    window.guard(hold(window, peer, ticket, lock, place))
}

/// A word of the lock of a target, where this process reaches it itself.
#[inline]
fn word(peer: &Peer, displacement: usize) -> Option<&AtomicU64> {
    // SAFETY: the words of the lock stand in front of the elements, aligned, in memory that is mapped as long as the
    // window is; everybody accesses them by atomic operations only.
    Some(unsafe { AtomicU64::from_ptr(peer.place.reach()?.base().add(displacement).cast()) })
}

/// Whether a ticket may come in.
#[inline]
fn is_called(calls: u64, ticket: u64, lock: Lock) -> bool {
    let calls = Calls::<32>(calls);
    ticket
        == match lock {
            Lock::Exclusive => calls.exclusive(),
            Lock::Shared => calls.shared(),
        }
}

/// Remembers a lock that was just given to this rank; lets the next one in, if it is shared.
#[inline]
fn hold(window: &WindowCore, peer: &Peer, ticket: u64, lock: Lock, place: Place) -> Result<()> {
    if lock == Lock::Shared {
        add_to_calls(window, peer, Calls::<32>::admit(ticket))?;
    }
    peer.held.set(Some(Held::new(ticket, lock, place)));
    Ok(())
}

/// Waits until a ticket is called.
#[cold]
fn wait(window: &WindowCore, peer: &Peer, ticket: u64, lock: Lock, place: Place) -> Result<()> {
    let ready = || {
        let calls = match word(peer, Header::CALLS) {
            Some(calls) => calls.load(Ordering::Acquire),
            None => fetch(window, peer, AtomicOperation::NoOp, Header::CALLS, 0)?,
        };
        Ok(is_called(calls, ticket, lock))
    };
    for _ in 0..POLLS {
        if ready()? {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    window.core().poll(&|| describe(window, peer, Some(place)), ready)
}

/// What this rank waits for, of a lock.
#[cold]
fn describe(window: &WindowCore, peer: &Peer, place: Option<Place>) -> Wait {
    let wait = window.waiting(&format!("lock of rank {}", peer.place.rank), place, []);
    wait.lock((window.name, peer.place.remote.target()))
}

/// Takes a lock with one round trip, if nobody has it.
#[inline(never)]
fn take_by_transport(window: &WindowCore, peer: &Peer, lock: Lock, place: Place) -> Result<()> {
    let (slot, cell) = window.pending.pool.take();
    // SAFETY: the cell has four words, is ours, and no operation uses it.
    let (one, tickets, calls) = unsafe {
        cell.write(1);
        (cell.cast_const(), cell.add(1), cell.add(2))
    };
    // Both at once: calls only go up, so an older answer is never one too many.
    let started = [
        start(window, peer, AtomicOperation::Sum, Header::TICKETS, one, tickets)?,
        start(
            window,
            peer,
            AtomicOperation::NoOp,
            Header::CALLS,
            std::ptr::null(),
            calls,
        )?,
    ];
    for operation in started {
        window
            .core()
            .complete(&|| describe(window, peer, Some(place)), operation)?;
    }
    // SAFETY: both operations are complete.
    let (ticket, calls) = unsafe { (Calls::<32>::ticket(tickets.read()), calls.read()) };
    window.pending.pool.give_back(slot);
    if !is_called(calls, ticket, lock) {
        wait(window, peer, ticket, lock, place)?;
    }
    hold(window, peer, ticket, lock, place)
}

/// Gives a lock back, if it is held. The operations under it are complete; if they could not be completed, nobody gets
/// the lock any more, for the next one would have the memory to itself.
#[inline]
pub(super) fn release(window: &WindowCore, target: Rank) -> Result<()> {
    let peer = window.peer(target)?;
    let Some(Held { ticket, lock, .. }) = peer.held.get() else {
        return Ok(());
    };
    window.check_completed()?;
    let sum = match lock {
        Lock::Exclusive => Calls::<32>::leave_exclusive(ticket),
        Lock::Shared => Calls::<32>::leave_shared(),
    };
    add_to_calls(window, peer, sum)?;
    peer.held.set(None);
    Ok(())
}

/// Changes the word of calls.
#[inline]
fn add_to_calls(window: &WindowCore, peer: &Peer, sum: u64) -> Result<()> {
    match word(peer, Header::CALLS) {
        Some(calls) => {
            calls.fetch_add(sum, Ordering::AcqRel);
            Ok(())
        }
        None => fetch(window, peer, AtomicOperation::Sum, Header::CALLS, sum).map(drop),
    }
}

/// An atomic operation on a word of the header of a target by the transport, and what was there.
#[inline(never)]
fn fetch(
    window: &WindowCore,
    peer: &Peer,
    operation: AtomicOperation,
    displacement: usize,
    operand: u64,
) -> Result<u64> {
    let (slot, cell) = window.pending.pool.take();
    // SAFETY: the cell has four words, is ours, and no operation uses it.
    let result = unsafe {
        cell.write(operand);
        cell.add(1)
    };
    let started = start(window, peer, operation, displacement, cell.cast_const(), result)?;
    window
        .core()
        .complete(&|| describe(window, peer, None), started)?;
    // SAFETY: the operation is complete.
    let found = unsafe { result.read() };
    window.pending.pool.give_back(slot);
    Ok(found)
}

/// Starts an atomic operation on a word of the header of a target, by words of a cell. It fetches, so that its
/// completion says that it is done at the target.
fn start(
    window: &WindowCore,
    peer: &Peer,
    operation: AtomicOperation,
    displacement: usize,
    operand: *const u64,
    result: *mut u64,
) -> Result<Ticket> {
    let fetch = Fetch {
        scope: window.scope,
        operation,
        kind: AtomicKind::U64,
        count: 1,
        operands: operand.cast(),
        results: result.cast(),
        remote: peer.place.remote,
        displacement,
    };
    // SAFETY: callers give words of a cell of the pool, which stays in place, and touch it again when the operation is
    // complete; if that fails, the cell is not given back.
    Ok(unsafe { window.fabric().fetch(&fetch) }?)
}
