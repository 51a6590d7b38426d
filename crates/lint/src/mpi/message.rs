//! Messages (MPI-4.1 chapter 3). Sends are buffered, except synchronous ones, which wait for their receiver.

use super::SUCCESS;
use super::invocation::Invocation;
use crate::flow::Flow;
use crate::handles::{Comm, Request};
use crate::job::Job;
use crate::site::Site;
use crate::thread::Entered;
use crate::value::Scalar;
use farside_calls::signature::Role;
use farside_events::{AccessKind, Call, CommId, EventKind, Outcome, PostId, Rank, SendMode, TypeMap};
use std::collections::{HashMap, HashSet};

/// A message under way.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(super) number: u64,
    pub(super) comm: CommId,
    pub(super) from: u32,
    to: u32,
    pub(super) tag: i32,
    data: Vec<u8>,
}

/// A receive that was posted. Ranks are those of the world.
#[derive(Clone, Debug)]
struct Posted {
    comm: CommId,
    rank: u32,
    source: Option<u32>,
    tag: Option<i32>,
    address: u64,
    map: TypeMap,
    count: u64,
    /// What arrived.
    message: Option<(u32, i32, usize)>,
}

/// Messages and receives that have not met.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    pub(super) messages: Vec<Message>,
    /// Messages that were probed for, by their handles.
    pub(super) matched: HashMap<u64, super::matched::Matched>,
    posted: HashMap<(u32, u64), Posted>,
    order: Vec<(u32, u64)>,
    delivered: HashSet<u64>,
    sent: u64,
    posts: HashMap<u32, u64>,
}

/// Which messages a receive or a probe takes.
pub(super) struct Wanted {
    pub(super) comm: Comm,
    /// `None` for any.
    pub(super) source: Option<u32>,
    /// `None` for any.
    pub(super) tag: Option<i32>,
    /// From `MPI_PROC_NULL` nothing comes.
    pub(super) nobody: bool,
}

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
            if !self.mail.delivered.contains(&number) {
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
        self.library_buffer(site, name, AccessKind::Load, &kind.map, address, count);
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
            let data = self.pack(site.rank, &kind.map, address, count);
            self.mail.sent += 1;
            number = self.mail.sent;
            self.mail.messages.push(Message {
                number,
                comm: comm.id,
                from: site.rank,
                to,
                tag,
                data,
            });
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
        if synchronous && dest.is_some() && !self.mail.delivered.contains(&number) {
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
        Some(Wanted {
            comm,
            source,
            tag: (tag != numbers.any_tag).then_some(tag),
            nobody: !any && source.is_none(),
        })
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
        let next = self.mail.posts.entry(site.rank).or_insert(0);
        *next += 1;
        let post = *next;
        let id = request.map(|_| self.processes.of_mut(site.rank).handles.request_id());
        let call = Call::Receive {
            post: PostId(post),
            comm: wanted.comm.id,
            source: wanted.source.map(Rank),
            tag: wanted.tag,
            request: id,
            name: name.into(),
        };
        self.enter(site, call);
        let posted = Posted {
            comm: wanted.comm.id,
            rank: site.rank,
            source: wanted.source,
            tag: wanted.tag,
            address: a[Role::ReceiveBuffer].bits,
            map: kind.map,
            count: self.count(a[Role::ReceiveCount]),
            // From MPI_PROC_NULL nothing comes, at once.
            message: wanted.nobody.then_some((u32::MAX, self.abi.numbers.any_tag, 0)),
        };
        self.mail.posted.insert((site.rank, post), posted);
        self.mail.order.push((site.rank, post));
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
        let Some((source, tag, _)) = self.received(site, post, name, status) else {
            return Flow::Block;
        };
        self.clear_entered(site);
        self.emit(site.at(), EventKind::Leave(Outcome::Received { source, tag }));
        SUCCESS
    }

    /// Whether a message has been received.
    pub(crate) fn is_delivered(&self, number: u64) -> bool {
        self.mail.delivered.contains(&number)
    }

    /// Whether a posted receive has got its message.
    pub(crate) fn is_received(&self, rank: u32, post: u64) -> bool {
        self.mail
            .posted
            .get(&(rank, post))
            .is_some_and(|posted| posted.message.is_some())
    }

    /// What a posted receive got, if it is there.
    pub(crate) fn received(
        &mut self,
        site: &Site,
        post: u64,
        name: &str,
        status: u64,
    ) -> Option<(Option<Rank>, i32, usize)> {
        let posted = self.mail.posted.get(&(site.rank, post))?.clone();
        let (from, tag, size) = posted.message?;
        let source = (from != u32::MAX).then_some(Rank(from));
        if source.is_some() {
            self.library_buffer(
                site,
                name,
                AccessKind::Store,
                &posted.map,
                posted.address,
                posted.count.min(size as u64 / posted.map.size().max(1)),
            );
        }
        let shown = self.rank_in(site.rank, posted.comm, from);
        self.put_status(site, status, shown, tag, size);
        Some((source, tag, size))
    }

    /// Whether a message from `source` with `tag` is there: its source, tag and size.
    pub(crate) fn probe(
        &self,
        rank: u32,
        comm: CommId,
        source: Option<u32>,
        tag: Option<i32>,
    ) -> Option<(u32, i32, usize, u64)> {
        let fits = |message: &&Message| {
            message.to == rank
                && message.comm == comm
                && source.is_none_or(|source| source == message.from)
                && tag.is_none_or(|tag| tag == message.tag)
        };
        self.mail
            .messages
            .iter()
            .find(fits)
            .map(|message| (message.from, message.tag, message.data.len(), message.number))
    }

    fn match_messages(&mut self) {
        let mut index = 0;
        while index < self.mail.order.len() {
            let key = self.mail.order[index];
            let posted = &self.mail.posted[&key];
            if posted.message.is_some() {
                self.mail.order.remove(index);
                continue;
            }
            let found = self.probe(posted.rank, posted.comm, posted.source, posted.tag);
            let Some((_, _, _, number)) = found else {
                index += 1;
                continue;
            };
            let position = self
                .mail
                .messages
                .iter()
                .position(|message| message.number == number)
                .unwrap_or(0);
            let message = self.mail.messages.remove(position);
            self.mail.order.remove(index);
            self.mail.delivered.insert(message.number);
            let posted = posted.clone();
            self.unpack(
                posted.rank,
                &posted.map,
                posted.address,
                posted.count,
                &message.data,
            );
            if let Some(posted) = self.mail.posted.get_mut(&key) {
                posted.message = Some((message.from, message.tag, message.data.len()));
            }
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
        let found = self.probe(site.rank, wanted.comm.id, wanted.source, wanted.tag);
        if let Some(flag) = flag {
            self.put_int(site, flag, i32::from(found.is_some()));
        }
        match found {
            Some((from, tag, size, _)) => {
                let shown = self.rank_in(site.rank, wanted.comm.id, from);
                self.put_status(site, status, shown, tag, size);
                SUCCESS
            }
            None if flag.is_some() => Flow::Poll(Scalar::known(0)),
            None => Flow::Block,
        }
    }

    pub(super) fn rank_in(&self, rank: u32, comm: CommId, world: u32) -> i32 {
        let comms = &self.processes.of(rank).handles.comms;
        let known = comms.iter().flatten().find(|known| known.id == comm);
        let position = known.and_then(|known| known.peers().iter().position(|member| *member == world));
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
    pub(crate) fn library_buffer(
        &mut self,
        site: &Site,
        name: &str,
        kind: AccessKind,
        map: &TypeMap,
        address: u64,
        count: u64,
    ) {
        for (at, size) in super::datatype::spans(map, address, count) {
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
