//! Each operation with layouts, within its epoch and with a request, against the elements one by one.

mod support;

use farside::{Error, Layout, Operation, Result, Window, World};
use proptest::prelude::*;
use support::{everywhere, networks, with};

/// Elements of buffers and windows.
const LENGTH: usize = 40;

/// The elements of a layout, in order.
fn listed(layout: &Layout) -> Vec<usize> {
    layout
        .blocks()
        .flat_map(|(first, length)| first..first + length)
        .collect()
}

/// What a rank gives, and what is there before.
fn values(rank: u32, from: u64) -> Vec<u64> {
    (0..LENGTH as u64)
        .map(|index| from + u64::from(rank) * 1000 + index)
        .collect()
}

/// All eight calls, one after the other, of each rank on the next one; what comes of each is as element by element.
fn computes(world: &World, origin: &Layout, result: &Layout, target: &Layout) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let mut window = Window::<u64>::allocate(world, LENGTH)?;
    let (mine, theirs) = (values(me, 7), values(previous, 7));
    let elements = || listed(origin).into_iter().zip(listed(result)).zip(listed(target));
    for call in 0..8 {
        window.local_mut()?.copy_from_slice(&values(me, 500));
        let (mut found, mut brought) = (vec![0; LENGTH], vec![0; LENGTH]);
        for ((_, into), to) in elements().filter(|_| matches!(call, 2 | 3 | 6 | 7)) {
            brought[into] = values(next, 500)[to];
        }
        window.fence(|epoch| {
            let own = mine.clone();
            match call {
                0 => epoch.put_layout(&mine, origin, next, 0, target),
                1 => epoch.rput_layout(own, origin, next, 0, target)?.wait().map(drop),
                2 => epoch.get_layout(&mut found, result, next, 0, target),
                3 => {
                    let got = epoch
                        .rget_layout(&mut found[..], result, next, 0, target)?
                        .wait()?;
                    assert_eq!(got, brought, "the request is complete");
                    Ok(())
                }
                4 => epoch.accumulate_layout(Operation::Sum, &mine, origin, next, 0, target),
                5 => epoch
                    .raccumulate_layout(Operation::Sum, own, origin, next, 0, target)?
                    .wait()
                    .map(drop),
                6 => epoch.get_accumulate_layout(
                    Operation::Sum,
                    &mine,
                    origin,
                    &mut found,
                    result,
                    next,
                    0,
                    target,
                ),
                _ => {
                    let request = epoch.rget_accumulate_layout(
                        Operation::Sum,
                        own,
                        origin,
                        &mut found[..],
                        result,
                        next,
                        0,
                        target,
                    )?;
                    while !request.test()? {
                        world.compute(std::time::Duration::from_nanos(100));
                    }
                    let (back, found) = request.wait()?;
                    assert_eq!(back, mine);
                    assert_eq!(found, brought, "the request is complete");
                    Ok(())
                }
            }
        })?;
        let mut there = values(me, 500);
        for ((from, _), to) in elements() {
            match call {
                0 | 1 => there[to] = theirs[from],
                2 | 3 => {}
                _ => there[to] += theirs[from],
            }
        }
        assert_eq!(window.local()?, there, "call {call}");
        assert_eq!(found, brought, "call {call}");
    }
    window.free()
}

#[test]
fn blocks_of_different_lengths() {
    everywhere(|world| {
        let origin = Layout::vector(4, 3, 5)?;
        let result = Layout::indexed(&[(30, 5), (2, 7)])?;
        let target = Layout::vector(6, 2, 3)?.shifted(4);
        computes(world, &origin, &result, &target)
    });
}

/// As many elements, in blocks of the given lengths, without overlap.
fn blocks(lengths: &[usize]) -> Layout {
    let mut next = 0;
    let mut blocks: Vec<(usize, usize)> = lengths
        .iter()
        .map(|&length| {
            let first = next;
            next += length + 1;
            (first, length)
        })
        .collect();
    blocks.reverse();
    Layout::indexed(&blocks).expect("small numbers")
}

/// Parts of twelve elements.
fn any_blocks() -> impl Strategy<Value = Layout> {
    prop::collection::vec(1usize..6, 1..12).prop_map(|mut lengths| {
        let mut rest = 12;
        for length in &mut lengths {
            *length = (*length).min(rest);
            rest -= *length;
        }
        lengths.push(rest);
        blocks(&lengths)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_layouts(layouts in [any_blocks(), any_blocks(), any_blocks()], network in 0..8usize) {
        let [origin, result, target] = &layouts;
        let simulation = farside::sim::Simulation::new(&networks()[network], 3);
        let outcome = farside::simulate_with(simulation, |world| computes(world, origin, result, target));
        prop_assert!(outcome.is_ok(), "{outcome:?}");
    }
}

/// Requests of many runs that nobody waits for: they are done, and their buffers freed after that.
#[test]
fn requests_may_be_dropped_or_forgotten() {
    everywhere(|world| {
        let next = (world.rank() + 1) % world.size();
        let (pairs, ends) = (Layout::vector(10, 2, 4)?, Layout::vector(20, 1, 2)?);
        let mut window = Window::<u64>::allocate(world, 2 * LENGTH)?;
        window.fence(|epoch| {
            drop(epoch.rput_layout(vec![1; LENGTH], &pairs, next, 0, &ends)?);
            std::mem::forget(epoch.rput_layout(vec![2; LENGTH], &pairs, next, LENGTH, &ends)?);
            Ok(())
        })?;
        window.fence(|epoch| {
            drop(epoch.rget_layout(vec![0; LENGTH], &pairs, next, 0, &ends)?);
            let (sum, ones) = (Operation::Sum, vec![1; LENGTH]);
            drop(epoch.rget_accumulate_layout(sum, ones, &pairs, vec![0; LENGTH], &ends, next, 1, &ends)?);
            Ok(())
        })?;
        let expected = (0..2 * LENGTH).map(|at| match (at / LENGTH, at % 2) {
            (0, 0) => 1,
            (0, _) => 1,
            (_, 0) => 2,
            _ => 0,
        });
        assert!(window.local()?.iter().copied().eq(expected));
        window.free()
    });
}

/// Refused before anything is started.
#[test]
fn layouts_that_do_not_fit() {
    with(2, |world| {
        let mut window = Window::<u32>::allocate(world, 6)?;
        let (two, three, far) = (
            Layout::contiguous(2),
            Layout::contiguous(3),
            Layout::vector(2, 1, 6)?,
        );
        let twice = Layout::indexed(&[(0, 1), (0, 1)])?;
        window.fence(|epoch| {
            let own = || vec![1; 3];
            let fetched = |of: &Layout, into: &Layout, at: &Layout| {
                let request = epoch.rget_accumulate_layout(Operation::Sum, own(), of, own(), into, 1, 0, at);
                request.map(drop)
            };
            let length =
                |answer: Result<()>| assert!(matches!(answer, Err(Error::Length { .. })), "{answer:?}");
            length(epoch.rput_layout(own(), &two, 1, 0, &three).map(drop));
            length(epoch.rget_layout(own(), &two, 1, 0, &three).map(drop));
            length(
                epoch
                    .raccumulate_layout(Operation::Sum, own(), &two, 1, 0, &three)
                    .map(drop),
            );
            length(fetched(&two, &three, &two));
            length(fetched(&two, &two, &three));
            let bounds = [
                epoch.rput_layout(own(), &two, 1, 0, &far).map(drop),
                fetched(&two, &two, &far),
            ];
            assert!(
                bounds
                    .iter()
                    .all(|answer| matches!(answer, Err(Error::OutOfBounds { .. })))
            );
            let short = [
                epoch.rget_layout(own(), &far, 1, 0, &two).map(drop),
                fetched(&two, &far, &two),
            ];
            assert!(
                short
                    .iter()
                    .all(|answer| matches!(answer, Err(Error::OriginTooShort { .. })))
            );
            let named = [
                epoch.rput_layout(own(), &two, 1, 0, &twice).map(drop),
                epoch.rget_layout(own(), &twice, 1, 0, &two).map(drop),
                fetched(&two, &twice, &two),
                fetched(&two, &two, &twice),
            ];
            assert!(named.iter().all(|answer| matches!(answer, Err(Error::Layout(_)))));
            Ok(())
        })?;
        assert_eq!(window.local()?, [0; 6]);
        window.free()
    });
}
