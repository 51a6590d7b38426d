//! What calls say when a rank is lost, or time runs out.

use farside::sim::{Network, Simulation};
use farside::{Error, Lock, Operation, Result, Service, Window, World};
use std::time::Duration;

/// Rank 1 dies 100 us after the start; the others must learn it in what they do.
fn without_rank_1(program: impl Fn(&World) -> Result<()>) -> Vec<Result<()>> {
    let death = Duration::from_micros(100);
    let simulation = Simulation::new(&Network::ethernet_100g(), 3).kill(1, death);
    let program = |world: &World| {
        if world.rank() == 1 {
            world.compute(Duration::from_secs(1));
        }
        world.compute(Duration::from_micros(200));
        program(world)
    };
    // A world that lost a rank cannot be finished: so its end is not asked for.
    let results = std::cell::RefCell::new(Vec::new());
    let _ = farside::simulate_with(simulation, |world| {
        let result = program(world);
        results.borrow_mut().push(result);
        Ok(())
    });
    results.into_inner()
}

fn all_lost(results: &[Result<()>]) {
    assert_eq!(results, vec![Err(Error::PeerLost { rank: 1 }); 2]);
}

#[test]
fn a_barrier_tells_of_a_lost_rank() {
    all_lost(&without_rank_1(|world| world.barrier()));
}

#[test]
fn a_receive_tells_of_a_lost_rank() {
    all_lost(&without_rank_1(|world| {
        world.receive::<u8>(Some(1), None).map(|_| ())
    }));
}

/// A reply of the lost rank, of another one, room at the lost rank, the end.
#[test]
fn a_service_tells_of_a_lost_rank() {
    let death = Duration::from_millis(1);
    for case in 0..4 {
        let simulation = Simulation::new(&Network::ethernet_100g(), 3).kill(1, death);
        let results = std::cell::RefCell::new(Vec::new());
        let _ = farside::simulate_with(simulation, |world| {
            let echo = Service::<u64, u64>::register(world, (), |_, _, value| value)?;
            if world.rank() == 1 {
                world.compute(Duration::from_secs(1));
            }
            world.compute(Duration::from_micros(500));
            let result = match case {
                0 => echo.call(1, 7).and_then(|reply| reply.wait()).map(drop),
                1 => {
                    world.compute(Duration::from_millis(1));
                    // Rank 2 may have answered before; then the end says it.
                    let replied = echo.call(2 - world.rank(), 7).and_then(|reply| reply.wait());
                    replied.and_then(|_| echo.finish())
                }
                2 => (0..1000).try_for_each(|value| echo.send(1, value)),
                _ => echo.finish(),
            };
            results.borrow_mut().push(result);
            Ok(())
        });
        all_lost(&results.into_inner());
    }
}

/// Each function, where rank 1 is needed.
#[test]
fn collective_calls_tell_of_a_lost_rank() {
    type Call = fn(&World, &mut [u8; 3]) -> Result<()>;
    let calls: [(&str, Call); 9] = [
        ("gather", |world, all| {
            let me = world.rank();
            if me == 2 {
                // Waits for nobody.
                world.gather(0, &[1u8], all)?;
                return world.barrier();
            }
            world.gather(0, &[1u8], all)
        }),
        ("scatter", |world, all| world.scatter(1, &[], &mut all[..1])),
        ("gatherv", |world, all| match world.rank() {
            0 => world.gatherv(0, &[1u8], &[1, 1, 1], all),
            _ => world
                .gatherv(0, &[1u8], &[], &mut [])
                .and_then(|()| world.barrier()),
        }),
        ("allgatherv", |world, all| world.allgatherv(&[1u8], &[1; 3], all)),
        ("alltoall", |world, all| world.alltoall(&[1u8; 3], all)),
        ("alltoallv", |world, all| {
            world.alltoallv(&[1u8; 3], &[1; 3], all, &[1; 3])
        }),
        ("scan", |world, _| match world.rank() {
            2 => world.scan(Operation::Sum, &mut [1u8]),
            _ => world
                .scan(Operation::Sum, &mut [1u8])
                .and_then(|()| world.barrier()),
        }),
        ("iallreduce", |world, _| {
            world.iallreduce(Operation::Sum, vec![1u8])?.wait().map(drop)
        }),
        ("a test", |world, _| {
            let request = world.ibarrier()?;
            while !request.test()? {
                world.compute(Duration::from_micros(1));
            }
            Ok(())
        }),
    ];
    for (name, call) in calls {
        let results = without_rank_1(|world| call(world, &mut [0; 3]));
        assert_eq!(results, vec![Err(Error::PeerLost { rank: 1 }); 2], "{name}");
    }
}

/// A rank that returns early, in the world's last call, is told what others wait in.
#[test]
fn collective_calls_end_when_a_rank_returns_early() {
    for length in [1, 200_000] {
        let result = farside::threads(3, |world| {
            if world.rank() == 1 {
                return Ok(());
            }
            let mut all = vec![0u8; 3 * length];
            let request = world.igather(0, vec![1u8; length])?;
            world.alltoall(&vec![1; 3 * length], &mut all)?;
            request.wait().map(drop)
        });
        let Err(Error::Mismatch { first, second }) = result else {
            panic!("{result:?}");
        };
        let told = format!("{first}; {second}");
        assert!(told.contains("igather of ") && told.contains("finish,"), "{told}");
    }
}

#[test]
fn time_runs_out() {
    let limit = Duration::from_millis(2);
    let results = farside::simulate(2, |world| {
        world.set_time_limit(Some(limit));
        let window = Window::<u8>::allocate(world, 1)?.into_passive()?;
        let waited = match world.rank() {
            0 => world.receive::<u8>(Some(1), None).map(|_| ()),
            _ => window.wait_notice(None).map(|_| ()),
        };
        let polled = window.wait_until(0, |value| value == 1).map(|_| ());
        world.set_time_limit(None);
        window.lock(0, Lock::Exclusive, |_| Ok(()))?;
        window.free()?;
        Ok([waited, polled])
    })
    .expect("the world goes on");
    for result in results.into_iter().flatten() {
        let Err(Error::TimeOut { limit: found, waits }) = result else {
            panic!("{result:?}");
        };
        assert_eq!(found, limit);
        // So short a limit asks nobody.
        assert_eq!((waits.waiting.len(), &waits.silent[..]), (1, &[][..]));
        assert!(waits.waiting[0].place.contains("loss.rs:"), "{waits}");
    }
}

#[test]
fn a_barrier_that_timed_out_is_broken() {
    let result = farside::threads(2, |world| {
        if world.rank() == 1 {
            world.receive::<u8>(Some(0), None)?;
            return Ok(());
        }
        world.set_time_limit(Some(Duration::from_millis(20)));
        let (first, second) = (world.barrier(), world.barrier());
        assert!(matches!(first, Err(Error::TimeOut { .. })), "{first:?}");
        assert!(matches!(second, Err(Error::Broken(_))), "{second:?}");
        world.set_time_limit(None);
        world.send(1, 0, &[0u8])
    });
    // The other rank was in no barrier: their worlds do not end together.
    assert!(matches!(result, Err(Error::Broken(_))), "{result:?}");
}

/// The epoch of a panic is completed first, so that its buffers can go; the window is not lent any more.
#[test]
fn a_panic_in_an_epoch_breaks_the_window_and_not_the_memory() {
    let ends = farside::threads(1, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?;
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let buffer = vec![1, 2, 3, 4];
            window.fence(|epoch| {
                epoch.put(&buffer, 0, 0)?;
                if buffer.len() == 4 {
                    panic!("on purpose");
                }
                Ok(())
            })
        }));
        assert!(caught.is_err());
        Ok(window.local().map(<[u64]>::len))
    });
    assert_eq!(ends, Ok(vec![Err(Error::Broken("window"))]));
}

/// Ranks of one process have no launcher that could say who is left.
#[test]
fn a_world_in_one_process_refuses_to_shrink() {
    let refused = |world: &World| {
        assert_eq!((world.lost(), world.former()), (None, &[][..]));
        for error in [world.shrink().err(), world.agree(true).err()] {
            let Some(Error::Unsupported { reason, .. }) = &error else {
                panic!("{error:?}");
            };
            assert!(reason.contains("not started by a launcher"), "{reason}");
        }
        Ok(())
    };
    farside::simulate(2, refused).expect("the world goes on");
    farside::threads(2, refused).expect("the world goes on");
}

/// Nobody gives back the lock of a rank that died, and nobody waits for it. What is in the window is still there.
#[test]
fn a_lock_that_a_lost_rank_held_ends_with_its_name() {
    let simulation = Simulation::new(&Network::ethernet_100g(), 3).kill(1, Duration::from_millis(10));
    let results = std::cell::RefCell::new(Vec::new());
    let _ = farside::simulate_with(simulation, |world| {
        let window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        if world.rank() == 1 {
            return window.lock(0, Lock::Exclusive, |epoch| {
                epoch.put_value(7, 0, 1)?;
                epoch.flush(0)?;
                world.barrier()?;
                world.compute(Duration::from_secs(1));
                Ok(())
            });
        }
        world.barrier()?;
        let waited = window.lock(0, Lock::Shared, |_| Ok(()));
        let seen = (world.rank(), waited, world.lost(), window.salvage());
        results.borrow_mut().push(seen);
        Ok(())
    });
    let lost = || Err(Error::PeerLost { rank: 1 });
    let mut results = results.into_inner();
    results.sort_by_key(|(rank, ..)| *rank);
    assert_eq!(
        results,
        [(0, lost(), Some(1), vec![0, 7]), (2, lost(), Some(1), vec![0, 0])]
    );
}
