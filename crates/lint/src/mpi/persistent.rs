//! Persistent requests (MPI-4.1 §3.9): a communication that is described once and started often.

use super::SUCCESS;
use crate::flow::Flow;
use crate::handles::{HandleKind, Request};
use crate::invocation::Invocation;
use crate::job::Job;
use crate::site::Site;
use farside_calls::mpi::Meaning;
use farside_calls::signature::Role;
use farside_events::SendMode;

impl Job<'_> {
    /// `MPI_Send_init` and its kind, and the collective forms (MPI-4.1 §6.13).
    pub(super) fn describe_communication(&mut self, site: &Site, a: &Invocation) -> Flow {
        let request = Request::Persistent {
            call: Box::new(a.clone()),
            large_counts: self.large_counts,
            active: None,
        };
        let handles = &mut self.processes.of_mut(site.rank).handles;
        let handle = handles.add_request(request);
        self.put_handle(site, a[Role::Request].bits, handle);
        SUCCESS
    }

    /// `MPI_Start`, `MPI_Startall`
    pub(super) fn start_call(&mut self, site: &Site, a: &Invocation) -> Flow {
        let (count, first) = match a.has(Role::Requests) {
            true => (
                u64::from(a[Role::RequestCount].bits as u32).min(1 << 16),
                a[Role::Requests].bits,
            ),
            false => (1, a[Role::Request].bits),
        };
        let width = self.abi.numbers.handle_size;
        for request in 0..count {
            self.start_request(site, first + width * request);
        }
        SUCCESS
    }

    fn start_request(&mut self, site: &Site, at: u64) {
        let Some(index) = HandleKind::Request.index(self.handle_at(site, at)) else {
            return;
        };
        let known = self.processes.of(site.rank).handles.requests.get(index);
        let Some(Request::Persistent {
            call, large_counts, ..
        }) = known.cloned()
        else {
            return;
        };
        self.large_counts = large_counts;
        let scratch = self.processes.of_mut(site.rank).memory.allocate(8, "");
        match call.procedure().meaning() {
            Some(Meaning::Collective(form, _)) => {
                self.collective_call(site, "MPI_Start", form, &call, Some(scratch));
            }
            Some(Meaning::Receive(_)) => {
                self.receive_call(site, "MPI_Start", &call, Some(scratch));
            }
            Some(Meaning::Send(mode, _)) => {
                let shown = match mode {
                    SendMode::Synchronous => "MPI_Start of MPI_Ssend_init",
                    SendMode::Standard => "MPI_Start",
                };
                self.send_call(site, shown, mode, &call, Some(scratch));
            }
            _ => {}
        }
        let begun = HandleKind::Request.index(self.handle_at(site, scratch));
        let requests = &mut self.processes.of_mut(site.rank).handles.requests;
        let begun = begun.map(|begun| std::mem::replace(&mut requests[begun], Request::Inactive));
        if let Request::Persistent { active, .. } = &mut requests[index] {
            *active = begun.map(Box::new);
        }
    }
}
