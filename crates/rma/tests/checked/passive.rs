//! Locks, flushes, and what they order.

use super::expect::{reported, silent};
use farside::check::Rule;
use farside::{Layout, Lock, Operation, Window};

const SOURCE: &str = include_str!("passive.rs");

#[test]
fn puts_under_lock_all() {
    let sides = [("put", 0, "in lock_all"), ("put", 1, "in lock_all")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            epoch.put_value(world.rank(), 0, 0)?; // in lock_all
            epoch.flush(0)
        })?;
        window.free()
    });
}

#[test]
fn puts_under_lock_all_with_a_barrier() {
    silent(2, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            for turn in 0..2 {
                if world.rank() == turn {
                    epoch.put_value(turn, 0, 0)?;
                    epoch.flush(0)?;
                }
                world.barrier()?;
            }
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_barrier_without_a_flush() {
    let sides = [("put", 0, "not flushed"), ("put", 1, "too early")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?.into_passive()?;
        let value = [world.rank()];
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&value, 1, 0)?; // not flushed
            }
            world.barrier()?;
            if world.rank() == 1 {
                epoch.put(&value, 1, 0)?; // too early
            }
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn locks_exclude() {
    silent(3, |world| {
        let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        for _ in 0..4 {
            window.lock(0, Lock::Exclusive, |epoch| {
                let mut count = [0];
                epoch.remote(|batch| batch.get(&mut count, 0, 0))?;
                count[0] += 1;
                epoch.remote(|batch| batch.put(&count, 0, 0))
            })?;
        }
        let window = window.into_active()?;
        assert!(world.rank() != 0 || window.local()? == [12]);
        window.free()
    });
}

#[test]
fn shared_locks_do_not_exclude() {
    let sides = [
        ("put", 1, "under a shared lock"),
        ("get", 2, "under a shared lock, too"),
    ];
    reported(3, SOURCE, Rule::RemoteRace, sides, |world| {
        let window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let (one, mut there) = ([1], [0]);
        window.lock(0, Lock::Shared, |epoch| match world.rank() {
            1 => epoch.put(&one, 0, 0),       // under a shared lock
            2 => epoch.get(&mut there, 0, 0), // under a shared lock, too
            _ => Ok(()),
        })?;
        window.free()
    });
}

#[test]
fn what_a_lock_passes_on() {
    silent(2, |world| {
        let data = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let mut turn = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let me = world.rank();
        if me == 0 {
            data.lock(1, Lock::Shared, |epoch| epoch.put_value(7, 1, 0))?;
            turn.lock_local(|turn| {
                turn[0] = 1;
                Ok(())
            })?;
        } else {
            let mut found = [0];
            while found == [0] {
                turn.lock(0, Lock::Shared, |epoch| {
                    epoch.remote(|batch| batch.get(&mut found, 0, 0))
                })?;
            }
            data.lock(1, Lock::Shared, |epoch| epoch.put_value(8, 1, 0))?;
        }
        data.free()?;
        turn.free()
    });
}

#[test]
fn a_counter_that_all_fetch() {
    silent(3, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        window.lock_all(|epoch| {
            // Each number is given to one rank, which alone writes there.
            for _ in 0..1 {
                let number = epoch.fetch(Operation::Sum, 1, 0, 0)?.wait()?;
                epoch.put_value(7, 1, 1 + number as usize)?;
            }
            epoch.flush_all()
        })?;
        window.free()
    });
}

#[test]
fn a_fetch_that_hands_over() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put_value(7, 1, 1)?;
                epoch.flush(1)?;
                epoch.fetch(Operation::Replace, 1, 1, 0)?.wait()?;
                return epoch.flush(1);
            }
            while epoch.fetch(Operation::NoOp, 0, 1, 0)?.wait()? == 0 {
                world.compute(std::time::Duration::from_micros(1));
            }
            assert_eq!(epoch.direct(1)?.load(1)?, 7);
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_fetch_that_hands_over_too_early() {
    let sides = [("put", 0, "not there yet"), ("LOAD", 1, "read all the same")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put_value(7, 1, 1)?; // not there yet
                epoch.fetch(Operation::Replace, 1, 1, 0)?.wait()?;
                return epoch.flush(1);
            }
            while epoch.fetch(Operation::NoOp, 0, 1, 0)?.wait()? == 0 {
                world.compute(std::time::Duration::from_micros(1));
            }
            epoch.direct(1)?.load(1)?; // read all the same
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn operations_of_one_rank_to_one_place() {
    let sides = [("put", 0, "a first time"), ("put", 0, "a second time")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put_value(1, 1, 0)?; // a first time
                epoch.put_value(2, 1, 0)?; // a second time
            }
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn requests_and_inner_epochs() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 2)?.into_passive()?;
        let other = 1 - world.rank();
        window.lock_all(|epoch| {
            let back = epoch.rget(vec![0; 2], other, 0)?.wait()?;
            assert_eq!(back.len(), 2);
            world.barrier()?;
            epoch.rput(vec![1, 2], other, 0)?.wait()?;
            epoch.flush(other)?;
            let mut there = [0; 2];
            epoch.local(|batch| batch.get(&mut there, other, 0))?;
            assert_eq!(there, [1, 2]);
            epoch.put_value(3, other, 0)
        })?;
        window.free()
    });
}

/// The request of a get stands for all its runs; what another rank puts to one of them before its wait races.
#[test]
fn a_request_with_layouts_is_each_of_its_runs() {
    let read = |waits: bool| {
        move |world: &farside::World| {
            let mut window = Window::<u32>::allocate(world, 8)?.into_passive()?;
            let every_third = Layout::vector(3, 1, 3)?;
            window.lock_all(|epoch| {
                if world.rank() == 0 {
                    let request =
                        epoch.rget_layout(vec![0; 3], &Layout::contiguous(3), 2, 0, &every_third)?; // reads
                    if waits {
                        request.wait()?;
                    }
                }
                world.barrier()?;
                if world.rank() == 1 {
                    epoch.put_value(1, 2, 6)?; // writes the last run
                }
                Ok(())
            })?;
            window.free()
        }
    };
    silent(3, read(true));
    let sides = [("rget", 0, "reads"), ("put", 1, "writes the last run")];
    reported(3, SOURCE, Rule::RemoteRace, sides, read(false));
}
