//! What an attacker tries who has no `unsafe`: to go on after a caught panic, to call from within a function of the
//! program's that the library calls, to use what is over. Memory that a rank is lent does not change under it.

mod support;

use farside::sim::{Network, Simulation};
use farside::{Error, Fence, Lock, Operation, Result, Window, World};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;
use support::{programs, with};

/// Runs a function that panics, and goes on.
fn caught(function: impl FnOnce() -> Result<()>) {
    let panicked = catch_unwind(AssertUnwindSafe(function));
    assert!(panicked.is_err(), "it panics");
}

/// Panics without a word on stderr.
fn panics<R>() -> R {
    resume_unwind(Box::new("on purpose"))
}

/// A panic within an inner epoch is caught, and the outer epoch goes on: nothing is started in it any more. It was: at
/// once, past the queue of the design, into memory that its owner still had as a slice.
#[test]
fn after_a_panic_that_was_caught_an_epoch_starts_nothing() {
    for fence in Fence::ALL {
        for ranks in [2, 3] {
            let run = farside::simulate_with(Simulation::new(&Network::ethernet_100g(), ranks), |world| {
                if world.fence_refusal(fence).is_some() {
                    return Ok(());
                }
                let mut window = Window::<u64>::allocate(world, 4)?;
                programs::choose(&mut window, fence)?;
                window.fence(|_| Ok(()))?;
                let target = world.size() - 1;
                if world.rank() == target {
                    let lent = window.local()?;
                    world.compute(Duration::from_millis(5));
                    assert_eq!(lent, [0; 4], "{fence}: they were lent");
                }
                let mut fetched = 0;
                let result = window.fence(|epoch| {
                    if world.rank() == 0 {
                        caught(|| epoch.local(|_| panics()));
                        let refused = [
                            epoch.put_value(13, target, 0),
                            epoch.put(&[13], target, 1),
                            epoch.accumulate(Operation::Sum, &[13], target, 2),
                            epoch.compare_and_swap(0, 13, &mut fetched, target, 3),
                            epoch.rput(vec![13], target, 0).map(drop),
                            epoch.fetch(Operation::Sum, 13, target, 0).map(drop),
                            epoch.put_notify(&[13], target, 0, 1),
                        ];
                        for refused in refused {
                            let broken = matches!(refused, Err(Error::Broken(_) | Error::Unsupported { .. }));
                            assert!(broken, "{fence}: {refused:?}");
                        }
                    }
                    Ok(())
                });
                // The fence is over at all ranks, and this one does not know what others do now.
                assert!(
                    world.rank() != 0 || window.local().is_err() || result.is_err(),
                    "{fence}"
                );
                Ok(())
            });
            let told = matches!(run, Ok(_) | Err(Error::Mismatch { .. } | Error::Broken(_)));
            assert!(told, "{fence}: {run:?}");
        }
    }
}

/// A notified put is not queued: where ranks begin an epoch without waiting for one another, it waits for its target.
#[test]
fn a_notified_put_waits_for_the_epoch_of_its_target() {
    for fence in Fence::ALL {
        let run = farside::simulate_with(Simulation::new(&Network::ethernet_100g(), 2), |world| {
            let mut window = Window::<u64>::allocate(world, 1)?;
            if world.fence_refusal(fence).is_some() || window.greatest_notice().is_none() {
                return Ok(());
            }
            programs::choose(&mut window, fence)?;
            for round in 1..=3 {
                if world.rank() == 1 {
                    let lent = window.local()?;
                    world.compute(Duration::from_millis(5));
                    assert_eq!(lent, [round - 1], "{fence}: it was lent");
                }
                let value = [round];
                window.fence(|epoch| match world.rank() {
                    0 => epoch.put_notify(&value, 1, 0, 7),
                    _ => epoch.wait_notice(Some(7)).map(drop),
                })?;
            }
            window.free()
        });
        run.unwrap_or_else(|error| panic!("{fence}: {error}"));
    }
}

/// A panic under a lock: what was broken off is over.
#[test]
fn after_a_panic_that_was_caught_a_lock_is_given_back_and_nothing_starts() {
    with(2, |world| {
        let window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        if world.rank() == 0 {
            let result = window.lock(1, Lock::Exclusive, |epoch| {
                epoch.remote(|batch| batch.put_value(1, 1, 0))?;
                caught(|| epoch.remote(|_| panics()));
                assert!(matches!(epoch.put_value(2, 1, 1), Err(Error::Broken(_))));
                Ok(())
            });
            result?;
        }
        world.barrier()?;
        if world.rank() == 1 {
            let mut window = window;
            window.lock_local(|elements| {
                assert_eq!(elements, [1, 0]);
                Ok(())
            })?;
        }
        world.barrier()
    });
}

/// What a function of the program's, which a reduction calls, calls itself: another function at each rank would take
/// the messages of one for those of the other, and so bytes for addresses.
#[test]
fn a_function_that_combines_cannot_mix_collective_calls() {
    with(2, |world| {
        let inner = RefCell::new(None);
        let mut values = [1u64; 4];
        let combined = world.allreduce_with(&mut values, |left, right| {
            if inner.borrow().is_none() {
                let result = if world.rank() == 0 {
                    Window::<u64>::allocate(world, 8).map(drop)
                } else {
                    let mut all = [0u64; 64];
                    world.allgather(&[u64::MAX; 32], &mut all)
                };
                inner.replace(Some(result));
            }
            left + right
        });
        let inner = inner.into_inner().expect("it was called");
        assert!(matches!(inner, Err(Error::Unsupported { .. })), "{inner:?}");
        combined?;
        assert_eq!(values, [2; 4]);
        world.barrier()
    });
}

/// A function that is asked while this rank waits panics, or calls the library again.
#[test]
fn a_function_that_is_asked_in_a_wait_may_panic_and_call() {
    with(2, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        let other = 1 - world.rank();
        for round in 1..=3u64 {
            caught(|| window.wait_until(0, |_| panics()).map(drop));
            let mut asked = 0;
            window.lock_all(|epoch| {
                epoch.remote(|batch| batch.put_value(round, other, 1))?;
                epoch.wait_until(1, |value| {
                    asked += 1;
                    let put = epoch.remote(|batch| batch.put_value(round, other, 2));
                    assert_eq!(put, Ok(()));
                    value >= round
                })?;
                Ok(())
            })?;
            assert!(asked > 0);
        }
        let window = window.into_active()?;
        assert_eq!(window.local()?, [0, 3, 3, 0]);
        window.free()
    });
}

/// Windows that are used when the part of their rank is over.
#[test]
fn a_window_is_used_after_its_rank_has_ended() -> Result<()> {
    thread_local! {
        static KEPT: RefCell<Option<Late>> = const { RefCell::new(None) };
    }
    /// Uses its window when its thread ends.
    struct Late(Window<u64, farside::Passive>);
    impl Drop for Late {
        fn drop(&mut self) {
            let other = 1 - self.0.group().rank();
            // It may work, or not: others have memory as long as windows of theirs are.
            let _ = self
                .0
                .lock(other, Lock::Exclusive, |epoch| epoch.put(&[9; 1 << 12], other, 0));
            let _ = self.0.lock_local(|elements| {
                elements.fill(7);
                Ok(())
            });
        }
    }
    for _ in 0..20 {
        farside::threads(2, |world| {
            let window = Window::<u64>::allocate(world, 1 << 12)?.into_passive()?;
            KEPT.set(Some(Late(window)));
            world.barrier()
        })?;
    }
    // As above, before the world is dropped.
    let world = World::init()?;
    let mut window = Window::<u64>::allocate(&world, 8)?;
    let origin = [5; 8];
    let ended = window.fence(|epoch| {
        world.finish()?;
        epoch.put(&origin, 0, 0)
    });
    assert!(ended.is_ok() || window.local().is_err(), "{ended:?}");
    Ok(())
}
