//! Operations that follow one another at one target are done without the transport where memory is mapped, by what the
//! last one left. These tests change between them what it must not outlive: the epoch, the target, the kind of
//! operation.

mod support;

use farside::{Error, Lock, Operation, Result, Window};
use support::with;

/// An epoch of one target admits that one only, also right after an operation to another one.
#[test]
fn a_lock_within_a_lock_gives_the_outer_epoch_no_access() {
    with(3, |world| {
        let window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        if world.rank() == 0 {
            window.lock(1, Lock::Exclusive, |outer| {
                outer.put(&[1], 1, 0)?;
                window.lock(2, Lock::Exclusive, |inner| {
                    inner.put(&[2], 2, 0)?;
                    assert!(matches!(
                        outer.put(&[9], 2, 0),
                        Err(Error::NotInEpoch { target: 2, .. })
                    ));
                    assert!(matches!(
                        inner.put(&[9], 1, 0),
                        Err(Error::NotInEpoch { target: 1, .. })
                    ));
                    let mut found = [0];
                    let refused = outer.remote(|batch| batch.get(&mut found, 2, 0));
                    assert!(matches!(refused, Err(Error::NotInEpoch { target: 2, .. })));
                    inner.put(&[3], 2, 1)
                })?;
                assert!(matches!(
                    outer.put(&[9], 2, 0),
                    Err(Error::NotInEpoch { target: 2, .. })
                ));
                outer.put(&[4], 1, 1)
            })?;
        }
        let window = window.into_active()?;
        let expected = [[0, 0, 0, 0], [1, 4, 0, 0], [2, 3, 0, 0]];
        assert_eq!(window.local()?, expected[world.rank() as usize]);
        window.free()
    });
}

/// What a fence epoch admitted, a start may not.
#[test]
fn a_start_admits_its_targets_only_whatever_was_accessed_before() {
    with(3, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?;
        let (me, size) = (world.rank(), world.size());
        let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
        window.fence(|epoch| epoch.put_value(7, previous, 0))?;
        window.post(&[previous], |exposure| {
            exposure.start(&[next], |epoch| {
                let refused = epoch.put_value(9, previous, 0);
                assert!(matches!(refused, Err(Error::NotInEpoch { target, .. }) if target == previous));
                epoch.put_value(u64::from(me), next, 0)?;
                let refused = epoch.fetch(Operation::Sum, 1, previous, 0).map(|_| ());
                assert!(matches!(refused, Err(Error::NotInEpoch { target, .. }) if target == previous));
                Ok(())
            })
        })?;
        assert_eq!(window.local()?, [u64::from(previous)]);
        window.free()
    });
}

/// Each lock_all epoch takes its locks anew: an exclusive lock of another rank keeps a later one out.
#[test]
fn a_lock_all_epoch_locks_what_an_earlier_one_accessed() {
    with(2, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        for step in 0..20 {
            if world.rank() == 0 {
                window.lock_all(|epoch| {
                    epoch.put_value(2 * step + 1, 1, 0)?;
                    epoch.put_value(2 * step + 1, 1, 1)
                })?;
            } else {
                // Both or neither: the epoch holds its lock from the first put to the end.
                window.lock_local(|own| {
                    assert_eq!(own[0], own[1]);
                    Ok(())
                })?;
            }
        }
        window.free()
    });
}

/// Operations of all kinds at changing targets, then one flush: all of them are there, in the order of their calls
/// where there is one.
#[test]
fn one_flush_completes_operations_at_changing_targets() {
    with(3, |world| {
        let mut window = Window::<u64>::allocate(world, 8)?.into_passive()?;
        if world.rank() == 0 {
            window.lock_all(|epoch| {
                let mut swapped = [99; 6];
                let (first, second) = swapped.split_at_mut(3);
                epoch.remote(|batch| {
                    for (round, found) in first.iter_mut().zip(second).enumerate() {
                        for (target, found) in [(1, found.0), (2, found.1)] {
                            batch.put_value(10 + round as u64, target, round)?;
                            batch.accumulate(Operation::Sum, &[1, 2], target, 3)?;
                            batch.fetch_and_op(Operation::Replace, round as u64, found, target, 5)?;
                        }
                    }
                    Ok(())
                })?;
                assert_eq!(swapped, [0, 0, 1, 0, 0, 1]);
                for target in [1, 2] {
                    let mut found = [0; 8];
                    epoch.remote(|batch| batch.get(&mut found, target, 0))?;
                    assert_eq!(found, [10, 11, 12, 3, 6, 2, 0, 0]);
                    assert_eq!(epoch.swap(2, 8, target, 5)?.wait()?, 2);
                    assert_eq!(epoch.swap(2, 9, target, 5)?.wait()?, 8);
                }
                Ok(())
            })?;
        }
        window.free()
    });
}

/// Bounds are checked on the short way as on the long one.
#[test]
fn elements_out_of_bounds_are_refused_after_elements_in_bounds() {
    with(2, |world| {
        let mut window = Window::<u32>::allocate(world, 4)?;
        let other = 1 - world.rank();
        window.fence(|epoch| {
            epoch.put(&[1, 2], other, 2)?;
            for displacement in [3, 4, usize::MAX] {
                let refused = epoch.put(&[9, 9], other, displacement);
                assert!(matches!(refused, Err(Error::OutOfBounds { .. })), "{refused:?}");
            }
            let refused = epoch.put(&[], u32::MAX, 0);
            assert!(
                matches!(refused, Err(Error::RankOutOfRange { .. })),
                "{refused:?}"
            );
            epoch.put(&[], other, 4)
        })?;
        assert_eq!(window.local()?, [0, 0, 1, 2]);
        window.free()
    });
}

/// Memory that was attached, and the part of the window of the same rank, in one epoch.
#[test]
fn attached_memory_and_the_window_are_two_places_of_one_rank() {
    with(2, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?;
        let attached = window.attach(3)?;
        let mut tokens = [attached.token(); 2];
        world.allgather(&[attached.token()], &mut tokens)?;
        let other = 1 - world.rank();
        let memory = window.connect(&tokens[other as usize])?;
        window.fence(|epoch| -> Result<()> {
            epoch.put(&[1, 2], &memory, 0)?;
            epoch.put(&[4, 5], other, 0)?;
            epoch.accumulate(Operation::Sum, &[10], &memory, 2)
        })?;
        assert_eq!(window.local()?, [4, 5]);
        assert_eq!(window.attached(&attached)?, [1, 2, 10]);
        window.free()
    });
}
