//! Put, get and atomic operations (OpenSHMEM 1.5 §9.6, §9.7).

use super::{After, Call, context, in_flight, symmetric, types};
use crate::machine::Both;
use crate::mpi::{Counter, next_request};
use crate::recorder::record;
use farside_calls::shmem::{Atomic, Class, Element, Returns, Strided};
use farside_events::{
    AccumulateOp, Buffer, EventKind, Operation, OperationId, OperationKind, RequestId, TypeId, value_of,
};

static NEXT: Counter = Counter::new();

/// Elements in memory: of this process, or of the target as this process names it.
#[derive(Clone, Copy)]
struct Elements {
    address: usize,
    /// From one to the next, in elements.
    stride: usize,
}

/// What an operation is made of.
struct Parts {
    kind: OperationKind,
    remote: Elements,
    count: usize,
    pe: i32,
    /// What is read here.
    origin: Option<Elements>,
    /// What is written here.
    result: Option<Elements>,
    operator: Option<AccumulateOp>,
    operand: Option<u64>,
    expected: Option<u64>,
    returns: Returns,
}

/// `shmem_put(dest, source, nelems, pe)`, `shmem_iput(dest, source, dst, sst, nelems, pe)`.
pub(super) fn put(call: &Call, returns: Returns, strided: Strided) -> After {
    let (remote, origin, count, pe) = both(call, strided);
    let bytes = count.saturating_mul(call.function().element().size as usize);
    let operand = (strided == Strided::No && (1..=8).contains(&bytes)).then(|| {
        // SAFETY: the source of a put is readable.
        value_of(unsafe { std::slice::from_raw_parts(origin.address as *const u8, bytes) })
    });
    issue(
        call,
        Parts {
            kind: OperationKind::Put,
            remote,
            count,
            pe,
            origin: Some(origin),
            result: None,
            operator: None,
            operand,
            expected: None,
            returns,
        },
    )
    .and_then(Issued::finish)
}

/// `shmem_get(dest, source, nelems, pe)`, `shmem_iget(dest, source, dst, sst, nelems, pe)`.
pub(super) fn get(call: &Call, returns: Returns, strided: Strided) -> After {
    let (result, remote, count, pe) = both(call, strided);
    issue(
        call,
        Parts {
            kind: OperationKind::Get,
            remote,
            count,
            pe,
            origin: None,
            result: Some(result),
            operator: None,
            operand: None,
            expected: None,
            returns,
        },
    )
    .and_then(Issued::finish)
}

/// `shmem_put_signal(dest, source, nelems, signal, value, operator, pe)`: the word is updated after the data are there.
pub(super) fn put_signal(call: &Call, returns: Returns) -> After {
    /// `SHMEM_SIGNAL_SET`; the other operator adds.
    const SET: i32 = 0;
    let elements = |place: usize| Elements {
        address: call.word(place),
        stride: 1,
    };
    let data = Parts {
        remote: elements(0),
        count: call.word(2),
        origin: Some(elements(1)),
        returns,
        ..single(call, OperationKind::Put, call.int(6))
    };
    let data = issue(call, data);
    if data.is_some() {
        let channel = context::channel_of(call);
        record(EventKind::Ordered {
            channel,
            latest: true,
        });
    }
    let signal = Parts {
        remote: elements(3),
        operator: Some(match call.int(5) {
            SET => AccumulateOp::Replace,
            _ => AccumulateOp::Sum,
        }),
        operand: Some(call.word(4) as u64),
        ..single(call, OperationKind::Accumulate, call.int(6))
    };
    let signal = issue_of(call, signal, SIGNAL, types::of_signal(call.int(5) == SET));
    Some(Box::new(move |_, _| {
        let requests = [data, signal]
            .into_iter()
            .flatten()
            .filter_map(|issued| issued.request);
        requests.for_each(|request| record(EventKind::OperationRequestDone { request }));
    }))
}

/// The word of a signal.
const SIGNAL: Element = Element {
    size: 8,
    class: Class::Integer,
};

/// Destination, source, their number and the other process.
fn both(call: &Call, strided: Strided) -> (Elements, Elements, usize, i32) {
    let (strides, next) = match strided {
        Strided::No => ([1, 1], 2),
        Strided::Yes => ([call.word(2), call.word(3)], 4),
    };
    let elements = |place: usize| Elements {
        address: call.word(place),
        stride: strides[place],
    };
    (elements(0), elements(1), call.word(next), call.int(next + 1))
}

/// `shmem_p(dest, value, pe)`.
pub(super) fn put_value(call: &Call) -> After {
    let (operand, next) = call.value(1);
    issue(
        call,
        Parts {
            operand,
            ..single(call, OperationKind::Put, call.int(next))
        },
    )
    .and_then(Issued::finish)
}

/// `shmem_g(source, pe)`.
pub(super) fn get_value(call: &Call) -> After {
    issue(call, single(call, OperationKind::Get, call.int(1))).and_then(Issued::finish)
}

/// An atomic operation on the word that the first argument names.
pub(super) fn atomic(call: &Call, what: Atomic, fetches: Option<Returns>) -> After {
    let kind = match (what, fetches) {
        (Atomic::CompareSwap, _) => OperationKind::CompareAndSwap,
        (_, None) => OperationKind::Accumulate,
        (_, Some(_)) => OperationKind::FetchAndOp,
    };
    // Where the result goes, if it comes later, is the first argument.
    let issued_only = fetches == Some(Returns::Issued);
    let word = usize::from(issued_only);
    let (expected, next) = match what {
        Atomic::CompareSwap => call.value(word + 1),
        _ => (None, word + 1),
    };
    let (operand, next) = match what {
        Atomic::Fetch => (None, next),
        Atomic::Inc => (Some(1), next),
        _ => call.value(next),
    };
    let operator = match what {
        Atomic::Fetch => Some(AccumulateOp::NoOp),
        Atomic::Set | Atomic::Swap => Some(AccumulateOp::Replace),
        Atomic::Add | Atomic::Inc => Some(AccumulateOp::Sum),
        Atomic::And => Some(AccumulateOp::Band),
        Atomic::Or => Some(AccumulateOp::Bor),
        Atomic::Xor => Some(AccumulateOp::Bxor),
        Atomic::CompareSwap => None,
    };
    let issued = issue(
        call,
        Parts {
            remote: Elements {
                address: call.word(word),
                stride: 1,
            },
            result: issued_only.then(|| Elements {
                address: call.word(0),
                stride: 1,
            }),
            operator,
            operand,
            expected,
            returns: fetches.unwrap_or(Returns::Complete),
            ..single(call, kind, call.int(next))
        },
    )?;
    match fetches {
        None | Some(Returns::Issued) => issued.finish(),
        Some(Returns::Complete) => issued.fetched(),
    }
}

/// One element, whose values are in registers.
fn single(call: &Call, kind: OperationKind, pe: i32) -> Parts {
    Parts {
        kind,
        remote: Elements {
            address: call.word(0),
            stride: 1,
        },
        count: 1,
        pe,
        origin: None,
        result: None,
        operator: None,
        operand: None,
        expected: None,
        returns: Returns::Complete,
    }
}

/// An operation that was recorded.
struct Issued {
    operation: OperationId,
    request: Option<RequestId>,
}

impl Issued {
    /// Its buffers are free when the call returns, or else by a quiet.
    fn finish(self) -> After {
        let request = self.request?;
        Some(Box::new(move |_, _| {
            record(EventKind::OperationRequestDone { request });
        }))
    }

    /// Its value is there when the call returns, and it is done.
    fn fetched(self) -> After {
        let Self { operation, request } = self;
        Some(Box::new(move |call: &Call, result: Both| {
            let value = call.result(result);
            record(EventKind::Fetched { operation, value });
            if let Some(request) = request {
                record(EventKind::OperationRequestDone { request });
            }
        }))
    }
}

/// Records an operation on elements of the type of the call.
fn issue(call: &Call, parts: Parts) -> Option<Issued> {
    let element = call.function().element();
    let target_type = types::of(element, parts.remote.stride);
    issue_of(call, parts, element, target_type)
}

/// Records an operation.
fn issue_of(call: &Call, parts: Parts, element: Element, target_type: TypeId) -> Option<Issued> {
    let target = context::process(call, parts.pe)?;
    if parts.count == 0 {
        return None;
    }
    let channel = context::channel_of(call);
    let object = symmetric::find(parts.remote.address)?;
    let id = OperationId(NEXT.next());
    let request = (parts.returns == Returns::Complete).then(next_request);
    let buffer = |elements: Elements| Buffer {
        address: elements.address as u64,
        datatype: types::of(element, elements.stride),
        count: parts.count as u64,
    };
    let event = Operation {
        id,
        kind: parts.kind,
        win: object.win(),
        target: Some(target),
        origin: parts.origin.map(buffer),
        result: parts.result.map(buffer),
        compare: None,
        displacement: object.displacement(parts.remote.address),
        target_type,
        target_count: parts.count as u64,
        operator: parts.operator,
        operand: parts.operand,
        expected: parts.expected,
        request,
        channel,
        notice: None,
        stack: call.stack(),
    };
    record(EventKind::Operation(event));
    let span = |elements: Elements| {
        let last = (parts.count - 1).saturating_mul(elements.stride.max(1));
        (
            elements.address,
            last.saturating_add(1).saturating_mul(element.size as usize),
        )
    };
    let in_use = match request {
        Some(_) => None,
        None => parts.origin.or(parts.result).map(span),
    };
    in_flight::used(channel, object.win(), in_use);
    Some(Issued {
        operation: id,
        request,
    })
}
