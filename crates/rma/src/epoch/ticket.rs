//! How a lock is taken and given back, on three counters at the target: the next ticket, and the tickets that may lock
//! exclusively and shared.
//!
//! Who wants a lock takes a ticket, waits until it is called, and calls the next one: a shared holder calls the next
//! shared one as soon as it holds the lock, an exclusive one when it unlocks. So locks are given in the order of tickets,
//! nobody starves, and shared holders hold together. Without contention a lock costs one round trip, an unlock one besides
//! the completion of the operations. Who waits polls the target, with growing pauses.

use super::Lock;
use crate::window::core::WindowCore;
use crate::window::header::Header;
use crate::{Error, Rank, Result};
use farside_fabric::{AtomicKind, AtomicOperation, Fetch, Ticket};
use std::time::Duration;

/// Polls of a ticket without a pause.
const POLLS: u32 = 100;

/// The first pause between polls, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_nanos(500), Duration::from_micros(50));

/// Takes the shared lock of a target in a lock_all epoch, if it is not held yet.
pub(super) fn demand(window: &WindowCore, target: Rank) -> Result<()> {
    let (word, bit) = (target as usize / 64, 1 << (target % 64));
    let mut demand = window.demand.borrow_mut();
    match demand.bits.get(word) {
        Some(bits) if bits & bit != 0 => return Ok(()),
        Some(_) => {}
        None => crate::world::Core::check_rank(target, window.group.size())?,
    }
    take(window, target, Lock::Shared)?;
    demand.bits[word] |= bit;
    demand.ranks.push(target);
    Ok(())
}

/// Gives the locks of a lock_all epoch back.
pub(super) fn release_all(window: &WindowCore) -> Result<()> {
    let mut demand = window.demand.borrow_mut();
    demand.bits.fill(0);
    let mut result = Ok(());
    while let Some(target) = demand.ranks.pop() {
        let released = release(window, target, Lock::Shared);
        result = result.and(released);
    }
    result
}

/// Waits for a lock.
pub(super) fn take(window: &WindowCore, target: Rank, lock: Lock) -> Result<()> {
    window.check()?;
    crate::world::Core::check_rank(target, window.group.size())?;
    if window.held.borrow().contains(&target) {
        return Err(Error::AlreadyLocked { target });
    }
    window.guard(queue(window, target, lock))?;
    window.held.borrow_mut().push(target);
    Ok(())
}

/// Takes a ticket and waits until it is called.
fn queue(window: &WindowCore, target: Rank, lock: Lock) -> Result<()> {
    let (slot, cell) = window.pool.take();
    // SAFETY: the cell has four words, is ours, and no operation uses it.
    let (one, ticket, calls) = unsafe {
        cell.write(1);
        (cell.cast_const(), cell.add(1), cell.add(2))
    };
    // Both at once: calls only go up, so an older answer is never one too many.
    let tickets = [
        fetch(window, target, AtomicOperation::Sum, Header::NEXT, 1, one, ticket)?,
        poll(window, target, calls)?,
    ];
    for started in tickets {
        window.core().complete(started)?;
    }
    let call = match lock {
        Lock::Exclusive => calls,
        // SAFETY: the last word of the cell.
        Lock::Shared => unsafe { calls.add(1) },
    };
    let mut polls = 0;
    let mut pause = PAUSES.0;
    // SAFETY: all operations on the cell are complete, above and behind each poll.
    while unsafe { call.read() != ticket.read() } {
        polls += 1;
        if polls > POLLS {
            window.core().pause(pause)?;
            pause = (pause * 2).min(PAUSES.1);
        }
        window.core().complete(poll(window, target, calls)?)?;
    }
    if lock == Lock::Shared {
        let next = fetch(window, target, AtomicOperation::Sum, Header::READ, 1, one, calls)?;
        window.core().complete(next)?;
    }
    window.pool.give_back(slot);
    Ok(())
}

/// Reads both calls of a lock.
fn poll(window: &WindowCore, target: Rank, calls: *mut u64) -> Result<Ticket> {
    let operands = std::ptr::null();
    fetch(
        window,
        target,
        AtomicOperation::NoOp,
        Header::WRITE,
        2,
        operands,
        calls,
    )
}

/// Gives a lock back. The operations under it are complete.
pub(super) fn release(window: &WindowCore, target: Rank, lock: Lock) -> Result<()> {
    let (slot, cell) = window.pool.take();
    // SAFETY: the cell has four words, is ours, and no operation uses it.
    let (one, first, second) = unsafe {
        cell.write(1);
        (cell.cast_const(), cell.add(1), cell.add(2))
    };
    let write = fetch(window, target, AtomicOperation::Sum, Header::WRITE, 1, one, first)?;
    if lock == Lock::Exclusive {
        let read = fetch(window, target, AtomicOperation::Sum, Header::READ, 1, one, second)?;
        window.core().complete(read)?;
    }
    window.core().complete(write)?;
    window.pool.give_back(slot);
    window.held.borrow_mut().retain(|&rank| rank != target);
    Ok(())
}

/// An atomic operation on words of the header of a target, by words of a cell. It fetches, so that its completion says that
/// it is done at the target.
fn fetch(
    window: &WindowCore,
    target: Rank,
    operation: AtomicOperation,
    displacement: usize,
    count: usize,
    operands: *const u64,
    results: *mut u64,
) -> Result<Ticket> {
    let fetch = Fetch {
        scope: window.scope,
        operation,
        kind: AtomicKind::U64,
        count,
        operands: operands.cast(),
        results: results.cast(),
        remote: window.remote(target)?,
        displacement,
    };
    // SAFETY: callers give words of a cell of the pool, which stays in place, and touch it again when the operation is
    // complete; if that fails, the cell is not given back.
    Ok(unsafe { window.fabric().fetch(&fetch) }?)
}
