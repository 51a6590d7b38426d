//! What an exchange of a distributed array costs beside that of the example `stencil`, which is written by hand: it
//! copies each side into a buffer, puts it, and copies it from where it came to the frame of its grid.
//!
//! `farside run -n 4 -- exchanges SAMPLES [CELLS...]`, for grids of so many cells a side. A sample is a batch of
//! exchanges; samples of all ways take turns. Rank 0 prints microseconds an exchange: the first quartile, the median,
//! the third quartile; and the median of the array over that of the hand-written one. Each way checks its halos. The
//! last line is of one element to the next rank, by `Window::fence` and by `Window::halves`.

#[allow(dead_code, reason = "the example stencil uses the rest")]
#[path = "../stencil/exchange.rs"]
mod exchange;
#[allow(dead_code, reason = "the example stencil uses the rest")]
#[path = "../stencil/grid.rs"]
mod grid;

use exchange::{Halos, Way};
use farside::array::{Array, Distribution, Synchronisation};
use farside::{Rank, Result, Window, World};
use grid::{Grid, Side};
use std::time::Duration;

const BATCH: u32 = 20;

/// Samples that are not counted.
const WARM: usize = 3;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let numbers: std::result::Result<Vec<usize>, _> =
        std::env::args().skip(1).map(|word| word.parse()).collect();
    let numbers = numbers?;
    let (samples, sizes) = numbers.split_first().unwrap_or((&21, &[]));
    let sizes = if sizes.is_empty() { &[64, 512, 2048] } else { sizes };
    farside::run(|world| {
        sizes
            .iter()
            .try_for_each(|&size| compare(world, size, *samples))?;
        halves(world, *samples)
    })?;
    Ok(())
}

/// The ways to synchronise, of both.
const WAYS: [(&str, Way, Synchronisation); 2] = [
    ("neighbours", Way::Pscw, Synchronisation::Neighbours),
    ("fence", Way::Fence, Synchronisation::Fence),
];

fn compare(world: &World, size: usize, samples: usize) -> Result<()> {
    let mut array = Array::<f64, 2>::allocate(world, Distribution::new([size, size]).halo([1, 1]))?;
    array.fill_with(|[y, x]| value(y, x))?;
    let (halos, mut grid) = by_hand(&array);
    let mut window = Window::<f64>::allocate(world, halos.elements())?;
    let mut times = vec![[Vec::new(), Vec::new()]; WAYS.len()];
    for sample in 0..samples + WARM {
        for ((_, way, synchronisation), times) in WAYS.into_iter().zip(&mut times) {
            array.set_synchronisation(synchronisation);
            let hand = batch(world, |step| {
                exchange::exchange(&mut window, &halos, &mut grid, way, step)
            })?;
            let ours = batch(world, |_| array.exchange())?;
            if sample >= WARM {
                times[0].push(hand);
                times[1].push(ours);
            }
        }
    }
    check(&array, &grid, &halos)?;
    let [rows, columns] = array.grid();
    for ((name, ..), times) in WAYS.into_iter().zip(times) {
        let [hand, ours] = times.map(quartiles);
        if world.rank() == 0 {
            println!(
                "{size} x {size} on {rows} x {columns} ranks, {name}: by hand {}, array {}, ratio {:.2}",
                written(hand),
                written(ours),
                ours[1] / hand[1]
            );
        }
    }
    window.free()?;
    array.free()
}

/// Two synchronisations for an exchange, or one.
fn halves(world: &World, samples: usize) -> Result<()> {
    let (next, previous) = (
        (world.rank() + 1) % world.size(),
        (world.rank() + world.size() - 1) % world.size(),
    );
    let mut window = Window::<u64>::allocate(world, 2)?;
    let mut times = [Vec::new(), Vec::new()];
    let value = |step: usize, rank: Rank| step as u64 * 1000 + u64::from(rank);
    for sample in 0..samples + WARM {
        let fence = batch(world, |step| {
            window.fence(|epoch| epoch.put_value(value(step, world.rank()), next, 0))?;
            assert_eq!(window.local()?[0], value(step, previous));
            Ok(())
        })?;
        let halves = window.halves(|halves| {
            batch(world, |step| {
                halves.epoch(|epoch| epoch.put_value(value(step, world.rank()), next, 0))?;
                assert_eq!(halves.received()?, [value(step, previous)]);
                Ok(())
            })
        })?;
        if sample >= WARM {
            times[0].push(fence);
            times[1].push(halves);
        }
    }
    let [fence, halves] = times.map(quartiles);
    if world.rank() == 0 {
        let (ranks, ratio) = (world.size(), halves[1] / fence[1]);
        println!(
            "{ranks} ranks: fence {}, halves {}, ratio {ratio:.2}",
            written(fence),
            written(halves)
        );
    }
    window.free()
}

/// Microseconds an exchange.
fn batch(world: &World, mut once: impl FnMut(usize) -> Result<()>) -> Result<f64> {
    world.barrier()?;
    let began = world.now();
    (0..BATCH as usize).try_for_each(&mut once)?;
    let time: Duration = world.now() - began;
    Ok(time.as_secs_f64() * 1e6 / f64::from(BATCH))
}

fn quartiles(mut times: Vec<f64>) -> [f64; 3] {
    times.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| times[times.len() * quarter / 4])
}

fn written([first, median, third]: [f64; 3]) -> String {
    format!("{first:.2} {median:.2} {third:.2}")
}

fn value(y: usize, x: usize) -> f64 {
    (y * 10_000 + x) as f64
}

/// The same block as the array has, as the example `stencil` keeps it.
fn by_hand(array: &Array<f64, 2>) -> (Halos, Grid) {
    let ([rows, columns], [row, column], [y, x]) = (array.grid(), array.coordinates(), array.owned());
    let mut grid = Grid::new(x.len(), y.len());
    for down in y.clone() {
        for right in x.clone() {
            grid.set(right - x.start, down - y.start, value(down, right));
        }
    }
    let there = |side: Side| match side {
        Side::North => Some((row.checked_sub(1)?, column)),
        Side::South => Some((row + 1, column)).filter(|(row, _)| *row < rows),
        Side::West => Some((row, column.checked_sub(1)?)),
        Side::East => Some((row, column + 1)).filter(|(_, column)| *column < columns),
    };
    let rank = |(row, column): (usize, usize)| (row * columns + column) as Rank;
    let neighbours = Side::ALL
        .into_iter()
        .filter_map(|side| Some((side, rank(there(side)?))));
    let halos = Halos {
        neighbours: neighbours.collect(),
        longest: y.len().max(x.len()) + 1,
    };
    (halos, grid)
}

/// Both have the same halos, and these are of the whole grid.
fn check(array: &Array<f64, 2>, grid: &Grid, halos: &Halos) -> Result<()> {
    let rows = array.rows()?;
    let (last_row, last_column) = (array.shape()[0] - 1, array.shape()[1] - 1);
    for (side, _) in &halos.neighbours {
        let at: Vec<[usize; 2]> = match side {
            Side::North => array.interior(1).map(|x| [0, x]).collect(),
            Side::South => array.interior(1).map(|x| [last_row, x]).collect(),
            Side::West => array.interior(0).map(|y| [y, 0]).collect(),
            Side::East => array.interior(0).map(|y| [y, last_column]).collect(),
        };
        let found: Vec<f64> = at.iter().map(|&[y, x]| rows[y][x]).collect();
        let wanted: Vec<f64> = at
            .iter()
            .filter_map(|&local| array.global(local).map(|[y, x]| value(y, x)))
            .collect();
        assert_eq!(found, wanted, "the halo of the array");
        assert_eq!(grid.frame(*side), wanted, "the halo by hand");
    }
    Ok(())
}
