//! How a lock is taken and given back, on two words at the target: the number of tickets, and the tickets that are
//! called (see [`farside_fabric::lock`]).
//!
//! Where this process reaches the words itself, a lock and an unlock without contention cost an atomic addition each.
//! Else a lock is a round trip; an unlock too, which completes short puts over a stream as well. Who waits polls the
//! target, with growing pauses.
//!
//! Where the target can do short puts under its lock by itself ([`farside_fabric::Fabric::put_locked`]), a lock is not
//! asked for before something needs it: any operation but a short put, a flush, an epoch within this one. Where nothing
//! does, lock, puts and unlock are one round trip. If others have the lock, the answer is a ticket, and the rest is as
//! if the lock alone had been asked for. A checked program takes its locks at once, for the check is told when.

use crate::waits::Wait;
use crate::watch::Place;
use crate::window::core::WindowCore;
use crate::window::header::Header;
use crate::window::peer::{Held, Peer};
use crate::{Error, Lock, Rank, Result};
use farside_fabric::lock::Calls;
use farside_fabric::{AtomicKind, AtomicOperation, Fetch, LockedPuts, Put, ShortPuts, Signal, Ticket};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};

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
    begin(window, target, lock, place, take_by_transport)
}

/// As [`take`], or leaves the lock for later where that saves a round trip.
#[inline]
pub(super) fn want(window: &WindowCore, target: Rank, lock: Lock, place: Place) -> Result<()> {
    begin(window, target, lock, place, want_by_transport)
}

#[inline]
fn begin(
    window: &WindowCore,
    target: Rank,
    lock: Lock,
    place: Place,
    by_transport: fn(&WindowCore, &Peer, Lock, Place) -> Result<()>,
) -> Result<()> {
    window.check()?;
    force(window)?;
    let peer = window.peer(target)?;
    if let Some(held) = peer.held.get() {
        let (call, held) = (place, held.since());
        return Err(Error::AlreadyLocked { target, call, held });
    }
    let ticket = match word(peer, Header::TICKETS) {
        Some(tickets) => Calls::<32>::ticket(tickets.fetch_add(1, Ordering::Relaxed)),
        None => return window.guard(by_transport(window, peer, lock, place)),
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
    Calls::<32>(calls).is_called(ticket, lock)
}

/// Remembers a lock that was just given to this rank; lets the next one in, if it is shared.
#[inline]
fn hold(window: &WindowCore, peer: &Peer, ticket: u64, lock: Lock, place: Place) -> Result<()> {
    if lock == Lock::Shared {
        add_to_calls(window, peer, Calls::<32>::admit(ticket))?;
    }
    peer.held.set(Some(Held::new(Some(ticket), lock, place)));
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

/// Leaves a lock for later, if the target does puts under it by itself. Epochs at other targets are closed: all that is
/// started before the lock is taken are puts to this one.
#[inline(never)]
fn want_by_transport(window: &WindowCore, peer: &Peer, lock: Lock, place: Place) -> Result<()> {
    let remote = &peer.place.remote;
    if window.is_open() || window.watch.is_some() || !window.fabric().puts_locked(remote) {
        return take_by_transport(window, peer, lock, place);
    }
    let target = peer.place.rank;
    window.late.want(target, lock, place);
    peer.held.set(Some(Held::new(None, lock, place)));
    Ok(())
}

/// Takes the lock that was left for later, if there is one, and starts the puts that were kept.
#[inline]
pub(crate) fn force(window: &WindowCore) -> Result<()> {
    match window.late.is_wanted() {
        false => Ok(()),
        true => window.guard(force_wanted(window)),
    }
}

#[cold]
fn force_wanted(window: &WindowCore) -> Result<()> {
    let Some(((target, lock, place), puts)) = window.late.take() else {
        return Ok(());
    };
    let peer = window.peer(target)?;
    peer.held.set(None);
    take_by_transport(window, peer, lock, place)?;
    start_kept(window, peer, &puts)?;
    // The transport may read them until they are complete.
    window.adopt(Box::new(puts));
    Ok(())
}

/// Starts the puts that were kept, under the lock.
fn start_kept(window: &WindowCore, peer: &Peer, puts: &ShortPuts) -> Result<()> {
    for (displacement, bytes) in puts.iter() {
        let put = Put {
            scope: window.scope,
            origin: bytes.as_ptr(),
            bytes: bytes.len(),
            remote: peer.place.remote,
            displacement,
            signal: Signal::None,
        };
        // SAFETY: callers keep the bytes, on the heap, until all operations of the window are complete; the window
        // stays connected.
        unsafe { window.fabric().put(&put) }?;
        window.pending.started();
    }
    Ok(())
}

/// Takes a lock that was left for later, puts what was kept and gives it back: with one round trip, if nobody has it.
#[cold]
fn visit(window: &WindowCore, peer: &Peer) -> Result<()> {
    let Some(((_, lock, place), puts)) = window.late.take() else {
        return Ok(());
    };
    peer.held.set(None);
    let (slot, cell) = window.pending.pool.take();
    let visit = LockedPuts {
        scope: window.scope,
        remote: peer.place.remote,
        words: Header::TICKETS,
        lock,
        puts: &puts,
        results: cell,
    };
    // SAFETY: the cell has four words, is ours, and stays in place; it is given back when the operation is complete.
    // The window stays connected.
    let started = unsafe { window.fabric().put_locked(&visit) }?;
    window
        .core()
        .complete(&|| describe(window, peer, Some(place)), started)?;
    // SAFETY: the operation is complete.
    let (ticket, calls) = unsafe { (Calls::<32>::ticket(cell.read()), cell.add(1).read()) };
    window.pending.pool.give_back(slot);
    if !is_called(calls, ticket, lock) {
        wait(window, peer, ticket, lock, place)?;
        hold(window, peer, ticket, lock, place)?;
        let completed = start_kept(window, peer, &puts).and_then(|()| window.flush());
        if completed.is_err() {
            // They may be on their way, and what they read is kept: nobody gets the lock.
            window.adopt(Box::new(puts));
            window.give_up();
            return completed;
        }
        release(window, peer.place.rank)?;
    }
    window.late.reuse(puts);
    Ok(())
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
    let Some(ticket) = ticket else {
        return visit(window, peer);
    };
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
