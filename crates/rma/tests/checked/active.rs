//! Fences, and post, start, complete, wait.

use super::expect::{reported, silent};
use farside::check::Rule;
use farside::{Operation, Window};

const SOURCE: &str = include_str!("active.rs");

#[test]
fn two_puts_to_one_element_in_a_fence_epoch() {
    let sides = [("put", 0, "both put"), ("put", 1, "both put")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u32>::allocate(world, 2)?;
        let mine = [world.rank()];
        window.fence(|epoch| {
            epoch.put(&mine, 0, 1) // both put
        })?;
        window.free()
    });
}

#[test]
fn two_puts_to_different_elements_or_in_different_epochs() {
    silent(2, |world| {
        let mut window = Window::<u32>::allocate(world, 2)?;
        let (me, mine) = (world.rank(), [world.rank()]);
        window.fence(|epoch| epoch.put(&mine, 0, me as usize))?;
        for turn in 0..2 {
            window.fence(|epoch| {
                if turn == me {
                    epoch.put(&mine, 0, 1)
                } else {
                    Ok(())
                }
            })?;
        }
        window.fences(|fences| {
            fences.epoch(|epoch| if me == 0 { epoch.put(&mine, 1, 0) } else { Ok(()) })?;
            fences.epoch(|epoch| if me == 1 { epoch.put(&mine, 1, 0) } else { Ok(()) })
        })?;
        window.free()
    });
}

/// A fence that begins an epoch need not wait for others; the one that ends it does.
#[test]
fn the_beginning_of_an_epoch_orders_nobody() {
    let sides = [("put", 0, "before the epoch"), ("put", 2, "within the epoch")];
    reported(3, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?;
        let mut other = Window::<u32>::allocate(world, 1)?.into_passive()?;
        let me = world.rank();
        if me == 0 {
            other.lock_all(|epoch| epoch.put_value(me, 1, 0))?; // before the epoch
        }
        window.fence(|_| match me {
            2 => other.lock_all(|epoch| epoch.put_value(me, 1, 0)), // within the epoch
            _ => Ok(()),
        })?;
        if me == 1 {
            other.lock_all(|epoch| epoch.put_value(me, 1, 0))?;
        }
        window.free()?;
        other.free()
    });
}

/// Each rank puts to the next; two origins of one target are ordered by its fence.
#[test]
fn a_fence_of_neighbours_orders_who_may_meet() {
    silent(4, |world| {
        let mut window = Window::<u32>::allocate(world, 2)?;
        let (me, next) = (world.rank(), (world.rank() + 1) % 4);
        let after_next = (next + 1) % 4;
        window.set_neighbours(&[next, after_next])?;
        window.fences(|fences| {
            for turn in 0..3 {
                let target = if turn % 2 == 0 { next } else { after_next };
                fences.epoch(|epoch| epoch.put_value(me, target, 0))?;
            }
            Ok(())
        })?;
        window.local_mut()?[0] = me;
        window.fence(|epoch| epoch.put_value(me, next, 0))?;
        assert_eq!(window.local()?[0], (me + 3) % 4);
        window.free()
    });
}

#[test]
fn a_fence_of_neighbours_orders_no_others() {
    let sides = [("put", 0, "before the fence"), ("put", 2, "after the fence")];
    reported(4, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut few = Window::<u32>::allocate(world, 1)?;
        let mut all = Window::<u32>::allocate(world, 1)?.into_passive()?;
        let me = world.rank();
        // Ranks 0 and 1 are neighbours, and 2 and 3.
        few.set_neighbours(&[me ^ 1])?;
        if me == 0 {
            all.lock_all(|epoch| epoch.put_value(me, 1, 0))?; // before the fence
        }
        few.fence(|_| Ok(()))?;
        if me == 2 {
            all.lock_all(|epoch| epoch.put_value(me, 1, 0))?; // after the fence
        }
        few.free()?;
        all.free()
    });
}

#[test]
fn a_put_meets_a_get() {
    let sides = [("put", 0, "puts"), ("get", 2, "gets")];
    reported(3, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?;
        let (mine, mut theirs) = ([1, 2], [0, 0]);
        window.fence(|epoch| match world.rank() {
            0 => epoch.put(&mine, 1, 1),       // puts
            2 => epoch.get(&mut theirs, 1, 2), // gets
            _ => Ok(()),
        })?;
        window.free()
    });
}

#[test]
fn gets_meet_gets() {
    silent(3, |world| {
        let mut window = Window::<u64>::allocate(world, 4)?;
        let mut theirs = [0; 4];
        window.fence(|epoch| epoch.get(&mut theirs, 1, 0))?;
        window.free()
    });
}

#[test]
fn a_put_meets_an_accumulate() {
    let sides = [("put", 0, "writes"), ("accumulate", 1, "adds")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<i32>::allocate(world, 1)?;
        window.fence(|epoch| match world.rank() {
            0 => epoch.put(&[7], 1, 0),                        // writes
            _ => epoch.accumulate(Operation::Sum, &[1], 1, 0), // adds
        })?;
        window.free()
    });
}

#[test]
fn accumulates_of_different_operations() {
    let sides = [("accumulate", 0, "sums"), ("accumulate", 1, "maxima")];
    reported(2, SOURCE, Rule::AccumulateMismatch, sides, |world| {
        let mut window = Window::<i32>::allocate(world, 1)?;
        window.fence(|epoch| match world.rank() {
            0 => epoch.accumulate(Operation::Sum, &[7], 1, 0), // sums
            _ => epoch.accumulate(Operation::Max, &[1], 1, 0), // maxima
        })?;
        window.free()
    });
}

/// A logical operation is the checker's own, not the bitwise one.
#[test]
fn logical_and_bitwise_accumulates() {
    let sides = [("accumulate", 0, "truth"), ("accumulate", 1, "bits")];
    reported(2, SOURCE, Rule::AccumulateMismatch, sides, |world| {
        let mut window = Window::<u8>::allocate(world, 1)?;
        window.fence(|epoch| match world.rank() {
            0 => epoch.accumulate(Operation::LogicalOr, &[1], 1, 0), // truth
            _ => epoch.accumulate(Operation::Or, &[1], 1, 0),        // bits
        })?;
        window.free()
    });
    silent(3, |world| {
        let mut window = Window::<usize>::allocate(world, 1)?;
        window.fence(|epoch| epoch.accumulate(Operation::LogicalXor, &[1], 1, 0))?;
        window.free()
    });
}

#[test]
fn accumulates_of_one_operation() {
    silent(3, |world| {
        let mut window = Window::<i32>::allocate(world, 2)?;
        let mut before = 0;
        window.fence(|epoch| {
            epoch.accumulate(Operation::Sum, &[7, 8], 1, 0)?;
            epoch.fetch_and_op(Operation::NoOp, 0, &mut before, 1, 0)
        })?;
        window.free()
    });
}

#[test]
fn columns_that_meet_in_one_element() {
    let sides = [("put", 0, "a row"), ("put", 1, "a column")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u8>::allocate(world, 9)?;
        let column = farside::Layout::vector(3, 1, 3)?;
        let three = farside::Layout::contiguous(3);
        window.fence(|epoch| match world.rank() {
            0 => epoch.put(&[1, 2, 3], 0, 3),                         // a row
            _ => epoch.put_layout(&[4, 5, 6], &three, 0, 1, &column), // a column
        })?;
        window.free()
    });
}

#[test]
fn columns_that_do_not_meet() {
    silent(3, |world| {
        let mut window = Window::<u8>::allocate(world, 9)?;
        let column = farside::Layout::vector(3, 1, 3)?;
        let three = farside::Layout::contiguous(3);
        let me = world.rank() as usize;
        window.fence(|epoch| epoch.put_layout(&[4, 5, 6], &three, 0, me, &column))?;
        window.free()
    });
}

#[test]
fn origins_of_one_exposure_meet() {
    let sides = [("put", 1, "from an origin"), ("put", 2, "from an origin")];
    reported(3, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?;
        if world.rank() == 0 {
            window.post(&[1, 2], |_| Ok(()))?;
        } else {
            window.start(&[0], |epoch| {
                epoch.put_value(world.rank(), 0, 0) // from an origin
            })?;
        }
        window.free()
    });
}

#[test]
fn one_exposure_after_the_other() {
    silent(3, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?;
        for round in 0..3 {
            for origin in 1..3 {
                if world.rank() == 0 {
                    window.post(&[origin], |exposure| exposure.test().map(|_| ()))?;
                    assert_eq!(window.local()?, [round * 10 + origin]);
                    window.local_mut()?[0] = 0;
                } else if world.rank() == origin {
                    window.start(&[0], |epoch| epoch.put_value(round * 10 + origin, 0, 0))?;
                }
            }
        }
        window.free()
    });
}

#[test]
fn a_ring_of_exposures() {
    silent(4, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?;
        let (me, size) = (world.rank(), world.size());
        let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
        for _ in 0..3 {
            window.post(&[previous], |exposure| {
                exposure.start(&[next], |epoch| epoch.put_value(me, next, 0))
            })?;
            assert_eq!(window.local()?, [previous]);
        }
        window.free()
    });
}

#[test]
fn attached_memory() {
    let sides = [("put", 1, "attached"), ("put", 2, "attached")];
    reported(3, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::dynamic(world)?;
        let mut token = [bytemuck::Zeroable::zeroed()];
        if world.rank() == 0 {
            token = [window.attach(3)?.token()];
        }
        world.broadcast(0, &mut token)?;
        let memory = window.connect(&token[0])?;
        window.fence(|epoch| match world.rank() {
            0 => Ok(()),
            _ => epoch.put_value(5, &memory, 1), // attached
        })?;
        window.free()
    });
}

#[test]
fn attached_memory_by_turns() {
    silent(3, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?;
        let mut token = [bytemuck::Zeroable::zeroed()];
        if world.rank() == 0 {
            token = [window.attach(3)?.token()];
        }
        world.broadcast(0, &mut token)?;
        let memory = window.connect(&token[0])?;
        let me = world.rank() as usize;
        window.fence(|epoch| epoch.put_value(5, &memory, me))?;
        window.fence(|epoch| if me == 0 { epoch.put_value(5, 0, 0) } else { Ok(()) })?;
        window.free()
    });
}
