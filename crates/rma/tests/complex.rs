//! Complex numbers: what targets change as one, and what part by part.

mod support;

use farside::{Combine, Complex, Element, Error, Layout, Operation, Result, Window, World};
use support::{everywhere, with};

/// The operations on one element, of one rank, against those of the type.
fn as_one(world: &World) -> Result<()> {
    let (value, operand) = (Complex::new(1.5f32, -2.0), Complex::new(-0.25, 3.0));
    let mut window = Window::create(world, vec![value; 2])?;
    for operation in Operation::ALL {
        if !Complex::<f32>::has(operation) {
            let refused = window.fence(|epoch| epoch.accumulate(operation, &[], 0, 0));
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{operation:?}");
            continue;
        }
        window.local_mut()?.fill(value);
        let mut before = operand;
        window.fence(|epoch| match world.rank() {
            0 => epoch.fetch_and_op(operation, operand, &mut before, 1, 0),
            _ => Ok(()),
        })?;
        let expected = match operation {
            Operation::Replace => operand,
            Operation::Sum => value + operand,
            Operation::Product => value * operand,
            _ => value,
        };
        assert!(
            world.rank() == 0 || window.local()? == [expected, value],
            "{operation:?}"
        );
        assert!(world.rank() == 1 || before == value, "{operation:?}");
    }
    window.free()
}

#[test]
fn operations_compute_what_they_say() {
    with(2, as_one);
}

/// Sums of all ranks at one target, and in reductions. The parts are whole numbers, so sums of them are exact.
fn sums<T>(world: &World, of: impl Fn(u32, u32) -> T) -> Result<()>
where
    T: farside::Accumulate,
{
    let (me, size) = (world.rank(), world.size());
    let mut window = Window::<T>::allocate(world, 4)?;
    let origin = [of(1, me), of(me, 2)];
    let every_second = Layout::vector(2, 1, 2)?;
    window.fence(|epoch| {
        for _ in 0..10 {
            epoch.accumulate(Operation::Sum, &origin, 0, 0)?;
            epoch.accumulate_layout(
                Operation::Sum,
                &origin,
                &Layout::contiguous(2),
                0,
                1,
                &every_second,
            )?;
        }
        epoch.raccumulate(Operation::Sum, origin.to_vec(), 0, 0)?.wait()?;
        Ok(())
    })?;
    let ranks = size * (size - 1) / 2;
    let total = |times| {
        [
            of(times * size, times * ranks),
            of(times * ranks, times * 2 * size),
        ]
    };
    if me == 0 {
        let (eleven, ten) = (total(11), total(10));
        let second = T::combine(Operation::Sum, eleven[1], ten[0]);
        assert_eq!(window.local()?, [eleven[0], second, T::zeroed(), ten[1]]);
    }
    window.free()?;
    let mut reduced = origin;
    world.allreduce(Operation::Sum, &mut reduced)?;
    assert_eq!(reduced, total(1));
    Ok(())
}

#[test]
fn sums_of_all_ranks() {
    everywhere(|world| {
        sums(world, |a, b| Complex::new(a as f32, b as f32))?;
        sums(world, |a, b| Complex::new(f64::from(a), f64::from(b)))
    });
}

/// A turn by a quarter for each rank.
#[test]
fn products_of_all_ranks() {
    everywhere(|world| {
        let turns = [
            Complex::new(1.0, 0.0),
            Complex::new(0.0, 1.0),
            Complex::new(-1.0, 0.0),
            Complex::new(0.0, -1.0),
        ];
        let mut product = [turns[1]];
        world.allreduce(Operation::Product, &mut product)?;
        assert_eq!(product, [turns[world.size() as usize % 4]]);
        Ok(())
    });
}

/// What would change 16 bytes as one is refused, and nothing is changed.
#[test]
fn what_is_not_a_sum_of_parts_is_refused() {
    everywhere(|world| {
        let mut window = Window::create(world, vec![Complex::new(1.0, 2.0); 2])?;
        for operation in Operation::ALL {
            let value = [Complex::new(3.0, 4.0)];
            let layout = Layout::contiguous(1);
            window.fence(|epoch| {
                if operation == Operation::Sum {
                    return Ok(());
                }
                let refused = [
                    epoch.accumulate(operation, &value, 0, 0),
                    epoch.accumulate_layout(operation, &value, &layout, 0, 0, &layout),
                    epoch.raccumulate(operation, value.to_vec(), 0, 0).map(drop),
                ];
                for answer in refused {
                    assert!(
                        matches!(answer, Err(Error::Unsupported { .. })),
                        "{operation:?}: {answer:?}"
                    );
                }
                Ok(())
            })?;
            let mut reduced = value;
            let answer = world.allreduce(operation, &mut reduced);
            assert_eq!(answer.is_ok(), Complex::<f64>::has(operation), "{operation:?}");
        }
        assert_eq!(window.local()?, [Complex::new(1.0, 2.0); 2]);
        window.free()
    });
}

/// The imaginary part is never that of another value, whoever writes and reads at the same time.
#[test]
fn eight_bytes_are_never_torn() {
    fn whole<T: Element + PartialEq>(found: T, twin: T) {
        assert_eq!(found, twin);
    }
    everywhere(|world| {
        let me = world.rank() as f32;
        let mut window = Window::<Complex<f32>>::allocate(world, 1)?.into_passive()?;
        window.lock_all(|epoch| {
            for _ in 0..50 {
                let found = epoch.fetch(Operation::Sum, Complex::new(me, -me), 0, 0)?.wait()?;
                whole(found, Complex::new(found.re, -found.re));
                let read = epoch.fetch(Operation::NoOp, found, 0, 0)?.wait()?;
                whole(read, Complex::new(read.re, -read.re));
            }
            Ok(())
        })?;
        window.free()
    });
}
