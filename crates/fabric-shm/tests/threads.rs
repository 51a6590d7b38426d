//! The conformance suite with ranks as threads of this process.

use farside_fabric::conformance::{Extent, checks, lose, run};
use farside_fabric::{AtomicKind, AtomicOperation, Fabric, Fetch, Put, Scope, Signal};
use farside_fabric_shm::ShmFabric;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn extent(rounds: u32) -> Extent {
    Extent {
        limit: Duration::from_secs(60),
        rounds,
        large: 3 << 20,
    }
}

/// Runs the checks whose names contain a word; how many each rank has passed.
fn conforms(size: u32, rounds: u32, filter: &'static str) -> Vec<usize> {
    let threads: Vec<_> = ShmFabric::threads(size)
        .expect("endpoints")
        .into_iter()
        .map(|fabric| {
            std::thread::spawn(move || {
                let number = run(&fabric, extent(rounds), filter, &mut |_| {})?;
                fabric.finish()?;
                Ok::<_, farside_fabric::conformance::Failure>(number)
            })
        })
        .collect();
    let passed = |thread: std::thread::JoinHandle<Result<_, _>>| {
        let passed = thread.join().expect("no panic");
        passed.unwrap_or_else(|failure| panic!("{failure}"))
    };
    threads.into_iter().map(passed).collect()
}

/// All checks that so many ranks can do.
fn all(size: u32, rounds: u32) {
    let wanted = checks().iter().filter(|check| check.ranks <= size).count();
    assert_eq!(conforms(size, rounds, ""), vec![wanted; size as usize]);
}

#[test]
fn one_rank() {
    all(1, 100);
}

#[test]
fn two_ranks() {
    all(2, 100);
}

#[test]
fn three_ranks() {
    all(3, 50);
}

#[test]
fn four_ranks() {
    all(4, 50);
}

#[test]
fn sixteen_ranks() {
    all(16, 14);
}

/// Many more ranks than processors.
#[test]
fn sixty_four_ranks() {
    let wanted = checks()
        .iter()
        .filter(|check| check.name.contains("order"))
        .count();
    assert_eq!(conforms(64, 7, "order"), [wanted; 64]);
}

/// Two threads of each of two ranks, all at once: messages, notifications, counts and sums.
#[test]
fn all_methods_are_called_by_several_threads() {
    const EACH: u64 = 3_000;
    let fabrics = ShmFabric::threads(2).expect("endpoints");
    let exposed: Vec<_> = fabrics
        .iter()
        .map(|fabric| fabric.expose(64).expect("memory"))
        .collect();
    let scope = Scope(0);
    let (received, notified) = (
        [(); 2].map(|()| AtomicU64::new(0)),
        [(); 2].map(|()| AtomicU64::new(0)),
    );
    std::thread::scope(|threads| {
        for (own, fabric) in fabrics.iter().enumerate() {
            for _ in 0..2 {
                let (exposed, received, notified) = (&exposed, &received[own], &notified[own]);
                threads.spawn(move || {
                    let other = 1 - own;
                    let remote = fabric
                        .connect(other as u32, &exposed[other].descriptor)
                        .expect("connected");
                    let one = 1_u64.to_ne_bytes();
                    let put = |signal| Put {
                        scope,
                        origin: one.as_ptr(),
                        bytes: 8,
                        remote,
                        displacement: 8,
                        signal,
                    };
                    let add = Fetch {
                        scope,
                        operation: AtomicOperation::Sum,
                        kind: AtomicKind::U64,
                        count: 1,
                        operands: one.as_ptr(),
                        results: std::ptr::null_mut(),
                        remote,
                        displacement: 0,
                    };
                    for number in 0..EACH {
                        fabric.send(other as u32, number, &one).expect("sent");
                        // SAFETY: the buffer lives, and operations end with their calls.
                        unsafe {
                            fabric.put(&put(Signal::Immediate(number as u32))).expect("put");
                            fabric.put(&put(Signal::Count)).expect("put");
                            fabric.fetch(&add).expect("added");
                        }
                    }
                    let all = 2 * EACH;
                    fabric
                        .wait(Some(Duration::from_secs(60)), &mut || {
                            received.fetch_add(fabric.receive()?.map_or(0, |_| 1), Ordering::Relaxed);
                            notified.fetch_add(fabric.notification()?.map_or(0, |_| 1), Ordering::Relaxed);
                            Ok(received.load(Ordering::Relaxed) == all
                                && notified.load(Ordering::Relaxed) == all
                                && fabric.arrivals(&exposed[own].region)? == all)
                        })
                        .expect("all came");
                    // SAFETY: nothing of this thread is pending, and each thread has a connection of its own.
                    unsafe { fabric.disconnect(remote).expect("disconnected") };
                });
            }
        }
    });
    for own in &exposed {
        // SAFETY: in bounds, aligned, and the endpoints live.
        let sum = unsafe { AtomicU64::from_ptr(own.base.as_ptr().cast()) };
        assert_eq!(sum.load(Ordering::Acquire), 2 * EACH);
    }
}

#[test]
fn an_endpoint_dropped_without_finish_is_lost() {
    let threads: Vec<_> = ShmFabric::threads(3)
        .expect("endpoints")
        .into_iter()
        .map(|fabric| std::thread::spawn(move || lose(&fabric, extent(10), &mut || {})))
        .collect();
    for thread in threads {
        thread
            .join()
            .expect("no panic")
            .unwrap_or_else(|failure| panic!("{failure}"));
    }
}
