//! Probes and statuses of messages (MPI-4.1 chapter 3).

use super::SUCCESS;
use super::communication::wanted;
use super::datatype::pieces;
use super::simulated::Simulated;
use crate::communicator::Member;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::{Received, Wanted};
use crate::site::Site;
use crate::value::Scalar;
use farside_calls::arguments::Arguments as _;
use farside_calls::datatype::Elements;
use farside_calls::message::Receive;
use farside_calls::signature::Role;
use farside_events::AccessKind;

impl Job<'_> {
    /// `MPI_Probe`, `MPI_Iprobe`, and the probing of `MPI_Mprobe` and `MPI_Improbe`.
    pub(super) fn probe_call(&mut self, site: &Site, a: &Invocation) -> Flow {
        let flag = a.has(Role::Flag).then(|| a[Role::Flag].bits);
        let status = a[Role::Status].bits;
        let (comm, wanted) = match self.asked(site, a) {
            None => return self.unknown_call(site, a.name()),
            Some((_, None)) => {
                // From MPI_PROC_NULL an empty message is always there (MPI-4.1 §3.10).
                if let Some(flag) = flag {
                    self.put_int(site, flag, 1);
                }
                self.put_status_of_nobody(site, status);
                return SUCCESS;
            }
            Some((comm, Some(wanted))) => (comm, wanted),
        };
        let found = self.mail.probe(site.rank, &wanted);
        if let Some(flag) = flag {
            self.put_int(site, flag, i32::from(found.is_some()));
        }
        match found {
            Some((_, Received { from, tag, size })) => {
                self.put_status(site, status, comm.rank_of(from), tag, size);
                SUCCESS
            }
            None if flag.is_some() => Flow::Poll(Scalar::known(0)),
            None => Flow::Block,
        }
    }

    /// The communicator of a call that asks for messages, and which it asks for: none if they are `MPI_PROC_NULL`'s.
    /// `None` if the communicator is not known.
    pub(super) fn asked(&mut self, site: &Site, a: &Invocation) -> Option<(Member, Option<Wanted>)> {
        let mut call = Simulated {
            job: &mut *self,
            site,
            call: a,
        };
        let comm = call.communicator()?;
        let wanted = Receive::of(&mut call, false).map(|receive| wanted(&comm, &receive));
        self.note_ranks(a, &comm);
        Some((comm, wanted))
    }

    /// The status of an empty message of `MPI_PROC_NULL`.
    pub(super) fn put_status_of_nobody(&mut self, site: &Site, status: u64) {
        let numbers = self.abi.numbers;
        self.put_status(site, status, numbers.proc_null, numbers.any_tag, 0);
    }

    pub(crate) fn put_status(&mut self, site: &Site, status: u64, source: i32, tag: i32, size: usize) {
        if status == self.abi.numbers.status_ignore || status <= 16 {
            return;
        }
        let (source_at, tag_at) = (self.abi.numbers.status_source, self.abi.numbers.status_tag);
        self.put_int(site, status + source_at, source);
        self.put_int(site, status + tag_at, tag);
        // Where MPI_Get_count looks, in a place of the status that programs do not use.
        let count_at = if self.abi.is_open_mpi() { 16 } else { 0 };
        self.put_int(site, status + count_at, size as i32);
    }

    /// An MPI call reads or writes one of its buffers.
    pub(crate) fn library_buffer(&mut self, site: &Site, name: &str, kind: AccessKind, buffer: &Elements) {
        for (at, size) in pieces(buffer) {
            self.library_access(site, name, kind, at, size);
        }
    }

    /// `MPI_Get_count(status, datatype, count)`.
    pub(crate) fn get_count(&mut self, site: &Site, a: &Invocation) -> Flow {
        let count_at = if self.abi.is_open_mpi() { 16 } else { 0 };
        let size = self.int_at(site, a[0].bits + count_at);
        let unit = self.datatype(site, a[1].bits).size().max(1);
        self.put_number(site, a[2].bits, i64::from(size) / unit as i64);
        SUCCESS
    }
}
