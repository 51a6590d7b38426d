//! The detector: one event after the other, findings at the end.
//!
//! It keeps nothing itself. Each event goes to the owners of what it concerns, and what they give back goes on to
//! others:
//! - [`crate::windows`] knows where the memory of windows lies;
//! - [`crate::epochs`] which epochs are open, [`crate::misuse`] what may not be done then;
//! - [`crate::operations`] which operations are not complete;
//! - [`crate::order`] who is ordered after whom;
//! - [`crate::memory`] which accesses a new one must be compared with;
//! - [`crate::report`] what is told.

mod accesses;
mod calls;
mod exchanges;
mod several;
mod transfers;

use crate::epochs::Epochs;
use crate::finding::{Name, RawFinding, Site};
use crate::job::{Caller, Job, Sequence};
use crate::memory::{Memory, Visits};
use crate::misuse::{self, Calls, Deadlock, Entered, Levels};
use crate::operations::{Operations, Wanted};
use crate::order::{
    Choice, Collectives, Exchanges, Exposure, Fences, Flags, Locks, Messages, Notices, Objects, Threads,
    Updates, Word,
};
use crate::report::{Groups, Moment, Report};
use crate::shards::Shard;
use crate::stamp::Stamp;
use crate::strand_memory::StrandMemory;
use crate::windows::{WindowLabel, Windows};
use crate::{Counts, Ending, Options};
use farside_clocks::Component;
use farside_events::{Call, Event, EventKind, LockKind, Outcome, Rank, SendMode, StackId, WinId};

/// Whether no detector looks at events of this kind.
pub fn is_idle(kind: &EventKind) -> bool {
    use EventKind::{Exit, Module, Shortfall, Source, Stack};
    matches!(
        kind,
        Module(_) | Stack { .. } | Source { .. } | Shortfall(_) | Exit
    )
}

/// Consumes the merged event stream of one job.
///
/// Promise: two conflicting accesses are reported if and only if they are unordered in this run, by happens-before or
/// by consistency order, with the exceptions that the heads of the modules name. The caller keeps the order: events of
/// one process in its own order, events of different processes so that what releases comes before what acquires it
/// (sorted by time does that on one machine).
#[derive(Debug, Default)]
pub struct Detector {
    options: Options,
    counts: Counts,
    sequence: Sequence,
    job: Job,
    windows: Windows,
    epochs: Epochs,
    operations: Operations,
    threads: Threads,
    objects: Objects,
    messages: Messages,
    collectives: Collectives,
    exchanges: Exchanges,
    fences: Fences,
    exposure: Exposure,
    locks: Locks,
    notices: Notices,
    flags: Flags,
    updates: Updates,
    memory: Memory,
    strand_memory: StrandMemory,
    visits: Visits,
    calls: Calls,
    levels: Levels,
    report: Report,
    /// Which memory it has; `None`: all.
    shard: Option<Shard>,
    /// It is one of several judges, and another has the process whose event it is at.
    elsewhere: bool,
}

impl Detector {
    /// A detector that has seen nothing.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            report: Report::new(options),
            ..Self::default()
        }
    }

    /// Also notes which receives could have taken another message ([`Detector::choices`]).
    #[must_use]
    pub fn noting_choices(mut self) -> Self {
        self.messages.note_choices();
        self
    }

    /// The receives from any source that could have taken another message, if they were to be noted; once all events
    /// are there.
    pub fn choices(&mut self) -> Vec<Choice> {
        self.messages.choices()
    }

    /// The events of a process have times of this clock; 0, unless something else is said here before the first of
    /// them. Times of two clocks are not compared.
    pub fn set_clock(&mut self, rank: Rank, clock: u32) {
        self.job.set_clock(rank, clock);
    }

    /// Consumes the next event; `rank` is the process that it comes from.
    pub fn event(&mut self, rank: Rank, event: &Event) {
        self.counts.events += 1;
        self.counts.is_one_order |= event.kind.depends_on_order() || event.kind.takes_any_message();
        if self.report.is_done() {
            return self.retire();
        }
        if !self.begin(rank) {
            return;
        }
        let component = self.threads.component(rank, event.thread);
        let time = self.job.stamp(rank, event.time);
        let threads = &mut self.threads;
        match &event.kind {
            EventKind::Init { size, .. } => {
                self.job.expect(*size);
                threads.expect(*size);
            }
            // See `is_idle`.
            EventKind::Module(_)
            | EventKind::Stack { .. }
            | EventKind::Source { .. }
            | EventKind::Shortfall(_)
            | EventKind::Exit => {}
            EventKind::Type { id, map } => self.windows.define_type(rank, *id, map),
            EventKind::Comm { id, members } => self.job.define(*id, members),
            EventKind::Window(window) => {
                self.windows.expose(rank, window, self.job.members(window.comm));
                self.epochs.open(window.id);
                self.fences.open(window.id);
                self.exposure.open(window.id);
                self.locks.open_window(window.id);
            }
            EventKind::WindowName { win, name } => self.windows.name(*win, name),
            EventKind::WindowPromises { win, promises } => {
                let unlike = self.windows.promise(rank, *win, *promises);
                self.tell(unlike.map(|members| misuse::unlike_units(*win, members)));
            }
            EventKind::WindowInfo { win, accumulates } => self.windows.hint(rank, *win, *accumulates),
            EventKind::Mapped { win, segment } => self.windows.map(rank, *win, *segment),
            EventKind::Enter { call, stack } => self.enter(component, rank, call, *stack, time),
            EventKind::Leave(outcome) => self.leave(component, rank, outcome, time),
            EventKind::Operation(operation) => self.operation(component, rank, operation, time),
            EventKind::OperationRequestDone { request } => {
                let done = self.operations.request_done(threads, component, *request);
                if let Some(op) = done {
                    op.completed_at(self.sequence.advance(), time);
                    let (win, moment) = (op.win(), self.counts.events);
                    self.locks.granted(threads, rank, win, &[op.target()], moment);
                }
            }
            EventKind::Fetched { operation, value } => {
                let seen = self.updates.fetched(threads, rank, *operation, (*value, time));
                self.report.reach(rank, seen);
            }
            EventKind::Seen {
                address,
                size,
                value,
                until,
            } => {
                let word = Word::new(*address, *size, *value, *until);
                let seen = self.updates.seen(threads, component, &word);
                self.report.reach(rank, seen);
            }
            EventKind::Notice { win, source, number } => {
                let taken = self.notices.take(threads, component, *win, *source, *number);
                self.report.reach(rank, taken);
            }
            EventKind::FlagSeen { win, number, taken } => {
                let seen = self.flags.see(threads, component, (*win, *number), *taken);
                for ((origin, _), _) in &seen {
                    self.operations.tell(*origin);
                }
                self.report.reach(rank, seen);
            }
            EventKind::Withdrawn { operation } => {
                if let Some(op) = self.operations.withdraw(rank, *operation) {
                    self.flags.withdraw(component, &op);
                    self.updates.withdraw(rank, *operation);
                }
            }
            EventKind::ReceiveDone { post, source, tag } => {
                let received = self
                    .messages
                    .receive_done(threads, component, *post, *source, *tag);
                self.report.reach(rank, received);
            }
            EventKind::SendDone { request } => self.messages.send_done(threads, component, *request),
            EventKind::CollectiveDone { comm, sequence } => {
                let members = self.job.members(*comm).map(|members| &**members);
                self.collectives
                    .leave(threads, component, (*comm, *sequence), members);
                let members = members.map(<[Rank]>::len);
                self.exchanges.leave((*comm, *sequence), rank, members);
            }
            EventKind::Accesses(runs) => self.segment(component, rank, runs),
            EventKind::Scattered(sets) => self.scattered(component, rank, sets),
            EventKind::Withheld { runs } => self.withheld(component, rank, *runs),
            EventKind::Release { object } => {
                let object = self.windows.object(rank, *object);
                self.objects.release(threads, component, object);
            }
            EventKind::ThreadLevel { level, name, stack } => {
                let caller = Caller::new(component, event.thread, Site::of_call(rank, *stack));
                self.levels.initialise(&caller, *level, name);
            }
            EventKind::Fence => threads.pass_fence(component),
            EventKind::ReleaseFenced { object } => {
                let object = self.windows.object(rank, *object);
                self.objects.release_fenced(threads, component, object);
            }
            EventKind::Acquire { object } => {
                let object = self.windows.object(rank, *object);
                self.objects.acquire(threads, component, object);
            }
            EventKind::ThreadEnd => threads.end(component),
            EventKind::Common(ranges) => self.strand_memory.name(rank, event.thread, ranges),
            EventKind::Ordered { channel, latest } => {
                self.operations.order(threads, component, *channel, *latest);
            }
            EventKind::Exchange(exchange) => self.hand_in(component, exchange),
            EventKind::Probed {
                comm,
                source,
                tag,
                by_chance,
            } => {
                let message = (*comm, *source, *tag);
                let found = self.messages.probed(threads, component, message, *by_chance);
                self.report.reach(rank, found);
            }
            EventKind::Agreed {
                comm,
                sequence,
                argument,
                value,
            } => self.agree_on_argument(component, (*comm, *sequence), argument, *value),
            EventKind::Mistaken {
                mistake,
                name,
                stack,
                earlier,
            } => {
                let caller = Caller::new(component, event.thread, Site::of_call(rank, *stack));
                let earlier = earlier.as_ref().map(|(name, stack)| (&**name, *stack));
                self.tell([misuse::mistaken(&caller, name, mistake, earlier)]);
            }
        }
    }

    /// What was found so far. Races have their advice, and the order in which they are told, after
    /// [`Detector::conclude`].
    pub fn findings(&self) -> &[RawFinding] {
        self.report.findings()
    }

    /// What a report calls a window; `None` if it was never there.
    pub fn window_label(&self, win: WinId) -> Option<WindowLabel> {
        self.windows.label(win)
    }

    /// What was done so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Ends the stream.
    pub fn finish(mut self, ending: Ending) -> (Vec<RawFinding>, Counts) {
        self.conclude(&ending);
        (self.report.into_findings(), self.counts)
    }

    /// Judges what can only be judged at the end. For callers who still need [`Detector::window_label`] afterwards.
    pub fn conclude(&mut self, ending: &Ending) {
        self.report.advise();
        if self.job.has_several_clocks() && self.shard.is_none() {
            let locks = &self.locks;
            self.counts.left_open = self.report.leave_out(|sides| locks.leaves_open(sides));
        }
        self.elsewhere = !self.owns(Rank(0));
        self.report.begin(Moment::end());
        if *ending == Ending::Broken || self.elsewhere {
            return;
        }
        let deadlock = (*ending == Ending::Hanging).then(|| {
            let order = (&self.exposure, &self.fences, &self.locks, &self.collectives);
            let job = (&self.job, &self.windows);
            Deadlock::new((&self.calls, &self.threads), job, &self.epochs, order)
        });
        let stuck = deadlock.as_ref().map(Deadlock::stuck);
        let may_go_on = |rank: Rank| stuck.as_ref().is_some_and(|stuck| !stuck.contains(&rank));
        let groups = |win| misuse::groups(&self.epochs, &self.exposure, win, may_go_on);
        let mut found: Vec<RawFinding> = self.windows.all().into_iter().flat_map(groups).collect();
        found.extend(deadlock.and_then(|deadlock| deadlock.find()));
        self.tell(found);
    }

    fn enter(&mut self, component: Component, rank: Rank, call: &Call, stack: StackId, time: Stamp) {
        let site = Site::of_call(rank, stack);
        let caller = Caller::new(component, self.threads.id(component), site);
        let mark = self.report.enter(
            &caller,
            call,
            self.threads.now(component).time,
            (&self.fences, Groups::new(&self.job, &self.windows)),
            &mut self.sequence,
        );
        let threads = &mut self.threads;
        let mut number = 0;
        match call {
            Call::Fence { win, assertions } => number = self.fence(&caller, *win, *assertions, time),
            Call::Post {
                win,
                group,
                assertions,
            } => self.post(&caller, *win, group, *assertions),
            Call::Start {
                win,
                group,
                assertions,
            } => self.start(&caller, *win, group, *assertions),
            Call::Complete { win } => self.complete(&caller, *win, time),
            Call::Wait { win, test } => self.wait(&caller, *win, *test),
            Call::Lock {
                win,
                target,
                kind,
                assertions,
            } => self.lock(&caller, *win, Some(*target), *kind, *assertions),
            Call::LockAll { win, assertions } => {
                self.lock(&caller, *win, None, LockKind::Shared, *assertions);
            }
            Call::Unlock { win, target } => self.unlock(&caller, *win, Some(*target), time),
            Call::UnlockAll { win } => self.unlock(&caller, *win, None, time),
            Call::Flush {
                win, target, local, ..
            } => self.flush(&caller, *win, *target, *local),
            Call::WinFree { win } => self.free(&caller, *win, time),
            Call::WinWithdraw { win } => self.withdraw(&caller, *win),
            Call::Attach { win, address, size } => {
                let since = self.threads.now(component);
                let before = self
                    .windows
                    .attach(rank, *win, *address, *size, (site, caller.thread(), since));
                self.tell(before.map(|before| misuse::attached_twice(*win, &caller, before)));
            }
            Call::Detach { win, address } => {
                self.look_for_detached(&caller, *win, *address);
                let moment = (site, caller.thread(), self.threads.now(component));
                let was = self.windows.detach(rank, *win, *address, moment);
                self.tell((!was).then(|| misuse::not_attached(*win, &caller)));
            }
            Call::Finalize => self.finalize(&caller),
            Call::Collective {
                comm,
                sequence,
                direction,
                name,
                request,
            } => {
                let place = (*comm, *sequence);
                self.collectives.enter(threads, component, place, direction);
                self.enter_exchange(place, (name, request.is_none()), site);
            }
            Call::Send {
                comm,
                dest: Some(dest),
                tag,
                mode,
                request,
                ..
            } => {
                let form = (*mode == SendMode::Synchronous, *request);
                number = self
                    .messages
                    .send(threads, component, (*comm, *dest, *tag), form, mark);
            }
            Call::Receive {
                post,
                comm,
                source,
                tag,
                ..
            } => self
                .messages
                .post(threads, component, *post, *comm, (*source, *tag), site),
            Call::Sync { .. } => threads.pass_fence(component),
            Call::Send { dest: None, .. }
            | Call::Completion { .. }
            | Call::ThreadWait { .. }
            | Call::Await { .. } => {}
        }
        let concurrent = self.calls.concurrent(&self.threads, call, &caller);
        self.tell(concurrent);
        let name = || Name::of(call, self.windows.interface_of(call)).0;
        let level = self.levels.call(&self.threads, &caller, name);
        self.tell(level);
        self.calls.enter(component, Entered::new(call, site, number));
    }

    fn leave(&mut self, component: Component, rank: Rank, outcome: &Outcome, time: Stamp) {
        let Some(entered) = self.calls.leave(component) else {
            return;
        };
        let (threads, moment) = (&mut self.threads, self.counts.events);
        let (call, number) = entered.into_parts();
        match (call, outcome) {
            (Call::Fence { win, assertions }, _) => {
                let members = self.windows.group_size(win);
                self.fences
                    .leave(threads, component, (win, number), assertions, members);
            }
            (Call::Complete { win }, _) => self.exposure.leave_complete(threads, component, win),
            (Call::Wait { win, test: false }, _) | (Call::Wait { win, test: true }, Outcome::Flag(true)) => {
                self.leave_wait(component, rank, win, time);
            }
            (Call::Lock { .. } | Call::LockAll { .. }, Outcome::Failed(_)) => self.locks.fail(component),
            (Call::Lock { .. } | Call::LockAll { .. }, _) => self.locks.enter(component),
            (Call::Unlock { .. } | Call::UnlockAll { .. }, _) => {
                self.locks.leave(threads, component, moment);
            }
            (
                Call::Flush {
                    win,
                    target,
                    local,
                    channel,
                },
                _,
            ) => {
                let remotely = !local || self.is_relaxed(self.windows.interface(win));
                let wanted = Wanted::to(target, channel);
                let done = self.complete_operations(component, win, remotely, time, wanted);
                self.locks.granted(&mut self.threads, rank, win, &done, moment);
            }
            (Call::WinFree { win }, _) => self.leave_free(component, rank, win),
            (
                Call::Collective {
                    comm,
                    sequence,
                    request: None,
                    ..
                },
                _,
            ) => {
                let members = self.job.members(comm).map(|members| &**members);
                self.collectives
                    .leave(threads, component, (comm, sequence), members);
                let members = members.map(<[Rank]>::len);
                if let Some(received) = self.exchanges.leave((comm, sequence), rank, members) {
                    self.receive(component, rank, &received);
                }
            }
            (Call::Receive { post, .. }, Outcome::Received { source, tag }) => {
                let received = self
                    .messages
                    .receive_done(threads, component, post, *source, *tag);
                self.report.reach(rank, received);
            }
            (
                Call::Send {
                    comm,
                    dest: Some(dest),
                    tag,
                    mode: SendMode::Synchronous,
                    request: None,
                    ..
                },
                _,
            ) => {
                self.messages
                    .synchronous_send_done(threads, component, (comm, dest, tag), number);
            }
            _ => {}
        }
    }

    /// Hands findings on to the report, if this judge has the process whose event it is at.
    fn tell(&mut self, findings: impl IntoIterator<Item = RawFinding>) {
        if self.elsewhere {
            return;
        }
        for finding in findings {
            self.report.misuse(finding);
        }
    }
}
