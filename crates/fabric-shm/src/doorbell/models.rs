//! Models of the doorbell: what loom finds in every interleaving. See the head of the crate for how they run.

use super::*;
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use std::convert::Infallible;

/// A futex as the kernel promises it: to compare and to fall asleep is one step for wake-ups. Without a time limit: a
/// lost wake-up is a deadlock, which loom reports.
struct Model {
    queue: Mutex<()>,
    woken: Condvar,
}

impl Park for Model {
    fn sleep(&self, word: &AtomicU32, value: u32, _: Duration) {
        let queue = self.queue.lock().unwrap();
        if word.load(Ordering::Relaxed) == value {
            drop(self.woken.wait(queue).unwrap());
        }
    }

    fn wake(&self, _: &AtomicU32) {
        let _queue = self.queue.lock().unwrap();
        self.woken.notify_all();
    }
}

/// loom knows no membarrier(2): what is asymmetric has no fence at all here, and must fail.
pub(super) fn fence(fences: Fences) {
    if fences == Fences::Symmetric {
        loom::sync::atomic::fence(Ordering::SeqCst);
    }
}

struct World {
    fences: Fences,
    bell: Doorbell,
    park: Model,
    work: [AtomicU32; 2],
}

fn world(fences: Fences) -> Arc<World> {
    Arc::new(World {
        fences,
        bell: Doorbell::default(),
        park: Model {
            queue: Mutex::new(()),
            woken: Condvar::new(),
        },
        work: [AtomicU32::new(0), AtomicU32::new(0)],
    })
}

impl World {
    /// Relaxed, as a put of a byte may be: only the fences order.
    fn give(&self, work: usize) {
        self.work[work].store(1, Ordering::Relaxed);
        self.bell.ring(self.fences, &self.park);
    }

    fn wait(&self, works: &[usize]) {
        let mut ready = || {
            Ok::<_, Infallible>(
                works
                    .iter()
                    .all(|work| self.work[*work].load(Ordering::Relaxed) == 1),
            )
        };
        while !ready().unwrap() {
            let slept = self
                .bell
                .sleep(self.fences, &self.park, Duration::MAX, &mut ready)
                .unwrap();
            if slept == Slept::Ready {
                break;
            }
        }
    }
}

fn model(body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(body);
}

#[test]
fn no_wake_up_is_lost_to_one_ringer() {
    model(|| {
        let world = world(Fences::Symmetric);
        let ringer = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.give(0))
        };
        world.wait(&[0]);
        ringer.join().unwrap();
    });
}

/// The models can tell: without fences, a wake-up is lost, and the sleeper sleeps for ever.
#[test]
#[should_panic(expected = "deadlock")]
fn a_wake_up_is_lost_without_fences() {
    model(|| {
        let world = world(Fences::Asymmetric);
        let ringer = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.give(0))
        };
        world.wait(&[0]);
        ringer.join().unwrap();
    });
}

/// One ringer takes the flag of the sleeper that the other was to wake.
#[test]
fn no_wake_up_is_lost_to_two_ringers() {
    model(|| {
        let world = world(Fences::Symmetric);
        let ringers: Vec<_> = (0..2)
            .map(|work| {
                let world = Arc::clone(&world);
                thread::spawn(move || world.give(work))
            })
            .collect();
        world.wait(&[0, 1]);
        for ringer in ringers {
            ringer.join().unwrap();
        }
    });
}

/// Two threads of a rank sleep; one ring wakes both.
#[test]
fn no_wake_up_is_lost_to_two_sleepers() {
    model(|| {
        let world = world(Fences::Symmetric);
        let sleeper = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.wait(&[0]))
        };
        let ringer = {
            let world = Arc::clone(&world);
            thread::spawn(move || world.give(0))
        };
        world.wait(&[0]);
        sleeper.join().unwrap();
        ringer.join().unwrap();
    });
}
