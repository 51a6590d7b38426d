//! Requests (MPI-4.1 §3.7, §3.9): started, waited for, tested, freed. Their life is [`farside_calls::request`]'s.

use super::SUCCESS;
use crate::flow::Flow;
use crate::handles::{Active, Handles, Request};
use crate::invocation::Invocation;
use crate::mpi::Mpi;
use crate::value::Scalar;
use farside_calls::meaning::{Completion, Waits};
use farside_calls::signature::Role;
use farside_events::{Call, EventKind};

impl Mpi<'_, '_> {
    /// `MPI_Request_free`
    pub(super) fn free_request(&mut self, a: &Invocation) -> Flow {
        self.put_null_request(a[Role::Request].bits);
        SUCCESS
    }

    /// The Wait and Test families.
    pub(super) fn completion_call(&mut self, which: Completion, waits: Waits, a: &Invocation) -> Flow {
        let name = a.name();
        let ignore = self.numbers().status_ignore;
        let flag = a.has(Role::Flag).then(|| a[Role::Flag].bits);
        match which {
            Completion::One | Completion::All => {
                let all = match which {
                    Completion::One => vec![(a[Role::Request].bits, a[Role::Status].bits)],
                    _ => self.request_list(a, a[Role::Statuses].bits),
                };
                let ready = all.iter().all(|(at, _)| self.is_ready(*at));
                let ready = ready && !self.refuses(waits, &self.active(&all));
                if let Some(flow) = self.wait_or_poll(flag, ready) {
                    return flow;
                }
                self.complete_requests(name, &all)
            }
            Completion::Any => {
                let all = self.request_list(a, ignore);
                let mut ready = self.active(&all);
                let any = !ready.is_empty();
                ready.retain(|index| self.is_ready(all[*index].0));
                let found = match ready.len() {
                    0 => None,
                    _ if self.refuses(waits, &ready) => None,
                    many => Some(ready[self.caller.chance().one_of(many)]),
                };
                let undefined = self.numbers().undefined;
                let index = a[Role::Index].bits;
                self.caller
                    .put_int(index, found.map_or(undefined, |found| found as i32));
                if let Some(flow) = self.wait_or_poll(flag, found.is_some() || !any) {
                    return flow;
                }
                match found {
                    Some(found) => self.complete_requests(name, &[(all[found].0, a[Role::Status].bits)]),
                    None => SUCCESS,
                }
            }
            Completion::Some => {
                let all = self.request_list(a, ignore);
                let active = self.active(&all);
                let mut ready = active.clone();
                ready.retain(|index| self.is_ready(all[*index].0));
                if ready.is_empty() && !active.is_empty() && waits == Waits::Blocking {
                    return Flow::Block;
                }
                if self.refuses(waits, &ready) {
                    ready.clear();
                }
                let ready = self.caller.chance().some_of(ready);
                let count = if active.is_empty() {
                    self.numbers().undefined
                } else {
                    ready.len() as i32
                };
                self.caller.put_int(a[Role::Result].bits, count);
                for (position, index) in ready.iter().enumerate() {
                    self.caller
                        .put_int(a[Role::Index].bits + 4 * position as u64, *index as i32);
                }
                let some: Vec<(u64, u64)> = ready.iter().map(|index| all[*index]).collect();
                if some.is_empty() {
                    Flow::Poll(Scalar::known(0))
                } else {
                    self.complete_requests(name, &some)
                }
            }
        }
    }

    /// Of these requests, those that are under way.
    fn active(&self, all: &[(u64, u64)]) -> Vec<usize> {
        let places = all.iter().enumerate();
        let active = places.filter(|(_, (at, _))| self.under_way(*at).is_some());
        active.map(|(index, _)| index).collect()
    }

    /// Whether a call says no by chance that could say yes of these requests: one that tests.
    fn refuses(&mut self, waits: Waits, could: &[usize]) -> bool {
        waits == Waits::Polling && !could.is_empty() && self.caller.refuses()
    }

    /// Sets the flag of a call that tests; how the call goes as long as nothing is ready.
    fn wait_or_poll(&mut self, flag: Option<u64>, ready: bool) -> Option<Flow> {
        if let Some(flag) = flag {
            self.caller.put_int(flag, i32::from(ready));
        }
        match (ready, flag) {
            (true, _) => None,
            (false, Some(_)) => Some(Flow::Poll(Scalar::known(0))),
            (false, None) => Some(Flow::Block),
        }
    }

    /// Addresses of the requests of an array, each with that of its status.
    fn request_list(&self, a: &Invocation, statuses: u64) -> Vec<(u64, u64)> {
        let (width, size) = (self.numbers().handle_size, self.numbers().status_size);
        (0..u64::from(a[Role::RequestCount].bits as u32).min(1 << 16))
            .map(|i| {
                let status = if statuses <= 16 {
                    statuses
                } else {
                    statuses + size * i
                };
                (a[Role::Requests].bits + width * i, status)
            })
            .collect()
    }

    /// What is under way, of the request at an address.
    fn under_way(&self, at: u64) -> Option<&Active> {
        let handles = self.caller.handles();
        handles.request(self.handle_at(at))?.under_way()
    }

    fn is_ready(&self, at: u64) -> bool {
        self.is_complete(self.handle_at(at))
    }

    /// Whether a request is under way no longer, or could be completed.
    fn is_complete(&self, handle: u64) -> bool {
        match self.caller.handles().request(handle).and_then(Request::under_way) {
            Some(Active::Communication(under)) => self.is_over(self.caller.rank(), under),
            Some(Active::Operation(_)) | None => true,
        }
    }

    /// `MPI_Request_get_status(request, flag, status)`: what the request stands for is complete, and its handle stays.
    pub(super) fn request_status(&mut self, a: &Invocation) -> Flow {
        let (handle, flag, status) = (a[0].bits, a[1].bits, a[2].bits);
        let is_under_way =
            |handles: &Handles| handles.request(handle).is_some_and(|it| it.under_way().is_some());
        let refuses = is_under_way(self.caller.handles()) && self.caller.refuses();
        let ready = self.is_complete(handle) && !refuses;
        if let Some(flow) = self.wait_or_poll(Some(flag), ready) {
            return flow;
        }
        self.caller.enter(Call::Completion {
            name: a.name().into(),
        });
        self.complete_request(a.name(), handle, status);
        self.caller.done()
    }

    fn complete_requests(&mut self, name: &str, which: &[(u64, u64)]) -> Flow {
        self.caller.enter(Call::Completion { name: name.into() });
        for (at, status) in which {
            if self.complete_request(name, self.handle_at(*at), *status) {
                self.put_null_request(*at);
            }
        }
        self.caller.done()
    }

    /// Completes what a request stands for, if that was not done; whether its handle becomes null by a call that
    /// waits.
    fn complete_request(&mut self, name: &str, handle: u64, status: u64) -> bool {
        let Some(request) = self.caller.handles_mut().request_mut(handle) else {
            return false;
        };
        let persistent = request.is_persistent();
        match request.complete() {
            Some((Active::Operation(request), _)) => {
                self.report_fetches_where(|fetch| fetch.has_request(request));
                self.caller.emit(EventKind::OperationRequestDone { request });
            }
            Some((Active::Communication(under), _)) => self.complete_communication(name, &under, status),
            None => {}
        }
        !persistent
    }

    /// Gives the handle of a new request.
    pub(super) fn give_request(&mut self, at: u64, request: Request) {
        let handle = self.caller.handles_mut().add_request(request);
        self.put_handle(at, handle);
    }

    fn put_null_request(&mut self, at: u64) {
        let null = self.library.abi.null("request");
        self.put_handle(at, null);
    }

    /// `MPI_Start`, `MPI_Startall`
    pub(super) fn start_call(&mut self, a: &Invocation) -> Flow {
        let requests = match a.has(Role::Requests) {
            true => self.request_list(a, 0).into_iter().map(|(at, _)| at).collect(),
            false => vec![a[Role::Request].bits],
        };
        for at in requests {
            self.start_request(at);
        }
        SUCCESS
    }

    fn start_request(&mut self, at: u64) {
        let handle = self.handle_at(at);
        let request = self.caller.handles().request(handle);
        let Some(template) = request.and_then(|request| request.template().cloned()) else {
            return;
        };
        let active = self.begin(&template, true);
        if !template.what().is_nothing() {
            self.caller.done();
        }
        let handles = self.caller.handles_mut();
        if let Some(request) = handles.request_mut(handle) {
            request.start(Active::Communication(active));
        }
    }
}
