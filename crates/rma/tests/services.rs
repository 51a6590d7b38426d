//! Active messages: requests, replies, room, ends.

mod support;

use farside::{Error, Group, Handling, Operation, Rank, Result, Service, Values, World};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;
use support::{everywhere, with};

/// A counter at each rank.
fn counters(group: &Group) -> Result<Service<u64, u64, u64>> {
    Service::register(group, 0, |count: &mut u64, _: &Handling<'_, u64>, more| {
        *count += more;
        *count
    })
}

#[test]
fn each_rank_calls_each() {
    everywhere(|world| {
        let counters = counters(world)?;
        let calls = (0..world.size()).map(|target| counters.call(target, u64::from(target) + 1));
        for (reply, target) in calls
            .collect::<Result<Vec<_>>>()?
            .into_iter()
            .rev()
            .zip((0..world.size()).rev())
        {
            let reply = reply.wait()?;
            assert!(reply % (u64::from(target) + 1) == 0 && reply > 0);
        }
        let count = counters.finish()?;
        assert_eq!(count, u64::from(world.size()) * (u64::from(world.rank()) + 1));
        Ok(())
    });
}

/// Values of any length come as they were given, also those that a transport sends in parts, and go back.
#[test]
fn payloads_of_any_length_up_to_the_limit() {
    with(2, |world| {
        let echo = Service::<Values<u32>, Values<u32>>::register(world, (), |_, _, values: Vec<u32>| values)?;
        const MOST: usize = Service::<(), ()>::LIMIT / 4;
        for length in [0, 1, 255, 256, 257, 5000, MOST] {
            let values: Vec<u32> = (0..length as u32).map(|index| index * 7).collect();
            assert_eq!(echo.call(1 - world.rank(), &values)?.wait()?, values);
        }
        let (number, limit) = (4 * MOST as u64 + 4, 4 * MOST as u64);
        let refused = echo.send(0, &vec![0; MOST + 1]);
        let what = "the number of bytes of a request or a reply";
        assert_eq!(refused, Err(Error::TooGreat { what, number, limit }));
        echo.finish()
    });
}

/// Far more requests than there is room for, of all to all, before anybody waits: all get on, and none is lost.
#[test]
fn ranks_that_all_send_more_than_there_is_room_for_get_on() {
    with(3, |world| {
        let sums = Service::<Values<u64>, (), (u64, u64)>::register(
            world,
            (0, 0),
            |sums: &mut (u64, u64), _, values: Vec<u64>| {
                sums.0 += 1;
                sums.1 += values.iter().sum::<u64>();
            },
        )?;
        for index in 0..300_u64 {
            for target in 0..world.size() {
                sums.send(target, &vec![index; (index as usize * 37) % 700])?;
            }
        }
        let own: u64 = (0..300).map(|index| index * (index * 37 % 700)).sum();
        assert_eq!(sums.finish()?, (900, 3 * own));
        Ok(())
    });
}

/// Calls of all to all that nobody waits for until all are made: more replies than there is room for requests.
#[test]
fn replies_that_nobody_waits_for_yet_hold_nobody_up() {
    with(2, |world| {
        let double = Service::<u64, u64>::register(world, (), |_, _, value| 2 * value)?;
        let calls = (0..500).map(|index| double.call(1 - world.rank(), index));
        let replies: Vec<_> = calls.collect::<Result<_>>()?;
        double.finish()?;
        for (index, reply) in replies.into_iter().enumerate() {
            assert!(reply.test()?);
            assert_eq!(reply.wait()?, 2 * index as u64);
        }
        Ok(())
    });
}

/// A request that its handlers send on from rank to rank: the end waits for all of it.
#[test]
fn the_end_waits_for_requests_of_handlers() {
    everywhere(|world| {
        let ring =
            Service::<u64, (), u64>::register(world, 0_u64, |passed: &mut u64, handling, hops: u64| {
                *passed += 1;
                if hops > 0 {
                    let next = (handling.group().rank() + 1) % handling.group().size();
                    handling.send(next, hops - 1).expect("room");
                }
            })?;
        if world.rank() == 0 {
            ring.send(0, 99)?;
        }
        let mut passed = [ring.finish()?];
        world.allreduce(Operation::Sum, &mut passed)?;
        assert_eq!(passed, [100]);
        Ok(())
    });
}

/// Counts that agree by chance: ranks 0 and 3 have given theirs when a request comes to them, of which neither its
/// taking nor what they then send to one another is in the sums; that rank 1 took one of these is.
#[test]
fn the_end_waits_for_requests_that_no_first_count_has() -> Result<()> {
    const START: u64 = 1 << 40;
    let handled = farside::simulate(4, |world| {
        let hops = Service::<u64, (), u64>::register(world, 0, |handled, handling, hops| {
            *handled += 1;
            let me = handling.group().rank();
            if hops == START {
                handling.send(1, 0).expect("room");
                handling.send(3, 1000).expect("room");
            } else if hops > 0 {
                handling.send(3 - me, hops - 1).expect("room");
            }
        })?;
        match world.rank() {
            1 => {
                while hops.with(|handled| *handled)? == 0 {
                    world.compute(Duration::from_micros(1));
                    world.progress()?;
                }
            }
            2 => {
                world.compute(Duration::from_millis(1));
                hops.send(0, START)?;
            }
            _ => {}
        }
        hops.finish()
    })?;
    assert_eq!(handled.iter().sum::<u64>(), 1003);
    Ok(())
}

/// A request that arrives at any moment of the wait of its target: also when it is met by a look for something else.
#[test]
fn a_request_wakes_a_rank_that_waits_for_another_message() -> Result<()> {
    for moment in 0..400 {
        farside::simulate(2, |world| {
            let (one, other) = (counters(world)?, counters(world)?);
            if world.rank() == 0 {
                world.compute(Duration::from_nanos(moment * 10));
                one.call(1, 1)?.wait()?;
                other.call(1, 1)?.wait()?;
                world.send(1, 0, &[1u8])?;
            } else {
                world.receive::<u8>(Some(0), None)?;
            }
            one.finish()?;
            other.finish().map(drop)
        })?;
    }
    Ok(())
}

/// Handlers at two ranks that make two of each of many requests of the other: more than there is room for.
#[test]
fn handlers_that_flood_one_another_get_on() {
    with(2, |world| {
        let flood =
            Service::<u32, (), u64>::register(world, 0_u64, |count: &mut u64, handling, depth: u32| {
                *count += 1;
                for _ in 0..if depth > 0 { 2 } else { 0 } {
                    handling
                        .send(1 - handling.group().rank(), depth - 1)
                        .expect("room");
                }
            })?;
        for _ in 0..20 {
            flood.send(1 - world.rank(), 7)?;
        }
        assert_eq!(flood.finish()?, 20 * (1 + 2 + 4 + 8 + 16 + 32 + 64 + 128));
        Ok(())
    });
}

/// What handlers hold has an end, which they are told.
#[test]
fn handlers_that_send_without_end_are_refused() -> Result<()> {
    let refused = farside::simulate(2, |world| {
        let flood = Service::<u32, (), Option<Error>>::register(
            world,
            None,
            |refused: &mut Option<Error>, handling, first: u32| {
                if first == 0 {
                    return;
                }
                let mut left = 1 << 20;
                while refused.is_none() && left > 0 {
                    left -= 1;
                    *refused = handling.send(0, 0).err();
                }
            },
        )?;
        if world.rank() == 0 {
            flood.send(1, 1)?;
        }
        flood.finish()
    })?;
    assert_eq!(refused[0], None);
    assert!(
        matches!(
            refused[1],
            Some(Error::TooGreat {
                number: 65537,
                limit: 65536,
                ..
            })
        ),
        "{:?}",
        refused[1]
    );
    Ok(())
}

/// What a handler calls that waits for others is refused, and nothing else happens.
#[test]
fn a_handler_waits_for_nobody() {
    with(2, |world| {
        let group = world.group();
        let other = Rc::new(counters(world)?);
        let inner = Rc::clone(&other);
        let asking = Service::<u8, u8>::register(world, (), move |_, handling, _: u8| {
            let refusals = [
                group.barrier().err(),
                group.receive::<u8>(None, None).err(),
                inner.call(handling.source(), 1).err(),
                inner.send(handling.source(), 1).err(),
                inner.with(|_| ()).err(),
            ];
            let is_refused = |error: &Option<Error>| matches!(error, Some(Error::Unsupported { .. }));
            refusals.iter().filter(|error| is_refused(error)).count() as u8
        })?;
        assert_eq!(asking.call(1 - world.rank(), 0)?.wait()?, 5);
        asking.finish()?;
        let inside = other.with(|_| {
            (
                world.barrier().err(),
                other.send(0, 1).err(),
                other.with(|_| ()).err(),
            )
        })?;
        let unsupported = |error: Option<Error>| matches!(error, Some(Error::Unsupported { .. }));
        assert!(unsupported(inside.0) && unsupported(inside.1) && unsupported(inside.2));
        world.barrier()
    });
}

/// A panic of a handler: its caller, later ones, and at the end all are told; nobody hangs.
#[test]
fn a_panic_ends_at_the_handler() {
    with(3, |world| {
        let checks = Service::<u64, u64>::register(world, (), |(), _, value: u64| {
            assert!(value != 7, "it is a seven");
            value
        })?;
        let panicked = |rank| Error::Panicked {
            rank,
            message: "it is a seven".to_owned(),
        };
        if world.rank() == 0 {
            assert_eq!(checks.call(1, 6)?.wait(), Ok(6));
            assert_eq!(checks.call(1, 7)?.wait(), Err(panicked(1)));
            assert_eq!(checks.call(1, 6)?.wait(), Err(panicked(1)));
            assert_eq!(checks.call(2, 6)?.wait(), Ok(6));
            checks.send(1, 6)?;
        }
        assert_eq!(checks.finish(), Err(panicked(1)));
        world.barrier()
    });
}

/// A reply that is too long is told as a panic is: the caller waits for something.
#[test]
fn a_reply_that_is_too_long_is_told() {
    with(2, |world| {
        let long =
            Service::<(), Values<u8>>::register(world, (), |_, _, ()| vec![0; Service::<(), ()>::LIMIT + 1])?;
        if world.rank() == 0 {
            let error = long.call(1, ())?.wait().expect_err("too long");
            assert!(
                matches!(error, Error::Panicked { rank: 1, .. }) && error.to_string().contains("too great")
            );
        }
        assert!(matches!(long.finish(), Err(Error::Panicked { rank: 1, .. })));
        Ok(())
    });
}

/// Ranks that register other types are told, all of them.
#[test]
fn other_types_are_told_at_all_ranks() {
    let told = Rc::new(Cell::new(0));
    for run in [false, true] {
        let program = |world: &World| {
            let result = match world.rank() {
                1 => Service::<u64, i64>::register(world, (), |_, _, _| 1).map(drop),
                _ => Service::<u64, u64>::register(world, (), |_, _, _| 1).map(drop),
            };
            let text = match result {
                Err(error @ Error::Mismatch { .. }) => error.to_string(),
                other => panic!("{other:?}"),
            };
            assert!(
                text.contains("fn(u64) -> i64") && text.contains("fn(u64) -> u64"),
                "{text}"
            );
            Ok(())
        };
        if run {
            let _ = farside::threads(3, program);
        } else {
            let _ = farside::simulate(3, |world| {
                told.set(told.get() + 1);
                program(world)?;
                told.set(told.get() + 1);
                Ok(())
            });
        }
    }
    assert_eq!(told.get(), 6);
}

/// A rank that computes handles requests when it says so.
#[test]
fn progress_runs_handlers() {
    with(2, |world| {
        let counters = counters(world)?;
        if world.rank() == 0 {
            counters.call(1, 5)?.wait()?;
        } else {
            while counters.with(|count| *count)? == 0 {
                world.compute(Duration::from_micros(1));
                world.progress()?;
            }
        }
        let reply = counters.call(0, 1)?;
        while !reply.test()? {
            world.compute(Duration::from_micros(1));
        }
        reply.wait()?;
        counters.finish().map(drop)
    });
}

/// Who waits for a reply that does not come says for whom.
#[test]
fn a_wait_for_a_reply_is_bounded() -> Result<()> {
    let errors = std::sync::Mutex::new(Vec::new());
    let _ = farside::simulate(2, |world| {
        world.set_time_limit(Some(Duration::from_secs(10_000)));
        let counters = counters(world)?;
        if world.rank() == 1 {
            drop(counters);
            // So the other one has waited for longer.
            world.compute(Duration::from_secs(100));
            return world.receive::<u8>(Some(0), None).map(drop);
        }
        let error = counters.call(1, 1)?.wait().expect_err("nobody handles it");
        errors.lock().expect("a list").push(error.to_string());
        Err(error)
    });
    let errors = errors.into_inner().expect("a list");
    assert!(
        errors[0].contains("rank 0 waits in wait of a call") && errors[0].contains("for rank 1"),
        "{errors:?}"
    );
    assert!(errors[0].contains("rank 1 waits in receive"), "{errors:?}");
    Ok(())
}

/// A list of what came from whom.
type Came = BTreeMap<(Rank, bool), Vec<u64>>;

mod random {
    use super::*;
    use farside::sim::Simulation;
    use proptest::prelude::*;

    /// What a rank does.
    #[derive(Clone, Debug)]
    enum Step {
        /// Calls a rank, with so many values.
        Call(Rank, usize),
        /// Sends to a rank, and has handlers send on so often.
        Send(Rank, usize, u64),
        /// Waits for all replies.
        Wait,
        Barrier,
        Progress,
    }

    fn step() -> impl Strategy<Value = Step> {
        let length = || prop_oneof![8 => 0_usize..40, 1 => 9_000_usize..20_000];
        prop_oneof![
            6 => (0..4_u32, length()).prop_map(|(target, length)| Step::Call(target, length)),
            6 => (0..4_u32, length(), 0..4_u64).prop_map(|(target, length, hops)| Step::Send(target, length, hops)),
            1 => Just(Step::Wait),
            1 => Just(Step::Progress),
        ]
    }

    /// Parts that ranks divide with barriers; in each a list of steps for each rank.
    fn programs() -> impl Strategy<Value = Vec<Vec<Step>>> {
        let part = proptest::collection::vec(proptest::collection::vec(step(), 0..60), 4);
        proptest::collection::vec(part, 1..3).prop_map(|parts| {
            let of_rank = |rank: usize| {
                let steps = parts
                    .iter()
                    .flat_map(|part| part[rank].iter().cloned().chain([Step::Barrier]));
                steps.collect()
            };
            (0..4).map(of_rank).collect()
        })
    }

    fn run(world: &World, program: &[Step]) -> Result<Came> {
        let log = Service::<Values<u64>, Values<u64>, Came>::register(
            world,
            Came::new(),
            |came: &mut Came, handling, request: Vec<u64>| {
                let [hops, number] = [request[0], request[1]];
                let first = request.get(2).copied();
                assert!(request[2..].iter().all(|&value| Some(value) == first));
                came.entry((handling.source(), number >> 32 == 1))
                    .or_default()
                    .push(number);
                if hops > 0 {
                    let next = (handling.group().rank() + 1) % handling.group().size();
                    handling.send(next, &[hops - 1, 1 << 32 | number]).expect("room");
                }
                vec![number; request.len()]
            },
        )?;
        let mut replies = Vec::new();
        let mut number = 0;
        for step in program {
            number += 1;
            let request = |length, hops| {
                let mut request = vec![number; length + 2];
                request[0] = hops;
                request
            };
            match *step {
                Step::Call(target, length) => {
                    let reply = log.call(target % world.size(), &request(length, 0))?;
                    replies.push((reply, vec![number; length + 2]));
                }
                Step::Send(target, length, hops) => {
                    log.send(target % world.size(), &request(length, hops))?
                }
                Step::Wait => {
                    while let Some((reply, expected)) = replies.pop() {
                        assert_eq!(reply.wait()?, expected);
                    }
                }
                Step::Barrier => world.barrier()?,
                Step::Progress => world.progress()?,
            }
        }
        let came = log.finish()?;
        for (reply, expected) in replies {
            assert_eq!(reply.wait()?, expected);
        }
        Ok(came)
    }

    /// What comes at each rank from programs, in this order; and how much of handlers.
    fn model(ranks: u32, programs: &[Vec<Step>]) -> (Vec<Came>, Vec<BTreeMap<Rank, usize>>) {
        let mut came = vec![Came::new(); ranks as usize];
        let mut of_handlers = vec![BTreeMap::new(); ranks as usize];
        for (source, program) in (0..ranks).zip(programs) {
            for (step, number) in program.iter().zip(1..) {
                let (target, hops) = match *step {
                    Step::Call(target, _) => (target % ranks, 0),
                    Step::Send(target, _, hops) => (target % ranks, hops),
                    _ => continue,
                };
                came[target as usize]
                    .entry((source, false))
                    .or_default()
                    .push(number);
                for hop in 0..hops as u32 {
                    let [from, to] = [hop, hop + 1].map(|steps| (target + steps) % ranks);
                    *of_handlers[to as usize].entry(from).or_default() += 1;
                }
            }
        }
        (came, of_handlers)
    }

    fn check(
        ranks: u32,
        programs: &[Vec<Step>],
        results: Vec<Came>,
    ) -> std::result::Result<(), TestCaseError> {
        let (expected, of_handlers) = model(ranks, programs);
        for ((mut came, expected), of_handlers) in results.into_iter().zip(expected).zip(of_handlers) {
            let is_program = |(_, is_handler): &(Rank, bool)| !is_handler;
            let forwarded = came.iter().filter(|(key, _)| !is_program(key));
            let forwarded: BTreeMap<Rank, usize> =
                forwarded.map(|((rank, _), all)| (*rank, all.len())).collect();
            came.retain(|key, _| is_program(key));
            prop_assert_eq!(came, expected);
            prop_assert_eq!(forwarded, of_handlers);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
        /// Random requests among 2 to 4 ranks: each is handled once, those of a program in their order, each reply is
        /// that of its call; on networks with little room that reorder, and with threads.
        #[test]
        fn requests_are_handled_once_and_in_order(ranks in 2..=4_u32, programs in programs()) {
            for network in support::networks().iter().take(4) {
                let program = |world: &World| run(world, &programs[world.rank() as usize]);
                let results = farside::simulate_with(Simulation::new(network, ranks), program);
                check(ranks, &programs, results.expect("a run"))?;
            }
            let results = farside::threads(ranks, |world| run(world, &programs[world.rank() as usize]));
            check(ranks, &programs, results.expect("a run"))?;
        }
    }
}
