//! The events of a rank, stamped and handed on.

use farside_collect::node::{self, Home};
use farside_events::{
    AccessKind, AccessRun, AccessSource, Call, CommId, Event, EventKind, OperationId, Outcome, PostId, Rank,
    RequestId, SourcePlace, StackId, ThreadId, TypeId, TypeMap,
};
use farside_fabric::Fabric;
use farside_spool::Spool;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::panic::Location;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(any(feature = "shm", feature = "sim"))]
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A place of the program.
pub(crate) type Place = &'static Location<'static>;

/// Runs of accesses that wait for the next event; more are handed on.
const RUNS: usize = 64;

/// Where events go.
pub(super) enum Sink {
    /// To files, which `farside check` reads, or a collector brings there.
    Spool(Spool, Home),
    /// To a detector in this process.
    #[cfg(any(feature = "shm", feature = "sim"))]
    Judge(Rank, SyncSender<(Rank, Event)>),
}

/// Records the events of a rank. It belongs to the thread of its world, but for loads and stores of window memory,
/// which other threads may do: they count as the rank's.
pub(crate) struct Recorder {
    state: Mutex<State>,
    /// Calls that are open. What is called within a call is not the program's.
    depth: AtomicU32,
    /// Names that were given: of operations, requests, receives.
    names: AtomicU64,
}

struct State {
    /// Whose events come now: 0 is the program.
    thread: ThreadId,
    /// `None`: nothing more is recorded.
    sink: Option<Sink>,
    /// Accesses since the last event, which no synchronisation divides.
    runs: Vec<AccessRun>,
    places: HashSet<usize>,
    types: HashMap<(&'static str, u32), TypeId>,
    /// Window memory of this rank, and what of others is mapped.
    exposed: Vec<Range<u64>>,
}

impl Recorder {
    /// For a rank of a transport.
    pub(super) fn start(sink: Sink, fabric: &dyn Fabric) -> Self {
        let (rank, size) = (fabric.rank(), fabric.size());
        let transport = &fabric.capabilities().transport;
        let recorder = Self {
            state: Mutex::new(State {
                thread: ThreadId(0),
                sink: Some(sink),
                runs: Vec::new(),
                places: HashSet::new(),
                types: HashMap::new(),
                exposed: Vec::new(),
            }),
            depth: AtomicU32::new(0),
            names: AtomicU64::new(0),
        };
        recorder.record(EventKind::Init {
            rank: Rank(rank),
            size,
            pid: std::process::id(),
            library: format!("farside {}, {transport}", env!("CARGO_PKG_VERSION")).into(),
        });
        recorder
    }

    /// One that writes where `FARSIDE_SPOOL` says, if it is set and can be written to.
    pub(crate) fn by_environment(fabric: &dyn Fabric) -> Option<Self> {
        /// Worlds of this process so far. Part 0 is what the process does as one of MPI.
        static PARTS: AtomicU32 = AtomicU32::new(0);
        let home = node::found()?;
        let part = PARTS.fetch_add(1, Ordering::Relaxed) + 1;
        let recording = farside_spool::processes::recording(std::process::id(), part);
        let spool = Spool::create(home.folder().to_path_buf(), recording)?;
        Some(Self::start(Sink::Spool(spool, home), fabric))
    }

    /// A call of the program begins; it ends with the guard. `None` within another call.
    pub(crate) fn call(&self, place: Place, call: Call) -> Option<Guard<'_>> {
        let mut guard = self.quietly()?;
        let stack = self.stack(place);
        self.record(EventKind::Enter { call, stack });
        guard.outcome = Some(Outcome::Done);
        Some(guard)
    }

    /// What is called while the guard lives says nothing. `None` within another call.
    pub(crate) fn quietly(&self) -> Option<Guard<'_>> {
        if self.is_within() {
            return None;
        }
        self.depth.fetch_add(1, Ordering::Relaxed);
        Some(Guard {
            recorder: self,
            outcome: None,
        })
    }

    /// What comes while the guard lives is done by a thread of its own, as the check sees it: what runs within a call
    /// of the program, and is not ordered with what the program does around that call.
    pub(crate) fn on_thread(&self, thread: u32) -> OnThread<'_> {
        let mut state = self.lock();
        state.push(None);
        let before = std::mem::replace(&mut state.thread, ThreadId(thread));
        OnThread {
            recorder: self,
            before,
            depth: self.depth.swap(0, Ordering::Relaxed),
        }
    }

    /// Whether a call is open.
    pub(crate) fn is_within(&self) -> bool {
        self.depth.load(Ordering::Relaxed) > 0
    }

    /// A call that waits for nobody.
    pub(crate) fn instant(&self, place: Place, call: Call) {
        drop(self.call(place, call));
    }

    /// The program knows, by a call of this name, that a collective call is complete.
    pub(crate) fn tell_done(&self, started: Started, place: Place, name: &'static str) {
        if let Some(call) = self.call(place, Call::Completion { name: name.into() }) {
            let Started { comm, sequence } = started;
            self.record(EventKind::CollectiveDone { comm, sequence });
            drop(call);
        }
    }

    /// Records an event, after the accesses so far.
    pub(crate) fn record(&self, kind: EventKind) {
        self.lock().push(Some(kind));
    }

    /// Records an access to memory of this process by the library: at once, or with those that follow.
    pub(crate) fn access(&self, access: Access, place: Place, at_once: bool) {
        let mut state = self.lock();
        let run = AccessRun {
            source: access.source,
            ..AccessRun::single(
                access.kind,
                access.base,
                access.bytes,
                state.address(place),
                StackId::UNKNOWN,
            )
        };
        if !state.runs.iter_mut().any(|last| extend(last, &run)) {
            state.runs.push(run);
        }
        if at_once || state.runs.len() >= RUNS {
            state.push(None);
        }
    }

    /// The stack of a place: its only frame.
    pub(crate) fn stack(&self, place: Place) -> StackId {
        StackId(self.lock().address(place))
    }

    /// The elements of a window, as a datatype.
    pub(crate) fn datatype(&self, name: &'static str, size: u32) -> TypeId {
        let mut state = self.lock();
        let next = TypeId(state.types.len() as u32);
        if let Some(&known) = state.types.get(&(name, size)) {
            return known;
        }
        state.types.insert((name, size), next);
        state.define(EventKind::Type {
            id: next,
            map: TypeMap::basic(name, size),
        });
        next
    }

    /// Memory of a window is in this process from now on.
    pub(crate) fn expose(&self, range: Range<u64>) {
        if !range.is_empty() {
            self.lock().exposed.push(range);
        }
    }

    /// Memory of a window is gone.
    pub(crate) fn withdraw(&self, start: u64) {
        self.lock().exposed.retain(|range| range.start != start);
    }

    /// Whether a buffer lies in window memory.
    pub(crate) fn is_exposed(&self, start: u64, bytes: u64) -> bool {
        let state = self.lock();
        let inside = |range: &Range<u64>| range.start < start + bytes && start < range.end;
        state.exposed.iter().any(inside)
    }

    fn name(&self) -> u64 {
        self.names.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn next_operation(&self) -> OperationId {
        OperationId(self.name())
    }

    pub(crate) fn next_request(&self) -> RequestId {
        RequestId(self.name())
    }

    /// A thread of [`Recorder::on_thread`], not yet used.
    pub(crate) fn next_thread(&self) -> u32 {
        self.name() as u32
    }

    pub(crate) fn next_receive(&self) -> PostId {
        PostId(self.name())
    }

    /// Nothing is missing: the world has ended as it should.
    pub(crate) fn finish(&self) {
        self.record(EventKind::Exit);
        if let Some(Sink::Spool(spool, home)) = self.lock().sink.take() {
            let last = spool.chunk();
            spool.seal();
            // Of this host, if it is not that of who judges, nothing may be left when the process ends.
            home.deliver(&last);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A collective call that was begun, and is not complete.
#[derive(Clone, Copy)]
pub(crate) struct Started {
    comm: CommId,
    /// Its number there.
    sequence: u64,
}

impl Started {
    /// The call of this number on a group.
    pub(crate) fn new(comm: CommId, sequence: u64) -> Self {
        Self { comm, sequence }
    }
}

impl State {
    /// The code address, and the number of the stack, that stand for a place.
    fn address(&mut self, place: Place) -> u64 {
        let address = std::ptr::from_ref(place) as usize;
        if self.places.insert(address) {
            self.define(EventKind::Source {
                address: address as u64,
                place: SourcePlace {
                    function: None,
                    file: place.file().into(),
                    line: place.line(),
                    column: place.column(),
                },
            });
            self.define(EventKind::Stack {
                id: StackId(address as u64),
                frames: vec![address as u64],
            });
        }
        address as u64
    }

    /// What orders nothing: before the accesses that wait.
    fn define(&mut self, kind: EventKind) {
        let event = Event {
            time: stamp(),
            thread: self.thread,
            kind,
        };
        self.send(event);
    }

    fn push(&mut self, kind: Option<EventKind>) {
        let runs = std::mem::take(&mut self.runs);
        let accesses = (!runs.is_empty()).then_some(EventKind::Accesses(runs));
        for kind in accesses.into_iter().chain(kind) {
            let event = Event {
                time: stamp(),
                thread: self.thread,
                kind,
            };
            self.send(event);
        }
    }

    fn send(&mut self, event: Event) {
        let sent = match &mut self.sink {
            Some(Sink::Spool(spool, _)) => spool.append(&event),
            #[cfg(any(feature = "shm", feature = "sim"))]
            Some(Sink::Judge(rank, judge)) => judge.send((*rank, event)).is_ok(),
            None => return,
        };
        if !sent {
            // A spool that is full has said so itself.
            self.sink = None;
        }
    }
}

/// A call of the program that is open.
pub(crate) struct Guard<'a> {
    recorder: &'a Recorder,
    /// How it will be left; `None` if it was not entered.
    outcome: Option<Outcome>,
}

impl Guard<'_> {
    /// Says how the call is left.
    pub(crate) fn leave_with(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Some(outcome) = self.outcome.take() {
            self.recorder.record(EventKind::Leave(outcome));
        }
        self.recorder.depth.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A moment after all that any rank of this process was stamped with before: ranks that are threads or coroutines may
/// follow one another faster than the clock goes.
fn stamp() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = farside_spool::now();
    let last = LAST
        .fetch_update(Ordering::AcqRel, Ordering::Acquire, |last| {
            Some(now.max(last + 1))
        })
        .unwrap_or(now);
    now.max(last + 1)
}

/// Events are those of another thread.
pub(crate) struct OnThread<'a> {
    recorder: &'a Recorder,
    before: ThreadId,
    /// Calls of that thread that are open.
    depth: u32,
}

impl Drop for OnThread<'_> {
    fn drop(&mut self) {
        let mut state = self.recorder.lock();
        state.push(None);
        state.thread = self.before;
        self.recorder.depth.store(self.depth, Ordering::Relaxed);
    }
}

/// An access of the library to memory of this process.
pub(crate) struct Access {
    pub(crate) kind: AccessKind,
    pub(crate) source: AccessSource,
    /// First byte.
    pub(crate) base: u64,
    pub(crate) bytes: u64,
}

/// Makes a run longer by an access, if it is its next step, or its last once more.
fn extend(run: &mut AccessRun, next: &AccessRun) -> bool {
    if (run.kind, run.size, run.pc) != (next.kind, next.size, next.pc) || run.source != next.source {
        return false;
    }
    let at = |step: u64| {
        run.base
            .wrapping_add_signed(run.inner_stride.wrapping_mul(step as i64))
    };
    if at(run.inner_count - 1) == next.base {
        run.repeats += 1;
        return true;
    }
    if run.inner_count == 1 && run.repeats == 0 {
        run.inner_stride = next.base.wrapping_sub(run.base) as i64;
    } else if at(run.inner_count) != next.base {
        return false;
    }
    run.inner_count += 1;
    true
}
