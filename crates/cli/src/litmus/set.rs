//! Many tests at the same time, their results in the order asked for.

use crate::progress::{Activity, ticking};
use indicatif::{ProgressBar, ProgressStyle};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Applies `work` to every item; where that takes long, what is being done is shown if it is to be `shown`. The results
/// do not depend on the number of threads.
pub(super) fn run<T: Sync, R: Send>(
    items: &[T],
    threads: Option<NonZeroUsize>,
    shown: bool,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    if let [item] = items {
        let activity = Activity::begin(!shown);
        activity.now("looking for all outcomes of the test");
        return vec![work(item)];
    }
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = threads.unwrap_or_else(cores).get().min(items.len());
    if threads <= 1 && !shown {
        return items.iter().map(work).collect();
    }
    let bar = progress(items.len(), shown);
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((item, result)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).zip(results.get(index))
                } {
                    let done = work(item);
                    if let Ok(mut place) = result.lock() {
                        *place = Some(done);
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    results
        .into_iter()
        .filter_map(|result| result.into_inner().ok().flatten())
        .collect()
}

fn progress(length: usize, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} tests {wide_bar} {elapsed}, {eta} left") {
        bar.set_style(style);
    }
    ticking(bar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_depend_on_threads() {
        let items: Vec<u64> = (0..200).collect();
        let slow_first = |item: &u64| {
            if *item < 3 {
                thread::yield_now();
            }
            item * 2
        };
        let expected: Vec<u64> = items.iter().map(|item| item * 2).collect();
        for threads in [1, 2, 7, 500] {
            assert_eq!(
                run(&items, NonZeroUsize::new(threads), false, slow_first),
                expected
            );
        }
        assert_eq!(run(&[], None, false, slow_first), Vec::<u64>::new());
    }
}
