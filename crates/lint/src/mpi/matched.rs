//! Matched probes (MPI-4.1 §3.8.2): a message that was probed for belongs to its handle until it is received.

use super::SUCCESS;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::site::Site;
use farside_calls::signature::Role;

/// The handle of the message that `MPI_PROC_NULL` sends. Messages have positive numbers.
const NO_PROC: u64 = 0;

impl Job<'_> {
    /// `MPI_Mprobe`, `MPI_Improbe`
    pub(super) fn matched_probe_call(&mut self, site: &Site, a: &Invocation) -> Flow {
        let result = a[Role::Message].bits;
        let flow = self.probe_call(site, a);
        if a[Role::Source].signed32() == self.abi.numbers.proc_null {
            self.put_handle(site, result, NO_PROC);
            return flow;
        }
        if let Flow::Return(_) = flow
            && let Some(wanted) = self.wanted(site, a)
            && let Some(number) = self.mail.take(site.rank, &wanted)
        {
            self.put_handle(site, result, number);
        }
        flow
    }

    /// `MPI_Mrecv`, `MPI_Imrecv`
    pub(super) fn matched_receive_call(&mut self, site: &Site, a: &Invocation) -> Flow {
        let number = self.handle_at(site, a[Role::Message].bits);
        let request = a.request();
        let Some(wanted) = self.mail.give_back(number) else {
            return self.receive_nothing(site, a, request);
        };
        self.receive(site, a.name(), wanted, a, request)
    }

    /// The message of `MPI_PROC_NULL` is empty and there at once.
    fn receive_nothing(&mut self, site: &Site, a: &Invocation, request: Option<u64>) -> Flow {
        match request {
            None => {
                let (status, numbers) = (a[Role::Status].bits, self.abi.numbers);
                self.put_status(site, status, numbers.proc_null, numbers.any_tag, 0);
            }
            Some(request) => {
                let null = self.abi.null("request");
                self.put_handle(site, request, null);
            }
        }
        SUCCESS
    }
}
