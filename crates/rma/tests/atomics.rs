//! Atomic operations of all kinds, and requests.

mod support;

use farside::{Element, Error, Layout, Located, Operation, Result, Window, World};
use support::{everywhere, with};

/// One operation of one rank on one element, against [`Combine::combine`](farside::Combine::combine) there.
fn computes<T: Element>(world: &World, value: T, operand: T) -> Result<()> {
    let mut window = Window::create(world, vec![value; 3])?;
    for operation in Operation::ALL {
        if !T::has(operation) {
            let refused = window.fence(|epoch| epoch.accumulate(operation, &[], 0, 0));
            assert!(matches!(refused, Err(Error::Unsupported { .. })));
            continue;
        }
        window.local_mut()?.fill(value);
        let operands = [operand];
        let (mut first, mut second) = (operand, [operand]);
        window.fence(|epoch| {
            if world.rank() == 0 {
                let target = world.size() - 1;
                epoch.fetch_and_op(operation, operand, &mut first, target, 0)?;
                epoch.get_accumulate(operation, &operands, &mut second, target, 1)?;
            }
            Ok(())
        })?;
        if world.rank() == world.size() - 1 {
            let expected = T::combine(operation, value, operand);
            assert_eq!(window.local()?, [expected, expected, value], "{operation:?}");
        }
        if world.rank() == 0 {
            assert_eq!((first, second), (value, [value]));
        }
    }
    window.free()
}

#[test]
fn operations_compute_what_they_say() {
    with(2, |world| {
        computes::<i8>(world, -7, 100)?;
        computes::<u8>(world, 200, 100)?;
        computes::<i16>(world, -300, 999)?;
        computes::<u16>(world, 0xff00, 0x0ff0)?;
        computes::<i32>(world, i32::MIN, -1)?;
        computes::<u32>(world, 5, 3)?;
        computes::<i64>(world, i64::MAX, 2)?;
        computes::<u64>(world, 0b1100, 0b1010)?;
        computes::<isize>(world, isize::MIN, -1)?;
        computes::<usize>(world, usize::MAX, 2)?;
        computes(world, Located::new(-1i32, 5u32), Located::new(-1, 3))?;
        computes(world, Located::new(7u32, 5), Located::new(8, 9))?;
        computes(world, Located::new(f32::NEG_INFINITY, 5), Located::new(8.5, 9))?;
        computes::<f32>(world, 1.25, -2.5)?;
        computes::<f64>(world, -0.5, 8.0)
    });
}

#[test]
fn concurrent_sums_lose_nothing() {
    everywhere(|world| {
        let mut window = Window::<u64>::allocate(world, 40)?;
        let ones = [1; 40];
        window.fence(|epoch| {
            for _ in 0..25 {
                epoch.accumulate(Operation::Sum, &ones, 0, 0)?;
            }
            Ok(())
        })?;
        if world.rank() == 0 {
            assert_eq!(window.local()?, [25 * u64::from(world.size()); 40]);
        }
        window.free()
    });
}

#[test]
fn tickets_are_distinct() {
    with(3, |world| {
        let mut window = Window::<u32>::allocate(world, 1)?.into_passive()?;
        let mut mine = Vec::new();
        window.lock_all(|epoch| {
            for _ in 0..10 {
                mine.push(epoch.fetch(Operation::Sum, 1, 1, 0)?.wait()?);
            }
            Ok(())
        })?;
        assert!(mine.is_sorted());
        let mut all = [0; 30];
        world.allgather(&mine, &mut all)?;
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..30));
        window.free()
    });
}

#[test]
fn one_compare_and_swap_wins() {
    everywhere(|world| {
        let mut window = Window::<i64>::create(world, vec![-1])?.into_passive()?;
        let me = i64::from(world.rank());
        let before = window.lock_all(|epoch| {
            let before = epoch.swap(-1, me, 0, 0)?.wait()?;
            let mut again = 0;
            epoch.local(|batch| batch.compare_and_swap(-1, me, &mut again, 0, 0))?;
            assert_ne!(again, -1, "somebody has won");
            assert_eq!(before == -1, again == me);
            Ok(before)
        })?;
        let mut winners = [u32::from(before == -1)];
        world.allreduce(Operation::Sum, &mut winners)?;
        assert_eq!(winners, [1]);
        window.free()
    });
}

/// Sizes and differences of addresses, in each call that takes elements.
#[test]
fn machine_words_are_elements() {
    everywhere(|world| {
        let (me, size) = (world.rank() as usize, world.size() as usize);
        let mut window = Window::<usize>::create(world, vec![0, usize::MAX])?.into_passive()?;
        let own = [me];
        let ticket = window.lock_all(|epoch| {
            epoch.accumulate(Operation::Min, &own, 0, 1)?;
            epoch.fetch(Operation::Sum, 1, 0, 0)?.wait()
        })?;
        let mut tickets = vec![0; size];
        world.allgather(&[ticket], &mut tickets)?;
        tickets.sort_unstable();
        assert!(tickets.iter().copied().eq(0..size));
        let (least, before) = window.lock_all(|epoch| {
            let least = epoch.fetch(Operation::NoOp, 0, 0, 1)?.wait()?;
            Ok((least, epoch.swap(size, usize::MAX, 0, 0)?.wait()?))
        })?;
        assert_eq!(least, 0);
        let mut winners = [usize::from(before == size)];
        world.allreduce(Operation::Sum, &mut winners)?;
        assert_eq!(winners, [1]);
        let mut least = [-(me as isize), me as isize];
        world.allreduce(Operation::Min, &mut least)?;
        assert_eq!(least, [1 - size as isize, 0]);
        window.free()
    });
}

/// The greatest and the smallest of all ranks' values, most of which occur twice.
#[test]
fn extremes_have_the_lowest_index() {
    everywhere(|world| {
        let (me, size) = (world.rank(), world.size());
        let value = [3.5, -1.0, 3.5, -1.0][me as usize];
        let smallest = if size == 1 { (3.5, 0) } else { (-1.0, 1) };
        let expected = [
            (Operation::MaxLoc, f32::NEG_INFINITY, (3.5, 0)),
            (Operation::MinLoc, f32::INFINITY, smallest),
        ];
        for (operation, neutral, (greatest, index)) in expected {
            let (own, result) = (Located::new(value, me), Located::new(greatest, index));
            let mut window = Window::create(world, vec![Located::new(neutral, u32::MAX)])?;
            let origin = [own];
            window.fence(|epoch| epoch.accumulate(operation, &origin, 0, 0))?;
            assert!(me != 0 || window.local()? == [result], "{operation:?}");
            window.free()?;
            let mut reduced = [own];
            world.allreduce(operation, &mut reduced)?;
            assert_eq!(reduced, [result], "{operation:?}");
            let mut wide = [Located::new(f64::from(value), u64::from(me) << 32)];
            world.reduce(0, operation, &mut wide)?;
            let result = Located::new(f64::from(greatest), u64::from(index) << 32);
            assert!(me != 0 || wide == [result], "{operation:?}");
        }
        Ok(())
    });
}

/// The index of a pair is never that of another value, whoever writes and reads at the same time.
#[test]
fn pairs_are_never_torn() {
    everywhere(|world| {
        let me = world.rank();
        let mut window = Window::<Located<u32>>::create(world, vec![Located::new(0, 0)])?.into_passive()?;
        let whole = |pair: Located<u32>| assert_eq!(pair.index, pair.value.wrapping_mul(0x9E37_79B9));
        window.lock_all(|epoch| {
            for turn in 0..50 {
                let value = turn * 4 + me;
                let own = Located::new(value, value.wrapping_mul(0x9E37_79B9));
                whole(epoch.fetch(Operation::MaxLoc, own, 0, 0)?.wait()?);
                whole(epoch.fetch(Operation::NoOp, own, 0, 0)?.wait()?);
            }
            Ok(())
        })?;
        world.barrier()?;
        let last = window.lock_all(|epoch| epoch.fetch(Operation::NoOp, Located::default(), 0, 0)?.wait())?;
        assert_eq!(last.value, 49 * 4 + world.size() - 1);
        window.free()
    });
}

/// Flags that all ranks combine at once; and the same of a reduction.
#[test]
fn logical_operations_of_all_ranks() {
    everywhere(|world| {
        let (me, size) = (world.rank(), world.size());
        // All ranks agree; one rank has a flag; the even ranks have one.
        let flags = [3u32, u32::from(me == 1) << 7, u32::from(me.is_multiple_of(2))];
        let even = size.div_ceil(2);
        let expected = [
            (Operation::LogicalAnd, 1, [1, 0, u32::from(size == 1)]),
            (Operation::LogicalOr, 0, [1, u32::from(size > 1), 1]),
            (
                Operation::LogicalXor,
                0,
                [size % 2, u32::from(size > 1), even % 2],
            ),
        ];
        for (operation, neutral, result) in expected {
            let mut window = Window::create(world, vec![neutral; 3])?;
            window.fence(|epoch| epoch.accumulate(operation, &flags, 0, 0))?;
            assert!(me != 0 || window.local()? == result, "{operation:?}");
            window.free()?;
            let mut reduced = flags;
            world.allreduce(operation, &mut reduced)?;
            // Of one rank nothing is combined.
            assert_eq!(reduced, if size > 1 { result } else { flags }, "{operation:?}");
        }
        Ok(())
    });
}

#[test]
fn accumulates_of_layouts() {
    with(2, |world| {
        let mut window = Window::<i32>::create(world, vec![100; 6])?;
        let values = [1, 2, 3];
        window.fence(|epoch| {
            let every_second = Layout::vector(3, 1, 2)?;
            let all = Layout::contiguous(3);
            epoch.accumulate_layout(Operation::Sum, &values, &all, 1, 0, &every_second)
        })?;
        if world.rank() == 1 {
            assert_eq!(window.local()?, [102, 100, 104, 100, 106, 100]);
        }
        window.free()
    });
}

#[test]
fn requests_give_their_buffers_back() {
    everywhere(|world| {
        let next = (world.rank() + 1) % world.size();
        let mut window = Window::<u64>::allocate(world, 300)?;
        let mut slice = [3; 100];
        window.fence(|epoch| {
            let owned = epoch.rput(vec![1; 100], next, 0)?;
            let borrowed = epoch.rput(&mut slice[..], next, 100)?;
            let sum = epoch.raccumulate(Operation::Sum, vec![5; 100], next, 200)?;
            while !owned.test()? {
                world.compute(std::time::Duration::from_nanos(100));
            }
            let mut vector = owned.wait()?;
            vector[0] = 9; // its own again
            borrowed.wait()?[0] = 9;
            assert_eq!(sum.wait()?, [5; 100]);
            Ok(())
        })?;
        let expected = (0..300).map(|index| [1, 3, 5][index / 100]);
        assert!(window.local()?.iter().copied().eq(expected));
        window.fence(|epoch| {
            let read = epoch.rget(vec![0; 300], next, 0)?.wait()?;
            assert_eq!(read[199..201], [3, 5]);
            Ok(())
        })?;
        window.fence(|epoch| {
            let before = vec![0; 100];
            let (operands, before) = epoch
                .rget_accumulate(Operation::Max, vec![2; 100], before, next, 0)?
                .wait()?;
            assert_eq!((operands[0], before[99]), (2, 1));
            let short = epoch.rget_accumulate(Operation::Max, vec![2; 2], vec![0], next, 0);
            assert!(matches!(short.err(), Some(Error::Length { .. })));
            Ok(())
        })?;
        assert_eq!(window.local()?[..100], [2; 100]);
        window.free()
    });
}

/// Requests that nobody waits for: their operations are done, their buffers freed when they are complete.
#[test]
fn requests_may_be_dropped_or_forgotten() {
    everywhere(|world| {
        let next = (world.rank() + 1) % world.size();
        let mut window = Window::<u64>::allocate(world, 400)?;
        let mut slice = [0; 100];
        window.fence(|epoch| {
            drop(epoch.rput(vec![1; 100], next, 0)?);
            std::mem::forget(epoch.rput(vec![2; 100], next, 100)?);
            drop(epoch.rget_accumulate(Operation::Replace, vec![3; 100], vec![0; 100], next, 200)?);
            drop(epoch.rget(vec![0; 100], next, 0)?);
            drop(epoch.rget(&mut slice[..], next, 300)?);
            for _ in 0..200 {
                drop(epoch.fetch(Operation::Sum, 1, next, 399)?);
                std::mem::forget(epoch.fetch(Operation::Sum, 1, next, 398)?);
            }
            Ok(())
        })?;
        let expected = (0..398).map(|index| [1, 2, 3, 0][index / 100]).chain([200, 200]);
        assert!(window.local()?.iter().copied().eq(expected));
        window.free()
    });
}
