//! The transport as the rest of the library sees it: waits with GASPI's timeouts, messages sorted by who waits for
//! them, and what is known of lost ranks.
//!
//! Promise: no wait lasts for ever because a rank is lost. A wait that names the ranks it needs goes on when another
//! one is lost.
//!
//! Limits: the transport names the first rank that is lost. Further ones are found by looking at their processes, so on
//! this machine only; one that is lost elsewhere is known when an operation to it fails.

use crate::abi::{BLOCK, CORRUPT, Failure, HEALTHY, Outcome, State, TEST, Timeout};
use farside_fabric::{Error, Fabric, Message, Rank};
use farside_processes::start_time;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Tag of messages of collective operations.
const COLLECTIVE: u64 = 1;
/// Tag of passive messages.
const PASSIVE: u64 = 2;
/// Tag of the request to end.
const KILL: u64 = 3;

/// Between two looks, where the transport does not wait any more since a rank is lost.
const LOOK: Duration = Duration::from_micros(200);

/// So many of them between two looks at processes.
const LOOKS: u32 = 256;

/// Which message of a collective operation: the operations of a group are numbered, and so are the steps of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    /// Of the group, the same at all members.
    context: u64,
    /// Of the operation in the group.
    operation: u64,
    /// Of the message in the operation.
    step: u32,
}

impl Step {
    pub(crate) fn new(context: u64, operation: u64, step: u32) -> Self {
        Self {
            context,
            operation,
            step,
        }
    }
}

/// The transport of a rank.
pub(crate) struct Net {
    fabric: Arc<dyn Fabric>,
    /// By rank.
    corrupt: Vec<AtomicBool>,
    /// How many of them.
    losses: AtomicU32,
    /// By rank: the program has read in the state vector that it is lost.
    acknowledged: Vec<AtomicBool>,
    inbox: Mutex<Inbox>,
    /// Threads that wait now.
    waiting: AtomicU32,
    /// By rank: its process, if it is on this machine.
    processes: OnceLock<Vec<Option<u32>>>,
    /// At processes, or not, in loops that wait.
    looks: AtomicU32,
}

#[derive(Default)]
struct Inbox {
    collective: HashMap<(Rank, Step), Vec<u8>>,
    passive: VecDeque<(Rank, Vec<u8>)>,
}

/// A lock whose holder panicked protects data that are still whole: each is changed in one step.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Net {
    pub(crate) fn new(fabric: Arc<dyn Fabric>) -> Self {
        let size = fabric.size();
        Self {
            fabric,
            corrupt: (0..size).map(|_| AtomicBool::new(false)).collect(),
            losses: AtomicU32::new(0),
            acknowledged: (0..size).map(|_| AtomicBool::new(false)).collect(),
            inbox: Mutex::default(),
            waiting: AtomicU32::new(0),
            processes: OnceLock::new(),
            looks: AtomicU32::new(0),
        }
    }

    /// Says which processes the ranks are, once they have met.
    pub(crate) fn watch(&self, processes: Vec<Option<u32>>) {
        // It is said once.
        let _ = self.processes.set(processes);
    }

    #[inline]
    pub(crate) fn fabric(&self) -> &dyn Fabric {
        &*self.fabric
    }

    #[inline]
    pub(crate) fn rank(&self) -> Rank {
        self.fabric.rank()
    }

    #[inline]
    pub(crate) fn size(&self) -> u32 {
        self.corrupt.len() as u32
    }

    /// A rank of the caller's.
    #[inline]
    pub(crate) fn known(&self, rank: u16) -> Outcome<Rank> {
        match u32::from(rank) < self.size() {
            true => Ok(rank.into()),
            false => Err(Failure::RANK),
        }
    }

    /// The states of all ranks (GASPI 17.1 §5.5).
    pub(crate) fn states(&self) -> impl Iterator<Item = State> + '_ {
        self.look_for_losses();
        if self.fabric.lost().is_some() {
            self.look_for_processes();
        }
        let both = self.corrupt.iter().zip(&self.acknowledged);
        both.map(|(corrupt, acknowledged)| match corrupt.load(Ordering::Acquire) {
            true => {
                acknowledged.store(true, Ordering::Release);
                CORRUPT
            }
            false => HEALTHY,
        })
    }

    /// Whether a wait that names no rank ends because this one is lost: one without a limit does, any other until the
    /// program has seen the loss in the state vector.
    pub(crate) fn disturbs(&self, rank: Rank, timeout: Timeout) -> bool {
        timeout == BLOCK || !self.acknowledged[rank as usize].load(Ordering::Acquire)
    }

    /// What a call does that found nothing, and that programs repeat until it finds something.
    pub(crate) fn idle(&self) -> Outcome {
        self.progress()?;
        if self.fabric.is_crowded() {
            std::thread::yield_now();
        }
        Ok(())
    }

    pub(crate) fn is_corrupt(&self, rank: Rank) -> bool {
        self.corrupt[rank as usize].load(Ordering::Acquire)
    }

    pub(crate) fn mark(&self, rank: Rank) {
        if let Some(corrupt) = self.corrupt.get(rank as usize)
            && !corrupt.swap(true, Ordering::AcqRel)
        {
            self.losses.fetch_add(1, Ordering::Release);
        }
    }

    fn look_for_losses(&self) {
        if let Some(rank) = self.fabric.lost() {
            self.mark(rank);
        }
    }

    /// What the program is told of an error of the transport; a loss is noted.
    #[cold]
    pub(crate) fn failure(&self, error: &Error) -> Failure {
        match error {
            Error::PeerLost { rank } => {
                self.mark(*rank);
                Failure::ERROR
            }
            Error::RankOutOfRange { .. } => Failure::RANK,
            Error::OutOfBounds { .. } => Failure::REMOTE_OFFSET,
            Error::Misaligned { .. } => Failure::UNALIGNED,
            Error::TimeOut(_) => Failure::TIMEOUT,
            _ => {
                eprintln!("farside-gaspi: rank {}: {error}", self.rank());
                Failure::DEVICE
            }
        }
    }

    /// Takes in what has come.
    pub(crate) fn progress(&self) -> Outcome {
        loop {
            match self.fabric.receive() {
                Ok(None) => return Ok(()),
                Ok(Some(message)) => self.sort(message),
                // Whoever needs that rank is told by `wait`.
                Err(Error::PeerLost { rank }) => {
                    self.mark(rank);
                    return Ok(());
                }
                Err(error) => return Err(self.failure(&error)),
            }
        }
    }

    fn sort(&self, message: Message) {
        let Message { source, tag, bytes } = message;
        match tag {
            COLLECTIVE if bytes.len() >= 20 => {
                let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
                let step = Step {
                    context: word(0),
                    operation: word(8),
                    step: u32::from_le_bytes(bytes[16..20].try_into().unwrap_or_default()),
                };
                locked(&self.inbox)
                    .collective
                    .insert((source, step), bytes[20..].to_vec());
            }
            PASSIVE => locked(&self.inbox).passive.push_back((source, bytes)),
            // SAFETY: ends the process at once, as SIGKILL does; no code of it runs any more.
            KILL => unsafe { libc::_exit(137) },
            _ => {}
        }
        if self.waiting.load(Ordering::Acquire) > 1 {
            self.fabric.wake(self.rank());
        }
    }

    /// Sends a part of a collective operation.
    pub(crate) fn send_step(&self, target: Rank, step: Step, data: &[u8]) -> Outcome {
        let mut bytes = Vec::with_capacity(20 + data.len());
        bytes.extend_from_slice(&step.context.to_le_bytes());
        bytes.extend_from_slice(&step.operation.to_le_bytes());
        bytes.extend_from_slice(&step.step.to_le_bytes());
        bytes.extend_from_slice(data);
        self.send(target, COLLECTIVE, &bytes)
    }

    /// The part that a rank sent, once.
    pub(crate) fn take_step(&self, source: Rank, step: Step) -> Option<Vec<u8>> {
        locked(&self.inbox).collective.remove(&(source, step))
    }

    /// Bytes of a message that [`Net::send_passive`] and [`Net::send_step`] can send at once, beside their own.
    pub(crate) fn longest(&self) -> usize {
        self.fabric.capabilities().message_bytes - 32
    }

    pub(crate) fn send_passive(&self, target: Rank, bytes: &[u8]) -> Outcome {
        self.send(target, PASSIVE, bytes)
    }

    /// The next passive message.
    pub(crate) fn take_passive(&self) -> Option<(Rank, Vec<u8>)> {
        locked(&self.inbox).passive.pop_front()
    }

    /// Asks a rank of another host to end.
    pub(crate) fn send_kill(&self, target: Rank) -> Outcome {
        self.send(target, KILL, &[])
    }

    fn send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Outcome {
        let sent = self.fabric.send(target, tag, bytes);
        sent.map_err(|error| self.failure(&error))
    }

    /// Waits until `ready` says so, at most for `timeout`; `needs` says which ranks it cannot come without.
    ///
    /// # Errors
    /// TIMEOUT; ERROR, for a rank is lost that is needed; what `ready` returns.
    pub(crate) fn wait(
        &self,
        timeout: Timeout,
        needs: &dyn Fn(Rank) -> bool,
        ready: &mut dyn FnMut() -> Outcome<bool>,
    ) -> Outcome {
        let _waits = Waits::new(&self.waiting);
        let mut look = || self.progress().and_then(|()| ready());
        if timeout == TEST {
            return match look()? {
                true => Ok(()),
                false if self.needs_lost(needs) => Err(Failure::ERROR),
                false => {
                    if self.fabric.is_crowded() {
                        std::thread::yield_now();
                    }
                    Err(Failure::TIMEOUT)
                }
            };
        }
        let began = Instant::now();
        let limit = (timeout != BLOCK).then(|| Duration::from_millis(timeout));
        let mut failed = None;
        let waited = self.fabric.wait(limit, &mut || {
            Ok(look().unwrap_or_else(|failure| {
                failed = Some(failure);
                true
            }))
        });
        match (failed, waited) {
            (Some(failure), _) => Err(failure),
            (None, Ok(())) => Ok(()),
            (None, Err(Error::PeerLost { rank })) => {
                self.mark(rank);
                loop {
                    if look()? {
                        return Ok(());
                    }
                    if self.needs_lost(needs) {
                        return Err(Failure::ERROR);
                    }
                    if limit.is_some_and(|limit| began.elapsed() >= limit) {
                        return Err(Failure::TIMEOUT);
                    }
                    std::thread::sleep(LOOK);
                }
            }
            (None, Err(error)) => Err(self.failure(&error)),
        }
    }

    /// Whether one of some ranks is known to be lost.
    pub(crate) fn is_any_lost(&self, which: &dyn Fn(Rank) -> bool) -> bool {
        self.look_for_losses();
        let any = || (0..self.size()).any(|rank| self.is_corrupt(rank) && which(rank));
        self.losses.load(Ordering::Acquire) > 0 && any()
    }

    /// As [`Net::is_any_lost`], in a loop: now and then with a look at the processes, once a rank is lost.
    fn needs_lost(&self, needs: &dyn Fn(Rank) -> bool) -> bool {
        if self.is_any_lost(needs) {
            return true;
        }
        if self.fabric.lost().is_none() || !self.looks.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOKS) {
            return false;
        }
        self.look_for_processes();
        self.is_any_lost(needs)
    }

    /// Marks the ranks of this machine whose processes have ended.
    fn look_for_processes(&self) {
        for (rank, process) in (0..).zip(self.processes.get().into_iter().flatten()) {
            if process.is_some_and(|process| start_time(process).is_none()) {
                self.mark(rank);
            }
        }
    }
}

/// Counts a thread that waits.
struct Waits<'a>(&'a AtomicU32);

impl<'a> Waits<'a> {
    fn new(count: &'a AtomicU32) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
