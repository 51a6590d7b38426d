//! Why ranks are coroutines: what it takes to hand over between threads, and between coroutines.
//!
//! `cargo run --release -p farside-fabric-sim --example handover`

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Each of `ranks` coroutines runs `rounds` times, in turn.
fn coroutines(ranks: u32, rounds: u32) -> std::io::Result<Duration> {
    let mut crew = Vec::new();
    for _ in 0..ranks {
        crew.push(Coroutine::with_stack(
            DefaultStack::new(256 << 10)?,
            move |way: &corosensei::Yielder<(), ()>, ()| {
                (0..rounds).for_each(|_| way.suspend(()));
            },
        ));
    }
    let began = Instant::now();
    let mut handovers = 0;
    for _ in 0..rounds {
        for member in &mut crew {
            handovers += u32::from(matches!(member.resume(()), CoroutineResult::Yield(())));
        }
    }
    let time = began.elapsed() / handovers;
    crew.iter_mut().for_each(|member| {
        let _ = member.resume(());
    });
    Ok(time)
}

/// The same with threads, which wait for their turn at a condition variable each.
fn threads(ranks: usize, rounds: usize) -> Duration {
    let turn = Mutex::new(0);
    let bells: Vec<Condvar> = (0..ranks).map(|_| Condvar::new()).collect();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for rank in 0..ranks {
            let (turn, bells) = (&turn, &bells);
            scope.spawn(move || {
                for round in 0..rounds {
                    let Ok(mut now) = turn.lock() else { return };
                    while *now != round * ranks + rank {
                        now = match bells[rank].wait(now) {
                            Ok(now) => now,
                            Err(_) => return,
                        };
                    }
                    *now += 1;
                    bells[(rank + 1) % ranks].notify_one();
                }
            });
        }
    });
    began.elapsed() / (ranks * rounds) as u32
}

fn main() -> std::io::Result<()> {
    println!("coroutines: {:?} a handover, 4,096 ranks", coroutines(4096, 500)?);
    println!("threads:    {:?} a handover, 64 ranks", threads(64, 500));
    Ok(())
}
