//! Persistent requests (MPI-4.1 §3.9): a communication that is described once and started often.

use super::SUCCESS;
use crate::execute::Flow;
use crate::handles::{HandleKind, Request};
use crate::job::Job;
use crate::thread::Site;
use crate::value::Scalar;
use farside_events::CollectiveForm;

impl Job<'_> {
    /// `MPI_Send_init(buf, count, datatype, dest, tag, comm, request)` and its kind, and the collective forms (MPI-4.1 §6.13), where an
    /// info object stands before the request, the argument number `result`.
    pub(crate) fn describe_communication(
        &mut self,
        site: &Site,
        name: &str,
        a: &[Scalar],
        result: usize,
    ) -> Flow {
        let request = Request::Persistent {
            name: name.to_owned(),
            arguments: a[..result].to_vec(),
            large_counts: self.large_counts,
            active: None,
        };
        let handles = &mut self.processes[site.rank as usize].handles;
        let handle = handles.add_request(request);
        self.put_handle(site, a[result].bits, handle);
        SUCCESS
    }

    /// `MPI_Start(request)`, `MPI_Startall(count, requests)`.
    pub(crate) fn start_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let (count, first) = match name {
            "MPI_Start" => (1, a[0].bits),
            _ => (u64::from(a[0].bits as u32).min(1 << 16), a[1].bits),
        };
        let width = self.abi.handle;
        for request in 0..count {
            self.start_request(site, first + width * request);
        }
        SUCCESS
    }

    fn start_request(&mut self, site: &Site, at: u64) {
        let Some(index) = HandleKind::Request.index(self.handle_at(site, at)) else {
            return;
        };
        let known = self.processes[site.rank as usize].handles.requests.get(index);
        let Some(Request::Persistent {
            name,
            arguments,
            large_counts,
            ..
        }) = known.cloned()
        else {
            return;
        };
        self.large_counts = large_counts;
        let scratch = self.processes[site.rank as usize].memory.allocate(8, "");
        let shown = if name.contains("Ssend") {
            "MPI_Start of MPI_Ssend_init"
        } else {
            "MPI_Start"
        };
        if let Some((form, _)) = CollectiveForm::of(&name) {
            self.collective_call(site, shown, form, &arguments, Some(scratch));
        } else if name == "MPI_Recv_init" {
            let ignore = Scalar::known(self.abi.status_ignore);
            let arguments = [&arguments[..], &[ignore]].concat();
            self.receive_call(site, shown, &arguments, Some(scratch));
        } else {
            self.send_call(site, shown, &arguments, Some(scratch));
        }
        let begun = HandleKind::Request.index(self.handle_at(site, scratch));
        let requests = &mut self.processes[site.rank as usize].handles.requests;
        let begun = begun.map(|begun| std::mem::replace(&mut requests[begun], Request::Inactive));
        if let Request::Persistent { active, .. } = &mut requests[index] {
            *active = begun.map(Box::new);
        }
    }
}
