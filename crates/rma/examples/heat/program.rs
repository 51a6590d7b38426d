//! The program: each cell becomes the mean of its neighbours; beyond the edges it is 0.

use farside::array::{Array, Distribution};
use farside::{Result, World};

/// Verified: every cell is as in a serial run, to the last bit, since both compute the same sums.
pub(crate) fn run(world: &World, size: usize, steps: usize) -> Result<Option<String>> {
    let distribution = Distribution::new([size, size]).halo([1, 1]);
    let mut now = Array::<f64, 2>::allocate(world, distribution)?;
    let mut next = Array::<f64, 2>::allocate(world, distribution)?;
    now.fill_with(first)?;
    let began = world.now();
    for _ in 0..steps {
        now.exchange()?;
        let (old, mut new) = (now.rows()?, next.rows_mut()?);
        for y in now.interior(0) {
            let above_and_below = [&old[y - 1], &old[y + 1]];
            mean(above_and_below, &old[y], &mut new[y]);
        }
        std::mem::swap(&mut now, &mut next);
    }
    let time = world.now() - began;
    let (found, [rows, columns]) = (now.gather(0)?, now.grid());
    now.free()?;
    next.free()?;
    Ok((world.rank() == 0).then(|| {
        assert!(found == serial(size, steps), "not as the serial run");
        format!(
            "{size} x {size} cells, {steps} steps, {rows} x {columns} ranks: as the serial run, in {time:?}"
        )
    }))
}

/// A row of cells, whose first and last are halo. Slices: the compiler sees that they do not overlap.
fn mean([above, below]: [&[f64]; 2], old: &[f64], new: &mut [f64]) {
    let (above, below) = (&above[..old.len()], &below[..old.len()]);
    for x in 1..old.len() - 1 {
        new[x] = 0.25 * (above[x] + below[x] + old[x - 1] + old[x + 1]);
    }
}

fn first([y, x]: [usize; 2]) -> f64 {
    ((y * 7 + x * 3) % 11) as f64
}

fn serial(size: usize, steps: usize) -> Vec<f64> {
    let padded = |y: usize| 1 <= y && y <= size;
    let row = |y: usize| {
        (0..size + 2)
            .map(|x| {
                if padded(y) && padded(x) {
                    first([y - 1, x - 1])
                } else {
                    0.0
                }
            })
            .collect()
    };
    let mut old: Vec<Vec<f64>> = (0..size + 2).map(row).collect();
    let mut new = vec![vec![0.0; size + 2]; size + 2];
    for _ in 0..steps {
        (1..=size).for_each(|y| mean([&old[y - 1], &old[y + 1]], &old[y], &mut new[y]));
        std::mem::swap(&mut old, &mut new);
    }
    old[1..=size]
        .iter()
        .flat_map(|row| row[1..=size].to_vec())
        .collect()
}
