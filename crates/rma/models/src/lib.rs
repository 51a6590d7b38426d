//! Models of the barrier of ranks that share processors: what loom finds in every interleaving, with the orders of
//! memory that Rust's model allows and not only those of the processor that runs it.
//!
//! A package of its own, since other dependencies of the crate's tests (tokio) do not build as loom's users do:
//! `RUSTFLAGS="--cfg loom" cargo test --release --manifest-path crates/rma/models/Cargo.toml`
#![cfg(all(test, loom))]

mod atomics {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
}

// Its sizes are for who lays windows out.
#[allow(dead_code)]
#[path = "../../src/central.rs"]
mod central;

use atomics::AtomicU64;
use central::Central;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// The words of a group of two ranks, and plain memory of each, which the barriers order.
struct Shared {
    arrivals: [AtomicU64; 2],
    complete: AtomicU64,
    of_rank: [UnsafeCell<u64>; 2],
}

fn shared() -> Arc<Shared> {
    Arc::new(Shared {
        arrivals: [AtomicU64::new(0), AtomicU64::new(0)],
        complete: AtomicU64::new(0),
        of_rank: [UnsafeCell::new(0), UnsafeCell::new(0)],
    })
}

impl Shared {
    /// Barrier number `count`, in a call of this code; whether all had one code.
    fn barrier(&self, count: u64, code: u64) -> bool {
        let central = Central::new(&self.arrivals, &self.complete);
        central.arrive(2, count, code);
        loop {
            match central.result(count) {
                Some(agreed) => return agreed,
                None => thread::yield_now(),
            }
        }
    }

    fn write(&self, rank: usize, value: u64) {
        // SAFETY: loom reports any access to the value that no barrier orders with this one.
        self.of_rank[rank].with_mut(|place| unsafe { *place = value });
    }

    fn read(&self, rank: usize) -> u64 {
        // SAFETY: as for `write`.
        self.of_rank[rank].with(|place| unsafe { *place })
    }
}

fn model(body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(body);
}

/// What a rank wrote before a barrier is there for the other after it, and what is read before one may be overwritten
/// after it; twice, for the words are set back and used again.
#[test]
fn a_barrier_orders_plain_memory_both_ways() {
    model(|| {
        let all = shared();
        let play = |all: Arc<Shared>, rank: usize| {
            for round in 0..2 {
                all.write(rank, round + 1);
                assert!(all.barrier(2 * round + 1, 7));
                assert_eq!(all.read(1 - rank), round + 1);
                assert!(all.barrier(2 * round + 2, 7));
            }
        };
        let other = Arc::clone(&all);
        let second = thread::spawn(move || play(other, 1));
        play(all, 0);
        second.join().expect("no panic");
    });
}

/// Two ranks in calls of different codes both learn it, and it is forgotten in the next barrier.
#[test]
fn both_learn_that_their_codes_differ() {
    model(|| {
        let all = shared();
        let play = |all: Arc<Shared>, code: u64| {
            assert!(!all.barrier(1, code));
            assert!(all.barrier(2, 9));
        };
        let other = Arc::clone(&all);
        let second = thread::spawn(move || play(other, 4));
        play(all, 3);
        second.join().expect("no panic");
    });
}
