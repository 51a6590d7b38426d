//! Simulations that other threads make before they are asked for.
//!
//! The search goes on in one thread, and asks for one simulation after the other. What it will ask for next is often
//! known: the same start with more processes, the inputs that were worked out together, each condition the other way.
//! Such questions are given to helpers. When the search comes to one of them, the answer is there, or nearly.
//!
//! Promise: an answer is what the thread that asks would have worked out itself, so that a report does not depend on
//! the number of helpers, nor on how fast they are. What was foreseen in vain costs processor time only.

use super::clock::Clock;
use super::question::{Made, Program, Question, Rounds};
use crate::budget::{self, Deadline, End};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// As much as the first thread of a program has.
const STACK: usize = 8 << 20;

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
    /// Nobody asks any more.
    over: Arc<AtomicBool>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Foreseen>,
    known: HashMap<Question, Answer>,
}

struct Foreseen {
    question: Question,
    rounds: Rounds,
    /// How much time it may take.
    time: Option<Duration>,
}

/// What became of a question that no longer waits.
enum Answer {
    Underway,
    Made(Rounds, Box<Made>),
}

/// Does something with helpers: so many, or as many as there are other processors.
pub(super) fn with_helpers<'m, T>(
    program: Program<'m>,
    most: usize,
    search: impl FnOnce(&Ahead<'m>) -> T,
) -> T {
    let others = thread::available_parallelism().map_or(0, |all| all.get() - 1);
    let ahead = Ahead {
        program,
        helpers: others.min(most),
        queue: Mutex::default(),
        changed: Condvar::new(),
        over: Arc::default(),
    };
    thread::scope(|scope| {
        let _ending = Ending(&ahead);
        for _ in 0..ahead.helpers {
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
        self.0.over.store(true, Ordering::Relaxed);
        self.0.lock().waiting.clear();
        self.0.changed.notify_all();
    }
}

impl Ahead<'_> {
    /// Foresees questions, in this order, that may take as much time as the clock allows.
    pub(super) fn ask(
        &self,
        questions: impl Iterator<Item = Question>,
        rounds: Rounds,
        clock: Clock,
        urgency: Urgency,
    ) {
        if self.helpers == 0 {
            return;
        }
        let time = clock.left();
        let mut queue = self.lock();
        let new: Vec<Foreseen> = questions
            .filter(|question| !queue.known.contains_key(question))
            .map(|question| Foreseen {
                question,
                rounds,
                time,
            })
            .collect();
        for foreseen in &new {
            queue
                .waiting
                .retain(|waiting| waiting.question != foreseen.question);
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
    pub(super) fn take(&self, question: &Question, rounds: Rounds) -> Option<Made> {
        let mut queue = self.lock();
        queue.waiting.retain(|waiting| waiting.question != *question);
        while matches!(queue.known.get(question), Some(Answer::Underway)) {
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        match queue.known.remove(question)? {
            Answer::Made(how, made) if how == rounds => {
                budget::count_as_mine(made.took);
                Some(*made)
            }
            _ => None,
        }
    }

    /// Simulations of fewer processes are not asked for any more.
    pub(super) fn forget_below(&self, size: u32) {
        let mut queue = self.lock();
        queue.waiting.retain(|waiting| waiting.question.size >= size);
        queue
            .known
            .retain(|question, answer| question.size >= size || matches!(answer, Answer::Underway));
    }

    /// Works out what waits, until the search is over.
    fn help(&self) {
        let clock = self.program.options.time.map(|limit| limit.clock);
        let mut queue = self.lock();
        while !self.over.load(Ordering::Relaxed) {
            let Some(foreseen) = queue.waiting.pop_front() else {
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            queue
                .known
                .insert(foreseen.question.clone(), Answer::Underway);
            drop(queue);
            let underway = Underway(self, &foreseen.question);
            let deadline = foreseen
                .time
                .zip(clock)
                .map(|(time, clock)| Deadline::after(time, clock));
            let end = End::at(deadline).or_called_off(&self.over);
            let made = foreseen.question.make(self.program, foreseen.rounds, &end);
            underway.ended(made.map(|made| Answer::Made(foreseen.rounds, Box::new(made))));
            queue = self.lock();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that a helper works out: whoever waits for it is told, even if that fails.
struct Underway<'a, 'm>(&'a Ahead<'m>, &'a Question);

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
        if matches!(queue.known.get(self.1), Some(Answer::Underway)) {
            queue.known.remove(self.1);
        }
        drop(queue);
        self.0.changed.notify_all();
    }
}
