//! Whether everything stands still although threads go on: loops that wait for what nobody brings any more.
//!
//! Promise: a job is at rest only if no further step of it, in whatever order, changes anything. The proof: since some
//! moment nothing has changed that a process shows to another (memory of windows, messages, locks); each thread that is
//! not in a call that waits has come to a branch of a loop twice, with the same registers and the same memory of its
//! process, and made only calls that ask in between. As what it asks for stays as it is, so does what it does next.
//!
//! Limits: a round that changes something of its own process, as one that counts how often it asked, proves nothing,
//! nor does one that calls anything else than what [`asks`] knows (a clock, a file, random numbers). Nothing is proved
//! of programs with several threads, of code that was not given, and of signals.

use crate::execute::Job;
use crate::external::External;
use crate::flow::Flow;
use crate::ir::{BlockId, Module, PlaceId};
use crate::site::At;
use crate::value::Scalar;
use farside_calls::mpi::Procedure;
use farside_events::{Call, EventKind};
use rustc_hash::FxHashMap as HashMap;

/// Bytes of memory that are looked at in one simulation, at most.
const MOST_BYTES: u64 = 1 << 26;
/// Rounds of turns in which nothing changes after calls were told that nobody can go on: so many are waited for until
/// all loops have come round again.
const PATIENCE: u32 = 4096;

/// What is known of loops that nobody ends.
#[derive(Debug, Default)]
pub(super) struct Still {
    /// Nothing is proved of this job.
    off: bool,
    /// In the last round of turns nothing changed, and whoever went on asked for something.
    open: bool,
    /// How often who has asked since something changed.
    asked: HashMap<(u32, usize), u64>,
    watched: HashMap<(u32, usize), Watch>,
    /// The changes when calls were told that nobody can go on, and the rounds of turns since.
    stalled: Option<(u64, u32)>,
    bytes: u64,
}

/// A branch of a loop that a thread comes to again and again.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// How much had changed before.
    changes: u64,
    /// How many functions the thread was in, the innermost one, and the block in it.
    branch: (usize, u32, BlockId),
    place: PlaceId,
    /// What registers and memory held.
    registers: u64,
    memory: u64,
    /// How often it had asked: a round that asks nothing waits for nobody.
    asked: u64,
    /// It comes there so often until it is looked at anew.
    left: u32,
    next: u32,
    /// It has come there as it was.
    repeats: bool,
}

impl Still {
    /// Of a job of this program.
    pub(super) fn of(module: &Module) -> Self {
        Self {
            off: may_be_interrupted(module),
            ..Self::default()
        }
    }

    /// Nothing is proved of this job.
    pub(super) fn turn_off(&mut self) {
        self.off = true;
    }

    /// A thread asks for what others may bring.
    pub(super) fn ask(&mut self, at: At) {
        *self.asked.entry((at.rank, at.thread)).or_insert(0) += 1;
    }

    /// Whether branches of loops are looked at.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Those went on in a whole round of turns, or not, and there were so many changes before and after it.
    pub(super) fn end_round(&mut self, went: &[At], changes: [u64; 2]) {
        let [before, after] = changes;
        if before != after {
            self.asked.clear();
        }
        let asked = |at: &At| self.asked.contains_key(&(at.rank, at.thread));
        self.open = !self.off && before == after && !went.is_empty() && went.iter().all(asked);
    }

    /// Whether all of these go round loops that change nothing, and calls that may wait are to do so for ever.
    pub(super) fn rests(&self, went: &[At], changes: u64) -> bool {
        let repeats = |at: &At| {
            let watch = self.watched.get(&(at.rank, at.thread));
            watch.is_some_and(|watch| watch.repeats && watch.changes == changes)
        };
        self.open && went.iter().all(repeats)
    }

    /// Calls are told that nobody can go on, after so many changes.
    pub(super) fn stall(&mut self, changes: u64) {
        self.stalled = Some((changes, 0));
    }

    /// Whether nothing has changed since, so that it is waited until loops have come round.
    pub(super) fn is_stalled(&mut self, changes: u64) -> bool {
        match &mut self.stalled {
            Some((since, rounds)) if *since == changes && *rounds < PATIENCE => {
                *rounds += 1;
                true
            }
            _ => {
                self.stalled = None;
                false
            }
        }
    }
}

impl Job<'_> {
    /// A thread stays in a loop by a condition that is known: whether it was there before as it is now.
    pub(super) fn watch_round(&mut self, at: At, place: PlaceId) {
        if !self.still.open || self.still.bytes > MOST_BYTES {
            return;
        }
        let changes = self.processes.changes();
        let process = self.processes.of(at.rank);
        let thread = process.thread(at.thread);
        let Some(frame) = thread.frame() else { return };
        let branch = (thread.depth(), frame.function(), frame.block());
        let known = self.still.watched.get(&(at.rank, at.thread)).copied();
        let known = known.filter(|known| known.changes == changes);
        let asked = self.still.asked.get(&(at.rank, at.thread)).copied().unwrap_or(0);
        // A round that asks nothing is no round of a wait: what it holds need not be looked at.
        let has_asked = known.is_none_or(|known| asked > known.asked);
        let mut watch = match known {
            Some(known) if known.repeats => return,
            Some(known) if known.left > 0 => {
                let watch = Watch {
                    left: known.left - 1,
                    ..known
                };
                if watch.branch != branch || !has_asked || watch.registers != thread.state() {
                    self.still.watched.insert((at.rank, at.thread), watch);
                    return;
                }
                watch
            }
            _ if !has_asked => return,
            // From here on another round is looked for; each time a longer one.
            known => Watch {
                changes,
                branch,
                place,
                registers: thread.state(),
                memory: 0,
                asked: 0,
                left: known.map_or(16, |known| known.next),
                next: known.map_or(32, |known| known.next.saturating_mul(2)),
                repeats: false,
            },
        };
        let (memory, bytes) = process.memory().state();
        self.still.bytes += bytes;
        let returns = known.is_some_and(|known| known.left > 0);
        watch.repeats = returns && watch.memory == memory && has_asked;
        if !returns {
            (watch.memory, watch.asked) = (memory, asked);
        }
        self.still.watched.insert((at.rank, at.thread), watch);
    }

    /// A call was made or waits: whether it changes something, or asks.
    pub(super) fn note_call(
        &mut self,
        at: At,
        (external, name): (External, &str),
        was_entered: bool,
        flow: &Flow,
    ) {
        let is_entered = self.processes.thread(at).entered().is_some();
        let changes = match flow {
            Flow::Block => !was_entered && is_entered,
            flow => !asks(external, name, flow),
        };
        match changes {
            true => self.processes.note_change(),
            // Who only gives others time waits for a debugger, say.
            false if matches!(external, External::Other) => {}
            false => self.still.ask(at),
        }
    }

    /// Whether it is known what all that goes on does, as far as a proof needs.
    pub(super) fn is_followed(&self) -> bool {
        let notes = &self.notes;
        let nothing_missed = notes.unknown_calls().is_empty()
            && notes.foreign_calls().is_empty()
            && notes.cut_loops().is_empty()
            && notes.is_certain();
        nothing_missed && !notes.misses_rank() && !notes.made_threads()
    }

    /// The threads go round loops that nobody ends: it is told as of calls that wait.
    pub(super) fn tell_loops(&mut self, went: &[At]) {
        for &at in went {
            let Some(watch) = self.still.watched.get(&(at.rank, at.thread)) else {
                continue;
            };
            let place = watch.place;
            let outer = self.processes.thread(at).stack();
            let stack = self.stacks.push(place, outer);
            let call = Call::Await {
                name: "a loop".into(),
                of: None,
            };
            self.emit(at, EventKind::Enter { call, stack });
        }
    }
}

/// Whether loops of a program may end by what is not followed here: code that runs when a signal comes, and memory that
/// other programs share.
fn may_be_interrupted(module: &Module) -> bool {
    const INTERRUPTING: [&str; 8] = [
        "signal",
        "sigaction",
        "alarm",
        "setitimer",
        "timer_create",
        "mmap",
        "shmat",
        "shm_open",
    ];
    let mut functions = module.functions.iter();
    functions.any(|function| INTERRUPTING.contains(&function.name.as_str()))
}

/// Whether a call that went so changes nothing but memory, which is looked at, and says the same when it is made again
/// as long as nothing else changes.
fn asks(external: External, name: &str, flow: &Flow) -> bool {
    const GIVING_TIME: [&str; 6] = [
        "sleep",
        "usleep",
        "nanosleep",
        "sched_yield",
        "thrd_yield",
        "pthread_yield",
    ];
    if matches!(external, External::Other) {
        let says_nothing = ["llvm.lifetime", "llvm.dbg"];
        return GIVING_TIME.contains(&name) || says_nothing.iter().any(|begin| name.starts_with(begin));
    }
    let Flow::Poll(answer) = flow else {
        return match external.procedure() {
            Some(procedure) => moves_data(procedure),
            None => matches!(name, "shmem_quiet" | "shmem_fence"),
        };
    };
    match external {
        // It has not come, or somebody has it.
        External::Gaspi(_) => name.starts_with("gaspi_notify_") || name.starts_with("gaspi_atomic_"),
        External::Shmem(_) if name.ends_with("_test_lock") => *answer != Scalar::known(0),
        External::Shmem(_) => true,
        _ => external.procedure().is_some(),
    }
}

/// Whether a procedure does nothing but to move data between windows and buffers, or to complete that.
fn moves_data(procedure: Procedure) -> bool {
    use Procedure as P;
    let operations = matches!(
        procedure,
        P::Get | P::Put | P::Accumulate | P::Get_accumulate | P::Fetch_and_op | P::Compare_and_swap
    );
    let completes = matches!(
        procedure,
        P::Win_flush | P::Win_flush_all | P::Win_flush_local | P::Win_flush_local_all | P::Win_sync
    );
    operations || completes
}
