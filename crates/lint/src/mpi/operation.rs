//! Communication calls (MPI-4.1 §12.3). Data moves soon after the call, so that a process that polls does so in vain at
//! first; what may be relied on is the detector's business.

use super::SUCCESS;
use super::datatype::pieces;
use super::simulated::KnownWindow;
use crate::flow::Flow;
use crate::handles::{Active, Fetch, Request};
use crate::invocation::Invocation;
use crate::matching::combined;
use crate::mpi::Mpi;
use crate::process::Entered;
use farside_calls::arguments::Window as _;
use farside_calls::datatype::Elements;
use farside_calls::mistakes::mistake_of;
use farside_calls::operation::Operation;
use farside_calls::signature::Role;
use farside_events::{EventKind, Mistake, OperationKind, WinId};
use std::sync::Arc;

impl Mpi<'_, '_> {
    pub(crate) fn operation_call(&mut self, kind: OperationKind, a: &Invocation) -> Flow {
        let mut call = self.read(a);
        let Some(operation) = Operation::of(kind, &mut call) else {
            return self.caller.unknown_call(a.name());
        };
        if let Some(Entered::Issued(id, request)) = self.caller.entered() {
            self.caller.clear_entered();
            self.transfer(&operation);
            if let (Some(result), Some(target)) = (operation.fetched(), operation.target) {
                let size = result.datatype.size();
                let value = self.caller.memory(result.address).load(result.address, size);
                let on = (operation.window.id(), target.0);
                let fetch = Fetch::new(on, (id, request), value.bits);
                self.caller.handles_mut().add_fetch(fetch);
            }
            if let Some(request) = request {
                let request = Request::active(Active::Operation(request));
                self.give_request(a[Role::Request].bits, request);
            }
            return SUCCESS;
        }
        let values = [operation.operand(), operation.expected()].map(|value| {
            let (at, size) = value.map(|value| (value.address, value.datatype.size()))?;
            Some(self.caller.memory(at).load(at, size).bits)
        });
        self.note_rank(operation.target.is_some(), operation.rank);
        if let Some(mistake) = mistake_of(&operation, &self.read(a)) {
            // What else is wrong with what it moves is seen at once, as far as that can be told.
            let goes_on = matches!(mistake, Mistake::Argument { fault, .. } if fault.leaves_bytes_clear());
            let flow = self.mistaken(a, mistake);
            if !goes_on {
                return flow;
            }
        }
        for buffer in operation.buffers().into_iter().flatten() {
            for (at, size) in pieces(buffer) {
                self.caller.memory_mut(at).track(at, size);
            }
        }
        let handles = self.caller.handles_mut();
        let id = handles.operation_id();
        let request = operation.has_request.then(|| handles.request_id());
        let event = operation.event(id, request, values, self.caller.stack());
        self.caller.emit(EventKind::Operation(event));
        self.caller.set_entered(Entered::Issued(id, request));
        Flow::Again
    }

    /// Moves the data.
    fn transfer(&mut self, operation: &Operation<KnownWindow>) {
        let Some(target) = operation.target else { return };
        let (datatype, count) = (&operation.target_type, operation.target_count);
        let bytes = datatype.size().saturating_mul(u64::try_from(count).unwrap_or(0));
        let window = self.library.windows.of(operation.window.id());
        // What leaves the window is reported by the detector, and has no effect here.
        let address = window.address(target.0, operation.displacement, bytes);
        let Some(address) = address.filter(|_| bytes <= 1 << 24) else {
            return;
        };
        let there = Elements {
            address,
            count,
            datatype: Arc::clone(datatype),
        };
        let [origin, result, compare] = operation.buffers();
        let pack = |mpi: &Self, side: &Elements| mpi.pack(mpi.caller.rank(), side);
        let given = origin.map(|origin| pack(self, origin));
        let old = self.pack(target.0, &there);
        if let Some(result) = result {
            self.unpack(self.caller.rank(), result, &old);
        }
        let Some(given) = given else { return };
        let new = match (operation.operator, compare) {
            (_, Some(compare)) => {
                let expected = pack(self, compare);
                if expected.bytes() != old.bytes() {
                    return;
                }
                given
            }
            (Some(operator), None) => combined(operator, datatype.map(), &old, &given),
            (None, None) => given,
        };
        self.caller.note_change(&old, &new);
        self.unpack(target.0, &there, &new);
    }

    /// Reports the values of fetching operations that a call has completed.
    pub(crate) fn report_fetches(&mut self, win: WinId, target: Option<u32>) {
        self.report_fetches_where(|fetch| fetch.is_on(win, target));
    }

    pub(super) fn report_fetches_where(&mut self, done: impl Fn(&Fetch) -> bool) {
        for fetch in self.caller.handles_mut().take_fetches(done) {
            self.caller.emit(fetch.report());
        }
    }
}
