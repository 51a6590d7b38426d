//! Messages and collective operations (MPI-4.1 chapters 3, 6 and 8.6). What a call communicates is said by
//! [`farside_calls::communication`]; here the data move, and calls wait.
//!
//! Sends are buffered, except synchronous ones, which wait for their receiver. What goes to `MPI_PROC_NULL` or comes
//! from it is not recorded.

use super::SUCCESS;
use crate::communication::{Described, Under};
use crate::communicator::{Comm, Member};
use crate::flow::Flow;
use crate::handles::{Active, Handles};
use crate::invocation::Invocation;
use crate::matching::{Kind, Mailbox, Meeting, MeetingKey, Received, Wanted, results};
use crate::memory::Content;
use crate::mpi::Mpi;
use crate::process::Entered;
use crate::value::source;
use farside_calls::collective::{Ends, Gets};
use farside_calls::communication::{Communication, Numbers, What};
use farside_calls::communicator::Communicator as _;
use farside_calls::meaning::Meaning;
use farside_calls::message::{Receive, Send};
use farside_calls::request::Request;
use farside_calls::signature::Role;
use farside_events::{
    AccessKind, AccumulateOp, Call, CommId, Direction, EventKind, Outcome, PostId, Rank, RequestId, SendMode,
};
use std::rc::Rc;

/// The numbers of one process.
struct OwnNumbers<'j> {
    rank: u32,
    handles: &'j mut Handles,
    mail: &'j mut Mailbox,
}

impl Numbers<Member> for OwnNumbers<'_> {
    fn request(&mut self) -> RequestId {
        self.handles.request_id()
    }

    fn post(&mut self) -> PostId {
        self.mail.next_post(self.rank)
    }

    fn sequence(&mut self, comm: &Member) -> u64 {
        self.handles.sequence(comm.id())
    }
}

/// Bytes of a message that a library may keep for a receiver that has not come: Open MPI and MPICH have limits of up to
/// 64 KiB, which depend on what carries the message.
const KEPT: u64 = 64 << 10;

/// Whether a send is over only once its receive was posted: what is synchronous, and standard ones of more than
/// libraries keep (MPI-4.1 §3.4: it may wait).
fn waits_for_receiver(send: &Send) -> bool {
    let bytes = || {
        let loads = send.loads.as_ref();
        loads.map_or(0, |loads| loads.number().saturating_mul(loads.datatype.size()))
    };
    match send.mode {
        SendMode::Synchronous => true,
        SendMode::Standard => bytes() > KEPT,
        SendMode::Buffered => false,
    }
}

impl Mpi<'_, '_> {
    /// A call that communicates.
    pub(super) fn communicate(&mut self, meaning: Meaning, ends: Ends, a: &Invocation) -> Flow {
        if let Some(Entered::Begun(active)) = self.caller.entered() {
            return self.wait_for(a, &active);
        }
        let mut call = self.read(a);
        let Some(what) = Communication::of(meaning, &mut call, true) else {
            return self.caller.unknown_call(a.name());
        };
        self.note_ranks(a, &what.comm);
        let described = Described::new(what, a.name(), a.has(Role::Source));
        self.carry_out(a, described, ends)
    }

    /// Begins a communication now or later, as its call says.
    pub(super) fn carry_out(&mut self, a: &Invocation, described: Described, ends: Ends) -> Flow {
        let described = Rc::new(described);
        match ends {
            Ends::Persistent => self.give_request(a[Role::Request].bits, Request::persistent(described)),
            Ends::Request => {
                let active = self.begin(&described, true);
                let request = Request::active(Active::Communication(active));
                self.give_request(a[Role::Request].bits, request);
                if !described.what().is_nothing() {
                    self.caller.done();
                }
            }
            Ends::Returning => {
                let active = self.begin(&described, false);
                self.caller.set_entered(Entered::Begun(active.clone()));
                return self.wait_for(a, &active);
            }
        }
        SUCCESS
    }

    /// Notes the ranks of a call that are not there.
    pub(super) fn note_ranks(&mut self, a: &Invocation, comm: &Member) {
        let numbers = self.numbers();
        for role in [Role::Destination, Role::Source, Role::Root] {
            let rank = a.has(role).then(|| a[role].signed32());
            let wildcard = match role {
                Role::Source => Some(numbers.any_source),
                Role::Root if comm.is_inter() => Some(numbers.root),
                _ => None,
            };
            if let Some(rank) = rank.filter(|_| rank != wildcard) {
                self.note_rank(comm.peer(rank).is_some(), rank);
            }
        }
    }

    /// A thread begins a communication, in a call that is left by who called this.
    pub(super) fn begin(&mut self, described: &Rc<Described>, later: bool) -> Under {
        let (what, name) = (described.what(), described.name());
        for elements in what.loads() {
            self.library_buffer(name, AccessKind::Load, elements);
        }
        let mut numbers = OwnNumbers {
            rank: self.caller.rank(),
            handles: self.caller.handles_mut(),
            mail: &mut self.library.mail,
        };
        let mut calls = Vec::new();
        let begun = what.begin(later, &mut numbers, name, |call| calls.push(call));
        for (k, call) in calls.into_iter().enumerate() {
            if k > 0 {
                self.caller.emit(EventKind::Leave(Outcome::Done));
            }
            self.caller.enter(call);
        }
        let message = match &what.what {
            What::Messages(send, receive) => {
                if let (Some(receive), Some(post)) = (receive, begun.receive) {
                    let wanted = wanted(&what.comm, receive);
                    self.library
                        .mail
                        .post(self.caller.rank(), post, wanted, receive.stores.clone());
                }
                let message = send.as_ref().map(|send| self.hand_over(what.comm.id(), send));
                self.match_messages();
                message.filter(|_| send.as_ref().is_some_and(waits_for_receiver))
            }
            What::Collective(plan) => {
                let parcels = plan.gives.iter().map(|part| {
                    let part = part.as_ref();
                    part.map_or_else(Content::default, |part| self.pack(self.caller.rank(), part))
                });
                let parcels = parcels.collect();
                let addressees = plan.addressees.iter();
                let words = addressees
                    .map(|to| to.map_or(u64::MAX, |to| u64::from(to.0)))
                    .collect();
                if let Some((comm, sequence)) = begun.collective {
                    self.library
                        .meetings
                        .arrive(meeting(comm, sequence), self.caller.rank(), words, parcels);
                }
                None
            }
        };
        Under::new(described, begun, message)
    }

    /// Hands a message over; its number.
    fn hand_over(&mut self, comm: CommId, send: &Send) -> u64 {
        let data = send
            .loads
            .as_ref()
            .map(|loads| self.pack(self.caller.rank(), loads));
        self.library.mail.send(
            comm,
            self.caller.rank(),
            send.to.0,
            send.tag,
            data.unwrap_or_default(),
        )
    }

    fn match_messages(&mut self) {
        for (rank, into, data) in self.library.mail.deliver() {
            if let Some(into) = into {
                self.unpack(rank, &into, &data);
            }
        }
    }

    /// Whether a communication is over.
    pub(super) fn is_over(&self, rank: u32, active: &Under) -> bool {
        let (begun, message) = (active.begun(), active.message());
        message.is_none_or(|number| self.library.mail.is_delivered(number))
            && begun
                .receive
                .is_none_or(|post| self.library.mail.received(rank, post).is_some())
            && begun.collective.is_none_or(|(comm, sequence)| {
                self.library.meetings.so_far(meeting(comm, sequence))
                    >= active.described().what().comm.processes()
            })
    }

    /// The call that began a communication, and waits for it.
    pub(super) fn wait_for(&mut self, a: &Invocation, active: &Under) -> Flow {
        if !self.is_over(self.caller.rank(), active) {
            return Flow::Block;
        }
        self.caller.clear_entered();
        let status = a.has(Role::Status).then(|| a[Role::Status].bits);
        let got = self.got(active, status);
        if !active.described().what().is_nothing() {
            let outcome = got.map_or(Outcome::Done, |(source, tag)| Outcome::Received { source, tag });
            self.caller.emit(EventKind::Leave(outcome));
        }
        if let Some(request) = active.begun().send {
            self.caller.emit(EventKind::SendDone { request });
        }
        self.bring(a.name(), active);
        SUCCESS
    }

    /// A request for a communication is complete, in a call of this name.
    pub(super) fn complete_communication(&mut self, name: &str, active: &Under, status: u64) {
        let got = self.got(active, Some(status)).unwrap_or_default();
        for event in active.begun().done(|| got) {
            self.caller.emit(event);
        }
        self.bring(name, active);
    }

    /// Who sent the message that was received, and its tag; the status says so, too.
    fn got(&mut self, active: &Under, status: Option<u64>) -> Option<(Option<Rank>, i32)> {
        let status = status.unwrap_or(self.numbers().status_ignore);
        if active.described().is_from_nobody() {
            self.put_status_of_nobody(status);
        }
        let (Received { from, tag, size }, _) = self
            .library
            .mail
            .received(self.caller.rank(), active.begun().receive?)?;
        self.put_status(status, active.described().what().comm.rank_of(from), tag, size);
        Some((Some(Rank(from)), tag))
    }

    /// The data of a communication have come.
    fn bring(&mut self, name: &str, active: &Under) {
        let received = active
            .begun()
            .receive
            .and_then(|post| self.library.mail.received(self.caller.rank(), post));
        if let Some((Received { size, .. }, Some(into))) = received {
            let mut into = into.clone();
            into.count = into
                .count
                .min((size as u64 / into.datatype.size().max(1)).cast_signed());
            self.library_buffer(name, AccessKind::Store, &into);
        }
        let met = active
            .begun()
            .collective
            .zip(match &active.described().what().what {
                What::Collective(plan) => Some(plan),
                What::Messages(..) => None,
            });
        if let Some(((comm, sequence), plan)) = met
            && let Some(meeting) = self.library.meetings.complete(meeting(comm, sequence), 0)
        {
            for (into, data) in results(&plan.gets, &meeting, self.caller.rank()) {
                self.library_buffer(name, AccessKind::Store, &into);
                self.unpack(self.caller.rank(), &into, &data);
                if let Gets::Reduction(reduction) = &plan.gets
                    && reduction.operator == AccumulateOp::Other
                {
                    // A function of the program's own has made it: the same one of the same contributions.
                    let contributors: Vec<u32> = reduction.contributors.iter().map(|rank| rank.0).collect();
                    self.become_symbols(&into, |offset| {
                        source(("reduced", comm.0, sequence, &contributors, offset))
                    });
                }
            }
        }
    }

    /// Meets the others of a communicator; what they brought once all are there, and the number of the call.
    pub(crate) fn meet(
        &mut self,
        comm: &Comm,
        expected: usize,
        direction: Direction,
        name: &str,
        words: Vec<u64>,
    ) -> Option<(u64, Rc<Meeting>)> {
        let key = match self.caller.entered() {
            Some(Entered::Meeting(key)) => key,
            _ => {
                let sequence = self.caller.handles_mut().sequence(comm.id);
                let call = Call::Collective {
                    comm: comm.id,
                    sequence,
                    direction,
                    name: name.into(),
                    request: None,
                };
                self.caller.enter(call);
                let key = meeting(comm.id, sequence);
                self.come(key, words);
                key
            }
        };
        let meeting = self.library.meetings.complete(key, expected);
        meeting.map(|meeting| (key.2, meeting))
    }
}

/// Which messages a receive or a probe takes.
pub(super) fn wanted(comm: &Member, receive: &Receive) -> Wanted {
    // A rank that is not there sends nothing.
    let source = receive
        .source
        .map(|source| comm.peer(source).map_or(u32::MAX, |source| source.0));
    Wanted::new(comm.id(), source, receive.tag)
}

/// Where the processes of a communicator meet in a collective call.
fn meeting(comm: CommId, sequence: u64) -> MeetingKey {
    (Kind::Collective, comm.0, sequence)
}
