//! Ranks that wait for one another for ever: each wait ends at the time limit, and its error says who waits for whom.

use farside::sim::{Network, Simulation};
use farside::{Error, Lock, Result, Waits, Window, World};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

/// Runs a program in which some call of each rank fails, simulated with the limit of the build and as threads with a
/// short one, and gives what was said: by the simulation, and by the threads.
fn stands_still(ranks: u32, program: impl Fn(&World) -> Result<()> + Sync) -> [Vec<Error>; 2] {
    let simulated = Mutex::new(Vec::new());
    let tried = |world: &World, all: &Mutex<Vec<Error>>| {
        let result = program(world);
        all.lock().expect("nobody panicked").extend(result.clone().err());
        result
    };
    let run = farside::simulate(ranks, |world| {
        assert!(world.time_limit().is_some());
        // A rank that fails does not end the run: the others have to say it, too.
        if tried(world, &simulated).is_err() {
            world.compute(Duration::from_secs(4_000_000));
        }
        Ok(())
    });
    drop(run);
    let threaded = Mutex::new(Vec::new());
    let run = farside::threads(ranks, |world| {
        world.set_time_limit(Some(Duration::from_millis(500)));
        tried(world, &threaded)
    });
    assert!(run.is_err());
    [simulated, threaded].map(|all| all.into_inner().expect("nobody panicked"))
}

/// What a time-out says.
fn waits(error: &Error) -> &Waits {
    match error {
        Error::TimeOut { waits, .. } => waits,
        other => panic!("{other}"),
    }
}

/// Rank, call, and for whom, of those that wait.
fn pairs(error: &Error) -> Vec<(u32, &str, &[u32])> {
    let waiting = waits(error).waiting.iter();
    waiting
        .map(|waiting| {
            assert!(waiting.place.contains("standstill.rs:"), "{waiting}");
            (waiting.rank, &waiting.call[..], &waiting.targets[..])
        })
        .collect()
}

#[test]
fn two_locks_in_different_orders() {
    let errors = stands_still(2, |world| {
        let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let (first, second) = (world.rank(), 1 - world.rank());
        window.lock(first, Lock::Exclusive, |_| {
            // Both have their first lock.
            world.barrier()?;
            window.lock(second, Lock::Exclusive, |_| Ok(()))
        })
    });
    for errors in errors {
        // One may end first: its lock is free then, and the other's call ends well.
        assert!(!errors.is_empty());
        for error in &errors {
            let [zero, one] = &pairs(error)[..] else {
                panic!("{error}")
            };
            assert_eq!(*zero, (0, "lock of rank 1 on window 0 of the world", &[1][..]));
            assert_eq!(*one, (1, "lock of rank 0 on window 0 of the world", &[0][..]));
            assert!(waits(error).silent.is_empty(), "{error}");
        }
    }
}

#[test]
fn fences_of_two_windows_of_two_groups_in_different_orders() {
    // Three groups, each of which two ranks have: each rank is in the fence of the group with the next one.
    let errors = stands_still(3, |world| {
        let me = world.rank();
        let mut own = Vec::new();
        for pair in [[0, 1], [1, 2], [2, 0]] {
            if let Some(group) = world.subgroup(&pair)? {
                own.push((pair, Window::<u8>::allocate(&group, 1)?));
            }
        }
        let next = own
            .iter_mut()
            .find(|(pair, _)| pair[0] == me)
            .expect("two groups");
        next.1.fence(|_| Ok(()))?;
        let previous = own
            .iter_mut()
            .find(|(pair, _)| pair[1] == me)
            .expect("two groups");
        previous.1.fence(|_| Ok(()))
    });
    for errors in errors {
        assert_eq!(errors.len(), 3);
        for error in &errors {
            for (rank, call, targets) in pairs(error) {
                assert!(call.starts_with("fence (its beginning) on window"), "{error}");
                assert_eq!(targets, [(rank + 1) % 3], "{error}");
            }
            assert_eq!(waits(error).waiting.len(), 3, "{error}");
        }
    }
}

#[test]
fn an_early_return_leaves_others_in_a_receive() {
    let errors = stands_still(2, |world| {
        if world.rank() == 0 {
            return world.receive::<u8>(Some(1), None).map(drop);
        }
        world.barrier()
    });
    for errors in errors {
        for error in &errors {
            let found = pairs(error);
            assert_eq!(found[0], (0, "receive", &[1][..]), "{error}");
            assert_eq!((found[1].0, found[1].2), (1, &[0][..]), "{error}");
            assert!(found[1].1.starts_with("barrier, collective call"), "{error}");
        }
        assert_eq!(errors.len(), 2);
    }
}

/// Rank 0 is in another wait, which is for rank 1: what it began goes on, and what it did not does not.
#[test]
fn a_request_that_others_do_not_begin() {
    let errors = stands_still(3, |world| {
        if world.rank() == 0 {
            return world.receive::<u8>(Some(1), None).map(drop);
        }
        let request = world.iallgather(vec![1u64; 70_000])?;
        request.wait().map(drop)
    });
    for errors in errors {
        assert_eq!(errors.len(), 3);
        for error in &errors {
            let found = pairs(error);
            assert_eq!(found[0], (0, "receive", &[1][..]), "{error}");
            for (rank, call, targets) in &found[1..] {
                assert!(
                    call.starts_with("iallgather of 70000 u64, collective call"),
                    "{error}"
                );
                // The other one is in the same call.
                assert_eq!(*targets, [0], "rank {rank}: {error}");
            }
            assert_eq!(found.len(), 3, "{error}");
        }
    }
}

#[test]
fn a_panic_that_is_caught_in_an_access_leaves_the_target_waiting() {
    let errors = stands_still(2, |world| {
        let mut window = Window::<u8>::allocate(world, 1)?;
        if world.rank() == 1 {
            return window.post(&[0], |_| Ok(()));
        }
        let panics = || {
            window.start(&[1], |_| -> Result<()> {
                std::panic::resume_unwind(Box::new(()))
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        world.receive::<u8>(Some(1), None).map(drop)
    });
    for errors in errors {
        assert_eq!(errors.len(), 2);
        for error in &errors {
            let expected = [
                (0, "receive", &[1][..]),
                (1, "post (its end) on window 0 of the world", &[0][..]),
            ];
            assert_eq!(pairs(error), expected, "{error}");
        }
    }
}

#[test]
fn a_start_without_a_post_a_notice_and_an_element_that_never_come() {
    let errors = stands_still(3, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?;
        match world.rank() {
            0 => window.start(&[1, 2], |_| Ok(())),
            1 => {
                let window = &mut window;
                window.post(&[2], |exposure| {
                    exposure.wait_until(0, |value| value == 7).map(drop)
                })
            }
            _ => window.post(&[1], |exposure| exposure.wait_notice(None).map(drop)),
        }
    });
    for errors in errors {
        assert_eq!(errors.len(), 3);
        let [start, until, notice] = &pairs(&errors[0])[..] else {
            panic!("{}", errors[0])
        };
        assert_eq!(*start, (0, "start on window 0 of the world", &[1, 2][..]));
        assert_eq!(*until, (1, "wait_until on window 0 of the world", &[][..]));
        assert_eq!(*notice, (2, "wait_notice on window 0 of the world", &[][..]));
    }
}

/// A lock that was waited for in vain is nobody's: a wait of others for it ends as well.
#[test]
fn a_rank_that_computes_is_silent() {
    let run = farside::threads(2, |world| {
        let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        if world.rank() == 1 {
            return window.lock(0, Lock::Exclusive, |_| {
                world.barrier()?;
                world.compute(Duration::from_millis(1500));
                Ok(())
            });
        }
        world.barrier()?;
        world.set_time_limit(Some(Duration::from_millis(300)));
        let result = window.lock(0, Lock::Shared, |_| Ok(()));
        let error = result.expect_err("rank 1 has the lock");
        assert_eq!(waits(&error).silent, [1], "{error}");
        assert_eq!(pairs(&error)[0].1, "lock of rank 0 on window 0 of the world");
        Err(error)
    });
    assert!(matches!(run, Err(Error::TimeOut { .. })), "{run:?}");
}

/// Who gets on meanwhile is not ended because another one gave up.
#[test]
fn who_is_asked_goes_on() -> Result<()> {
    let order = Cell::new(0);
    let simulation = Simulation::new(&Network::ethernet_100g(), 2);
    farside::simulate_with(simulation, |world| {
        if world.rank() == 0 {
            world.set_time_limit(Some(Duration::from_secs(2000)));
            let result = world.receive::<u8>(Some(1), Some(1));
            let error = result.expect_err("it does not come");
            assert_eq!(pairs(&error)[1], (1, "receive", &[0][..]));
            order.set(order.get() + 1);
            return world.send(1, 0, &[7u8]);
        }
        let message = world.receive::<u8>(Some(0), Some(0))?;
        assert_eq!((order.get(), &message.values[..]), (1, &[7][..]));
        Ok(())
    })?;
    Ok(())
}

#[test]
fn ranks_that_all_send_first_go_on() {
    const BYTES: usize = 100 << 20;
    let received = farside::threads(2, |world| {
        world.set_time_limit(Some(Duration::from_secs(60)));
        let values = vec![world.rank() as u8; BYTES];
        world.send(1 - world.rank(), 0, &values)?;
        Ok(world.receive::<u8>(None, None)?.values)
    })
    .expect("there is room for both");
    for (rank, values) in received.iter().enumerate() {
        assert!(values.len() == BYTES && values.iter().all(|&value| usize::from(value) == 1 - rank));
    }
}

#[test]
fn a_send_for_which_there_is_never_room() {
    let failed = Mutex::new(Vec::new());
    let run = farside::threads(2, |world| {
        if world.rank() == 1 {
            // Computes, and takes nothing.
            world.compute(Duration::from_secs(3));
            return Ok(());
        }
        world.set_time_limit(Some(Duration::from_millis(500)));
        let result = world.send(1, 7, &vec![1_u8; 100 << 20]);
        let again = world.send(1, 7, &[1_u8]);
        failed
            .lock()
            .expect("nobody panicked")
            .extend([result.clone(), again]);
        result
    });
    assert!(run.is_err());
    let failed = failed.into_inner().expect("nobody panicked");
    let [Err(first), Err(second)] = &failed[..] else {
        panic!("{failed:?}")
    };
    assert_eq!(pairs(first), [(0, "send", &[1][..])]);
    // It would be taken for the rest of the first.
    assert!(matches!(second, Error::Broken(_)), "{second}");
}

#[test]
fn a_rank_whose_program_is_over_is_named_by_the_line_that_ran_it() {
    let line = line!() + 1;
    let run = farside::simulate(2, |world| match world.rank() {
        0 => Ok(()),
        _ => world.receive::<u8>(Some(0), None).map(drop),
    });
    let error = run.expect_err("nobody sends").to_string();
    assert!(error.contains(&format!("standstill.rs:{line}")), "{error}");
}
