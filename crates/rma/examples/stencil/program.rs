//! The program: distribute, step, compare with a serial run, draw.

use super::exchange::{Halos, Way, active, passive};
use super::grid::{Grid, Side, first, part, shape};
use farside::{Result, Window, World};

/// What rank 0 gets.
pub(crate) struct Answer {
    /// What was done, and how long it took.
    pub(crate) line: String,
    /// The temperatures, as a picture in PPM.
    pub(crate) picture: Vec<u8>,
}

/// Heats a grid of `size` columns, and as many rows in two dimensions. Verified: every cell is as in a serial run, to
/// the last bit, since both compute the same sums.
pub(crate) fn run(world: &World, two: bool, way: Way, size: usize, steps: usize) -> Result<Option<Answer>> {
    let (columns, rows) = shape(world.size(), two);
    let (column, row) = (world.rank() % columns, world.rank() / columns);
    let height = if two { size } else { 1 };
    assert!(
        size >= columns as usize && height >= rows as usize,
        "a rank has no cells: {size} are too few"
    );
    let ((left, right), (top, bottom)) = (part(size, columns, column), part(height, rows, row));
    let mut grid = Grid::new(right - left, bottom - top);
    let start = |x: usize, y: usize| first(x, if two { y } else { size * 2 / 5 }, size);
    for y in top..bottom {
        for x in left..right {
            grid.set(x - left, y - top, start(x, y));
        }
    }
    let neighbours = Side::ALL
        .into_iter()
        .filter_map(|side| {
            let (x, y) = match side {
                Side::North => (Some(column), row.checked_sub(1)),
                Side::South => (Some(column), Some(row + 1).filter(|row| *row < rows)),
                Side::West => (column.checked_sub(1), Some(row)),
                Side::East => (Some(column + 1).filter(|column| *column < columns), Some(row)),
            };
            Some((side, y? * columns + x?))
        })
        .collect();
    let halos = Halos {
        neighbours,
        longest: size
            .div_ceil(columns as usize)
            .max(height.div_ceil(rows as usize)),
    };
    let window = Window::<f64>::allocate(world, halos.elements())?;
    let began = world.now();
    match way {
        Way::Fence | Way::Pscw => {
            let mut window = window;
            active(&mut window, &halos, &mut grid, way, steps, two)?;
            world.barrier()?;
            window.free()?;
        }
        Way::Put | Way::Get => {
            let mut window = window.into_passive()?;
            passive(world, &mut window, &halos, &mut grid, way, steps, two)?;
            world.barrier()?;
            window.free()?;
        }
    }
    let time = world.now() - began;
    let serial = serial(&start, size, height, steps, two);
    for y in top..bottom {
        for x in left..right {
            let (found, wanted) = (grid.get(x - left, y - top), serial.get(x, y));
            assert!(
                found.to_bits() == wanted.to_bits(),
                "cell {x}, {y}: {found} instead of {wanted}"
            );
        }
    }
    Ok((world.rank() == 0).then(|| Answer {
        line: format!(
            "{size} x {height} cells, {steps} steps, {columns} x {rows} ranks, {way:?}: as the serial run, in {time:?}"
        ),
        picture: picture(&serial),
    }))
}

fn serial(start: &dyn Fn(usize, usize) -> f64, width: usize, height: usize, steps: usize, two: bool) -> Grid {
    let mut grid = Grid::new(width, height);
    for y in 0..height {
        for x in 0..width {
            grid.set(x, y, start(x, y));
        }
    }
    let mut next = grid.clone();
    for _ in 0..steps {
        grid.step(&mut next, two);
        std::mem::swap(&mut grid, &mut next);
    }
    grid
}

/// From black over red and yellow to white.
fn picture(grid: &Grid) -> Vec<u8> {
    let hottest = (0..grid.height)
        .flat_map(|y| (0..grid.width).map(move |x| (x, y)))
        .map(|(x, y)| grid.get(x, y))
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut bytes = format!("P6 {} {} 255\n", grid.width, grid.height).into_bytes();
    for y in 0..grid.height {
        for x in 0..grid.width {
            let heat = 3.0 * grid.get(x, y) / hottest;
            let channel = |from: f64| ((heat - from).clamp(0.0, 1.0) * 255.0) as u8;
            bytes.extend([channel(0.0), channel(1.0), channel(2.0)]);
        }
    }
    bytes
}
