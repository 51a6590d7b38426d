//! What has been handed on of all processes, as far as events of others may have to wait for it.
//!
//! [`Gates::gate`] asks the owner of what an event acquires whether that was handed on; [`Gates::pass`] tells all
//! owners that an event is handed on.

use crate::exposure::Exposure;
use crate::gate::{Gate, Gone, Moment};
use crate::groups::Groups;
use crate::locks::{Epoch, Locks};
use crate::meetings::{Meeting, Meetings};
use crate::messages::{Envelope, Messages};
use crate::notices::Notices;
use crate::values::Values;
use farside_events::{
    AccessKind, AccumulateOp, Call, Condition, Direction, Event, EventKind, LockKind, Notice, Operation,
    OperationKind, Outcome, PostId, Rank, SendMode, ThreadId, WinId,
};

use rustc_hash::FxHashMap as HashMap;

/// All that gates depend on.
#[derive(Debug, Default)]
pub struct Gates {
    groups: Groups,
    gone: Gone,
    /// The calls that threads are in, of those that acquire something when they are left.
    calls: HashMap<(Rank, ThreadId), Within>,
    meetings: Meetings,
    messages: Messages,
    exposure: Exposure,
    locks: Locks,
    values: Values,
    notices: Notices,
}

/// A call that a thread is in.
#[derive(Debug)]
enum Within {
    Meeting {
        meeting: Meeting,
        /// A fence that completes nothing waits for nobody.
        waits: bool,
        /// The window that is made.
        makes: Option<WinId>,
    },
    Complete(WinId),
    Wait(WinId),
    /// A test of an exposure epoch.
    Test(WinId),
    Lock(WinId, Epoch),
    Unlock(WinId, Option<Epoch>),
    Flush {
        win: WinId,
        target: Option<Rank>,
        local: bool,
    },
    Receive(PostId),
    Send(Envelope, u64),
}

impl Gates {
    /// Nothing more will come of a process.
    pub fn lose(&mut self, rank: Rank) {
        self.gone.add(rank);
    }

    /// The address at a process that a displacement in a window stands for.
    #[must_use]
    pub fn address(&self, win: WinId, rank: Rank, displacement: i64) -> Option<u64> {
        self.groups.address(win, rank, displacement)
    }

    /// Whether what the event acquires was handed on.
    #[must_use]
    pub fn gate(&self, rank: Rank, event: &Event) -> Gate {
        let gone = &self.gone;
        match &event.kind {
            EventKind::Leave(outcome) => match self.calls.get(&(rank, event.thread)) {
                Some(within) => self.leaving(rank, within, outcome),
                None => Gate::Open,
            },
            EventKind::CollectiveDone { comm, sequence } => {
                let members = self.groups.members(*comm);
                self.meetings
                    .gate(Meeting::Collective(*comm, *sequence), rank, members, gone)
            }
            EventKind::ReceiveDone { post, source, tag } => self.received(rank, *post, *source, *tag),
            EventKind::SendDone { request } => self.messages.request_met(rank, *request, gone),
            EventKind::OperationRequestDone { request } => self.locks.requested(rank, *request, gone),
            EventKind::Fetched { operation, value } => self.values.fetched(rank, *operation, *value),
            EventKind::Seen {
                address, size, value, ..
            } => self.values.seen(rank, (*address, *size, *value), &self.groups),
            EventKind::FlagSeen { win, number, .. } => Gate::until(self.notices.is_set(*win, rank, *number)),
            EventKind::Notice { win, source, number } => {
                Gate::until(self.notices.has(*win, rank, *source, *number))
            }
            _ => Gate::Open,
        }
    }

    /// For a process that waits until a word of its memory fulfils a condition: a value that does, of those that were
    /// left there so far.
    #[must_use]
    pub fn fulfils(&self, rank: Rank, (address, size): (u64, u32), until: Condition) -> Option<u64> {
        let holds = |value: u64| until.holds(value, size);
        self.values.like(rank, (address, size), holds)
    }

    /// The event is handed on; adds the moments that it is known to come after to `causes`. Says whether a gate may be
    /// open that was not.
    pub fn pass(&mut self, rank: Rank, event: &Event, at: Moment, causes: &mut Vec<Moment>) -> bool {
        match &event.kind {
            EventKind::Init { size, .. } => self.groups.expect(*size),
            EventKind::Accesses(runs) => {
                for run in runs.iter().filter(|run| run.kind == AccessKind::Store) {
                    self.values.store(rank, run.span());
                }
                return false;
            }
            EventKind::Comm { id, members } => self.groups.define(*id, members),
            EventKind::Type { id, map } => self.values.define(rank, *id, map),
            EventKind::Window(window) => {
                self.groups.announce(rank, window);
                if let Some(Within::Meeting { makes, .. }) = self.calls.get_mut(&(rank, event.thread)) {
                    *makes = Some(window.id);
                }
            }
            EventKind::Enter { call, .. } => {
                self.calls.remove(&(rank, event.thread));
                if let Some(within) = self.enter(rank, call, at) {
                    self.calls.insert((rank, event.thread), within);
                }
            }
            EventKind::Leave(outcome) => {
                if let Some(within) = self.calls.remove(&(rank, event.thread)) {
                    self.leave(rank, within, outcome, causes);
                }
            }
            EventKind::Operation(operation) => self.operation(rank, operation),
            EventKind::CollectiveDone { comm, sequence } => {
                let members = self.groups.members(*comm);
                self.meetings
                    .leave(Meeting::Collective(*comm, *sequence), rank, members, causes);
            }
            EventKind::ReceiveDone { post, source, tag } => {
                causes.extend(self.messages.receive(rank, *post, *source, *tag));
            }
            EventKind::SendDone { request } => self.messages.request_done(rank, *request),
            EventKind::OperationRequestDone { request } => self.locks.request_done(rank, *request),
            EventKind::Fetched { operation, value } => self.values.fetch(rank, *operation, *value),
            EventKind::Notice { win, source, number } => self.notices.take(*win, rank, *source, *number),
            EventKind::Seen {
                address, size, value, ..
            } => self.values.see(rank, *address, *size, *value),
            EventKind::FlagSeen {
                win,
                number,
                taken: Some(_),
            } => self.notices.unset(*win, rank, *number),
            _ => return false,
        }
        true
    }

    fn received(&self, rank: Rank, post: PostId, source: Option<Rank>, tag: i32) -> Gate {
        match source.filter(|source| self.groups.has(*source)) {
            Some(source) => self.messages.received(rank, post, source, tag, &self.gone),
            None => Gate::Open,
        }
    }

    /// Whether a call may be left.
    fn leaving(&self, rank: Rank, within: &Within, outcome: &Outcome) -> Gate {
        let gone = &self.gone;
        match (within, outcome) {
            // What failed has waited for nobody.
            (_, Outcome::Failed(_)) => Gate::Open,
            (
                Within::Meeting {
                    meeting,
                    waits,
                    makes,
                },
                _,
            ) => {
                let announced =
                    makes.is_none_or(|win| self.groups.silent(win).all(|member| gone.has(member)));
                let gate = match waits {
                    true => self.meetings.gate(*meeting, rank, self.members(*meeting), gone),
                    false => Gate::Open,
                };
                if announced { gate } else { Gate::Partner }
            }
            (Within::Complete(win), _) => self.exposure.completed(*win, rank, gone),
            (Within::Wait(win), _) | (Within::Test(win), Outcome::Flag(true)) => {
                self.exposure.waited(*win, rank, gone)
            }
            (Within::Unlock(win, Some(epoch)), _) => self.locks.unlocked(*win, epoch, gone),
            (Within::Flush { win, target, local }, _) => {
                self.locks.flushed(*win, rank, *target, *local, gone)
            }
            (Within::Receive(post), Outcome::Received { source, tag }) => {
                self.received(rank, *post, *source, *tag)
            }
            (Within::Send(envelope, number), _) => self.messages.met(*envelope, *number, gone),
            _ => Gate::Open,
        }
    }

    fn leave(&mut self, rank: Rank, within: Within, outcome: &Outcome, causes: &mut Vec<Moment>) {
        let failed = matches!(outcome, Outcome::Failed(_));
        match within {
            Within::Meeting { meeting, waits, .. } => {
                let members = match meeting {
                    Meeting::Collective(comm, _) => self.groups.members(comm),
                    Meeting::Fence(win, _) | Meeting::Free(win) => self.groups.of_window(win),
                };
                let before = causes.len();
                self.meetings.leave(meeting, rank, members, causes);
                if failed || !waits {
                    causes.truncate(before);
                }
                if let Meeting::Free(win) = meeting
                    && self.meetings.is_over(meeting)
                {
                    self.meetings.close(win);
                    self.exposure.close(win);
                    self.locks.free(win);
                    self.values.free(win);
                }
            }
            Within::Complete(win) => self.exposure.leave_complete(win, rank, causes),
            Within::Wait(win) => self.exposure.leave_wait(win, rank, causes),
            Within::Test(win) if *outcome == Outcome::Flag(true) => {
                self.exposure.leave_wait(win, rank, causes);
            }
            Within::Lock(win, epoch) if !failed => self.locks.open(win, epoch),
            Within::Flush { win, target, local } if !failed => self.locks.flush(win, rank, target, local),
            Within::Receive(post) => {
                let (source, tag) = match outcome {
                    Outcome::Received { source, tag } => (*source, *tag),
                    _ => (None, 0),
                };
                causes.extend(self.messages.receive(rank, post, source, tag));
            }
            _ => {}
        }
    }

    fn members(&self, meeting: Meeting) -> &[Rank] {
        match meeting {
            Meeting::Collective(comm, _) => self.groups.members(comm),
            Meeting::Fence(win, _) | Meeting::Free(win) => self.groups.of_window(win),
        }
    }

    /// A thread enters a call; gives what matters when it leaves.
    fn enter(&mut self, rank: Rank, call: &Call, at: Moment) -> Option<Within> {
        let meets = |meeting, waits| {
            Some(Within::Meeting {
                meeting,
                waits,
                makes: None,
            })
        };
        match call {
            Call::Fence { win, assertions } => {
                meets(self.meetings.fence(*win, rank, at), !assertions.noprecede)
            }
            Call::WinFree { win } => {
                let free = Meeting::Free(*win);
                self.meetings.enter(free, rank, Direction::All, at);
                meets(free, true)
            }
            Call::Collective {
                comm,
                sequence,
                direction,
                request,
                ..
            } => {
                let collective = Meeting::Collective(*comm, *sequence);
                self.meetings.enter(collective, rank, direction.clone(), at);
                request.is_none().then(|| meets(collective, true))?
            }
            Call::Post { win, group, .. } => {
                self.exposure.post(*win, rank, group, at);
                None
            }
            Call::Start { win, group, .. } => {
                self.exposure.start(*win, rank, group);
                None
            }
            Call::Complete { win } => {
                self.exposure.complete(*win, rank, at);
                Some(Within::Complete(*win))
            }
            Call::Wait { win, test: false } => Some(Within::Wait(*win)),
            Call::Wait { win, test: true } => Some(Within::Test(*win)),
            Call::Lock {
                win,
                target,
                kind,
                assertions,
            } => Some(Within::Lock(
                *win,
                Epoch::new(rank, Some(*target), *kind, assertions.nocheck),
            )),
            Call::LockAll { win, assertions } => {
                let epoch = Epoch::new(rank, None, LockKind::Shared, assertions.nocheck);
                Some(Within::Lock(*win, epoch))
            }
            Call::Unlock { win, target } => {
                self.values.unlock(rank, *win, *target);
                Some(Within::Unlock(*win, self.locks.close(*win, rank, Some(*target))))
            }
            Call::UnlockAll { win } => Some(Within::Unlock(*win, self.locks.close(*win, rank, None))),
            Call::Flush {
                win, target, local, ..
            } => Some(Within::Flush {
                win: *win,
                target: *target,
                local: *local,
            }),
            Call::Send {
                comm,
                dest: Some(dest),
                tag,
                mode,
                request,
                ..
            } if self.groups.has(*dest) => {
                let envelope = (*comm, rank, *dest, *tag);
                let synchronous = *mode == SendMode::Synchronous;
                let number = self.messages.send(envelope, request.filter(|_| synchronous), at);
                (synchronous && request.is_none()).then_some(Within::Send(envelope, number))
            }
            Call::Receive {
                post,
                comm,
                source,
                tag,
                request,
                ..
            } => {
                self.messages.post(rank, *post, *comm, (*source, *tag));
                request.is_none().then_some(Within::Receive(*post))
            }
            Call::Send { .. }
            | Call::Sync { .. }
            | Call::Completion { .. }
            | Call::Attach { .. }
            | Call::Detach { .. }
            | Call::WinWithdraw { .. }
            | Call::Finalize
            | Call::ThreadWait { .. }
            | Call::Await { .. } => None,
        }
    }

    fn operation(&mut self, rank: Rank, call: &Operation) {
        let Some(target) = call.target else {
            return;
        };
        if !matches!(call.kind, OperationKind::Put | OperationKind::Accumulate) {
            self.exposure.read(call.win, rank, target);
        }
        let only_reads = call.kind == OperationKind::Get || call.operator == Some(AccumulateOp::NoOp);
        self.locks
            .operation(call.win, rank, target, only_reads, call.request);
        // Values of gets are recorded under the lock of one target.
        if call.kind != OperationKind::Get || self.locks.has(call.win, rank, target) {
            let hidden = self.locks.has_alone(call.win, rank, target);
            self.values.operation((rank, call), target, &self.groups, hidden);
        }
        match &call.notice {
            Some(Notice::Counted(number)) => self.notices.give(call.win, target, rank, *number),
            Some(Notice::Flag(flag)) if flag.last => {
                // A read sets one of its origin.
                let owner = match call.kind {
                    OperationKind::Get => rank,
                    _ => target,
                };
                self.notices.set(flag.win, owner, flag.number);
            }
            _ => {}
        }
    }
}
