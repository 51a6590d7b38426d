//! Messages (MPI-4.1 chapter 3). Sends are buffered, except synchronous ones, which wait for their receiver.

use super::SUCCESS;
use crate::flow::Flow;
use crate::handles::Request;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::{Part, Received, Wanted};
use crate::process::Entered;
use crate::site::Site;
use crate::value::Scalar;
use farside_calls::signature::Role;
use farside_events::{AccessKind, Call, CommId, EventKind, Outcome, PostId, Rank, SendMode};

impl Job<'_> {
    /// A send, which is shown as `name`; `request` receives the handle of a non-blocking one.
    pub(super) fn send_call(
        &mut self,
        site: &Site,
        name: &str,
        mode: SendMode,
        a: &Invocation,
        request: Option<u64>,
    ) -> Flow {
        let synchronous = mode == SendMode::Synchronous;
        if let Some(Entered::Delivery(number)) = self.entered(site) {
            if !self.mail.is_delivered(number) {
                return Flow::Block;
            }
            return self.done(site);
        }
        let Some(comm) = self.comm(site, a[Role::Communicator].bits) else {
            return self.unknown_call(site, a.name());
        };
        let (address, tag) = (a[Role::SendBuffer].bits, a[Role::SendTag].signed32());
        let kind = self.datatype(site, a[Role::SendType].bits);
        let count = self.count(a[Role::SendCount]);
        let given = Part::new(kind.map, address, count);
        self.library_buffer(site, name, AccessKind::Load, &given);
        let dest = self.peer(&comm, a[Role::Destination].signed32());
        let id = request.map(|_| self.processes.of_mut(site.rank).handles.request_id());
        let call = Call::Send {
            comm: comm.id,
            dest: dest.map(Rank),
            tag,
            mode,
            request: id,
            name: name.into(),
        };
        self.enter(site, call);
        let mut number = 0;
        if let Some(to) = dest {
            let data = self.pack(site.rank, &given);
            number = self.mail.send(comm.id, site.rank, to, tag, data);
            self.match_messages();
        }
        if let (Some(result), Some(id)) = (request, id) {
            let handle = self
                .processes
                .of_mut(site.rank)
                .handles
                .add_request(Request::Send(
                    id,
                    Some(number).filter(|number| synchronous && *number > 0),
                ));
            self.put_handle(site, result, handle);
            return self.done(site);
        }
        if synchronous && dest.is_some() && !self.mail.is_delivered(number) {
            self.set_entered(site, Entered::Delivery(number));
            return Flow::Block;
        }
        self.done(site)
    }

    /// Which messages a call asks for; `None` if its communicator is not known.
    pub(super) fn wanted(&mut self, site: &Site, a: &Invocation) -> Option<Wanted> {
        let comm = self.comm(site, a[Role::Communicator].bits)?;
        let (source, tag) = (a[Role::Source].signed32(), a[Role::ReceiveTag].signed32());
        let numbers = self.abi.numbers;
        let any = source == numbers.any_source;
        let source = if any { None } else { self.peer(&comm, source) };
        let tag = (tag != numbers.any_tag).then_some(tag);
        Some(Wanted::new(comm.id, source, tag, !any && source.is_none()))
    }

    /// A receive, which is shown as `name`; `request` receives the handle of a non-blocking one.
    pub(super) fn receive_call(
        &mut self,
        site: &Site,
        name: &str,
        a: &Invocation,
        request: Option<u64>,
    ) -> Flow {
        if let Some(Entered::Receive(post)) = self.entered(site) {
            return self.finish_receive(site, name, post, a[Role::Status].bits);
        }
        match self.wanted(site, a) {
            Some(wanted) => self.receive(site, name, wanted, a, request),
            None => self.unknown_call(site, a.name()),
        }
    }

    /// Posts a receive of what is wanted, into the buffer that the call names.
    pub(super) fn receive(
        &mut self,
        site: &Site,
        name: &str,
        wanted: Wanted,
        a: &Invocation,
        request: Option<u64>,
    ) -> Flow {
        let kind = self.datatype(site, a[Role::ReceiveType].bits);
        let post = self.mail.next_post(site.rank);
        let id = request.map(|_| self.processes.of_mut(site.rank).handles.request_id());
        let call = Call::Receive {
            post: PostId(post),
            comm: wanted.comm(),
            source: wanted.source().map(Rank),
            tag: wanted.tag(),
            request: id,
            name: name.into(),
        };
        self.enter(site, call);
        let count = self.count(a[Role::ReceiveCount]);
        let into = Part::new(kind.map, a[Role::ReceiveBuffer].bits, count);
        let any_tag = self.abi.numbers.any_tag;
        self.mail.post(site.rank, post, wanted, into, any_tag);
        self.match_messages();
        if let Some(result) = request {
            let handle = self
                .processes
                .of_mut(site.rank)
                .handles
                .add_request(Request::Receive { post });
            self.put_handle(site, result, handle);
            return self.done(site);
        }
        self.set_entered(site, Entered::Receive(post));
        self.finish_receive(site, name, post, a[Role::Status].bits)
    }

    fn finish_receive(&mut self, site: &Site, name: &str, post: u64, status: u64) -> Flow {
        let Some((source, tag)) = self.received(site, post, name, status) else {
            return Flow::Block;
        };
        self.clear_entered(site);
        self.emit(site.at(), EventKind::Leave(Outcome::Received { source, tag }));
        SUCCESS
    }

    /// The source and tag of what a posted receive got, if it is there.
    pub(super) fn received(
        &mut self,
        site: &Site,
        post: u64,
        name: &str,
        status: u64,
    ) -> Option<(Option<Rank>, i32)> {
        let (received, comm, into) = self.mail.received(site.rank, post)?;
        let Received { from, tag, size } = received;
        let count = into.count().min(size as u64 / into.map().size().max(1));
        let into = into.clone().with_count(count);
        if from.is_some() {
            self.library_buffer(site, name, AccessKind::Store, &into);
        }
        let shown = self.rank_in(site.rank, comm, from);
        self.put_status(site, status, shown, tag, size);
        Some((from.map(Rank), tag))
    }

    fn match_messages(&mut self) {
        for (rank, into, data) in self.mail.deliver() {
            self.unpack(rank, &into, &data);
        }
    }

    /// `MPI_Probe`, `MPI_Iprobe`, and the probing of `MPI_Mprobe` and `MPI_Improbe`.
    pub(super) fn probe_call(&mut self, site: &Site, a: &Invocation) -> Flow {
        let Some(wanted) = self.wanted(site, a) else {
            return self.unknown_call(site, a.name());
        };
        let flag = a.has(Role::Flag).then(|| a[Role::Flag].bits);
        let (status, numbers) = (a[Role::Status].bits, self.abi.numbers);
        if a[Role::Source].signed32() == numbers.proc_null {
            // From MPI_PROC_NULL an empty message is always there (MPI-4.1 §3.10).
            if let Some(flag) = flag {
                self.put_int(site, flag, 1);
            }
            self.put_status(site, status, numbers.proc_null, numbers.any_tag, 0);
            return SUCCESS;
        }
        let found = self.mail.probe(site.rank, &wanted);
        if let Some(flag) = flag {
            self.put_int(site, flag, i32::from(found.is_some()));
        }
        match found {
            Some((_, Received { from, tag, size })) => {
                let shown = self.rank_in(site.rank, wanted.comm(), from);
                self.put_status(site, status, shown, tag, size);
                SUCCESS
            }
            None if flag.is_some() => Flow::Poll(Scalar::known(0)),
            None => Flow::Block,
        }
    }

    /// The rank in a communicator of a process; that of `MPI_PROC_NULL` if there is none.
    fn rank_in(&self, rank: u32, comm: CommId, world: Option<u32>) -> i32 {
        let comms = &self.processes.of(rank).handles.comms;
        let known = comms.iter().flatten().find(|known| known.id == comm);
        let position = known.and_then(|known| known.peers().iter().position(|member| Some(*member) == world));
        position.map_or(self.abi.numbers.proc_null, |position| position as i32)
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
    pub(crate) fn library_buffer(&mut self, site: &Site, name: &str, kind: AccessKind, buffer: &Part) {
        for (at, size) in buffer.spans() {
            self.library_access(site, name, kind, at, size);
        }
    }

    /// `MPI_Sendrecv` and `MPI_Sendrecv_replace`: a send, then a receive.
    pub(super) fn send_receive(&mut self, site: &Site, a: &Invocation) -> Flow {
        if self.entered(site).is_none() {
            self.send_call(site, a.name(), SendMode::Standard, a, None);
        }
        self.receive_call(site, a.name(), a, None)
    }

    /// `MPI_Get_count(status, datatype, count)`.
    pub(crate) fn get_count(&mut self, site: &Site, a: &Invocation) -> Flow {
        let count_at = if self.abi.is_open_mpi() { 16 } else { 0 };
        let size = self.int_at(site, a[0].bits + count_at);
        let unit = self.datatype(site, a[1].bits).map.size().max(1);
        self.put_number(site, a[2].bits, i64::from(size) / unit as i64);
        SUCCESS
    }
}
