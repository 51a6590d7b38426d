//! The detector: one event after the other, findings at the end.

use crate::advice::Races;
use crate::atomics::Updates;
use crate::collectives::Collectives;
use crate::finding::{RawFinding, Site};
use crate::job::{Entered, Job};
use crate::locks::Locks;
use crate::memory::Memory;
use crate::messages::Messages;
use crate::notices::Notices;
use crate::tally::Tally;
use crate::timeline::{Label, Timeline};
use crate::trail::Trail;
use crate::window::WindowState;
use farside_clocks::Component;
use farside_events::{
    Call, Event, EventKind, LockKind, ObjectId, Outcome, Rank, SendMode, SharedSegment, StackId, WinId,
};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What to report about polling loops (load of window memory that a remote put updates).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Polling {
    /// A finding of its own class.
    #[default]
    Report,
    /// Nothing: the program relies on the unified model.
    Allow,
}

/// When accesses are forgotten that nobody can race with any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forgetting {
    /// When much has come. Runs that came lately stay as long as they are few, for they may be repeated.
    #[default]
    WhenGrown,
    /// At every access, runs that came lately excepted: slow, for tests.
    OfAllButRuns,
    /// At every access: slow, for tests.
    OfAll,
}

/// How to judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Stop judging after the first finding, as the thesis' tool does.
    pub first: bool,
    /// Polling loops.
    pub polling: Polling,
    /// When to forget what nobody can race with any more. The findings are the same.
    pub forgetting: Forgetting,
    /// Whose calls the program makes.
    pub interface: crate::Interface,
}

/// How the stream of a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All processes ended by themselves.
    Complete,
    /// A process was lost or the job was aborted; epochs left open are no finding then.
    Broken,
    /// The time limit was reached: look for a cycle of waiting processes.
    Hanging,
}

/// What the detector did, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events consumed.
    pub events: u64,
    /// RMA communication calls.
    pub operations: u64,
    /// Access runs of loads and stores.
    pub access_runs: u64,
    /// Largest number of access records kept at one time.
    pub records_kept: u64,
}

/// Names that many records share.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) load: Rc<str>,
    pub(crate) store: Rc<str>,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            load: Rc::from("LOAD"),
            store: Rc::from("STORE"),
        }
    }
}

/// Consumes the merged event stream of one job, in time order.
///
/// Promise: two conflicting accesses are reported if and only if they are unordered in this run, by happens-before or
/// by consistency order, with the exceptions that the heads of the modules name. The caller keeps the order: events of
/// one process in its own order, events of different processes so that what releases comes before what acquires it
/// (sorted by time does that on one machine).
#[derive(Debug, Default)]
pub struct Detector {
    pub(crate) options: Options,
    pub(crate) counts: Counts,
    pub(crate) names: Names,
    pub(crate) job: Job,
    pub(crate) memory: Memory,
    pub(crate) updates: Updates,
    pub(crate) messages: Messages,
    pub(crate) notices: Notices,
    pub(crate) collectives: Collectives,
    pub(crate) windows: HashMap<WinId, WindowState>,
    /// Names of windows that were freed.
    pub(crate) retired: HashMap<WinId, (Option<String>, Option<Site>)>,
    pub(crate) locks: Locks,
    /// Neighbours' parts of shared windows whose owner has not told its address yet.
    pub(crate) pending_maps: HashMap<(WinId, Rank), Vec<(Rank, SharedSegment)>>,
    pub(crate) shared_parts: HashMap<(Rank, WinId), Vec<u64>>,
    pub(crate) finalizing: HashSet<Rank>,
    /// Ranges just written, kept to reuse the allocation.
    pub(crate) written: Vec<std::ops::Range<u64>>,
    pub(crate) timeline: Timeline,
    pub(crate) trail: Trail,
    pub(crate) races: Races,
    pub(crate) findings: Tally,
}

impl Detector {
    /// A detector that has seen nothing.
    pub fn new(options: Options) -> Self {
        let mut detector = Self {
            options,
            ..Self::default()
        };
        detector.findings.first_only = options.first;
        detector
    }

    /// Consumes the next event; `rank` is the process that it comes from.
    pub fn event(&mut self, rank: Rank, event: &Event) {
        self.counts.events += 1;
        if self.findings.is_done() {
            return;
        }
        let component = self.job.component(rank, event.thread);
        match &event.kind {
            EventKind::Init { size, .. } => self.job.size = self.job.size.max(*size),
            EventKind::Module(_)
            | EventKind::Stack { .. }
            | EventKind::Source { .. }
            | EventKind::Shortfall(_)
            | EventKind::Exit => {}
            EventKind::Type { id, map } => self.define_type(rank, *id, map),
            EventKind::Comm { id, members } => {
                self.job
                    .communicators
                    .entry(*id)
                    .or_insert_with(|| members.as_slice().into());
            }
            EventKind::Window(window) => self.expose(rank, window),
            EventKind::WindowName { win, name } => {
                if let Some(window) = self.windows.get_mut(win) {
                    window.name = Some(name.to_string());
                }
            }
            EventKind::WindowInfo { win, accumulates } => {
                if let Some(part) = self
                    .windows
                    .get_mut(win)
                    .and_then(|window| window.parts.get_mut(&rank))
                {
                    part.accumulates.update(*accumulates);
                }
            }
            EventKind::Enter { call, stack } => self.enter(component, rank, call, *stack, event.time),
            EventKind::Leave(outcome) => self.leave(component, outcome, event.time),
            EventKind::Operation(operation) => self.operation(component, operation, event.time),
            EventKind::OperationRequestDone { request } => self.request_done(component, *request, event.time),
            EventKind::Fetched { operation, value } => self.fetched(rank, *operation, *value),
            EventKind::ReceiveDone { post, source, tag } => {
                self.receive_done(component, *post, *source, *tag)
            }
            EventKind::SendDone { request } => self.send_done(component, *request),
            EventKind::CollectiveDone { comm, sequence } => {
                self.leave_collective(component, *comm, *sequence)
            }
            EventKind::Accesses(runs) => self.segment(component, runs),
            EventKind::ThreadEnd => self.job.thread(component).ended = true,
            EventKind::Notice { win, source, number } => self.notice(component, *win, *source, *number),
            EventKind::Seen { address, size, value } => self.seen(component, *address, *size, *value),
            EventKind::Mapped { win, segment } => self.map_part(rank, *win, *segment),
            EventKind::Release { object } => self.release_object(component, rank, *object),
            EventKind::Acquire { object } => self.acquire_object(component, rank, *object),
        }
    }

    /// What was found so far. Races have their advice, and the order in which they are told, after [`Detector::conclude`].
    pub fn findings(&self) -> &[RawFinding] {
        self.findings.all()
    }

    /// The name of a window that the program gave it, and the process and stack of its creation.
    pub fn window_label(&self, win: WinId) -> (Option<&str>, Option<Site>) {
        match self.windows.get(&win) {
            Some(window) => (window.name.as_deref(), window.creation()),
            None => self
                .retired
                .get(&win)
                .map_or((None, None), |(name, site)| (name.as_deref(), *site)),
        }
    }

    /// What was done so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Ends the stream.
    pub fn finish(mut self, ending: Ending) -> (Vec<RawFinding>, Counts) {
        self.conclude(&ending);
        (self.findings.into_all(), self.counts)
    }

    /// Judges what can only be judged at the end. For callers who still need [`Detector::window_label`] afterwards.
    pub fn conclude(&mut self, ending: &Ending) {
        self.advise_on_races();
        match ending {
            Ending::Complete | Ending::Hanging => {
                let mut wins: Vec<WinId> = self.windows.keys().copied().collect();
                wins.sort_unstable();
                for win in wins {
                    self.check_groups(win);
                }
                if *ending == Ending::Hanging {
                    self.find_deadlock();
                }
            }
            Ending::Broken => {}
        }
    }

    fn enter(&mut self, component: Component, rank: Rank, call: &Call, stack: StackId, time: u64) {
        let site = Site {
            rank,
            pc: None,
            stack,
        };
        let thread = self.job.thread(component).id;
        let mark = match call {
            Call::Completion { .. } | Call::ThreadWait { .. } => 0,
            Call::Collective { name, .. } | Call::Send { name, .. } | Call::Receive { name, .. } => {
                self.timeline.mark(rank, Label::Named(Rc::from(&**name)), site)
            }
            _ => {
                let (name, target) = static_name(call);
                let name = self.options.interface.name(name);
                self.timeline.mark(rank, Label::Call(name, target), site)
            }
        };
        self.step(component, call, site);
        let mut index = 0;
        match call {
            Call::Fence { win, assertions } => {
                index = self.enter_fence(component, *win, *assertions, site, time)
            }
            Call::Post {
                win,
                group,
                assertions,
            } => self.post(component, *win, group, *assertions, site),
            Call::Start {
                win,
                group,
                assertions,
            } => self.start(component, *win, group, *assertions, site),
            Call::Complete { win } => self.complete_epoch(component, *win, site, time),
            Call::Wait { win, .. } => self.enter_wait(component, *win, site),
            Call::Lock {
                win,
                target,
                kind,
                assertions,
            } => {
                self.enter_lock(component, *win, Some(*target), *kind, *assertions, site);
            }
            Call::LockAll { win, assertions } => {
                self.enter_lock(component, *win, None, LockKind::Shared, *assertions, site);
            }
            Call::Unlock { win, target } => self.unlock(component, *win, Some(*target), site, time),
            Call::UnlockAll { win } => self.unlock(component, *win, None, site, time),
            Call::Flush { win, target, local } => self.check_flush(component, *win, *target, *local, site),
            Call::Sync { .. } | Call::Completion { .. } | Call::ThreadWait { .. } => {}
            Call::WinFree { win } => self.enter_free(component, *win, site, time),
            Call::Collective {
                comm,
                sequence,
                direction,
                ..
            } => {
                self.enter_collective(component, *comm, *sequence, direction);
            }
            Call::Send {
                comm,
                dest,
                tag,
                mode,
                request,
                ..
            } => {
                if let Some(dest) = dest {
                    let synchronous = *mode == SendMode::Synchronous;
                    index = self.send(component, *comm, *dest, *tag, synchronous, *request, mark);
                }
            }
            Call::Receive {
                post,
                comm,
                source,
                tag,
                ..
            } => {
                self.post_receive(component, *post, *comm, *source, *tag);
            }
            Call::Attach { win, address, size } => self.attach(rank, thread, *win, *address, *size, site),
            Call::Detach { win, address } => self.detach(rank, thread, *win, *address, site),
            Call::Finalize => {
                self.check_finalize(rank, thread, site);
                self.finalizing.insert(rank);
            }
        }
        self.job.thread(component).call = Some(Entered {
            call: call.clone(),
            site,
            index,
        });
    }

    fn leave(&mut self, component: Component, outcome: &Outcome, time: u64) {
        let Some(Entered { call, index, .. }) = self.job.thread(component).call.take() else {
            return;
        };
        let rank = self.job.thread(component).rank;
        match (call, outcome) {
            (Call::Fence { win, assertions }, _) => self.leave_fence(component, win, index, assertions),
            (Call::Complete { win }, _) => self.leave_complete(component, win),
            (Call::Wait { win, test: false }, _) | (Call::Wait { win, test: true }, Outcome::Flag(true)) => {
                self.leave_wait(component, win, time);
            }
            (Call::Lock { .. } | Call::LockAll { .. }, Outcome::Failed(_)) => {
                self.locks.open(component);
            }
            (Call::Lock { .. } | Call::LockAll { .. }, _) => self.leave_lock(component),
            (Call::Unlock { .. } | Call::UnlockAll { .. }, _) => self.leave_unlock(component),
            (Call::Flush { win, target, local }, _) => self.leave_flush(component, win, target, local, time),
            (Call::WinFree { win }, _) => self.leave_free(component, win),
            (
                Call::Collective {
                    comm,
                    sequence,
                    request: None,
                    ..
                },
                _,
            ) => {
                self.leave_collective(component, comm, sequence);
            }
            (Call::Receive { post, .. }, Outcome::Received { source, tag }) => {
                self.receive_done(component, post, *source, *tag);
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
                self.synchronous_send_done(component, comm, dest, tag, index);
            }
            (Call::Finalize, _) => self.job.process(rank).finalized = true,
            _ => {}
        }
    }

    fn release_object(&mut self, component: Component, rank: Rank, object: ObjectId) {
        let clock = self.job.release(component);
        self.job.process(rank).objects.release(object, &clock);
    }

    fn acquire_object(&mut self, component: Component, rank: Rank, object: ObjectId) {
        if let Some(clock) = self.job.process(rank).objects.acquire(object) {
            self.job.acquire(component, &clock);
        }
    }
}

/// Names of the calls that have only one.
fn static_name(call: &Call) -> (&'static str, Option<Rank>) {
    crate::deadlock::static_name(call).unwrap_or(("", None))
}
