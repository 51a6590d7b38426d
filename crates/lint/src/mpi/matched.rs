//! Matched probes (MPI-4.1 §3.8.2): a message that was probed for belongs to its handle until it is received.

use crate::communication::Described;
use crate::communicator::{Comm, Member};
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::mpi::Mpi;
use crate::process::Entered;
use farside_calls::arguments;
use farside_calls::collective::Ends;
use farside_calls::message::{RECEIVED, Receive};
use farside_calls::signature::Role;
use farside_events::CommId;

/// The handle of the message that `MPI_PROC_NULL` sends. Messages have positive numbers.
const NO_PROC: u64 = 0;

impl Mpi<'_, '_> {
    /// `MPI_Mprobe`, `MPI_Improbe`
    pub(super) fn matched_probe_call(&mut self, a: &Invocation) -> Flow {
        let flow = self.probe_call(a);
        if let (Flow::Return(_), Some((_, wanted))) = (&flow, self.asked(a)) {
            let number = match wanted {
                None => Some(NO_PROC),
                Some(wanted) => self.library.mail.take(self.caller.rank(), &wanted),
            };
            if let Some(number) = number {
                self.put_handle(a[Role::Message].bits, number);
            }
        }
        flow
    }

    /// `MPI_Mrecv`, `MPI_Imrecv`
    pub(super) fn matched_receive_call(&mut self, ends: Ends, a: &Invocation) -> Flow {
        if let Some(Entered::Begun(active)) = self.caller.entered() {
            return self.wait_for(a, &active);
        }
        let number = self.handle_at(a[Role::Message].bits);
        let Some((comm, from, tag)) = self.library.mail.give_back(number) else {
            // The message of MPI_PROC_NULL is empty and there at once.
            let nobody = Member::new(Comm::new(CommId(0), Vec::new()), self.caller.rank());
            let described = Described::receiving(nobody, None, a.name());
            return self.carry_out(a, described, ends);
        };
        let known = self.caller.handles().comm_of(comm);
        let Some(comm) = known.map(|known| Member::new(known.clone(), self.caller.rank())) else {
            return self.caller.unknown_call(a.name());
        };
        let mut call = self.read(a);
        let receive = Receive {
            source: Some(comm.rank_of(from)),
            tag: Some(tag),
            stores: arguments::elements(&mut call, RECEIVED),
        };
        let described = Described::receiving(comm, Some(receive), a.name());
        self.carry_out(a, described, ends)
    }
}
