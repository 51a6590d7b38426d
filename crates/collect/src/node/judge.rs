//! The judge of a host: one thread of the collector for each job, that has the memory of the host's processes.
//!
//! It gets the events of all in their order, but of its own processes only their places: these events it reads from the
//! folder, loads and stores included, which nobody else reads. Chunks are removed when they are judged, so that a
//! process sees how far it is ahead, as on one host.
//!
//! Promise: it says how far it is after every batch, and now and then what it has found, so that little is lost with
//! it. A panic in it ends the judging, and is told.

use super::outgoing::Outgoing;
use crate::frame::{Assignment, Heard, Piece, Pieces, ToFront, malformed, read_all};
use farside_events::{Event, Rank};
use farside_race::{Detector, Ending, Inbox, Part, Word};
use farside_spool::format::Recording;
use farside_spool::reader::{Next, Stream};
use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Bytes of its stack: those of a main thread.
const STACK: usize = 8 << 20;
/// Between looks at recordings that may have ended.
const PAUSE: Duration = Duration::from_millis(20);
/// Between words about what was found.
const BETWEEN: Duration = Duration::from_secs(1);

/// The side of the collector: what it hands to the thread.
#[derive(Debug)]
pub(super) struct Judge {
    job: u32,
    tasks: Sender<Task>,
    inbox: Sender<(u32, Word)>,
    stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    /// Numbers of the recordings that it reads.
    recordings: Vec<u32>,
}

#[derive(Debug)]
enum Task {
    Events(Piece),
    End(Ending),
}

impl Judge {
    /// Begins. `recordings` are those of its processes.
    ///
    /// # Errors
    /// There is no thread.
    pub(super) fn begin(
        job: u32,
        folder: &Path,
        (assignment, recordings): (Assignment, Vec<Recording>),
        out: Outgoing,
    ) -> io::Result<Self> {
        let (tasks, to_do) = channel();
        let (sender, inbox) = channel();
        let stopped = Arc::new(AtomicBool::new(false));
        let numbers = assignment.members().iter().map(|(_, number)| *number).collect();
        let ranks = assignment.members().iter().map(|(rank, _)| *rank);
        let own: BTreeMap<Rank, Own> = ranks
            .zip(recordings)
            .map(|(rank, recording)| (rank, Own::new(Stream::new(folder, recording, 0, false))))
            .collect();
        let flag = Arc::clone(&stopped);
        let body = move || {
            let run = || Judging::new(job, assignment, own, inbox, (out.clone(), flag)).run(&to_do);
            let ended = catch_unwind(AssertUnwindSafe(run));
            let why = match ended {
                Ok(Ok(())) => return,
                Ok(Err(error)) => error.to_string(),
                Err(panic) => format!("a bug of farside: {}", words(&*panic)),
            };
            // Where the front is gone, nobody asks.
            let _ = out.send(&ToFront::GivenUp { job, why });
        };
        let thread = Builder::new().stack_size(STACK).spawn(body)?;
        Ok(Self {
            job,
            tasks,
            inbox: sender,
            stopped,
            thread,
            recordings: numbers,
        })
    }

    /// The job that it judges.
    pub(super) fn job(&self) -> u32 {
        self.job
    }

    /// The recordings that it reads.
    pub(super) fn recordings(&self) -> &[u32] {
        &self.recordings
    }

    /// The next events. To one that has ended nothing matters any more, here and below.
    pub(super) fn events(&self, piece: Piece) {
        let _ = self.tasks.send(Task::Events(piece));
    }

    /// What another judge tells.
    pub(super) fn hear(&self, from: u32, word: Word) {
        let _ = self.inbox.send((from, word));
    }

    /// Nothing more is to be judged.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// No events come any more.
    pub(super) fn end(&self, ending: Ending) {
        let _ = self.tasks.send(Task::End(ending));
    }

    /// Whether it does nothing any more.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }
}

/// The thread's own.
struct Judging {
    job: u32,
    detector: Detector,
    own: BTreeMap<Rank, Own>,
    pieces: Pieces,
    out: Outgoing,
    stopped: Arc<AtomicBool>,
    /// Findings that were told, and when.
    told: (usize, Instant),
}

/// A process of this host.
struct Own {
    stream: Stream,
    /// Its next event, if that was read.
    next: Option<Event>,
}

impl Judging {
    fn new(
        job: u32,
        assignment: Assignment,
        own: BTreeMap<Rank, Own>,
        inbox: Inbox,
        (out, stopped): (Outgoing, Arc<AtomicBool>),
    ) -> Self {
        let to_front = out.clone();
        // Where the front is gone, the collector ends.
        let post = Arc::new(move |_, word| _ = to_front.send(&ToFront::Word { job, word }));
        Self {
            job,
            detector: assignment.detector(post, inbox),
            own,
            pieces: Pieces::default(),
            out,
            stopped,
            told: (0, Instant::now()),
        }
    }

    /// Until the end of the job, or of the front.
    fn run(mut self, tasks: &Receiver<Task>) -> io::Result<()> {
        loop {
            match tasks.recv_timeout(PAUSE) {
                Ok(Task::Events(piece)) => {
                    if let Some(bytes) = self.pieces.take(&piece)? {
                        self.judge(&bytes)?;
                        let found = self.detector.findings().len() as u64;
                        self.out.send(&ToFront::JudgedBatch { job: self.job, found })?;
                    }
                }
                Ok(Task::End(ending)) => {
                    let part = self.detector.part(&ending);
                    return tell(&self.out, self.job, &part, true);
                }
                Err(RecvTimeoutError::Timeout) => self.own.values_mut().for_each(Own::look),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            let found = self.detector.findings().len();
            if found != self.told.0 && self.told.1.elapsed() >= BETWEEN {
                tell(&self.out, self.job, &self.detector.part_so_far(), false)?;
                self.told = (found, Instant::now());
            }
        }
    }

    fn judge(&mut self, bytes: &[u8]) -> io::Result<()> {
        read_all(bytes, |heard: Heard| {
            if self.stopped.load(Ordering::Relaxed) {
                return Ok(());
            }
            let (rank, event) = heard.into_event();
            let event = match event {
                Some(event) => event,
                None => {
                    let own = self.own.get_mut(&rank).and_then(Own::take);
                    own.ok_or_else(|| malformed("a recording is not what was sent of it"))?
                }
            };
            self.detector.event(rank, &event);
            Ok(())
        })
    }
}

impl Own {
    fn new(stream: Stream) -> Self {
        Self { stream, next: None }
    }

    /// Its next event; it is there, since the front has had it.
    fn take(&mut self) -> Option<Event> {
        self.look();
        self.next.take()
    }

    /// Removes what was judged of it, if nothing else comes after it.
    fn look(&mut self) {
        if self.next.is_none()
            && let Next::Event(event) = self.stream.poll()
        {
            self.next = Some(event);
        }
    }
}

/// Says what was found.
fn tell(out: &Outgoing, job: u32, part: &Part, ended: bool) -> io::Result<()> {
    let bytes = postcard::to_allocvec(part).map_err(io::Error::other)?;
    Piece::all(&bytes)
        .into_iter()
        .try_for_each(|piece| out.send(&ToFront::Found { job, piece, ended }))
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic")
}
