//! Passive communication (GASPI 17.1 §9): a send returns when a receive has taken the message.

use super::{After, BLOCK, Call, SUCCESS, TIMEOUT, enter, group, leave, segment, session};
use crate::memory;
use crate::mpi::{Counter, next_request};
use crate::recorder::record;
use farside_events::{AccessKind, Call as Event, EventKind, Outcome, PostId, Rank, RequestId, SendMode};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tag of passive messages: no message of MPI has one below 0.
const TAG: i32 = -17;
/// What a send is for: segment, offset, rank, size.
type What = (u8, u64, u32, u64);
/// Sends that a call has begun which returned GASPI_TIMEOUT.
static BEGUN: Mutex<BTreeMap<What, RequestId>> = Mutex::new(BTreeMap::new());
/// The receives of this process.
static RECEIVES: Counter = Counter::new();

thread_local! {
    /// The receive that this thread has begun by a call that returned GASPI_TIMEOUT.
    static RECEIVE: Cell<Option<PostId>> = const { Cell::new(None) };
}

fn begun() -> MutexGuard<'static, BTreeMap<What, RequestId>> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `gaspi_passive_send(segment, offset, rank, size, timeout)`.
pub(super) fn send(call: &Call) -> After {
    let (from, offset, rank, size) = (call.small(0), call.word(1), call.number(2), call.word(3));
    let address = segment::address(from, offset, size)?;
    if rank >= session::size() {
        return None;
    }
    let what = (from, offset, rank, size);
    if let Some(request) = begun().get(&what).copied() {
        return Some(Box::new(move |_, code| match code {
            SUCCESS => {
                begun().remove(&what);
                record(EventKind::SendDone { request });
            }
            TIMEOUT => {}
            _ => drop(begun().remove(&what)),
        }));
    }
    let name = call.function().name();
    if size > 0 {
        memory::library_access(
            AccessKind::Load,
            name,
            address,
            size as usize,
            call.return_address(),
        );
    }
    let waits = call.word(4) == BLOCK;
    let request = next_request();
    let entered = Event::Send {
        comm: group::world(),
        dest: Some(Rank(rank)),
        tag: TAG,
        mode: SendMode::Synchronous,
        request: (!waits).then_some(request),
        name: name.into(),
    };
    enter(entered, call.stack());
    if !waits {
        leave();
    }
    Some(Box::new(move |_, code| match code {
        _ if waits => leave(),
        SUCCESS => record(EventKind::SendDone { request }),
        TIMEOUT => drop(begun().insert(what, request)),
        _ => {}
    }))
}

/// `gaspi_passive_receive(segment, offset, sender, size, timeout)`.
pub(super) fn receive(call: &Call) -> After {
    let (size, waits) = (call.word(3), call.word(4) == BLOCK);
    let address = segment::address(call.small(0), call.word(1), size)?;
    let before = RECEIVE.take();
    let post = before.unwrap_or_else(|| PostId(OF_GASPI | RECEIVES.next()));
    let is_entered = waits && before.is_none();
    if before.is_none() {
        let entered = Event::Receive {
            post,
            comm: group::world(),
            source: None,
            tag: Some(TAG),
            request: (!waits).then(next_request),
            name: call.function().name().into(),
        };
        enter(entered, call.stack());
        if !waits {
            leave();
        }
    }
    Some(Box::new(move |call: &Call, code| {
        let sender = match code {
            // SAFETY: the library has written it.
            SUCCESS => unsafe { call.result::<u16>(2) },
            _ => None,
        };
        let source = sender.map(|rank| Rank(rank.into()));
        match (is_entered, source) {
            (true, Some(source)) => record(EventKind::Leave(Outcome::Received {
                source: Some(source),
                tag: TAG,
            })),
            (true, None) => leave(),
            (false, Some(_)) => record(EventKind::ReceiveDone {
                post,
                source,
                tag: TAG,
            }),
            (false, None) => RECEIVE.set(Some(post)),
        }
        if code == SUCCESS && size > 0 {
            let name = call.function().name();
            memory::library_access(
                AccessKind::Store,
                name,
                address,
                size as usize,
                call.return_address(),
            );
        }
    }))
}

/// Sets these receives apart from those of MPI.
const OF_GASPI: u64 = 1 << 62;
