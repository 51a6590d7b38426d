//! Events on their way to several judges, each of which gets all of them.
//!
//! Whoever hands them on waits for the slowest judge, so that what waits is bounded.

use farside_events::{Event, Rank};
use farside_race::Ending;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Events that are handed on together.
pub(super) type Batch = Vec<(Rank, Event)>;

/// The batches that not all judges have judged.
#[derive(Debug)]
pub(super) struct Queue {
    /// Batches that may wait for a judge.
    depth: u64,
    state: Mutex<State>,
    changed: Condvar,
    /// Nothing more is to be judged.
    stopped: AtomicBool,
    /// Findings of each judge so far.
    found: Vec<AtomicUsize>,
}

#[derive(Debug)]
struct State {
    batches: VecDeque<Arc<Batch>>,
    /// The number of the first of them.
    first: u64,
    /// By judge: how many it has judged; of one that was given up, more than there can be.
    judged: Vec<u64>,
    /// A judge has come to its end before its time.
    lost: bool,
    ending: Option<Ending>,
}

impl State {
    fn handed(&self) -> u64 {
        self.first + self.batches.len() as u64
    }

    /// Batches that all have judged.
    fn done(&self) -> u64 {
        self.judged.iter().copied().min().unwrap_or(0).min(self.handed())
    }

    fn drop_done(&mut self) {
        while self.first < self.done() {
            self.batches.pop_front();
            self.first += 1;
        }
    }

    /// Nobody comes any more who would make progress.
    fn is_over(&self) -> bool {
        self.lost || self.ending.is_some()
    }
}

impl Queue {
    /// For so many judges, of which each may have `depth` batches waiting.
    pub(super) fn new(judges: usize, depth: u64) -> Self {
        Self {
            depth,
            state: Mutex::new(State {
                batches: VecDeque::new(),
                first: 0,
                judged: vec![0; judges],
                lost: false,
                ending: None,
            }),
            changed: Condvar::new(),
            stopped: AtomicBool::new(false),
            found: (0..judges).map(|_| AtomicUsize::new(0)).collect(),
        }
    }

    /// Hands a batch to all judges.
    pub(super) fn push(&self, batch: Batch) {
        self.state().batches.push_back(Arc::new(batch));
        self.changed.notify_all();
    }

    /// Waits until little waits, until that moment at the longest; says whether it is so. It is, too, if a judge was
    /// lost.
    pub(super) fn has_room(&self, until: Instant) -> bool {
        self.wait(Some(until), |state| state.handed() - state.done() < self.depth)
    }

    /// Waits until all is judged, until that moment at the longest; says whether it is so, or a judge was lost.
    pub(super) fn is_idle(&self, until: Option<Instant>) -> bool {
        self.wait(until, |state| state.handed() == state.done())
    }

    /// Whether a judge has come to its end before its time.
    pub(super) fn has_lost(&self) -> bool {
        self.state().lost
    }

    /// Nothing more is to be judged, of what waits neither. Gives the events that not all have judged.
    pub(super) fn stop(&self) -> u64 {
        // Asked before: who leaves a batch in its midst counts it as judged.
        let waiting = self.waiting();
        self.stopped.store(true, Ordering::Relaxed);
        waiting
    }

    /// Events that not all have judged.
    pub(super) fn waiting(&self) -> u64 {
        let state = self.state();
        let judged = usize::try_from(state.done().saturating_sub(state.first)).unwrap_or(usize::MAX);
        state
            .batches
            .iter()
            .skip(judged)
            .map(|batch| batch.len() as u64)
            .sum()
    }

    /// No batch comes any more, for the stream ended like this.
    pub(super) fn close(&self, ending: Ending) {
        self.state().ending = Some(ending);
        self.changed.notify_all();
    }

    /// The findings of all judges so far; some may be met by several.
    pub(super) fn found(&self) -> usize {
        self.found.iter().map(|found| found.load(Ordering::Relaxed)).sum()
    }

    /// The batch of this number, which not all have judged, or how the stream ended. One that who asks does not need,
    /// since it was given up, is the end.
    pub(super) fn next(&self, number: u64) -> Result<Arc<Batch>, Ending> {
        let mut state = self.state();
        loop {
            let Some(index) = number.checked_sub(state.first) else {
                return Err(Ending::Broken);
            };
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            match (state.batches.get(index), &state.ending) {
                (Some(batch), _) => return Ok(Arc::clone(batch)),
                (None, Some(ending)) => return Err(ending.clone()),
                (None, None) => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Whether nothing more is to be judged.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// A judge has judged its batch, and has so many findings.
    pub(super) fn judged(&self, judge: usize, found: usize) {
        self.found[judge].store(found, Ordering::Relaxed);
        let mut state = self.state();
        state.judged[judge] += 1;
        state.drop_done();
        drop(state);
        self.changed.notify_all();
    }

    /// A judge on another host judges nothing more; nobody waits for it.
    pub(super) fn give_up(&self, judge: usize) {
        let mut state = self.state();
        state.judged[judge] = u64::MAX;
        state.drop_done();
        drop(state);
        self.changed.notify_all();
    }

    /// A judge has come to its end before its time.
    pub(super) fn lose(&self) {
        self.state().lost = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, until: Option<Instant>, enough: impl Fn(&State) -> bool) -> bool {
        let mut state = self.state();
        loop {
            if enough(&state) || state.is_over() {
                return true;
            }
            state = match until {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    let (state, _) = self
                        .changed
                        .wait_timeout(state, left)
                        .unwrap_or_else(PoisonError::into_inner);
                    state
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{EventKind, ThreadId};
    use std::time::Duration;

    fn batch() -> Batch {
        let event = Event {
            time: 1,
            thread: ThreadId(0),
            kind: EventKind::Exit,
        };
        vec![(Rank(0), event)]
    }

    #[test]
    fn whoever_hands_on_waits_for_the_slowest() {
        let queue = Queue::new(2, 4);
        let now = Instant::now();
        for _ in 0..4 {
            assert!(queue.has_room(now));
            queue.push(batch());
        }
        assert!(!queue.has_room(now) && queue.waiting() == 4);
        assert!(queue.next(0).is_ok());
        queue.judged(0, 1);
        assert!(!queue.has_room(now) && !queue.is_idle(Some(now)));
        queue.judged(1, 2);
        assert!(queue.has_room(now) && queue.found() == 3 && queue.waiting() == 3);
        assert!(queue.next(0).is_err() && queue.next(1).is_ok());
    }

    #[test]
    fn nobody_waits_for_a_judge_that_was_given_up() {
        let queue = Queue::new(2, 1);
        queue.push(batch());
        queue.judged(0, 0);
        let now = Instant::now();
        assert!(!queue.has_room(now));
        queue.give_up(1);
        assert!(queue.has_room(now) && queue.is_idle(None));
        queue.push(batch());
        assert!(!queue.has_room(now) && queue.waiting() == 1);
        queue.give_up(0);
        assert!(queue.has_room(now) && queue.waiting() == 0);
    }

    #[test]
    fn nobody_waits_for_a_judge_that_is_lost() {
        let queue = Queue::new(1, 4);
        (0..8).for_each(|_| queue.push(batch()));
        assert!(!queue.is_idle(Some(Instant::now() + Duration::from_millis(1))));
        queue.lose();
        assert!(queue.is_idle(None) && queue.has_room(Instant::now()) && queue.has_lost());
    }

    #[test]
    fn what_waits_is_judged_before_the_end() {
        let queue = Queue::new(1, 4);
        queue.push(batch());
        queue.close(Ending::Complete);
        assert!(queue.next(0).is_ok());
        queue.judged(0, 0);
        assert_eq!(queue.next(1).err(), Some(Ending::Complete));
    }
}
