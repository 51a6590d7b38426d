//! One row: its units walked by several threads, and what they find taken in order.

use super::arguments::{ForgeArguments, Wanted};
use super::folder::Folder;
use crate::fault::Fault;
use farside_explore::answer::Answer;
use farside_explore::{Engine, Limits, outcomes};
use farside_forge::{Test, Unit, Walk, units};
use farside_models::Model;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Units that may be done before the one that is taken next.
const AHEAD: usize = 64;
/// Tests that may wait to be written: a bound on memory, for a unit may have tens of thousands.
const WAITING: usize = 20_000;

/// What was counted so far. Written to disk, so that a run can go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Counts {
    pub(super) tests: u64,
    pub(super) outputs: u64,
    /// Tests that the engine could not answer within its budget.
    pub(super) unanswered: u64,
    /// Of all threads together, in finding tests.
    pub(super) generating: Duration,
    /// Of all threads together, in computing outputs.
    pub(super) exploring: Duration,
    /// On the clock.
    pub(super) elapsed: Duration,
}

/// A row of the table.
pub(super) struct Row {
    pub(super) wanted: Wanted,
    pub(super) counts: Counts,
    /// Whether outputs were computed.
    pub(super) explored: bool,
}

/// A test, and what a model says of it; nothing where no outputs are wanted, or the budget was spent.
pub(super) struct Found {
    pub(super) test: Test,
    pub(super) answer: Option<Answer>,
    pub(super) seconds: f64,
}

/// A unit that is done.
#[derive(Default)]
struct Done {
    counts: Counts,
    /// Empty where nothing is written.
    found: Vec<Found>,
}

/// The model that expected outputs are computed under.
pub(super) fn model(wanted: &Wanted) -> Model {
    let name = match wanted.definition.routing_to_self {
        true => "coreRMA-IR-self",
        false => "coreRMA",
    };
    // A shipped model: its tests would fail before this does.
    farside_models::named(name).unwrap_or_else(|| panic!("no shipped model {name}"))
}

/// Finds the tests of a row, from where its folder was left on.
pub(super) fn forge(
    wanted: &Wanted,
    arguments: &ForgeArguments,
    mut folder: Option<Folder>,
    bar: &ProgressBar,
) -> Result<Row, Fault> {
    let begin = Instant::now();
    let (first, mut counts) = folder.as_ref().map_or((0, Counts::default()), Folder::left_at);
    let before = counts.elapsed;
    let explored = !arguments.count;
    if !folder.as_ref().is_some_and(Folder::is_complete) {
        let units = units(&wanted.definition);
        bar.set_length(units.len() as u64);
        bar.set_position(first as u64);
        let model = model(wanted);
        let keep = folder.is_some() && explored;
        let work = |unit: &Unit| walk(wanted, unit, explored.then_some(&model), keep);
        in_order(&units, first, arguments.threads, &work, &mut |index, done| {
            counts.tests += done.counts.tests;
            counts.outputs += done.counts.outputs;
            counts.unanswered += done.counts.unanswered;
            counts.generating += done.counts.generating;
            counts.exploring += done.counts.exploring;
            counts.elapsed = before + begin.elapsed();
            bar.inc(1);
            bar.set_message(counts.tests.to_string());
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
            done.found.push(Found {
                test: test.clone(),
                answer,
                seconds: spent.as_secs_f64(),
            });
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

/// Applies `work` to the units from `first` on, in several threads, and `take` to what comes of it, in order.
fn in_order(
    units: &[Unit],
    first: usize,
    threads: Option<NonZeroUsize>,
    work: &(dyn Fn(&Unit) -> Done + Sync),
    take: &mut dyn FnMut(usize, Done) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = threads.unwrap_or_else(cores).get();
    let queue = Mutex::new(Queue {
        next: first,
        taken: first,
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
                    // What waits is behind a unit that some thread is at, or is being taken: this ends.
                    while !guard.stopped
                        && guard.next < units.len()
                        && (guard.next >= guard.taken + AHEAD || guard.tests > WAITING)
                    {
                        guard = wait(guard);
                    }
                    let index = guard.next;
                    let Some(unit) = units.get(index).filter(|_| !guard.stopped) else {
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
        for index in first..units.len() {
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
            if let Err(fault) = take(index, done) {
                lock().stopped = true;
                changed.notify_all();
                return Err(fault);
            }
        }
        Ok(())
    })
}
