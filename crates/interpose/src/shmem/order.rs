//! What completes operations and orders processes, two at a time (OpenSHMEM 1.5 §9.10 to §9.12).

use super::{After, Call, context, enter, in_flight, leave, session, symmetric, types};
use crate::machine::{Both, may_read_result};
use crate::mpi::{Counter, next_request};
use crate::recorder::record;
use farside_calls::shmem::Which;
use farside_events::{
    AccumulateOp, Call as Entered, ChannelId, Comparison, Condition, EventKind, Operation, OperationId,
    OperationKind, Rank, RequestId, value_of,
};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// `shmem_quiet()`, `shmem_ctx_quiet(context)`.
pub(super) fn quiet(call: &Call) -> After {
    let channel = context::channel_of(call);
    Some(Box::new(move |call, _| {
        in_flight::complete(Some(channel), call.stack());
    }))
}

/// `shmem_fence()`, `shmem_ctx_fence(context)`.
pub(super) fn fence(call: &Call) -> After {
    let channel = context::channel_of(call);
    Some(Box::new(move |_, _| {
        if in_flight::any(channel) {
            record(EventKind::Ordered {
                channel,
                latest: false,
            });
        }
    }))
}

/// A call that waits: that is told before it does, with the place of the call, and then what it has seen.
pub(super) fn waiting(call: &Call, seeing: After) -> After {
    let seeing = seeing?;
    let name = call.function().name().into();
    enter(Entered::Await { name, of: None }, call.stack());
    Some(Box::new(move |call: &Call, result: Both| {
        seeing(call, result);
        leave();
    }))
}

/// A wait for a word of this process; `tests` says that the call does not wait, but returns whether the word is as it
/// shall be.
pub(super) fn wait(tests: bool) -> After {
    Some(Box::new(move |call: &Call, result: Both| {
        if tests && result.word as u32 == 0 {
            return;
        }
        let (operator, with) = match call.function().words() {
            // The form without an operator waits until the word is another one.
            2 => (comparisons().map(|known| known[1]), call.word(1)),
            _ => (Some(call.int(1)), call.word(2)),
        };
        let until = operator.and_then(|operator| condition(call, operator, with as u64));
        see(call.word(0), call.function().element().size, until);
    }))
}

/// The operators of the library's header, in the order of [`Comparison::ALL`]; the standard gives them no values.
fn comparisons() -> Option<&'static [i32; 6]> {
    static KNOWN: OnceLock<Option<[i32; 6]>> = OnceLock::new();
    let of_library = || match session::name() {
        name if name.contains("Farside") || name.contains("Sandia") => Some([1, 2, 3, 4, 5, 6]),
        name if name.contains("open-mpi") => Some([0, 1, 2, 5, 4, 3]),
        _ => None,
    };
    KNOWN.get_or_init(of_library).as_ref()
}

/// What a call wants a word to be like that it compares by this operator with a value.
fn condition(call: &Call, operator: i32, with: u64) -> Option<Condition> {
    let which = comparisons()?.iter().position(|known| *known == operator)?;
    Some(Condition {
        comparison: Comparison::ALL[which],
        with,
        is_unsigned: call.function().is_unsigned(),
    })
}

/// A word that the library has just read for the caller, who may know only that it is as wanted.
fn see(address: usize, size: u32, until: Option<Condition>) {
    // SAFETY: the library has just read it.
    let bytes = unsafe { std::slice::from_raw_parts(address as *const u8, size as usize) };
    record(EventKind::Seen {
        address: address as u64,
        size,
        value: value_of(bytes),
        until,
    });
}

/// `shmem_signal_fetch(signal)`: the result is what the word holds.
pub(super) fn signal_fetched() -> After {
    Some(Box::new(|call: &Call, result: Both| {
        see_signal(call, result, None)
    }))
}

/// `shmem_signal_wait_until(signal, cmp, value)`: the result is what the word holds. A caller that does not look at it
/// knows no more than that it is as wanted.
pub(super) fn signal_awaited() -> After {
    Some(Box::new(|call: &Call, result: Both| {
        let wanted = || condition(call, call.int(1), call.word(2) as u64);
        let until = match looks_at_result(call.return_address()) {
            true => None,
            false => wanted(),
        };
        see_signal(call, result, until);
    }))
}

fn see_signal(call: &Call, result: Both, until: Option<Condition>) {
    record(EventKind::Seen {
        address: call.word(0) as u64,
        size: 8,
        value: result.word as u64,
        until: until.map(|until| Condition {
            is_unsigned: true,
            ..until
        }),
    });
}

/// Whether the code where a call returns may read its result.
fn looks_at_result(place: usize) -> bool {
    static KNOWN: Mutex<BTreeMap<usize, bool>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the call returns there.
    *known
        .entry(place)
        .or_insert_with(|| unsafe { may_read_result(place) })
}

/// A wait for an array of words: `(ivars, nelems, status, cmp, value)`, or with an array of numbers before the status.
pub(super) fn wait_array(which: Which, tests: bool) -> After {
    Some(Box::new(move |call: &Call, result: Both| {
        let (words, count, size) = (call.word(0), call.word(1), call.function().element().size);
        let status = 2 + usize::from(which == Which::Some);
        let (operator, with) = (call.int(status + 1), call.word(status + 2));
        let see = |number: usize| {
            let at = number * size as usize;
            let with = match call.function().name().ends_with("_vector") {
                true => {
                    let with = (with + at) as *const u8;
                    // SAFETY: the library has just compared with it.
                    value_of(unsafe { std::slice::from_raw_parts(with, size as usize) })
                }
                false => with as u64,
            };
            see(words + at, size, condition(call, operator, with));
        };
        match which {
            Which::All if tests && result.word as u32 == 0 => {}
            Which::All => {
                let status = call.word(status) as *const i32;
                // SAFETY: null, or an array of as many numbers as there are words; those that are not 0 are left out.
                let counts = |number: &usize| status.is_null() || unsafe { *status.add(*number) } == 0;
                (0..count).filter(counts).for_each(see);
            }
            // None of them: more than there are.
            Which::Any if result.word >= count => {}
            Which::Any => see(result.word),
            Which::Some => {
                let numbers = call.word(2) as *const usize;
                // SAFETY: the library has written as many numbers as it returned.
                (0..result.word.min(count)).for_each(|place| see(unsafe { *numbers.add(place) }));
            }
        }
    }))
}

static NEXT: Counter = Counter::new();

/// `shmem_set_lock(lock)`, `shmem_test_lock(lock)`: the caller knows what the last holder did. `tests` says that the
/// call does not wait, but returns 0 if it has the lock.
///
/// A lock is a word of the first process that whoever clears it changes, and whoever sets it reads.
pub(super) fn set_lock(tests: bool) -> After {
    Some(Box::new(move |call: &Call, result: Both| {
        if tests && result.word as u32 != 0 {
            return;
        }
        let number = NEXT.next();
        if let Some(operation) = on_lock(call, OperationKind::FetchAndOp, AccumulateOp::NoOp) {
            let (id, request) = (operation.id, operation.request);
            record(EventKind::Operation(operation));
            // No two are alike: what was cleared before is seen.
            record(EventKind::Fetched {
                operation: id,
                value: number,
            });
            record_done(request);
        }
    }))
}

/// `shmem_clear_lock(lock)`: first, all operations of the caller are complete.
pub(super) fn clear_lock(call: &Call) -> After {
    in_flight::complete(Some(ChannelId::DEFAULT), call.stack());
    if let Some(operation) = on_lock(call, OperationKind::FetchAndOp, AccumulateOp::Sum) {
        let request = operation.request;
        record(EventKind::Operation(operation));
        record_done(request);
    }
    None
}

fn record_done(request: Option<RequestId>) {
    if let Some(request) = request {
        record(EventKind::OperationRequestDone { request });
    }
}

/// An operation on the word of a lock at the first process.
fn on_lock(call: &Call, kind: OperationKind, operator: AccumulateOp) -> Option<Operation> {
    let address = call.word(0);
    let object = symmetric::find(address)?;
    Some(Operation {
        id: OperationId::of_lock(NEXT.next()),
        kind,
        win: object.win(),
        target: Some(Rank(0)),
        origin: None,
        result: None,
        compare: None,
        displacement: object.displacement(address),
        target_type: types::of(call.function().element(), 1),
        target_count: 1,
        operator: Some(operator),
        operand: None,
        expected: None,
        request: Some(next_request()),
        channel: ChannelId::DEFAULT,
        notice: None,
        stack: call.stack(),
    })
}
