//! Communication calls (MPI-4.1 §12.3).

use super::datatype::{self, Datatype};
use super::identity::Counter;
use super::pending::{Fetch, Range, first_bytes};
use super::request;
use super::window::{self, Window};
use crate::abi::{HandleKind, constants};
use crate::hooks::{After, CallView};
use crate::recorder::record;
use farside_events::{AccumulateOp, Buffer, EventKind, Operation, OperationId, OperationKind, RequestId};
use std::sync::Arc;

static NEXT: Counter = Counter::new();

/// Where the arguments of a call are.
struct Arguments {
    kind: OperationKind,
    /// Address, count and datatype of what is read at the origin.
    origin: Option<Triple>,
    /// Likewise of what is written at the origin.
    result: Option<Triple>,
    /// Address of the compare buffer.
    compare: Option<usize>,
    /// Target rank; the displacement follows it.
    target: usize,
    /// Target count, if the call has one; the target datatype follows it. Otherwise one element of the origin type.
    target_count: Option<usize>,
    operator: Option<usize>,
    win: usize,
}

/// Address, count (none: one element), datatype.
struct Triple(usize, Option<usize>, usize);

/// `MPI_Put`, `MPI_Rput`
pub(crate) fn put(view: &mut CallView) -> After {
    issue(
        view,
        &Arguments {
            kind: OperationKind::Put,
            origin: Some(Triple(0, Some(1), 2)),
            result: None,
            compare: None,
            target: 3,
            target_count: Some(5),
            operator: None,
            win: 7,
        },
    )
}

/// `MPI_Get`, `MPI_Rget`
pub(crate) fn get(view: &mut CallView) -> After {
    issue(
        view,
        &Arguments {
            kind: OperationKind::Get,
            origin: None,
            result: Some(Triple(0, Some(1), 2)),
            compare: None,
            target: 3,
            target_count: Some(5),
            operator: None,
            win: 7,
        },
    )
}

/// `MPI_Accumulate`, `MPI_Raccumulate`
pub(crate) fn accumulate(view: &mut CallView) -> After {
    issue(
        view,
        &Arguments {
            kind: OperationKind::Accumulate,
            origin: Some(Triple(0, Some(1), 2)),
            result: None,
            compare: None,
            target: 3,
            target_count: Some(5),
            operator: Some(7),
            win: 8,
        },
    )
}

/// `MPI_Get_accumulate`, `MPI_Rget_accumulate`
pub(crate) fn get_accumulate(view: &mut CallView) -> After {
    issue(
        view,
        &Arguments {
            kind: OperationKind::GetAccumulate,
            origin: Some(Triple(0, Some(1), 2)),
            result: Some(Triple(3, Some(4), 5)),
            compare: None,
            target: 6,
            target_count: Some(8),
            operator: Some(10),
            win: 11,
        },
    )
}

/// `MPI_Fetch_and_op(origin, result, datatype, target, displacement, op, win)`
pub(crate) fn fetch_and_op(view: &mut CallView) -> After {
    issue(
        view,
        &Arguments {
            kind: OperationKind::FetchAndOp,
            origin: Some(Triple(0, None, 2)),
            result: Some(Triple(1, None, 2)),
            compare: None,
            target: 3,
            target_count: None,
            operator: Some(5),
            win: 6,
        },
    )
}

/// `MPI_Compare_and_swap(origin, compare, result, datatype, target, displacement, win)`
pub(crate) fn compare_and_swap(view: &mut CallView) -> After {
    issue(
        view,
        &Arguments {
            kind: OperationKind::CompareAndSwap,
            origin: Some(Triple(0, None, 3)),
            result: Some(Triple(2, None, 3)),
            compare: Some(1),
            target: 4,
            target_count: None,
            operator: None,
            win: 6,
        },
    )
}

/// Records the operation; request forms have one argument more, the request.
fn issue(view: &mut CallView, arguments: &Arguments) -> After {
    let window = window::argument(view, arguments.win)?;
    let operator = arguments
        .operator
        .map(|i| constants().operator(view.handle(i, HandleKind::Op)));
    let origin = match &arguments.origin {
        // Nothing is read at the origin, whatever the arguments say (§12.3.5).
        Some(_) if operator == Some(AccumulateOp::NoOp) => None,
        Some(triple) => Some(Argument::read(view, triple)?),
        None => None,
    };
    let result = match &arguments.result {
        Some(triple) => Some(Argument::read(view, triple)?),
        None => None,
    };
    let compare = arguments.compare.map(|i| Argument {
        address: view.choice(i).address(),
        ..result
            .clone()
            .unwrap_or_else(|| unreachable!("compare_and_swap has a result"))
    });
    let (target_type, target_count) = match arguments.target_count {
        Some(i) => (datatype::argument(view, i + 1)?, view.count(i)),
        None => (Arc::clone(&result.as_ref().or(origin.as_ref())?.datatype), 1),
    };
    let rank = view.int(arguments.target);
    let target = window.comm.peer(rank);
    let id = OperationId(NEXT.next());
    let request = (view.arity() == arguments.win + 2).then(request::next_id);
    let single = target_count == 1 && target_type.size <= 8;
    let operand = origin
        .as_ref()
        .filter(|origin| single && operator_or_swap(arguments) && origin.is_single())
        .map(|origin| first_bytes(origin.address, origin.datatype.size as usize));
    let fetch = result
        .as_ref()
        .filter(|result| single && operator_or_swap(arguments) && result.is_single() && target.is_some())
        .map(|result| Fetch {
            operation: id,
            address: result.address,
            size: result.datatype.size as usize,
        });
    let ranges: Ranges = [&origin, &result, &compare].map(|argument| match argument {
        Some(argument) if target.is_some() => argument.span(),
        _ => (0, 0),
    });
    let in_flight = InFlight::new(&window, rank, ranges, fetch, request);
    record(EventKind::Operation(Operation {
        id,
        kind: arguments.kind,
        win: window.id,
        target,
        origin: origin.as_ref().map(Argument::buffer),
        result: result.as_ref().map(Argument::buffer),
        compare: compare.as_ref().map(Argument::buffer),
        displacement: view.aint(arguments.target + 1),
        target_type: target_type.id,
        target_count: target_count.cast_unsigned(),
        operator,
        operand,
        request,
        notice: None,
        stack: view.stack(),
    }));
    let in_flight = in_flight?;
    let place = arguments.win + 1;
    Some(Box::new(move |view| {
        if view.failure().is_some() {
            in_flight.end();
        } else {
            let handle = view.handle_behind(place, HandleKind::Request);
            request::insert_operation(handle, view.word(place), in_flight);
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

/// Whether the call combines values at the target.
fn operator_or_swap(arguments: &Arguments) -> bool {
    arguments.operator.is_some() || arguments.kind == OperationKind::CompareAndSwap
}

/// A buffer argument.
#[derive(Clone)]
struct Argument {
    address: usize,
    /// As the program gives it; MPI refuses a negative one.
    count: i64,
    datatype: Arc<Datatype>,
}

impl Argument {
    fn read(view: &CallView, triple: &Triple) -> Option<Self> {
        Some(Self {
            address: view.choice(triple.0).address(),
            count: triple.1.map_or(1, |i| view.count(i)),
            datatype: datatype::argument(view, triple.2)?,
        })
    }

    /// The memory that the call may touch.
    fn span(&self) -> Range {
        self.datatype
            .span(self.address, u64::try_from(self.count).unwrap_or(0))
    }

    fn is_single(&self) -> bool {
        self.count == 1 && self.address != 0 && (1..=8).contains(&self.datatype.size)
    }

    fn buffer(&self) -> Buffer {
        Buffer {
            address: self.address as u64,
            datatype: self.datatype.id,
            count: self.count.cast_unsigned(),
        }
    }
}
