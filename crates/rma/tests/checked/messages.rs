//! Messages, notices and collective calls, and what they order.

use super::expect::{reported, silent};
use farside::check::Rule;
use farside::{Operation, Window};

const SOURCE: &str = include_str!("messages.rs");

#[test]
fn a_notice_tells_of_its_own_put() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        window.lock_all(|epoch| {
            for round in 0..3 {
                if world.rank() == 0 {
                    epoch.put_notify(&[1, 2], 1, 1, 7)?;
                    epoch.flush(1)?;
                } else {
                    assert_eq!(epoch.wait_notice(Some(7))?.source, Some(0));
                    assert_eq!(epoch.direct(1)?.load(2)?, 2, "round {round}");
                }
                world.barrier()?;
            }
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_notice_tells_of_no_other_put() {
    let sides = [("put", 0, "another put"), ("LOAD", 1, "not told of")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 3)?; // another put
                epoch.put_notify(&[1, 2], 1, 1, 7)?;
                return Ok(());
            }
            epoch.wait_notice(None)?;
            let own = epoch.direct(1)?;
            own.load(1)?;
            own.load(3)?; // not told of
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_flush_before_the_notice() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 3)?;
                epoch.flush(1)?;
                return epoch.put_notify(&[1, 2], 1, 1, 7);
            }
            epoch.wait_notice(None)?;
            assert_eq!(epoch.direct(1)?.load(3)?, 5);
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_message_before_the_flush() {
    let sides = [("put", 0, "on its way"), ("LOAD", 1, "already")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 0)?; // on its way
                world.send(1, 3, &[1u8])?;
                return Ok(());
            }
            world.receive::<u8>(None, None)?;
            epoch.direct(1)?.load(0)?; // already
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_message_after_the_flush() {
    silent(2, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put(&[5], 1, 0)?;
                epoch.flush(1)?;
                return world.send(1, 3, &[1u8]);
            }
            while world.try_receive::<u8>(Some(0), Some(3))?.is_none() {
                world.compute(std::time::Duration::from_micros(1));
            }
            assert_eq!(epoch.direct(1)?.load(0)?, 5);
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_message_of_another_group() {
    silent(4, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let half = world.split(Some(world.rank() % 2), 0)?.expect("a half");
        let other = (world.rank() + 2) % 4;
        window.lock_all(|epoch| {
            epoch.put_value(5, other, 0)?;
            epoch.flush(other)?;
            half.send(1 - half.rank(), 0, &[0u8])?;
            half.receive::<u8>(None, None)?;
            assert_eq!(epoch.direct(world.rank())?.load(0)?, 5);
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_barrier_of_some_orders_only_them() {
    let sides = [("put", 0, "of the half"), ("LOAD", 1, "of the other half")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let alone = world.split(Some(world.rank()), 0)?.expect("a group of one");
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put_value(5, 1, 0)?; // of the half
                epoch.flush(1)?;
            }
            alone.barrier()?;
            if world.rank() == 1 {
                epoch.direct(1)?.load(0)?; // of the other half
            }
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn collective_calls_order_as_data_flows() {
    silent(4, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?.into_passive()?;
        window.lock_all(|epoch| {
            let mut word = [0u32];
            if world.rank() == 2 {
                epoch.put_value(5, 1, 0)?;
                epoch.flush(1)?;
            }
            world.broadcast(2, &mut word)?;
            if world.rank() == 1 {
                assert_eq!(epoch.direct(1)?.load(0)?, 5);
            }
            world.reduce(3, Operation::Sum, &mut word)?;
            if world.rank() == 3 {
                epoch.put_value(6, 1, 0)?;
                epoch.flush(1)?;
            }
            world.allreduce(Operation::Sum, &mut word)?;
            if world.rank() == 0 {
                epoch.put_value(7, 1, 0)?;
                epoch.flush(1)?;
            }
            world.allgather(&[1u8], &mut [0; 4])?;
            if world.rank() == 2 {
                epoch.put_value(8, 1, 0)?;
            }
            Ok(())
        })?;
        window.free()
    });
}

#[test]
fn a_broadcast_does_not_order_towards_its_root() {
    let sides = [("put", 0, "of a leaf"), ("LOAD", 1, "of the root")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            if world.rank() == 0 {
                epoch.put_value(5, 1, 0)?; // of a leaf
                epoch.flush(1)?;
            }
            world.broadcast(1, &mut [0u8])?;
            if world.rank() == 1 {
                epoch.direct(1)?.load(0)?; // of the root
            }
            Ok(())
        })?;
        window.free()
    });
}
