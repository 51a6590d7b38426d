//! Processes that are not equally fast, where a run is to go in another order: `farside check --orders`.
//!
//! Promise: a process only waits, before calls of the library that it makes in any case, and all its waits together
//! are no longer than [`MOST`]. So the run is one that the program may have.

use crate::mix::mix;
use farside_spool::replay::Replay;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The longest wait before a call, in microseconds: some processes are slow, some fast.
const WAITS: [u64; 4] = [0, 60, 600, 6000];
/// A process waits before one of so many calls.
const ONE_IN: u64 = 3;
/// All waits of a process together, in microseconds.
const MOST: u64 = 3_000_000;

/// How fast this process is, if that was said.
static SPEED: OnceLock<Option<Speed>> = OnceLock::new();

struct Speed {
    seed: u64,
    longest: u64,
    calls: AtomicU64,
    waited: AtomicU64,
}

/// The process has this rank from now on.
pub(crate) fn begin(rank: u32) {
    SPEED.get_or_init(|| {
        let seed = mix(Replay::given().speeds()?, [u64::from(rank)]);
        Some(Speed {
            seed,
            longest: WAITS[(seed % 4) as usize],
            calls: AtomicU64::new(0),
            waited: AtomicU64::new(0),
        })
    });
}

/// A call is about to be forwarded.
pub(crate) fn wait() {
    let Some(Some(speed)) = SPEED.get() else { return };
    let drawn = mix(speed.seed, [speed.calls.fetch_add(1, Ordering::Relaxed)]);
    if speed.longest == 0 || !drawn.is_multiple_of(ONE_IN) {
        return;
    }
    let time = (drawn >> 32) % speed.longest;
    if speed.waited.fetch_add(time, Ordering::Relaxed) < MOST {
        std::thread::sleep(Duration::from_micros(time));
    }
}
