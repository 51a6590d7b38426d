//! A detector in this process, for ranks that are threads or coroutines of it.

use super::recorder::{Recorder, Sink};
use farside_events::{Call, Event, EventKind, Interface, Rank};
use farside_fabric::Fabric;
use farside_findings::{CheckedProgram, Count, Report, SCHEMA_VERSION, merge};
use farside_race::{CodeMap, Detector, Ending, NoSymbols, Options, place};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Events that may wait for the detector.
const WAITING: usize = 4096;

/// A detector on a thread of its own.
pub(crate) struct Judge {
    /// In the order of this queue, each event is after all that it knows of.
    queue: SyncSender<(Rank, Event)>,
    thread: JoinHandle<Report>,
}

impl Judge {
    /// Runs something under a new detector: what it gave, and what was found in it.
    pub(crate) fn judge<R>(run: impl FnOnce(&Self) -> R) -> std::io::Result<(R, Report)> {
        let (queue, events) = sync_channel(WAITING);
        let thread = std::thread::Builder::new()
            .name("farside-check".to_owned())
            .spawn(move || listen(&events))?;
        let judge = Self { queue, thread };
        let result = run(&judge);
        // A rank that was killed has never dropped its end of the queue; so the end is said.
        let end = Event {
            time: u64::MAX,
            thread: farside_events::ThreadId(0),
            kind: EventKind::Exit,
        };
        let _ = judge.queue.send((END, end));
        match judge.thread.join() {
            Ok(report) => Ok((result, report)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// The recorder of a rank.
    pub(crate) fn recorder(&self, fabric: &dyn Fabric) -> Recorder {
        Recorder::start(Sink::Judge(Rank(fabric.rank()), self.queue.clone()), fabric)
    }
}

/// Whose last event is the last of all.
const END: Rank = Rank(u32::MAX);

fn listen(events: &Receiver<(Rank, Event)>) -> Report {
    let mut detector = Detector::new(Options::default());
    let mut code = CodeMap::default();
    let mut finished = HashSet::new();
    let (mut library, mut ranks) = (String::new(), 0);
    while let Ok((rank, event)) = events.recv() {
        if rank == END {
            break;
        }
        match &event.kind {
            EventKind::Init {
                library: name, size, ..
            } => (library, ranks) = (name.to_string(), *size),
            EventKind::Enter {
                call: Call::Finalize, ..
            } => {
                finished.insert(rank);
            }
            _ => {}
        }
        code.observe(rank, &event);
        detector.event(rank, &event);
    }
    let whole = finished.len() as u64 == u64::from(ranks);
    let (raw, counts) = detector.finish(if whole { Ending::Complete } else { Ending::Broken });
    let count = |name: &str, value| Count {
        name: name.to_owned(),
        value,
    };
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")).to_owned(),
        program: CheckedProgram {
            command: std::env::args_os()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            processes: ranks,
            library,
            ended: if whole {
                "all ranks have finished".to_owned()
            } else {
                format!("{} of {ranks} ranks have finished", finished.len())
            },
            status: None,
            folder: String::new(),
            hosts: Vec::new(),
        },
        findings: merge(place(raw, Interface::Farside, &code, &mut NoSymbols)),
        causes: Vec::new(),
        suppressed: 0,
        shortfalls: Vec::new(),
        counts: vec![
            count("events", counts.events),
            count("operations", counts.operations),
            count("access_runs", counts.access_runs),
            count("records_kept", counts.records_kept),
        ],
        predictions: None,
        coverage: None,
        superfluous: None,
        runs: None,
        is_one_order: false,
        any_ranks: None,
        sources: Vec::new(),
    };
    report.find_causes();
    report
}
