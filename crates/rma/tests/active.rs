//! Active target synchronisation: fence; post, start, complete, wait. Local memory; windows of all kinds.

mod support;

use farside::{Assertions, Error, Layout, Operation, Window};
use support::{everywhere, with};

#[test]
fn puts_of_a_fence_epoch_are_there_after_it() {
    everywhere(|world| {
        let (me, size) = (world.rank(), world.size());
        let mut window = Window::<u64>::allocate(world, size as usize * 50)?;
        for round in 0..3 {
            let values = vec![u64::from(me) + 100 * round; 50];
            window.fence(|epoch| {
                for target in 0..size {
                    epoch.put(&values, target, me as usize * 50)?;
                }
                Ok(())
            })?;
            for (rank, chunk) in (0..).zip(window.local()?.chunks(50)) {
                assert_eq!(chunk, vec![rank + 100 * round; 50]);
            }
        }
        window.free()
    });
}

#[test]
fn gets_of_a_fence_epoch_see_what_was_stored_before_it() {
    everywhere(|world| {
        let size = world.size();
        let mut window = Window::create(world, vec![[world.rank(); 3]; 20])?;
        let mut all = vec![[9; 3]; 20 * size as usize];
        window.fence(|epoch| {
            let mut rest = &mut all[..];
            for target in 0..size {
                let (part, behind) = rest.split_at_mut(20);
                epoch.get(part, target, 0)?;
                rest = behind;
            }
            Ok(())
        })?;
        assert!(all.iter().copied().eq((0..size).flat_map(|rank| [[rank; 3]; 20])));
        window.local_mut()?[0] = [7; 3];
        assert_eq!(window.free_into()?[..2], [[7; 3], [world.rank(); 3]]);
        Ok(())
    });
}

#[test]
fn a_sequence_of_fences_orders_its_epochs() {
    everywhere(|world| {
        let next = (world.rank() + 1) % world.size();
        let mut window = Window::<u64>::allocate(world, 1)?;
        window.fences(|fences| {
            for step in 1..=20u64 {
                fences.epoch(|epoch| epoch.put_value(step, next, 0))?;
                // In the next epoch everybody reads what the last one wrote.
                let mut seen = [0];
                fences.epoch(|epoch| epoch.get(&mut seen, next, 0))?;
                assert_eq!(seen, [step]);
            }
            Ok(())
        })?;
        assert_eq!(window.local()?, [20]);
        window.free()
    });
}

#[test]
fn promises_of_a_fence_are_checked() {
    with(2, |world| {
        let mut window = Window::<u8>::allocate(world, 1)?;
        let other = 1 - world.rank();
        let broken = window.fences(|fences| {
            let none = Assertions {
                no_precede: true,
                ..Assertions::default()
            };
            fences.epoch_with(none, |_| Ok(()))?;
            let first = fences.epoch_with(none, |epoch| epoch.put_value(1, other, 0));
            assert!(
                matches!(
                    first,
                    Err(Error::Assertion {
                        assertion: "no_precede",
                        ..
                    })
                ),
                "{first:?}"
            );
            let last = Assertions {
                no_succeed: true,
                ..Assertions::default()
            };
            fences.epoch_with(last, |_| Ok(()))?;
            fences.epoch(|_| Ok(()))?;
            fences.epoch(|epoch| epoch.put_value(2, other, 0))
        });
        assert!(
            matches!(
                broken,
                Err(Error::Assertion {
                    assertion: "no_succeed",
                    ..
                })
            ),
            "{broken:?}"
        );
        // The operations were done, and the window works on.
        assert_eq!(window.local()?, [2]);
        window.free()
    });
}

#[test]
fn a_failing_epoch_is_closed_all_the_same() {
    with(3, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?;
        let result = window.fence(|epoch| {
            epoch.put_value(world.rank() + 1, (world.rank() + 1) % 3, 0)?;
            if world.rank() == 1 {
                epoch.put_value(0, 3, 0)
            } else {
                Ok(())
            }
        });
        assert_eq!(result.is_err(), world.rank() == 1);
        assert_eq!(window.local()?, [(world.rank() + 2) % 3 + 1]);
        window.free()
    });
}

#[test]
fn an_inner_epoch_gives_its_buffers_back() {
    everywhere(|world| {
        let other = world.size() - 1 - world.rank();
        let mut window = Window::<u64>::allocate(world, 100)?;
        let mut buffer = [0; 10];
        window.fence(|epoch| {
            for step in 0..10 {
                buffer.fill(step as u64 + 1);
                epoch.local(|batch| batch.put(&buffer, other, step * 10))?;
            }
            Ok(())
        })?;
        assert!(
            window
                .local()?
                .iter()
                .copied()
                .eq((0..100).map(|index| index / 10 + 1))
        );
        window.free()
    });
}

#[test]
fn post_and_start_pair_neighbours() {
    with(4, |world| {
        let me = world.rank();
        let (next, previous) = ((me + 1) % 4, (me + 3) % 4);
        let mut window = Window::<u64>::allocate(world, 2)?;
        for round in 1..=10u64 {
            window.post(&[next, previous], |exposure| {
                exposure.start(&[previous, next], |epoch| {
                    epoch.put_value(round * 10 + u64::from(me), next, 0)?;
                    epoch.put_value(round * 100 + u64::from(me), previous, 1)
                })
            })?;
            let expected = [round * 10 + u64::from(previous), round * 100 + u64::from(next)];
            assert_eq!(window.local()?, expected);
        }
        window.free()
    });
}

#[test]
fn an_access_waits_for_the_right_post() {
    with(3, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?;
        match world.rank() {
            // 2 has posted long before 1: a start for 1 alone does not take that post.
            0 => {
                world.barrier()?;
                window.start(&[1], |epoch| {
                    let refused = epoch.put_value(9, 2, 0);
                    assert!(matches!(refused, Err(Error::NotInEpoch { target: 2, .. })));
                    epoch.accumulate(Operation::Sum, &[5], 1, 0)
                })?;
                window.start(&[2], |epoch| epoch.put_value(6, 2, 0))?;
            }
            1 => {
                world.barrier()?;
                world.compute(std::time::Duration::from_micros(300));
                window.post(&[0], |_| Ok(()))?;
                assert_eq!(window.local()?, [5]);
            }
            _ => {
                window.post(&[0], |exposure| {
                    world.barrier()?;
                    while !exposure.test()? {
                        world.compute(std::time::Duration::from_micros(10));
                    }
                    Ok(())
                })?;
                assert_eq!(window.local()?, [6]);
            }
        }
        window.free()
    });
}

#[test]
fn groups_of_post_and_start_are_checked() {
    with(2, |world| {
        let mut window = Window::<u8>::allocate(world, 1)?;
        assert!(matches!(
            window.start(&[2], |_| Ok(())),
            Err(Error::RankOutOfRange { .. })
        ));
        assert!(window.post(&[1, 0, 1], |_| Ok(())).is_err());
        // Nobody at all is somebody, too.
        window.post(&[], |exposure| exposure.start(&[], |_| Ok(())))?;
        window.free()
    });
}

#[test]
fn layouts_on_both_sides() {
    everywhere(|world| {
        let next = (world.rank() + 1) % world.size();
        let mut window = Window::<u32>::allocate(world, 64)?;
        let matrix: Vec<u32> = (0..64).collect();
        // Columns 1 and 2 of 8 rows, into scattered pieces, backwards.
        let columns = Layout::vector(8, 2, 8)?.shifted(1);
        let pieces = Layout::indexed(&[(50, 5), (20, 6), (0, 5)])?;
        window.fence(|epoch| epoch.put_layout(&matrix, &columns, next, 3, &pieces))?;
        let sent: Vec<u32> = (0..8).flat_map(|row| [row * 8 + 1, row * 8 + 2]).collect();
        let places: Vec<usize> = (53..58).chain(23..29).chain(3..8).collect();
        let mut expected = vec![0; 64];
        places
            .iter()
            .zip(&sent)
            .for_each(|(&place, &value)| expected[place] = value);
        assert_eq!(window.local()?, expected);
        // And back.
        let mut found = vec![0; 64];
        window.fence(|epoch| epoch.get_layout(&mut found, &columns, next, 3, &pieces))?;
        for (index, &value) in found.iter().enumerate() {
            assert_eq!(
                value,
                if matches!(index % 8, 1 | 2) {
                    index as u32
                } else {
                    0
                }
            );
        }
        let once = Layout::contiguous(2);
        window.fence(|epoch| {
            let twice = Layout::indexed(&[(0, 1), (0, 1)])?;
            assert!(matches!(
                epoch.put_layout(&matrix, &once, next, 0, &twice),
                Err(Error::Layout(_))
            ));
            let long = epoch.put_layout(&matrix, &once.clone().shifted(63), next, 0, &once);
            assert!(matches!(
                long,
                Err(Error::OriginTooShort {
                    end: 65,
                    elements: 64
                })
            ));
            let uneven = epoch.put_layout(&matrix, &Layout::contiguous(3), next, 0, &once);
            assert!(matches!(uneven, Err(Error::Length { .. })));
            let outside = epoch.put_layout(&matrix, &once, next, 63, &once);
            assert!(matches!(outside, Err(Error::OutOfBounds { .. })));
            // To read an element twice is fine.
            epoch.put_layout(&matrix, &twice, next, 0, &once)
        })?;
        window.free()
    });
}

#[test]
fn windows_of_different_lengths_and_several_at_once() {
    with(3, |world| {
        let mut first = Window::<u8>::allocate(world, world.rank() as usize)?;
        let mut second = Window::<f64>::allocate(world, 1)?;
        assert_eq!(first.elements(2)?, 2);
        assert!(first.elements(3).is_err());
        let result = first.fence(|epoch| {
            second.fence(|inner| inner.put_value(1.5, (world.rank() + 1) % 3, 0))?;
            epoch.put(&[1, 2], 2, 0)?;
            epoch.put(&[1], 0, 0)
        });
        let expected = Error::OutOfBounds {
            target: 0,
            displacement: 0,
            elements: 1,
            exposed: 0,
            element_bytes: 1,
        };
        assert_eq!(result, Err(expected));
        assert_eq!(second.local()?, [1.5]);
        let expected: [&[u8]; 3] = [&[], &[0], &[1, 2]];
        assert_eq!(first.local()?, expected[world.rank() as usize]);
        second.free()?;
        first.free()
    });
}

#[test]
fn a_window_of_a_group_has_its_ranks() {
    with(4, |world| {
        let Some(group) = world.subgroup(&[3, 0, 2])? else {
            return Ok(());
        };
        let mut window = Window::<u32>::allocate(&group, 1)?;
        let next = (group.rank() + 1) % 3;
        window.fence(|epoch| epoch.put_value(world.rank(), next, 0))?;
        assert_eq!(window.local()?, [group.world_rank((group.rank() + 2) % 3)?]);
        window.post(&[next], |exposure| {
            exposure.start(&[(group.rank() + 2) % 3], |epoch| {
                epoch.put_value(7, (group.rank() + 2) % 3, 0)
            })
        })?;
        assert_eq!(window.local()?, [7]);
        window.free()
    });
}

#[test]
fn ranks_that_disagree_on_a_window_are_told() {
    with(2, |world| {
        let wrong = if world.rank() == 0 {
            Window::<u32>::allocate(world, 1).map(|_| ())
        } else {
            Window::<u64>::allocate(world, 1).map(|_| ())
        };
        assert!(matches!(wrong, Err(Error::Length { .. })), "{wrong:?}");
        let mut window = Window::<u32>::allocate(world, 1)?;
        let wrong = if world.rank() == 0 {
            window.fence(|_| Ok(()))
        } else {
            window.fences(|_| Ok(()))
        };
        assert!(matches!(wrong, Err(Error::Mismatch { .. })), "{wrong:?}");
        // Nobody knows who accesses it: it is not lent any more.
        assert_eq!(window.local(), Err(Error::Broken("window")));
        assert_eq!(window.fence(|_| Ok(())), Err(Error::Broken("window")));
        Ok(())
    });
}

#[test]
fn the_memory_of_neighbours_is_direct_where_it_is_mapped() {
    let shared = |world: &farside::World| {
        let mut window = Window::<u16>::shared(world, 4)?;
        let next = (world.rank() + 1) % world.size();
        window.fence(|epoch| {
            let cells = epoch.direct(next)?;
            cells.write(1, &[world.rank() as u16 + 1, 5])?;
            assert_eq!(cells.load(2)?, 5);
            assert!(cells.store(4, 0).is_err());
            Ok(())
        })?;
        let previous = (world.rank() + world.size() - 1) % world.size();
        assert_eq!(window.local()?, [0, previous as u16 + 1, 5, 0]);
        window.free()
    };
    farside::threads(3, shared).expect("threads share memory");
    let far = farside::simulate(2, shared).expect_err("a network does not");
    assert!(matches!(far, Error::Unsupported { .. }), "{far}");
    farside::simulate(1, |world| Window::<u8>::shared(world, 1)?.free()).expect("the own memory is near");
}
