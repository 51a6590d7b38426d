//! One suite for all designs of the fence: the same programs mean the same, on networks that keep order and on networks
//! that do not, and among threads.

mod support;

use farside::sim::{Network, Nodes, Simulation};
use farside::{Assertions, Error, Fence, Operation, Result, Window, World};
use std::time::Duration;
use support::{networks, programs};

/// Runs a program for each design wherever the transport has what it needs. Gives how often it ran.
fn each_design(ranks: u32, program: impl Fn(&World, Fence) -> Result<()> + Sync) -> usize {
    let mut runs = 0;
    for fence in Fence::ALL {
        // Whether it was refused.
        let program = |world: &World| {
            if world.fence_refusal(fence).is_some() {
                return Ok(true);
            }
            program(world, fence).map(|()| false)
        };
        for network in networks().into_iter().chain(with_nodes()) {
            let simulation = Simulation::new(&network, ranks).limit(Duration::from_secs(10));
            let refused = farside::simulate_with(simulation, program);
            let refused = refused.unwrap_or_else(|error| {
                panic!(
                    "{fence}, {ranks} ranks, seed {}, {:?}, {:?}: {error}",
                    network.seed, network.routing, network.nodes
                )
            });
            runs += usize::from(!refused[0]);
        }
        let refused = farside::threads(ranks, |world| {
            world.set_time_limit(Some(Duration::from_secs(60)));
            program(world)
        })
        .unwrap_or_else(|error| panic!("{fence}, {ranks} ranks, threads: {error}"));
        runs += usize::from(!refused[0]);
    }
    runs
}

/// Networks of nodes with 2 ranks: one that keeps order, and one that does not.
fn with_nodes() -> Vec<Network> {
    let nodes = Some(Nodes::shared_memory(2));
    let reordering = networks().into_iter().next_back();
    [Some(Network::infiniband_2009()), reordering]
        .into_iter()
        .flatten()
        .map(|network| Network { nodes, ..network })
        .collect()
}

/// A window with a design; neighbours are all ranks.
fn window(world: &World, fence: Fence, elements: usize) -> Result<Window<u64>> {
    let mut window = Window::allocate(world, elements)?;
    programs::choose(&mut window, fence)?;
    assert_eq!(window.fence_design(), fence);
    Ok(window)
}

#[test]
fn what_every_design_does() {
    for ranks in [1, 2, 3, 5] {
        let runs = each_design(ranks, programs::all);
        assert!(runs >= 60, "{runs} runs of {ranks} ranks");
    }
}

#[test]
fn operations_of_all_kinds_with_requests_and_inner_epochs() {
    each_design(3, |world, fence| {
        let (me, next) = (world.rank(), (world.rank() + 1) % 3);
        let mut window = window(world, fence, 8)?;
        for round in 1..=3u64 {
            let mut got = [0; 2];
            let mut fetched = 9;
            window.local_mut()?[..4].copy_from_slice(&[round, 10 * u64::from(me), 0, 5]);
            window.fence(|epoch| {
                epoch.get(&mut got, next, 0)?;
                epoch.accumulate(Operation::Sum, &[1], 0, 2)?;
                epoch.fetch_and_op(Operation::Sum, 2, &mut fetched, next, 3)?;
                // Early results: their targets answer while they wait themselves.
                let early = epoch.rget(vec![0; 1], next, 1)?.wait()?;
                assert_eq!(early, [10 * u64::from(next)]);
                let swapped = epoch.swap(0, u64::from(me) + 1, next, 4)?.wait()?;
                assert_eq!(swapped, if round == 1 { 0 } else { u64::from(me) + 1 });
                let value = vec![round; 2];
                epoch.local(|inner| inner.put(&value, next, 6))?;
                epoch.rput(vec![round], next, 5)?.wait().map(|_| ())
            })?;
            assert_eq!((got, fetched), ([round, 10 * u64::from(next)], 5));
            let previous = u64::from((me + 2) % 3);
            let sum = if me == 0 { 3 } else { 0 };
            let expected = [
                round,
                10 * u64::from(me),
                sum,
                7,
                previous + 1,
                round,
                round,
                round,
            ];
            assert_eq!(window.local()?, expected, "{fence}, round {round}");
        }
        window.free()
    });
}

#[test]
fn puts_of_many_messages_and_of_odd_lengths() {
    each_design(2, |world, fence| {
        let mut window = Window::<u8>::allocate(world, 200_000)?;
        programs::choose(&mut window, fence)?;
        let other = 1 - world.rank();
        let bytes: Vec<u8> = (0..150_001u32).map(|at| (at % 251) as u8).collect();
        let mut back = vec![0; 150_001];
        window.fence(|epoch| epoch.put(&bytes, other, 3))?;
        window.fence(|epoch| epoch.get(&mut back, other, 3))?;
        assert!(back == bytes && window.local()?[3..150_004] == bytes);
        assert_eq!(window.local()?[..3], [0; 3]);
        assert_eq!(window.local()?[150_004..150_007], [0; 3]);
        window.free()
    });
}

#[test]
fn attached_memory_in_fence_epochs() {
    each_design(2, |world, fence| {
        let mut window = Window::<u64>::dynamic(world)?;
        programs::choose(&mut window, fence)?;
        let other = 1 - world.rank();
        let attached = window.attach(4)?;
        world.send(other, 0, &[attached.token()])?;
        let theirs = window.connect(&world.receive(Some(other), Some(0))?.values[0])?;
        for round in 1..=3 {
            let values = [round, round + 1];
            window.fence(|epoch| epoch.put(&values, &theirs, 1))?;
            assert_eq!(window.attached(&attached)?, [0, round, round + 1, 0]);
        }
        window.free()
    });
}

#[test]
fn thousands_of_puts_without_a_fence_on_few_receive_descriptors() {
    for fence in Fence::ALL {
        let network = Network {
            receive_descriptors: 8,
            ..Network::infiniband_2009()
        };
        let simulation = Simulation::new(&network, 3).limit(Duration::from_secs(10));
        let ended = farside::simulate_with(simulation, |world| {
            if world.fence_refusal(fence).is_some() {
                assert_eq!(fence, Fence::Hierarchical);
                return Ok(());
            }
            let mut window = window(world, fence, 6000)?;
            window.fence(|epoch| {
                (0..3000).try_for_each(|at| {
                    epoch.put_value(at as u64, (world.rank() + 1) % 3, at)?;
                    epoch.put_value(at as u64 + 1, (world.rank() + 2) % 3, 3000 + at)
                })
            })?;
            let expected = (0..3000).chain(1..3001);
            assert!(window.local()?.iter().copied().eq(expected), "{fence}");
            window.free()
        });
        ended.unwrap_or_else(|error| panic!("{fence}: {error}"));
    }
}

#[test]
fn a_rank_that_computes_late_is_waited_for_and_keeps_its_memory_until_it_fences() {
    each_design(3, |world, fence| {
        let mut window = window(world, fence, 1)?;
        for round in 1..=3 {
            if world.rank() == 1 {
                // It owns its memory until it calls, whoever puts there meanwhile.
                window.local_mut()?[0] = 100 + round;
                world.compute(Duration::from_micros(300));
                assert_eq!(window.local()?, [100 + round], "{fence}");
            }
            window.fence(|epoch| epoch.put_value(round, 1, 0))?;
            if world.rank() == 1 {
                assert_eq!(window.local()?, [round], "{fence}");
            }
        }
        window.free()
    });
}

/// Puts are acknowledged before the fence, so that a fence may need no second phase: a rank that leaves it early puts
/// at once, to one that is still in it.
#[test]
fn epochs_that_compute_until_their_puts_are_acknowledged() {
    each_design(4, |world, fence| {
        let mut window = window(world, fence, 40)?;
        let (me, next) = (world.rank(), (world.rank() + 1) % 4);
        window.fences(|fences| {
            for step in 0..40u64 {
                fences.epoch(|epoch| {
                    epoch.put_value(step + 1, next, step as usize)?;
                    world.compute(Duration::from_micros(400 + u64::from(me) * (step % 3)));
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        assert!(window.local()?.iter().copied().eq(1..41), "{fence}");
        window.free()
    });
}

#[test]
fn an_epoch_gives_access_to_neighbours_only() {
    farside::simulate(4, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?;
        let (me, next) = (world.rank(), (world.rank() + 1) % 4);
        window.set_neighbours(&[next])?;
        let refused = window.fence(|epoch| {
            epoch.put_value(u64::from(me), next, 0)?;
            epoch.put_value(7, (next + 1) % 4, 1)
        });
        let target = (next + 1) % 4;
        assert!(matches!(refused, Err(Error::NotInEpoch { target: named, .. }) if named == target));
        assert_eq!(window.local()?, [u64::from((me + 3) % 4), 0]);
        window.free()
    })
    .expect("nobody waits for ever");
}

#[test]
fn a_hierarchical_fence_is_refused_where_no_two_ranks_share_a_node() {
    farside::simulate(4, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?;
        let refused = window.set_fence(Fence::Hierarchical);
        let Err(Error::Unsupported { reason, .. }) = refused else {
            panic!("{refused:?}");
        };
        assert!(
            reason.contains("no two ranks of this group share a node"),
            "{reason}"
        );
        assert_eq!(window.fence_design(), Fence::Flush);
        window.free()
    })
    .expect("nobody waits for ever");
    // A group of one rank of each node, in a world whose ranks share nodes.
    let network = Network {
        nodes: Some(Nodes::shared_memory(2)),
        ..Network::ethernet_100g()
    };
    farside::simulate_with(Simulation::new(&network, 4), |world| {
        assert_eq!(world.fence_refusal(Fence::Hierarchical), None);
        let across = world.split(Some(world.rank() % 2), 0)?;
        let refusal = across.and_then(|group| group.fence_refusal(Fence::Hierarchical));
        assert!(refusal.is_some());
        Ok(())
    })
    .expect("nobody waits for ever");
}

#[test]
fn ranks_that_name_different_designs_are_told() {
    farside::simulate(2, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?;
        let own = [Fence::Flush, Fence::Count][world.rank() as usize];
        let mismatch = window.set_fence(own);
        assert!(matches!(mismatch, Err(Error::Mismatch { .. })), "{mismatch:?}");
        assert!(matches!(window.local(), Err(Error::Broken(_))));
        Ok(())
    })
    .expect("the run ends");
}

#[test]
fn a_rank_that_is_lost_ends_every_fence() {
    for fence in Fence::ALL {
        let network = Network {
            nodes: (fence == Fence::Hierarchical).then(|| Nodes::shared_memory(2)),
            ..Network::ethernet_100g()
        };
        let simulation = Simulation::new(&network, 4)
            .kill(2, Duration::from_micros(500))
            .limit(Duration::from_secs(1));
        let result = farside::simulate_with(simulation, |world| {
            let mut window = window(world, fence, 4)?;
            let me = world.rank();
            loop {
                window.fence(|epoch| epoch.put_value(1, (me + 1) % 4, me as usize))?;
            }
            #[allow(unreachable_code, reason = "the loop ends with an error")]
            Ok(())
        });
        assert!(
            matches!(result, Err(Error::PeerLost { rank: 2 })),
            "{fence}: {result:?}"
        );
    }
}

#[test]
fn assertions_change_no_result() {
    each_design(2, |world, fence| {
        let mut window = window(world, fence, 1)?;
        let other = 1 - world.rank();
        window.fences(|fences| {
            let none = Assertions {
                no_precede: true,
                no_store: true,
                ..Assertions::default()
            };
            let last = Assertions {
                no_succeed: true,
                no_put: true,
                ..Assertions::default()
            };
            fences.epoch_with(none, |_| Ok(()))?;
            fences.epoch(|epoch| epoch.put_value(3, other, 0))?;
            fences.epoch_with(last, |_| Ok(()))?;
            fences.epoch_with(none, |_| Ok(()))
        })?;
        assert_eq!(window.local()?, [3], "{fence}");
        window.free()
    });
}

#[test]
fn auto_chooses_says_why_and_looks_again_when_the_pattern_changes() {
    let simulation = Simulation::new(&Network::infiniband_2009(), 16);
    let choices = farside::simulate_with(simulation, |world| {
        let mut window = Window::<u8>::allocate(world, 1 << 20)?;
        window.set_fence(Fence::Auto)?;
        let first = window.fence_choice().expect("auto explains itself");
        assert!(first.contains("first trial"), "{first}");
        let (me, size) = (world.rank(), world.size());
        let small = [1; 16];
        window.fences(|fences| {
            (0..400).try_for_each(|_| fences.epoch(|epoch| epoch.put(&small, (me + 1) % size, 0)))
        })?;
        let second = window.fence_choice().expect("auto explains itself");
        let large = vec![2; 1 << 18];
        window.fences(|fences| {
            (0..900).try_for_each(|_| {
                fences.epoch(|epoch| {
                    epoch.put(&large, (me + 1) % size, 0)?;
                    world.compute(Duration::from_micros(300));
                    Ok(())
                })
            })
        })?;
        let third = window.fence_choice().expect("auto explains itself");
        window.free()?;
        Ok((second, third))
    })
    .expect("nobody waits for ever");
    assert!(
        choices.iter().all(|choice| *choice == choices[0]),
        "all ranks choose the same"
    );
    let (second, third) = &choices[0];
    assert!(
        second.contains("trial 1") && second.contains("16 bytes"),
        "{second}"
    );
    assert!(
        third.contains("262144 bytes") && !third.starts_with("fence-def"),
        "{third}"
    );
}
