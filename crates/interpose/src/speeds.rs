//! Processes and threads that are not equally fast, where a run is to go in another order: `farside check --orders`.
//!
//! Promise: a thread only waits, before calls of the library, locks and atomic operations that it makes in any case,
//! and all waits of a process together are no longer than [`MOST`]. So the run is one that the program may have.

use crate::mix::mix;
use farside_spool::replay::Replay;
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The longest wait before a call, in microseconds: some processes, and some threads, are slow, some fast.
const WAITS: [u64; 4] = [0, 60, 600, 6000];
/// A thread waits before one of so many calls: some often from the beginning, some rarely and longer on.
const ONE_IN: [u64; 3] = [1, 3, 9];
/// All waits of a process together, in microseconds.
const MOST: u64 = 3_000_000;

/// What the speeds of this process are drawn from, if there are to be any.
static PROCESS: OnceLock<Option<Process>> = OnceLock::new();

struct Process {
    seed: u64,
    threads: AtomicU64,
    waited: AtomicU64,
}

thread_local! {
    /// The speed of this thread.
    static OWN: Cell<Option<Speed>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct Speed {
    seed: u64,
    longest: u64,
    one_in: u64,
    calls: u64,
}

impl Process {
    /// The speed of a thread that comes by for the first time.
    fn draw(&self) -> Speed {
        let seed = match self.threads.fetch_add(1, Ordering::Relaxed) {
            0 => self.seed,
            thread => mix(self.seed, [thread]),
        };
        Speed {
            seed,
            longest: WAITS[(seed % 4) as usize],
            one_in: ONE_IN[(seed / 4 % 3) as usize],
            calls: 0,
        }
    }
}

/// The process has this rank from now on.
pub(crate) fn begin(rank: u32) {
    PROCESS.get_or_init(|| {
        Some(Process {
            seed: mix(Replay::given().speeds()?, [u64::from(rank)]),
            threads: AtomicU64::new(0),
            waited: AtomicU64::new(0),
        })
    });
}

/// Whether threads are to wait.
#[inline]
pub(crate) fn are_told() -> bool {
    matches!(PROCESS.get(), Some(Some(_)))
}

/// The thread is about to do something that others may do first.
pub(crate) fn wait() {
    let Some(Some(process)) = PROCESS.get() else {
        return;
    };
    // A thread that ends has nothing left to wait for.
    let own = OWN.try_with(|own| {
        let speed = own.get().unwrap_or_else(|| process.draw());
        let calls = speed.calls + 1;
        own.set(Some(Speed { calls, ..speed }));
        speed
    });
    let Ok(speed) = own else { return };
    let drawn = mix(speed.seed, [speed.calls]);
    if speed.longest == 0 || !drawn.is_multiple_of(speed.one_in) {
        return;
    }
    let time = speed.longest / 2 + (drawn >> 32) % (speed.longest / 2);
    if process.waited.fetch_add(time, Ordering::Relaxed) < MOST {
        std::thread::sleep(Duration::from_micros(time));
    }
}
