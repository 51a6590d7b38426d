//! Communication calls (MPI-4.1 §12.3). Data moves soon after the call, so that a process that polls does so in vain at
//! first; what may be relied on is the detector's business.

use crate::execute::Flow;
use crate::handles::{DataType, Fetch, Request};
use crate::job::Job;
use crate::thread::{Entered, Site};
use crate::value::Scalar;
use farside_events::{AccumulateOp, Buffer, EventKind, Operation, OperationId, OperationKind, Rank, WinId};

/// Where the arguments of a call stand: `None` for those that it does not have.
struct Shape {
    kind: OperationKind,
    /// Address, count (`None` for 1) and type of the origin buffer.
    origin: (usize, Option<usize>, usize),
    result: Option<(usize, Option<usize>, usize)>,
    compare: Option<usize>,
    target: usize,
    /// Count and type at the target.
    at_target: (Option<usize>, usize),
    operator: Option<usize>,
    win: usize,
}

fn shape(name: &str) -> Option<(Shape, bool)> {
    use OperationKind as Kind;
    let plain = |kind| Shape {
        kind,
        origin: (0, Some(1), 2),
        result: None,
        compare: None,
        target: 3,
        at_target: (Some(5), 6),
        operator: None,
        win: 7,
    };
    let accumulate = Shape {
        operator: Some(7),
        win: 8,
        ..plain(Kind::Accumulate)
    };
    let get_accumulate = Shape {
        result: Some((3, Some(4), 5)),
        target: 6,
        at_target: (Some(8), 9),
        operator: Some(10),
        win: 11,
        ..plain(Kind::GetAccumulate)
    };
    Some(match name {
        "MPI_Put" => (plain(Kind::Put), false),
        "MPI_Rput" => (plain(Kind::Put), true),
        "MPI_Get" => (plain(Kind::Get), false),
        "MPI_Rget" => (plain(Kind::Get), true),
        "MPI_Accumulate" => (accumulate, false),
        "MPI_Raccumulate" => (accumulate, true),
        "MPI_Get_accumulate" => (get_accumulate, false),
        "MPI_Rget_accumulate" => (get_accumulate, true),
        "MPI_Fetch_and_op" => {
            let shape = Shape {
                origin: (0, None, 2),
                result: Some((1, None, 2)),
                at_target: (None, 2),
                operator: Some(5),
                win: 6,
                ..plain(Kind::FetchAndOp)
            };
            (shape, false)
        }
        "MPI_Compare_and_swap" => {
            let shape = Shape {
                origin: (0, None, 3),
                result: Some((2, None, 3)),
                compare: Some(1),
                target: 4,
                at_target: (None, 3),
                win: 6,
                ..plain(Kind::CompareAndSwap)
            };
            (shape, false)
        }
        _ => return None,
    })
}

/// Whether a name is that of a communication call.
pub(crate) fn is_operation(name: &str) -> bool {
    shape(name).is_some()
}

/// A buffer with its type.
struct Side {
    address: u64,
    count: u64,
    kind: DataType,
}

impl Side {
    fn buffer(&self) -> Buffer {
        Buffer {
            address: self.address,
            datatype: self.kind.id,
            count: self.count,
        }
    }
}

impl Job<'_> {
    pub(crate) fn operation_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let Some((shape, with_request)) = shape(name) else {
            return self.unknown_call(site, name);
        };
        let Some(win) = self
            .window(site, a[shape.win].bits)
            .filter(|win| self.windows.contains_key(win))
        else {
            return self.unknown_call(site, name);
        };
        let comm = self.windows[&win].comm.clone();
        let target = self.peer(&comm, a[shape.target].signed32());
        let displacement = a[shape.target + 1].bits as i64;
        let operator = shape.operator.map(|index| self.abi.operator(a[index].bits));
        let side = |job: &mut Self, (address, count, kind): (usize, Option<usize>, usize)| Side {
            address: a[address].bits,
            count: count.map_or(1, |count| job.count(a[count])),
            kind: job.datatype(site, a[kind].bits),
        };
        let first = side(self, shape.origin);
        let at_target = Side {
            address: 0,
            count: shape.at_target.0.map_or(1, |count| self.count(a[count])),
            kind: self.datatype(site, a[shape.at_target.1].bits),
        };
        // A get writes its origin buffer.
        let (origin, result) = match shape.kind {
            OperationKind::Get => (None, Some(first)),
            _ => {
                let result = shape.result.map(|at| side(self, at));
                (
                    Some(first).filter(|_| operator != Some(AccumulateOp::NoOp)),
                    result,
                )
            }
        };
        let compare = shape.compare.map(|at| side(self, (at, None, shape.at_target.1)));
        if let Some(Entered::Issued(id, request)) = self.entered(site) {
            self.clear_entered(site);
            if let Some(target) = target {
                self.transfer(
                    site,
                    win,
                    target,
                    displacement,
                    &at_target,
                    operator,
                    [&origin, &result, &compare],
                );
                let fetches = !matches!(
                    shape.kind,
                    OperationKind::Get | OperationKind::Put | OperationKind::Accumulate
                );
                if let Some(result) = result.as_ref().filter(|_| fetches) {
                    let size = result.kind.map.size().min(8);
                    let value = self
                        .memory(site.rank, result.address)
                        .load(result.address, size)
                        .bits;
                    let fetch = Fetch {
                        win,
                        target,
                        operation: id,
                        request,
                        value,
                    };
                    self.processes[site.rank as usize].handles.fetches.push(fetch);
                }
            }
            if let Some(request) = request {
                let handle = self.processes[site.rank as usize]
                    .handles
                    .add_request(Request::Rma(request));
                self.put_handle(site, a[shape.win + 1].bits, handle);
            }
            return Flow::Return(Scalar::known(0));
        }
        for buffer in [&origin, &result, &compare].into_iter().flatten() {
            for (at, size) in super::datatype::spans(&buffer.kind.map, buffer.address, buffer.count) {
                self.memory_mut(site.rank, at).track(at, size);
            }
        }
        let handles = &mut self.processes[site.rank as usize].handles;
        handles.operations += 1;
        let id = OperationId(handles.operations);
        let request = with_request.then(|| handles.request_id());
        let operand = origin
            .as_ref()
            .filter(|_| shape.operator.is_some() || compare.is_some())
            .and_then(|side| {
                let size = side.kind.map.size();
                (side.count == 1 && size <= 8)
                    .then(|| self.memory(site.rank, side.address).load(side.address, size).bits)
            });
        let operation = Operation {
            id,
            kind: shape.kind,
            win,
            target: target.map(Rank),
            origin: origin.as_ref().map(Side::buffer),
            result: result.as_ref().map(Side::buffer),
            compare: compare.as_ref().map(Side::buffer),
            displacement,
            target_type: at_target.kind.id,
            target_count: at_target.count,
            operator,
            operand,
            request,
            notice: None,
            stack: site.stack,
        };
        self.emit(site.rank, site.thread, EventKind::Operation(operation));
        self.set_entered(site, Entered::Issued(id, request));
        Flow::Again
    }

    /// Moves the data.
    #[allow(clippy::too_many_arguments)] // What a communication call is.
    fn transfer(
        &mut self,
        site: &Site,
        win: WinId,
        target: u32,
        displacement: i64,
        side: &Side,
        operator: Option<AccumulateOp>,
        [origin, result, compare]: [&Option<Side>; 3],
    ) {
        let state = &self.windows[&win];
        let (base, size, unit) = state.parts.get(&target).copied().unwrap_or_default();
        let address = if state.dynamic {
            displacement as u64
        } else {
            base.wrapping_add_signed(displacement.wrapping_mul(unit as i64))
        };
        let bytes = side.kind.map.size().saturating_mul(side.count);
        let inside =
            state.dynamic || (address >= base && address.saturating_add(bytes) <= base.saturating_add(size));
        // What leaves the window is reported by the detector, and has no effect here.
        if !inside || bytes > 1 << 24 {
            return;
        }
        let given = origin
            .as_ref()
            .map(|origin| self.pack(site.rank, &origin.kind.map, origin.address, origin.count));
        let old = self.pack(target, &side.kind.map, address, side.count);
        if let Some(result) = result {
            self.unpack(site.rank, &result.kind.map, result.address, result.count, &old);
        }
        let Some(given) = given else { return };
        let new = match (operator, compare) {
            (_, Some(compare)) => {
                let expected = self.pack(site.rank, &compare.kind.map, compare.address, 1);
                if expected == old { given } else { old }
            }
            (Some(operator), None) => super::collective::combine(operator, &side.kind.map, &old, &given),
            (None, None) => given,
        };
        self.unpack(target, &side.kind.map, address, side.count, &new);
    }

    /// Reports the values of fetching operations that a call has completed.
    pub(crate) fn report_fetches(&mut self, site: &Site, win: WinId, target: Option<u32>) {
        self.report_fetches_where(site, |fetch| {
            fetch.win == win && target.is_none_or(|target| target == fetch.target)
        });
    }

    pub(crate) fn report_fetches_where(&mut self, site: &Site, done: impl Fn(&Fetch) -> bool) {
        let fetches = &mut self.processes[site.rank as usize].handles.fetches;
        let over: Vec<Fetch> = fetches.extract_if(.., |fetch| done(fetch)).collect();
        for fetch in over {
            self.emit(
                site.rank,
                site.thread,
                EventKind::Fetched {
                    operation: fetch.operation,
                    value: fetch.value,
                },
            );
        }
    }
}
