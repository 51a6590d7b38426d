//! Distributed arrays against an array in one process: after an exchange every element of a halo is the one that it
//! mirrors, whatever the extents, grids, halos and periodic dimensions are.

mod support;

use farside::Plain;
use farside::array::{Array, Distribution, DistributionError, Synchronisation};
use farside::{Error, Result, World};
use proptest::prelude::*;
use std::fmt::Debug;
use support::{everywhere, with};

/// What no element of an array is.
const OUTSIDE: u64 = u64::MAX;

/// The element of the whole array in a round.
fn value<const D: usize>(global: [usize; D], round: usize) -> u64 {
    global
        .iter()
        .fold(round as u64, |value, &index| value * 100 + index as u64)
}

/// All indices of a region, in the order of C.
fn indices<const D: usize>(extents: [usize; D]) -> Vec<[usize; D]> {
    (0..extents.iter().product())
        .map(|number| {
            let mut rest: usize = number;
            let mut index = [0; D];
            for at in (0..D).rev() {
                index[at] = rest % extents[at];
                rest /= extents[at];
            }
            index
        })
        .collect()
}

/// Two exchanges of an array whose memory is `OUTSIDE` at first. The expectation comes from indices that are counted
/// here, with signs, and not by the library's own.
fn exchanged<E: Plain + PartialEq + Debug, const D: usize>(
    world: &World,
    element: impl Fn(u64) -> E,
    distribution: Distribution<D>,
    (extents, halo, periodic): ([usize; D], [usize; D], [bool; D]),
    corners: bool,
) -> Result<()> {
    let mut array = Array::<E, D>::allocate(world, distribution)?;
    array.local_mut()?.fill(element(OUTSIDE));
    for (round, way) in [Synchronisation::Neighbours, Synchronisation::Fence]
        .into_iter()
        .enumerate()
    {
        array.set_synchronisation(way);
        array.fill_with(|global| element(value(global, round)))?;
        array.exchange()?;
        let (owned, shape) = (array.owned(), array.shape());
        for (local, &found) in indices(shape).into_iter().zip(array.local()?) {
            let far = (0..D)
                .filter(|&at| !array.interior(at).contains(&local[at]))
                .count();
            let signed: [isize; D] =
                std::array::from_fn(|at| (owned[at].start + local[at]) as isize - halo[at] as isize);
            let is_inside = (0..D).all(|at| periodic[at] || (0..extents[at] as isize).contains(&signed[at]));
            let global =
                std::array::from_fn(|at| signed[at].rem_euclid(extents[at].max(1) as isize) as usize);
            let expected = match far {
                0 | 1 if is_inside => value(global, round),
                _ if is_inside && corners => value(global, round),
                _ => OUTSIDE,
            };
            assert_eq!(
                found,
                element(expected),
                "{local:?} of {owned:?} of {distribution:?}, {way:?}"
            );
            assert_eq!(array.global(local), is_inside.then_some(global));
            let own = if far == 0 { Some(local) } else { None };
            if is_inside && far == 0 {
                assert_eq!(array.owner(global), Some(world.rank()));
                assert_eq!(array.local_index(global), own);
            }
        }
    }
    let whole: Vec<E> = indices(extents)
        .into_iter()
        .map(|global| element(value(global, 1)))
        .collect();
    let root = world.size() - 1;
    let expected = if world.rank() == root { whole } else { Vec::new() };
    assert_eq!(array.gather(root)?, expected);
    array.free()
}

/// Extents, halo and periodic dimensions of `D` dimensions.
type Case<const D: usize> = ([usize; D], [usize; D], [bool; D]);

fn any_case<const D: usize>(most: usize) -> impl Strategy<Value = (Case<D>, bool, u32)> {
    let case = (
        prop::array::uniform(1..=most),
        prop::array::uniform(0usize..3),
        prop::array::uniform(any::<bool>()),
    );
    (case, any::<bool>(), 1u32..=8)
}

/// With all grids that there are, and with the one that the library chooses.
fn holds<const D: usize>(case: Case<D>, corners: bool, ranks: u32) {
    let (extents, halo, periodic) = case;
    let plain = Distribution::new(extents).halo(halo).periodic(periodic);
    let plain = if corners { plain.corners() } else { plain };
    let grids = indices([ranks as usize + 1; D]);
    let grids = grids
        .into_iter()
        .filter(|grid| grid.iter().product::<usize>() == ranks as usize);
    let mut possible = 0;
    let mut all = Vec::new();
    for grid in grids {
        let fits = (0..D).all(|at| {
            let least = extents[at] / grid[at];
            grid[at] == 1 && !periodic[at] || halo[at] <= least
        });
        possible += usize::from(fits);
        all.push((plain.grid(grid), fits));
    }
    all.push((plain, possible > 0));
    for (distribution, fits) in all {
        let run = farside::simulate(ranks, |world| {
            exchanged(world, |value| value, distribution, case, corners)
        });
        match run {
            Ok(_) => assert!(fits, "{distribution:?} is refused"),
            Err(Error::Distribution(DistributionError::Halo { .. })) => {
                assert!(!fits, "{distribution:?} fits")
            }
            Err(error) => panic!("{distribution:?}: {error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_halo_of_one_dimension_is_what_it_mirrors((case, corners, ranks) in any_case::<1>(20)) {
        holds(case, corners, ranks);
    }

    #[test]
    fn every_halo_of_two_dimensions_is_what_it_mirrors((case, corners, ranks) in any_case::<2>(9)) {
        holds(case, corners, ranks);
    }

    #[test]
    fn every_halo_of_three_dimensions_is_what_it_mirrors((case, corners, ranks) in any_case::<3>(6)) {
        holds(case, corners, ranks);
    }
}

/// On networks that do not keep order, and over threads; packed, and of elements so long that no side is.
#[test]
fn halos_arrive_everywhere() {
    fn all<E: Plain + PartialEq + Debug>(world: &World, element: fn(u64) -> E) -> Result<()> {
        let case = ([9, 8], [2, 1], [true, false]);
        let distribution = Distribution::new(case.0).halo(case.1).periodic(case.2);
        exchanged(world, element, distribution, case, false)?;
        exchanged(world, element, distribution.corners(), case, true)?;
        let case = ([4, 5, 3], [1, 2, 0], [false, true, true]);
        let distribution = Distribution::new(case.0).halo(case.1).periodic(case.2);
        exchanged(world, element, distribution, case, false)?;
        exchanged(world, element, distribution.corners(), case, true)
    }
    everywhere(|world| all(world, |value| value));
    everywhere(|world| all(world, |value| [value; 513]));
}

/// Many exchanges without anything else between them: a rank that is ahead does not write what another still reads.
#[test]
fn a_rank_that_is_ahead_waits() {
    with(3, |world| {
        let mut array = Array::<u64, 1>::allocate(world, Distribution::new([6]).halo([1]).periodic([true]))?;
        for round in 0..20 {
            array.fill_with(|global| value(global, round))?;
            array.exchange()?;
            let halo = array.local()?;
            world.compute(std::time::Duration::from_micros(
                u64::from((world.rank() + round as u32) % 3) * 20,
            ));
            let [own] = array.owned();
            let mirrored = [(own.start + 5) % 6, own.start, own.start + 1, own.end % 6];
            assert_eq!(halo, mirrored.map(|global| value([global], round)));
        }
        array.free()
    });
}

/// A row is the memory itself: no copy, no proxy.
#[test]
fn rows_and_views_are_the_memory() {
    with(2, |world| {
        let mut array = Array::<u32, 3>::allocate(
            world,
            Distribution::new([4, 3, 5]).halo([1, 0, 2]).grid([2, 1, 1]),
        )?;
        let [_, rows, columns] = array.shape();
        let first = array.local()?.as_ptr_range().start;
        let row: &[u32] = &array.rows()?[[2, 1]];
        assert_eq!(row.as_ptr_range(), {
            let start = first.wrapping_add((2 * rows + 1) * columns);
            start..start.wrapping_add(columns)
        });
        array.rows_mut()?[[2, 1]].fill(7);
        assert_eq!(
            array.local()?[(2 * rows + 1) * columns..][..columns],
            vec![7; columns]
        );
        let view = array.view()?;
        assert_eq!((view.as_ptr(), view.shape()), (first, &array.shape()[..]));
        assert_eq!(view.sum(), 7 * columns as u32);
        let [planes, _, cells] = [0, 1, 2].map(|at| array.interior(at).len());
        assert_eq!(array.interior_view()?.shape(), [planes, rows, cells]);
        array.interior_view_mut()?.fill(1);
        let halo = 7 * (columns - cells);
        assert_eq!(array.view()?.sum() as usize, planes * rows * cells + halo);
        array.free()
    });
}

#[test]
fn arrays_that_do_not_fit_or_agree_are_refused() {
    let grid = farside::simulate(3, |world| {
        Array::<u8, 2>::allocate(world, Distribution::new([9, 9]).grid([2, 2])).map(drop)
    });
    let (of, ranks) = (vec![2, 2], 3);
    assert_eq!(grid, Err(DistributionError::Grid { grid: of, ranks }.into()));
    let other = farside::simulate(2, |world| {
        let extent = 10 + world.rank() as usize;
        Array::<u8, 1>::allocate(world, Distribution::new([extent])).map(drop)
    });
    assert!(matches!(other, Err(Error::Mismatch { .. })), "{other:?}");
}
