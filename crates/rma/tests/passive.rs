//! Passive target synchronisation: locks, flush, cells, notified put, attached memory.

mod support;

use farside::{Error, Lock, Operation, Window};
use std::time::Duration;
use support::{everywhere, with};

#[test]
fn exclusive_locks_exclude() {
    everywhere(|world| {
        let rounds = 8;
        let mut window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        for _ in 0..rounds {
            window.lock(0, Lock::Exclusive, |epoch| {
                let mut values = [0, 0];
                epoch.remote(|batch| batch.get(&mut values, 0, 0))?;
                assert_eq!(values[0], values[1], "nobody is halfway");
                epoch.put_value(values[0] + 1, 0, 0)?;
                epoch.flush(0)?;
                world.compute(Duration::from_micros(3));
                epoch.put_value(values[1] + 1, 0, 1)
            })?;
        }
        world.barrier()?;
        if world.rank() == 0 {
            window.lock_local(|elements| {
                assert_eq!(elements, [rounds * u64::from(world.size()); 2]);
                Ok(())
            })?;
        }
        window.free()
    });
}

#[test]
fn shared_locks_share_and_keep_exclusive_ones_out() {
    with(3, |world| {
        let window = Window::<u32>::allocate(world, 1)?.into_passive()?;
        if world.rank() > 0 {
            // Both hold the lock at the same time, or this would not end.
            window.lock(0, Lock::Shared, |epoch| {
                epoch.accumulate(Operation::Sum, &[1], 0, 0)?;
                let other = 3 - world.rank();
                world.send(other, 0, &[0u8])?;
                world.receive::<u8>(Some(other), Some(0))?;
                world.send(0, 1, &[0u8])
            })?;
        } else {
            world.receive::<u8>(None, Some(1))?;
            window.lock(0, Lock::Exclusive, |epoch| {
                // Unlock completes: both sums are here as soon as nobody holds the lock.
                assert_eq!(epoch.direct(0)?.load(0)?, 2);
                Ok(())
            })?;
        }
        window.free()
    });
}

#[test]
fn locks_at_different_targets_nest_and_at_the_same_do_not() {
    with(3, |world| {
        let me = world.rank();
        let window = Window::<u32>::allocate(world, 3)?.into_passive()?;
        window.lock(1, Lock::Shared, |first| {
            window.lock(2, Lock::Shared, |second| {
                assert!(matches!(
                    second.put_value(0, 1, 0),
                    Err(Error::NotInEpoch { target: 1, .. })
                ));
                second.put_value(me, 2, me as usize)
            })?;
            let again = window.lock(1, Lock::Shared, |_| Ok(()));
            assert!(matches!(again, Err(Error::AlreadyLocked { target: 1, .. })));
            first.put_value(me, 1, me as usize)
        })?;
        assert!(matches!(
            window.lock(3, Lock::Shared, |_| Ok(())),
            Err(Error::RankOutOfRange { .. })
        ));
        let window = window.into_active()?;
        assert_eq!(window.local()?, if me == 0 { [0, 0, 0] } else { [0, 1, 2] });
        window.free()
    });
}

#[test]
fn a_lock_is_given_back_when_the_epoch_fails() {
    with(2, |world| {
        let window = Window::<u32>::allocate(world, 1)?.into_passive()?;
        for _ in 0..3 {
            let failed = window.lock(0, Lock::Exclusive, |epoch| epoch.put_value(1, 0, 5));
            assert!(matches!(failed, Err(Error::OutOfBounds { displacement: 5, .. })));
        }
        window.free()
    });
}

#[test]
fn lock_all_gives_access_to_all_and_excludes_exclusive_locks() {
    everywhere(|world| {
        let size = world.size();
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            for target in (0..size).rev() {
                epoch.accumulate(Operation::Sum, &[1], target, 0)?;
            }
            epoch.flush_all()?;
            epoch.flush_local_all()?;
            epoch.flush_local(size - 1)?;
            epoch.sync();
            assert!(matches!(
                epoch.put_value(0, size, 0),
                Err(Error::RankOutOfRange { .. })
            ));
            Ok(())
        })?;
        world.barrier()?;
        window.lock_local(|elements| {
            assert_eq!(elements, [u64::from(size)]);
            Ok(())
        })?;
        // Locked again: the last epoch left no lock.
        window.lock_all(|epoch| epoch.put_value(7, world.rank(), 0))?;
        assert_eq!(window.cells().load(0)?, 7);
        window.free()
    });
}

/// Figure 8(a) of paper 004: a process polls its own memory for what another one puts and flushes.
#[test]
fn a_target_can_poll_for_a_put() {
    with(2, |world| {
        let mut window = Window::<u64>::allocate(world, 9)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                let values = [5; 8];
                epoch.remote(|batch| batch.put(&values, 1, 0))?;
                return epoch.put_value(1, 1, 8);
            }
            assert_eq!(epoch.wait_until(8, |flag| flag == 1)?, 1);
            let mut seen = [0; 8];
            epoch.direct(1)?.read(0, &mut seen)?;
            assert_eq!(seen, [5; 8]);
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_buffer_is_free_again_after_an_inner_epoch() {
    everywhere(|world| {
        let mut window = Window::<u64>::allocate(world, 20)?.into_passive()?;
        let target = (world.rank() + 1) % world.size();
        let mut buffer = [0; 4];
        window.lock_all(|epoch| {
            for step in 0..5 {
                buffer.fill(step as u64);
                epoch.local(|batch| batch.put(&buffer, target, step * 4))?;
            }
            buffer.fill(99);
            Ok(())
        })?;
        let window = window.into_active()?;
        assert!(window.local()?.iter().copied().eq((0..20).map(|index| index / 4)));
        window.free()
    });
}

#[test]
fn a_notice_comes_after_its_put() {
    everywhere(|world| {
        let size = world.size();
        let mut window = Window::<u64>::allocate(world, 64 * size as usize)?.into_passive()?;
        assert!(window.greatest_notice() >= Some(1 << 20));
        let me = world.rank();
        let values = vec![u64::from(me) + 1; 64];
        window.lock_all(|epoch| {
            for target in 0..size {
                epoch.put_notify(&values, target, 64 * me as usize, me)?;
            }
            for source in 0..size {
                let notice = epoch.wait_notice(Some(source))?;
                assert!(notice.source.is_none_or(|rank| rank == source));
                let mut seen = vec![0; 64];
                epoch.direct(me)?.read(64 * source as usize, &mut seen)?;
                assert_eq!(seen, vec![u64::from(source) + 1; 64]);
            }
            assert_eq!(epoch.test_notice(None)?, None);
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn notices_of_windows_do_not_mix_and_have_a_greatest_number() {
    with(2, |world| {
        let other = 1 - world.rank();
        let mut first = Window::<u8>::allocate(world, 1)?;
        let mut second = Window::<u8>::allocate(world, 1)?.into_passive()?;
        first.fence(|epoch| epoch.put_notify(&[], other, 0, 1))?;
        second.lock_all(|epoch| {
            epoch.put_notify(&[3], other, 0, 2)?;
            let most = 1 << 24;
            let too_great = epoch.put_notify(&[], other, 0, most);
            assert!(matches!(too_great, Err(Error::TooGreat { .. })), "{too_great:?}");
            Ok(())
        })?;
        assert_eq!(second.wait_notice(None)?.number, 2);
        assert_eq!(second.test_notice(None)?, None);
        first.fence(|epoch| {
            assert_eq!(epoch.wait_notice(None)?.number, 1);
            Ok(())
        })?;
        second.free()?;
        first.free()
    });
}

#[test]
fn attached_memory_is_reached_by_its_token() {
    with(3, |world| {
        let mut window = Window::<u64>::dynamic(world)?.into_passive()?;
        let attached = window.attach(4)?;
        let mut tokens = vec![attached.token(); 3];
        world.allgather(&[attached.token()], &mut tokens)?;
        let next = (world.rank() + 1) % 3;
        let memory = window.connect(&tokens[next as usize])?;
        window.lock_all(|epoch| {
            assert!(matches!(
                epoch.put_value(1, next, 0),
                Err(Error::OutOfBounds { exposed: 0, .. })
            ));
            assert!(matches!(
                epoch.put_value(1, &memory, 4),
                Err(Error::OutOfBounds { exposed: 4, .. })
            ));
            epoch.put_value(u64::from(world.rank()), &memory, 3)
        })?;
        world.barrier()?;
        let previous = u64::from((world.rank() + 2) % 3);
        assert_eq!(attached.cells(&window)?.load(3)?, previous);
        // Of another window it is nothing.
        let other = Window::<u64>::dynamic(world)?;
        assert!(other.connect(&tokens[0]).is_err());
        assert!(other.attached(&attached).is_err());
        other.free()?;
        world.barrier()?;
        // SAFETY: nobody accesses the memory any more: all have passed the barrier after their last access.
        unsafe { window.detach(attached) }?;
        window.free()
    });
}

#[test]
fn modes_change_back_and_forth() {
    everywhere(|world| {
        let mut window = Window::<u32>::allocate(world, 1)?;
        let next = (world.rank() + 1) % world.size();
        for round in 1..4 {
            window.local_mut()?[0] = round;
            let passive = window.into_passive()?;
            passive.lock(next, Lock::Exclusive, |epoch| {
                epoch.accumulate(Operation::Product, &[10], next, 0)
            })?;
            window = passive.into_active()?;
            assert_eq!(window.local()?, [round * 10]);
        }
        window.free()
    });
}

/// A window that is dropped leaves its memory to those who still access it.
#[test]
fn a_dropped_window_harms_nobody() {
    with(2, |world| {
        let window = Window::<u32>::allocate(world, 4)?.into_passive()?;
        if world.rank() == 0 {
            drop(window);
            world.barrier()?;
        } else {
            world.barrier()?;
            window.lock(0, Lock::Exclusive, |epoch| epoch.put(&[1, 2, 3, 4], 0, 0))?;
        }
        let mut again = Window::<u32>::allocate(world, 1)?;
        again.fence(|epoch| epoch.put_value(3, 1 - world.rank(), 0))?;
        assert_eq!(again.local()?, [3]);
        again.free()
    });
}
