//! One row: its units walked by several threads, and what they find taken in order.

use crate::error::Error;
pub use crate::folder::Counts;
use crate::folder::{Folder, Found};
use crate::wanted::{Content, Settings, Wanted};
use farside_explore::{Engine, Limits, outcomes};
use farside_forge::{Unit, Walk, units};
use farside_models::Model;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Instant;

/// Units that may be done before the one that is taken next.
const AHEAD: usize = 64;
/// Tests that may wait to be written: a bound on memory, for a unit may have tens of thousands.
const WAITING: usize = 20_000;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What was asked for.
    pub wanted: Wanted,
    /// What was counted.
    pub counts: Counts,
    /// Whether outputs were computed.
    pub explored: bool,
}

/// What was found in one unit of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Done {
    counts: Counts,
    /// Empty where nothing is written.
    found: Vec<Found>,
}

/// How far a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    /// Units done, of all.
    pub done: usize,
    /// All units.
    pub units: usize,
    /// Tests so far.
    pub tests: u64,
}

/// Finds the tests of a row, from where its folder was left on; `tell` hears how far it is.
///
/// # Errors
/// The folder cannot be used.
pub fn forge(wanted: &Wanted, settings: &Settings, tell: &mut dyn FnMut(News)) -> Result<Row, Error> {
    let begin = Instant::now();
    let mut folder = match &settings.out {
        Some(out) => Some(Folder::open(out, wanted, settings.content, settings.restart)?),
        None => None,
    };
    let (first, mut counts) = folder.as_ref().map_or((0, Counts::default()), Folder::left_at);
    let before = counts.elapsed;
    let explored = settings.content != Content::Counts;
    if !folder.as_ref().is_some_and(Folder::is_complete) {
        let units: Vec<(usize, Unit)> = units(&wanted.definition).into_iter().enumerate().collect();
        let mut news = News {
            done: first,
            units: units.len(),
            tests: counts.tests,
        };
        tell(news);
        let model = wanted.model();
        let keep = folder.is_some() && explored;
        let work = |unit: &Unit| walk(wanted, unit, explored.then_some(&model), keep);
        in_order(&units[first..], settings.threads, &work, &mut |index, done| {
            counts.add(&done.counts);
            counts.elapsed = before + begin.elapsed();
            news.done = index + 1;
            news.tests = counts.tests;
            tell(news);
            match &mut folder {
                Some(folder) => folder.take(&done.found, index + 1, &counts),
                None => Ok(()),
            }
        })?;
        counts.elapsed = before + begin.elapsed();
        if let Some(folder) = &mut folder {
            folder.complete(&counts)?;
        }
    }
    Ok(Row {
        wanted: *wanted,
        counts,
        explored,
    })
}

/// How many units each row has.
#[must_use]
pub fn units_of(rows: &[Wanted]) -> Vec<usize> {
    rows.iter()
        .map(|wanted| units(&wanted.definition).len())
        .collect()
}

/// Finds the tests of some units of some rows: of those that `has` names by their place among the units of all rows,
/// from 0. `take` gets what was found in each, in order. Nothing is written but what it writes.
///
/// # Errors
/// Those of `take`.
pub fn some<E>(
    rows: &[Wanted],
    settings: &Settings,
    has: &dyn Fn(usize) -> bool,
    take: &mut dyn FnMut(usize, Done) -> Result<(), E>,
) -> Result<(), E> {
    let explored = settings.content != Content::Counts;
    let mut before = 0;
    for wanted in rows {
        let all = units(&wanted.definition);
        let next = before + all.len();
        let mine: Vec<(usize, Unit)> = (before..).zip(all).filter(|(place, _)| has(*place)).collect();
        before = next;
        let model = wanted.model();
        let work = |unit: &Unit| walk(wanted, unit, explored.then_some(&model), explored);
        in_order(&mine, settings.threads, &work, take)?;
    }
    Ok(())
}

/// Makes a row of what was found in its units elsewhere: `next` gives what was found in each, in order. Times are those
/// of all processors that found it.
///
/// # Errors
/// The folder cannot be used, or an earlier run left something there; those of `next`.
pub fn join<E: From<Error>>(
    wanted: &Wanted,
    settings: &Settings,
    next: &mut dyn FnMut() -> Result<Done, E>,
) -> Result<Row, E> {
    let mut folder = match &settings.out {
        Some(out) => Some(Folder::open(out, wanted, settings.content, settings.restart)?),
        None => None,
    };
    if let Some(folder) = folder.as_ref().filter(|folder| folder.is_begun()) {
        let why = "an earlier run left something there; choose another folder";
        return Err(Error::Earlier(folder.path().to_path_buf(), why.to_owned()).into());
    }
    let mut counts = Counts::default();
    for unit in 0..units(&wanted.definition).len() {
        let done = next()?;
        counts.add(&done.counts);
        counts.elapsed += done.counts.generating + done.counts.exploring;
        if let Some(folder) = &mut folder {
            folder.take(&done.found, unit + 1, &counts)?;
        }
    }
    if let Some(folder) = &mut folder {
        folder.complete(&counts)?;
    }
    Ok(Row {
        wanted: *wanted,
        counts,
        explored: settings.content != Content::Counts,
    })
}

/// The tests of a unit.
fn walk(wanted: &Wanted, unit: &Unit, model: Option<&Model>, keep: bool) -> Done {
    let begin = Instant::now();
    let mut done = Done::default();
    let flow = Walk::new(&wanted.definition).unit(unit, &mut |test, _| {
        done.counts.tests += 1;
        if model.is_none() {
            return ControlFlow::Continue(());
        }
        let begin = Instant::now();
        let answer = model
            .and_then(|model| outcomes(&test.program("test"), model, Engine::Fast, &Limits::default()).ok());
        let spent = begin.elapsed();
        done.counts.exploring += spent;
        match &answer {
            Some(answer) => done.counts.outputs += answer.outcomes.len() as u64,
            None => done.counts.unanswered += 1,
        }
        if keep {
            done.found
                .push(Found::new(test, answer.as_ref(), spent.as_secs_f64()));
        }
        ControlFlow::Continue(())
    });
    // The visitor never stops a walk.
    let _ = flow;
    done.counts.generating = begin.elapsed().saturating_sub(done.counts.exploring);
    done
}

/// What threads share: results that wait for their turn.
struct Queue {
    next: usize,
    taken: usize,
    stopped: bool,
    waiting: BTreeMap<usize, Done>,
    /// Tests in what waits.
    tests: usize,
}

/// Applies `work` to units in several threads, and `take` to what comes of it, in order, with the numbers of the units.
fn in_order<E>(
    units: &[(usize, Unit)],
    threads: Option<NonZeroUsize>,
    work: &(dyn Fn(&Unit) -> Done + Sync),
    take: &mut dyn FnMut(usize, Done) -> Result<(), E>,
) -> Result<(), E> {
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = threads.unwrap_or_else(cores).get();
    let queue = Mutex::new(Queue {
        next: 0,
        taken: 0,
        stopped: false,
        waiting: BTreeMap::new(),
        tests: 0,
    });
    let changed = Condvar::new();
    // A thread that panicked has left the queue as it was between two changes.
    let lock = || queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let wait = |guard| {
        changed
            .wait(guard)
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let mut guard = lock();
                    // What waits comes after a unit that some thread works on, or is being taken: this ends.
                    while !guard.stopped
                        && guard.next < units.len()
                        && (guard.next >= guard.taken + AHEAD || guard.tests > WAITING)
                    {
                        guard = wait(guard);
                    }
                    let index = guard.next;
                    let Some((_, unit)) = units.get(index).filter(|_| !guard.stopped) else {
                        return;
                    };
                    guard.next += 1;
                    drop(guard);
                    let done = work(unit);
                    let mut guard = lock();
                    guard.tests += done.found.len();
                    guard.waiting.insert(index, done);
                    drop(guard);
                    changed.notify_all();
                }
            });
        }
        for (index, (number, _)) in units.iter().enumerate() {
            let mut guard = lock();
            let done = loop {
                match guard.waiting.remove(&index) {
                    Some(done) => break done,
                    None => guard = wait(guard),
                }
            };
            guard.taken = index + 1;
            guard.tests -= done.found.len();
            drop(guard);
            changed.notify_all();
            if let Err(error) = take(*number, done) {
                lock().stopped = true;
                changed.notify_all();
                return Err(error);
            }
        }
        Ok(())
    })
}
