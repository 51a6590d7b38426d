//! Simulations that other threads make before they are asked for.
//!
//! The search goes on in one thread, and asks for one simulation after the other. What it will ask for next is often
//! known: the same start with more processes, the inputs that were worked out together, each condition the other way.
//! Such questions are given to helpers. When the search comes to one of them, the answer is there, or nearly.
//!
//! Promise: an answer is what the thread that asks would have worked out itself, so that a report does not depend on
//! the number of helpers, nor on how fast they are. What was foreseen in vain costs processor time only.

use super::Simulation;
use super::clock::Clock;
use super::question::{Program, Question, Rounds};
use crate::budget::{self, Deadline, End};
use rustc_hash::FxHashMap as HashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// As much as the first thread of a program has.
pub(super) const STACK: usize = 8 << 20;

/// When a question is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// Before all others: it is asked for next.
    Next,
    /// After all that wait already.
    Later,
}

/// Questions that were foreseen, and what came of them.
pub(super) struct Ahead<'m> {
    program: Program<'m>,
    helpers: usize,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Foreseen>,
    known: HashMap<Key, Answer>,
    /// Nobody asks any more.
    over: bool,
}

/// What is simulated, and how.
type Key = (Question, Rounds);

struct Foreseen {
    key: Key,
    /// How much time it may take.
    time: Option<Duration>,
}

/// What became of a question that no longer waits.
enum Answer {
    /// It is being made, until it is called off.
    Underway(Arc<AtomicBool>),
    /// The simulation, and what it took of the clock that limits all of them.
    Made(Box<Simulation>, Duration),
}

impl Answer {
    fn call_off(&self) {
        if let Self::Underway(called_off) = self {
            called_off.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches with so many helpers.
pub(super) fn with_helpers<'m, T>(
    program: Program<'m>,
    helpers: usize,
    search: impl FnOnce(&Ahead<'m>) -> T,
) -> T {
    let ahead = Ahead {
        program,
        helpers,
        queue: Mutex::default(),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        let _ending = Ending(&ahead);
        for _ in 0..helpers {
            let helper = thread::Builder::new().stack_size(STACK);
            // Where there can be no more threads, there are fewer.
            let _ = helper.spawn_scoped(scope, || ahead.help());
        }
        search(&ahead)
    })
}

/// Lets the helpers go, however the search ends.
struct Ending<'a, 'm>(&'a Ahead<'m>);

impl Drop for Ending<'_, '_> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.over = true;
        queue.known.values().for_each(Answer::call_off);
        drop(queue);
        self.0.changed.notify_all();
    }
}

impl Ahead<'_> {
    /// Foresees these, in this order, that may take as much time as the clock allows.
    pub(super) fn ask(&self, keys: impl Iterator<Item = Key>, clock: Clock, urgency: Urgency) {
        if self.helpers == 0 {
            return;
        }
        let time = clock.left();
        let mut queue = self.lock();
        let new: Vec<Foreseen> = keys
            .filter(|key| !queue.known.contains_key(key))
            .map(|key| Foreseen { key, time })
            .collect();
        for foreseen in &new {
            queue.waiting.retain(|waiting| waiting.key != foreseen.key);
        }
        match urgency {
            Urgency::Next => new
                .into_iter()
                .rev()
                .for_each(|foreseen| queue.waiting.push_front(foreseen)),
            Urgency::Later => queue.waiting.extend(new),
        }
        drop(queue);
        self.changed.notify_all();
    }

    /// What a helper made of a question, if one has begun with it; else it is foreseen no longer.
    pub(super) fn take(&self, key: &Key) -> Option<Simulation> {
        let mut queue = self.lock();
        queue.waiting.retain(|waiting| waiting.key != *key);
        while matches!(queue.known.get(key), Some(Answer::Underway(_))) {
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        match queue.known.remove(key)? {
            Answer::Made(simulation, took) => {
                budget::count_as_mine(took);
                Some(*simulation)
            }
            Answer::Underway(_) => None,
        }
    }

    /// Rounds are followed one by one for longer from now on: what was foreseen with others will not be asked for.
    pub(super) fn follow_longer(&self) {
        let mut queue = self.lock();
        let queue = &mut *queue;
        for foreseen in &mut queue.waiting {
            foreseen.key.1 = Rounds::Longer;
        }
        queue.known.retain(|(_, rounds), answer| {
            let is_wanted = *rounds != Rounds::Together;
            if !is_wanted {
                answer.call_off();
            }
            is_wanted || matches!(answer, Answer::Underway(_))
        });
    }

    /// This one will not be asked for.
    pub(super) fn give_up(&self, key: &Key) {
        let mut queue = self.lock();
        queue.waiting.retain(|waiting| waiting.key != *key);
        if let Some(answer) = queue.known.get(key) {
            answer.call_off();
        }
    }

    /// Simulations of fewer processes are not asked for any more.
    pub(super) fn forget_below(&self, size: u32) {
        let mut queue = self.lock();
        queue.waiting.retain(|waiting| waiting.key.0.size() >= size);
        queue
            .known
            .retain(|(question, _), answer| question.size() >= size || matches!(answer, Answer::Underway(_)));
    }

    /// Simulations of more processes are asked for otherwise than they were foreseen.
    pub(super) fn forget_above(&self, size: u32) {
        let mut queue = self.lock();
        queue.waiting.retain(|waiting| waiting.key.0.size() <= size);
        let vain = queue
            .known
            .iter()
            .filter(|((question, _), _)| question.size() > size);
        vain.for_each(|(_, answer)| answer.call_off());
    }

    /// Works out what waits, until the search is over.
    fn help(&self) {
        let clock = self.program.clock();
        let now = || clock.map_or(Duration::ZERO, |clock| clock());
        let mut queue = self.lock();
        while !queue.over {
            let Some(Foreseen { key, time }) = queue.waiting.pop_front() else {
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            if queue.known.contains_key(&key) {
                continue;
            }
            let called_off = Arc::<AtomicBool>::default();
            let end = End::when(&called_off);
            let answer = Answer::Underway(Arc::clone(&called_off));
            queue.known.insert(key.clone(), answer);
            drop(queue);
            let underway = Underway(self, &key);
            let deadline = time.zip(clock).map(|(time, clock)| Deadline::after(time, clock));
            let begin = now();
            let made = key.0.make(self.program, key.1, &end.at(deadline));
            let took = now().saturating_sub(begin);
            // What was called off may have been ended for that, and is no answer for anybody.
            let made = made.filter(|_| !called_off.load(Ordering::Relaxed));
            underway.ended(made.map(|simulation| Answer::Made(Box::new(simulation), took)));
            queue = self.lock();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that a helper works out: whoever waits for it is told, even if that fails.
struct Underway<'a, 'm>(&'a Ahead<'m>, &'a Key);

impl Underway<'_, '_> {
    fn ended(self, answer: Option<Answer>) {
        if let Some(answer) = answer {
            self.0.lock().known.insert(self.1.clone(), answer);
        }
    }
}

impl Drop for Underway<'_, '_> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        if matches!(queue.known.get(self.1), Some(Answer::Underway(_))) {
            queue.known.remove(self.1);
        }
        drop(queue);
        self.0.changed.notify_all();
    }
}
