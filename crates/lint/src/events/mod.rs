//! The events of a simulation: what the threads did, who is told of it, and what was found.
//!
//! Loads and stores wait here until their thread does something else, so that those of a loop become runs.

mod accesses;

use crate::budget::Budget;
use crate::loops::History;
use crate::site::At;
use accesses::Accesses;
use farside_events::{AccessRun, Event, EventKind, Interface, Operation, Rank, ThreadId, TypeId, WinId};
use farside_race::{Detector, Ending, Options, RawFinding, WindowLabel};
use farside_trial::Recording;
use rustc_hash::FxHashMap as HashMap;
use std::hash::{Hash, Hasher};

/// The events of all processes, in the order in which they were made.
pub(crate) struct Events {
    detector: Detector,
    /// Whose calls the program makes: that of the first process that has initialised a library.
    interface: Option<Interface>,
    /// The number of events, which is the time of the last one.
    time: u64,
    processes: Vec<Told>,
    /// For trials of suggestions; `None` if none is wanted, or the simulation was not whole.
    recording: Option<Recording>,
    /// Whether something was done that goes another way if processes come in another order.
    depends_on_order: bool,
    /// In how many pieces of memory an element of a type lies, by process.
    pieces: HashMap<(u32, TypeId), u64>,
    #[cfg(test)]
    sent: Vec<(u32, Event)>,
}

/// What a process has told, and what it has not told yet.
#[derive(Default)]
struct Told {
    history: History,
    /// By thread.
    accesses: Vec<Accesses>,
}

/// The detector's work for an event is that of some instructions.
const STEPS_OF_EVENT: u64 = 20;
/// Pieces of memory that an operation is concerned with, at most: with more of them the simulation ends.
const MOST_PIECES: u64 = 1 << 20;

impl Events {
    /// Nothing has happened yet in so many processes.
    pub(crate) fn new(size: u32) -> Self {
        Self {
            detector: Detector::new(Options::default()),
            interface: None,
            time: 0,
            processes: (0..size).map(|_| Told::default()).collect(),
            recording: None,
            depends_on_order: false,
            pieces: HashMap::default(),
            #[cfg(test)]
            sent: Vec::new(),
        }
    }

    /// From now on events are kept, to try suggestions in them.
    pub(crate) fn keep(&mut self) {
        self.recording = Some(Recording::default());
    }

    /// How many events others were told of.
    pub(crate) fn told(&self) -> u64 {
        self.time
    }

    /// Whether something was done that goes another way if processes come in another order.
    pub(crate) fn depends_on_order(&self) -> bool {
        self.depends_on_order
    }

    /// A thread asked for what others may bring.
    pub(crate) fn ask_others(&mut self) {
        self.depends_on_order = true;
    }

    /// What was kept, if the processes came to their ends.
    pub(crate) fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// A thread loads or stores what operations are concerned with.
    pub(crate) fn access(&mut self, at: At, run: AccessRun) {
        let accesses = &mut self.processes[at.rank as usize].accesses;
        if accesses.len() <= at.thread {
            accesses.resize_with(at.thread + 1, Accesses::default);
        }
        accesses[at.thread].add(run);
    }

    /// A thread does something, after what it loaded and stored before.
    pub(crate) fn emit(&mut self, budget: &mut Budget, at: At, kind: EventKind) {
        self.flush(budget, at);
        self.send(budget, at, kind);
    }

    /// Tells what a thread has loaded and stored.
    pub(crate) fn flush(&mut self, budget: &mut Budget, at: At) {
        let Told { history, accesses } = &mut self.processes[at.rank as usize];
        let accesses = accesses.get_mut(at.thread).map_or_else(Vec::new, Accesses::take);
        if accesses.is_empty() {
            return;
        }
        for run in &accesses {
            history.access((
                run.kind,
                run.base,
                run.size,
                (run.inner_stride, run.inner_count),
                (run.outer_stride, run.outer_count),
                run.pc,
            ));
        }
        self.send(budget, at, EventKind::Accesses(accesses));
    }

    /// Tells what all threads have loaded and stored.
    pub(crate) fn flush_all(&mut self, budget: &mut Budget) {
        for rank in 0..self.processes.len() as u32 {
            for thread in 0..self.processes[rank as usize].accesses.len() {
                self.flush(budget, At { rank, thread });
            }
        }
    }

    /// What a process has told, which includes its calls of MPI.
    pub(crate) fn history(&mut self, rank: u32) -> &mut History {
        &mut self.processes[rank as usize].history
    }

    /// How many pieces of memory an operation is concerned with, if they are more than one for each part of it.
    fn pieces_of(&self, rank: u32, operation: &Operation) -> u64 {
        let buffers = [operation.origin, operation.result].into_iter().flatten();
        let buffers = buffers.map(|buffer| (buffer.datatype, buffer.count));
        let parts = buffers.chain([(operation.target_type, operation.target_count)]);
        let pieces = parts.map(|(datatype, count)| {
            let of_one = self.pieces.get(&(rank, datatype)).copied().unwrap_or(0);
            of_one.saturating_mul(count)
        });
        pieces.max().unwrap_or(0)
    }

    fn send(&mut self, budget: &mut Budget, at: At, kind: EventKind) {
        budget.spend(STEPS_OF_EVENT);
        match &kind {
            EventKind::Type { id, map } => {
                self.pieces.insert((at.rank, *id), map.pieces());
            }
            EventKind::Operation(operation) => {
                let pieces = self.pieces_of(at.rank, operation);
                if pieces > MOST_PIECES {
                    return budget.give_up();
                }
                budget.spend(pieces);
            }
            _ => {}
        }
        self.time += 1;
        self.depends_on_order |= kind.depends_on_order() || kind.takes_any_message();
        let event = Event {
            time: self.time,
            thread: ThreadId(at.thread as u32),
            kind,
        };
        if let (EventKind::Init { library, .. }, None) = (&event.kind, self.interface) {
            self.interface = Some(Interface::of_library(library));
        }
        self.detector.event(Rank(at.rank), &event);
        if let Some(recording) = &mut self.recording {
            recording.push(Rank(at.rank), &event);
        }
        #[cfg(test)]
        self.sent.push((at.rank, event));
    }

    /// Whose calls the program makes; MPI's if it makes none.
    pub(crate) fn interface(&self) -> Interface {
        self.interface.unwrap_or_default()
    }

    /// How many findings there are so far.
    pub(crate) fn found(&self) -> usize {
        self.detector.findings().len()
    }

    /// No more events come; what was found.
    pub(crate) fn conclude(&mut self, ending: &Ending) -> Vec<RawFinding> {
        self.detector.conclude(ending);
        self.recording.take_if(|_| *ending != Ending::Complete);
        self.detector.findings().to_vec()
    }

    /// The name of a window and where it was made, as far as they are known.
    pub(crate) fn window_label(&self, window: WinId) -> Option<WindowLabel> {
        self.detector.window_label(window)
    }

    /// All events, with the ranks that made them.
    #[cfg(test)]
    pub(crate) fn sent(&self) -> &[(u32, Event)] {
        &self.sent
    }
}

/// Two runs that were handed as many events have the same hash: values are not compared.
impl Hash for Events {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.time.hash(state);
    }
}
