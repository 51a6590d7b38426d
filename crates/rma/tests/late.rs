//! Locks that are taken late, on a network whose targets execute what others ask for: an epoch of short puts is one
//! round trip, and everything else is as with a lock that was taken at once.

mod support;

use farside::sim::{Network, Simulation};
use farside::{Error, Lock, Operation, Result, Window, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Runs a program on so many ranks of such a network.
fn on_tcp<R>(ranks: u32, program: impl Fn(&World) -> Result<R>) -> Vec<R> {
    let simulation = Simulation::new(&Network::tcp(), ranks);
    farside::simulate_with(simulation, program).unwrap_or_else(|error| panic!("{error}"))
}

/// What rank 0 takes for something, while rank 1 waits in a barrier.
fn time(world: &World, something: impl FnOnce() -> Result<()>) -> Result<Duration> {
    world.barrier()?;
    let began = world.now();
    if world.rank() == 0 {
        something()?;
    }
    let time = world.now() - began;
    world.barrier()?;
    Ok(time)
}

#[test]
fn an_epoch_of_short_puts_is_one_round_trip() {
    on_tcp(2, |world| {
        let mut window = Window::<u64>::allocate(world, 64)?.into_passive()?;
        let mut fetch = Duration::ZERO;
        window.lock_all(|epoch| {
            epoch.fetch(Operation::Sum, 0, 1, 0)?.wait()?;
            fetch = time(world, || epoch.fetch(Operation::Sum, 0, 1, 0)?.wait().map(drop))?;
            Ok(())
        })?;
        for lock in [Lock::Exclusive, Lock::Shared] {
            let epoch = time(world, || {
                window.lock(1, lock, |epoch| {
                    epoch.put(&[1, 2], 1, 0)?;
                    epoch.put_value(3, 1, 9)
                })
            })?;
            assert!(
                epoch.as_secs_f64() < 1.2 * fetch.as_secs_f64(),
                "{lock:?}: {epoch:?}, and {fetch:?} for an atomic operation"
            );
        }
        let window = window.into_active()?;
        assert!(world.rank() == 0 || window.local()?[..10] == [1, 2, 0, 0, 0, 0, 0, 0, 0, 3]);
        window.free()
    });
}

#[test]
fn what_needs_the_lock_takes_it_before() {
    on_tcp(3, |world| {
        let window = Window::<u64>::allocate(world, 2000)?.into_passive()?;
        let me = u64::from(world.rank());
        let (long, mut found) = (vec![me; 1000], [9, 9]);
        for round in 0..5 {
            window.lock(0, Lock::Exclusive, |epoch| {
                epoch.put_value(me, 0, 0)?;
                world.compute(Duration::from_micros(7));
                match round {
                    // More than is kept, also by their number.
                    0 => epoch.put(&long, 0, 1)?,
                    1 => (1..100).try_for_each(|at| epoch.put_value(me, 0, at))?,
                    2 => epoch.remote(|batch| batch.put_value(me, 0, 1))?,
                    3 => epoch.flush_all()?,
                    _ => {
                        epoch.fetch(Operation::Replace, me, 0, 1)?.wait()?;
                    }
                }
                // What others put into the same place comes before or after all of it.
                epoch.flush(0)?;
                epoch.remote(|batch| batch.get(&mut found, 0, 0))?;
                assert!(
                    found[0] == me && (round == 3 || found[1] == me),
                    "round {round}: {found:?}"
                );
                world.compute(Duration::from_micros(7));
                epoch.put_value(me, 0, 1)
            })?;
        }
        let rput = window.lock(0, Lock::Shared, |epoch| epoch.rput(vec![7; 3], 0, 100)?.wait())?;
        assert_eq!(rput, [7; 3]);
        window.lock(0, Lock::Shared, |_| Ok(()))?;
        let window = window.into_active()?;
        assert!(
            world.rank() != 0
                || (window.local()?[100..103] == [7; 3] && window.local()?[0] == window.local()?[1])
        );
        window.free()
    });
}

#[test]
fn epochs_within_one_another_and_errors_of_the_function() {
    on_tcp(3, |world| {
        let window = Window::<u32>::allocate(world, 4)?.into_passive()?;
        let me = world.rank();
        let (first, second) = (1, 2);
        let result: Result<()> = window.lock(first, Lock::Exclusive, |outer| {
            outer.put_value(me, first, 0)?;
            let again = window.lock(first, Lock::Shared, |_| Ok(()));
            assert!(matches!(again, Err(Error::AlreadyLocked { .. })), "{again:?}");
            window.lock(second, Lock::Exclusive, |inner| {
                assert!(inner.put_value(me, first, 0).is_err());
                inner.put_value(10 + me, second, 1)
            })?;
            outer.put_value(me, first, 1)?;
            outer.put_value(me, first, 4)
        });
        assert!(matches!(result, Err(Error::OutOfBounds { .. })), "{result:?}");
        let window = window.into_active()?;
        let own = window.local()?;
        assert!(me != first || own[0] == own[1], "{own:?}");
        assert!(me != second || (10..13).contains(&own[1]), "{own:?}");
        window.free()
    });
}

/// Who unwinds in a simulation can wait for nothing, so what was kept is not put; nor does anybody wait for the lock.
#[test]
fn a_panic_leaves_no_lock() {
    let values = on_tcp(2, |world| {
        let mut window = Window::<u32>::allocate(world, 2)?.into_passive()?;
        if world.rank() == 0 {
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                window.lock(1, Lock::Exclusive, |epoch| -> Result<()> {
                    epoch.put_value(5, 1, 0)?;
                    panic!("in an epoch");
                })
            }));
            assert!(panicked.is_err());
            assert!(
                window.lock(1, Lock::Exclusive, |_| Ok(())).is_err(),
                "it is broken"
            );
            world.send(1, 0, &[0u8])?;
            world.receive::<u8>(Some(1), Some(0))?;
            return Ok(5);
        }
        world.receive::<u8>(Some(0), Some(0))?;
        let mut value = 0;
        window.lock_local(|own| {
            value = own[0];
            Ok(())
        })?;
        world.send(0, 0, &[0u8])?;
        Ok(value)
    });
    assert_eq!(values, [5, 0]);
}
