//! Probes and statuses of messages (MPI-4.1 chapter 3).

use super::SUCCESS;
use super::communication::wanted;
use super::datatype::pieces;
use crate::communicator::Member;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::matching::{Received, Wanted};
use crate::mpi::Mpi;
use crate::value::Scalar;
use farside_calls::arguments::Arguments as _;
use farside_calls::communicator::Communicator as _;
use farside_calls::datatype::Elements;
use farside_calls::message::Receive;
use farside_calls::mpi::Procedure;
use farside_calls::signature::Role;
use farside_events::{AccessKind, EventKind, Rank};

impl Mpi<'_, '_> {
    /// `MPI_Probe`, `MPI_Iprobe`, and the probing of `MPI_Mprobe` and `MPI_Improbe`.
    pub(super) fn probe_call(&mut self, a: &Invocation) -> Flow {
        let flag = a.has(Role::Flag).then(|| a[Role::Flag].bits);
        let status = a[Role::Status].bits;
        let (comm, wanted) = match self.asked(a) {
            None => return self.caller.unknown_call(a.name()),
            Some((_, None)) => {
                // From MPI_PROC_NULL an empty message is always there (MPI-4.1 §3.10).
                if let Some(flag) = flag {
                    self.caller.put_int(flag, 1);
                }
                self.put_status_of_nobody(status);
                return SUCCESS;
            }
            Some((comm, Some(wanted))) => (comm, wanted),
        };
        let found = self.library.mail.probe(self.caller.rank(), &wanted);
        if let Some(flag) = flag {
            self.caller.put_int(flag, i32::from(found.is_some()));
        }
        match found {
            Some((_, Received { from, tag, size })) => {
                self.put_status(status, comm.rank_of(from), tag, size);
                self.caller.emit(EventKind::Probed {
                    comm: comm.id(),
                    source: Rank(from),
                    tag,
                    by_chance: flag.is_some() || wanted.is_any(),
                });
                SUCCESS
            }
            None if flag.is_some() => Flow::Poll(Scalar::known(0)),
            None => Flow::Block,
        }
    }

    /// The communicator of a call that asks for messages, and which it asks for: none if they are `MPI_PROC_NULL`'s.
    /// `None` if the communicator is not known.
    pub(super) fn asked(&mut self, a: &Invocation) -> Option<(Member, Option<Wanted>)> {
        let mut call = self.read(a);
        let comm = call.communicator()?;
        let wanted = Receive::of(&mut call, false).map(|receive| wanted(&comm, &receive));
        self.note_ranks(a, &comm);
        Some((comm, wanted))
    }

    /// The status of an empty message of `MPI_PROC_NULL`.
    pub(super) fn put_status_of_nobody(&mut self, status: u64) {
        let numbers = self.numbers();
        self.put_status(status, numbers.proc_null, numbers.any_tag, 0);
    }

    pub(crate) fn put_status(&mut self, status: u64, source: i32, tag: i32, size: usize) {
        if status == self.numbers().status_ignore || status <= 16 {
            return;
        }
        let (source_at, tag_at) = (self.numbers().status_source, self.numbers().status_tag);
        self.caller.put_int(status + source_at, source);
        self.caller.put_int(status + tag_at, tag);
        // Where MPI_Get_count looks, in a place of the status that programs do not use.
        let count_at = if self.library.abi.is_open_mpi() { 16 } else { 0 };
        self.caller.put_int(status + count_at, size as i32);
    }

    /// An MPI call reads or writes one of its buffers.
    pub(crate) fn library_buffer(&mut self, name: &str, kind: AccessKind, buffer: &Elements) {
        for (at, size) in pieces(buffer) {
            self.caller.library_access(name, kind, at, size);
        }
    }

    /// `MPI_Get_count(status, datatype, count)`.
    pub(crate) fn get_count(&mut self, a: &Invocation) -> Flow {
        let count_at = if self.library.abi.is_open_mpi() { 16 } else { 0 };
        let size = self.caller.int_at(a[0].bits + count_at);
        let unit = self.datatype(a[1].bits).size().max(1);
        let count = i64::from(size) / unit as i64;
        match a.procedure() {
            Procedure::Get_elements_x => self.caller.put_long(a[2].bits, count.cast_unsigned()),
            _ => self.put_number(a, a[2].bits, count),
        }
        SUCCESS
    }
}
