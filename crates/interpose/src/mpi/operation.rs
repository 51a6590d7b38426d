//! Communication calls (MPI-4.1 §12.3).

use super::identity::Counter;
use super::pending::{Fetch, Range, first_bytes};
use super::window::Window;
use super::{numbers, request};
use crate::hooks::{After, CallView};
use crate::recorder::{record, record_operation};
use farside_calls::communicator::Communicator as _;
use farside_calls::operation::Operation;
use farside_calls::signature::Role;
use farside_events::{EventKind, OperationId, OperationKind, RequestId};

static NEXT: Counter = Counter::new();

/// Records the operation.
pub(crate) fn issue(view: &mut CallView, kind: OperationKind) -> After {
    let operation = Operation::of(kind, view)?;
    let id = OperationId(NEXT.next());
    let request = operation.has_request.then(numbers::request);
    let operand = operation
        .operand()
        .map(|operand| first_bytes(operand.address as usize, operand.datatype.size() as usize));
    let fetch = operation.fetched().map(|result| Fetch {
        operation: id,
        address: result.address as usize,
        size: result.datatype.size() as usize,
    });
    let ranges: Ranges = operation.buffers().map(|elements| match elements {
        Some(elements) if operation.target.is_some() => {
            let (start, length) = elements.span();
            (start as usize, length as usize)
        }
        _ => (0, 0),
    });
    let in_flight = InFlight::new(&operation.window, operation.rank, ranges, fetch, request);
    let event = operation.event(id, request, operand, view.stack());
    // What it does to the memory of another process is nothing to loads and stores here.
    let elsewhere = usize::try_from(operation.rank) != Ok(operation.window.comm.own_rank())
        && !super::window::neighbours_are_mapped();
    record_operation(EventKind::Operation(event), elsewhere.then_some(&ranges));
    let in_flight = in_flight?;
    Some(Box::new(move |view| {
        if view.failure().is_some() {
            in_flight.end();
        } else {
            let handle = view.handle_behind(Role::Request);
            request::insert_operation(handle, view.word(Role::Request), in_flight);
        }
    }))
}

/// Origin, result and compare buffer; empty where there is none.
type Ranges = [Range; 3];

/// An operation with a request, which decides its local completion.
pub(super) struct InFlight {
    pub(super) request: RequestId,
    ranges: Ranges,
    fetch: Option<Fetch>,
}

impl InFlight {
    /// Starts to watch the buffers. Without a request they are left to the window; then there is no value.
    fn new(
        window: &Window,
        rank: i32,
        ranges: Ranges,
        fetch: Option<Fetch>,
        request: Option<RequestId>,
    ) -> Option<Self> {
        if let Some(request) = request {
            for range in &ranges {
                super::buffer::watch(range.0, range.1);
            }
            return Some(Self {
                request,
                ranges,
                fetch,
            });
        }
        if ranges.iter().any(|range| range.1 > 0) {
            let mut pending = window.pending();
            for range in ranges {
                pending.add_buffer(rank, range);
            }
            if let Some(fetch) = fetch {
                pending.add_fetch(rank, fetch);
            }
        }
        None
    }

    /// The request completed.
    pub(super) fn complete(self) {
        if let Some(fetch) = self.fetch {
            fetch.report();
        }
        record(EventKind::OperationRequestDone {
            request: self.request,
        });
        self.end();
    }

    /// Its buffers are no longer in use.
    pub(super) fn end(self) {
        for range in &self.ranges {
            super::buffer::unwatch(range.0, range.1);
        }
    }
}
