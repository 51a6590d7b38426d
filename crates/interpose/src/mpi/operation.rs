//! Communication calls (MPI-4.1 §12.3).

use super::identity::Counter;
use super::in_flight::{InFlight, Ranges};
use super::pending::{Fetch, value_at};
use super::{numbers, request};
use crate::call::{After, CallView, Then};
use crate::recorder::record_operation;
use farside_calls::communicator::Communicator as _;
use farside_calls::datatype::Elements;
use farside_calls::mistakes::mistake_of;
use farside_calls::operation::Operation;
use farside_calls::signature::Role;
use farside_events::{EventKind, OperationId, OperationKind};

static NEXT: Counter = Counter::new();

/// Records the operation.
pub(crate) fn issue(view: &mut CallView, kind: OperationKind) -> After {
    let operation = Operation::of(kind, view)?;
    if let Some(mistake) = mistake_of(&operation, view) {
        super::tell(view, mistake);
    }
    let id = OperationId(NEXT.next());
    let request = operation.has_request.then(numbers::request);
    // Which of two lock epochs on different hosts came first, only values tell.
    let moved = operation.window.is_locked().then(|| operation.moved()).flatten();
    let (given, brought) = match kind {
        OperationKind::Get => (None, moved),
        _ => (moved, None),
    };
    let sized = |value: &Elements| (value.address as usize, value.datatype.size() as usize);
    let whole = |(value, size): (&Elements, u64)| (value.address as usize, size as usize);
    let values = [
        operation.operand().map(sized).or(given.map(whole)),
        operation.expected().map(sized),
    ];
    let values = values.map(|value| value.map(|(address, size)| value_at(address, size)));
    let fetched = operation.fetched().map(sized).or(brought.map(whole));
    let fetch = fetched.map(|(address, size)| Fetch {
        operation: id,
        address,
        size,
    });
    let ranges: Ranges = operation.buffers().map(|elements| match elements {
        Some(elements) if operation.target.is_some() => {
            let (start, length) = elements.span();
            (start as usize, length as usize)
        }
        _ => (0, 0),
    });
    let in_flight = InFlight::new(&operation.window, operation.rank, ranges, fetch, request);
    let event = EventKind::Operation(operation.event(id, request, values, view.stack()));
    // What it does to the memory of another process is nothing to loads and stores here.
    let elsewhere = usize::try_from(operation.rank) != Ok(operation.window.comm.own_rank())
        && !super::window::neighbours_are_mapped();
    record_operation(&event, elsewhere.then_some(&ranges));
    let in_flight = in_flight?;
    Some(Then::new(move |view| {
        if view.failure().is_some() {
            in_flight.end();
        } else {
            let handle = view.handle_behind(Role::Request);
            request::insert_operation(handle, view.word(Role::Request), in_flight);
        }
    }))
}
