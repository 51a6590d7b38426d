//! Atomic operations (GASPI 17.1 §10): done when their calls return.

use super::request::next_operation;
use super::{After, Call, SUCCESS, segment, session, types};
use crate::memory;
use crate::mpi::next_request;
use crate::recorder::record;
use farside_events::{
    AccessKind, AccumulateOp, ChannelId, EventKind, Operation, OperationKind, Rank,
};

/// `(segment, offset, rank, value, old, timeout)`.
pub(super) fn fetch_add(call: &Call) -> After {
    let operation = Operation {
        kind: OperationKind::FetchAndOp,
        operator: Some(AccumulateOp::Sum),
        operand: Some(call.word(3)),
        ..on_word(call)?
    };
    Some(issue(operation, 4))
}

/// `(segment, offset, rank, comparator, new, old, timeout)`.
pub(super) fn compare_swap(call: &Call) -> After {
    let operation = Operation {
        kind: OperationKind::CompareAndSwap,
        operand: Some(call.word(4)),
        expected: Some(call.word(3)),
        ..on_word(call)?
    };
    Some(issue(operation, 5))
}

/// An operation on the word that a call names.
fn on_word(call: &Call) -> Option<Operation> {
    let rank = call.number(2);
    (rank < session::size()).then(|| Operation {
        id: next_operation(),
        kind: OperationKind::FetchAndOp,
        win: segment::window(call.small(0)),
        target: Some(Rank(rank)),
        origin: None,
        result: None,
        compare: None,
        displacement: call.word(1) as i64,
        target_type: types::word(),
        target_count: 1,
        operator: None,
        operand: None,
        expected: None,
        request: Some(next_request()),
        channel: ChannelId::DEFAULT,
        notice: None,
        stack: call.stack(),
    })
}

/// Others may see the new value before the call returns.
fn issue(operation: Operation, old: usize) -> Box<dyn FnOnce(&Call, i32)> {
    let (id, request) = (operation.id, operation.request);
    record(EventKind::Operation(operation));
    Box::new(move |call: &Call, code| {
        if code != SUCCESS {
            return record(EventKind::Withdrawn { operation: id });
        }
        // SAFETY: the library has written it.
        if let Some(value) = unsafe { call.result::<u64>(old) } {
            record(EventKind::Fetched { operation: id, value });
            let name = call.function().name();
            memory::library_access(AccessKind::Store, name, call.address(old), 8, call.return_address());
        }
        if let Some(request) = request {
            record(EventKind::OperationRequestDone { request });
        }
    })
}
