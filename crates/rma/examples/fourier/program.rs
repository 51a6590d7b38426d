//! Slabs: a rank has some planes z of a cube by rows x. It transforms each plane in x and y, and while it goes on with
//! the next plane, the rows of this one are on their way to the ranks that will have them for the transform in z.

use farside::{Result, Window, World};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;
use std::time::Duration;

/// A complex number, as the window has it.
type Number = [f64; 2];

/// Transforms a cube of `size` numbers a side, or of a few more if the number of ranks does not divide that. Verified
/// against a serial transform. Rank 0 gets a line with the times.
pub(crate) fn run(world: &World, size: usize) -> Result<Option<String>> {
    let ranks = world.size() as usize;
    let size = size.next_multiple_of(ranks);
    let slab = size / ranks;
    let first = world.rank() as usize * slab;
    let fft = FftPlanner::new().plan_fft_forward(size);

    // At the target: its rows y of every plane z.
    let mut window = Window::<Number>::allocate(world, size * slab * size)?;
    let mut planes: Vec<Vec<Number>> = (first..first + slab)
        .map(|z| {
            (0..size * size)
                .map(|at| sample(at % size, at / size, z))
                .collect()
        })
        .collect();
    let slabs = &mut planes[..];
    let began = world.now();
    let computed = window.fence(|epoch| {
        for (z, plane) in (first..).zip(slabs) {
            transform_plane(&*fft, plane, size);
            let plane = &*plane;
            for (target, rows) in (0..).zip(plane.chunks(slab * size)) {
                epoch.put(rows, target, z * slab * size)?;
            }
        }
        Ok(world.now() - began)
    })?;
    let waited = world.now() - began - computed;
    let mut own = window.local()?.to_vec();
    transform_columns(&*fft, &mut own, size, slab);
    window.free()?;
    verify(&fft, &own, size, slab, first);
    Ok((world.rank() == 0).then(|| {
        let micros = |time: Duration| time.as_micros();
        format!(
            "{size}^3 on {ranks} ranks: as the serial transform; planes and puts {} us, then {} us for the fence\n",
            micros(computed),
            micros(waited)
        )
    }))
}

/// Some signal.
fn sample(x: usize, y: usize, z: usize) -> Number {
    let mixed = (x * 73 + y * 151 + z * 283) % 101;
    [mixed as f64 / 101.0, ((x + 2 * y + 3 * z) % 17) as f64 / 17.0]
}

fn complex(numbers: &[Number]) -> Vec<Complex<f64>> {
    numbers
        .iter()
        .map(|number| Complex::new(number[0], number[1]))
        .collect()
}

/// In x, then in y.
fn transform_plane(fft: &dyn Fft<f64>, plane: &mut [Number], size: usize) {
    let mut numbers = complex(plane);
    fft.process(&mut numbers);
    let mut column = vec![Complex::default(); size];
    for x in 0..size {
        for y in 0..size {
            column[y] = numbers[y * size + x];
        }
        fft.process(&mut column);
        for y in 0..size {
            numbers[y * size + x] = column[y];
        }
    }
    for (number, found) in plane.iter_mut().zip(&numbers) {
        *number = [found.re, found.im];
    }
}

/// In z, for `rows` rows y of every plane.
fn transform_columns(fft: &dyn Fft<f64>, numbers: &mut [Number], size: usize, rows: usize) {
    let mut column = vec![Complex::default(); size];
    for place in 0..rows * size {
        for (z, number) in column.iter_mut().enumerate() {
            let found = numbers[z * rows * size + place];
            *number = Complex::new(found[0], found[1]);
        }
        fft.process(&mut column);
        for (z, number) in column.iter().enumerate() {
            numbers[z * rows * size + place] = [number.re, number.im];
        }
    }
}

/// The same, by one rank for itself.
fn verify(fft: &Arc<dyn Fft<f64>>, own: &[Number], size: usize, rows: usize, first: usize) {
    let mut cube = Vec::new();
    for z in 0..size {
        let mut plane: Vec<Number> = (0..size * size)
            .map(|at| sample(at % size, at / size, z))
            .collect();
        transform_plane(&**fft, &mut plane, size);
        cube.extend(plane);
    }
    transform_columns(&**fft, &mut cube, size, size);
    for z in 0..size {
        for row in 0..rows {
            for x in 0..size {
                let found = own[(z * rows + row) * size + x];
                let wanted = cube[(z * size + first + row) * size + x];
                let far = (found[0] - wanted[0]).hypot(found[1] - wanted[1]);
                assert!(
                    far <= 1e-9 * (size * size * size) as f64,
                    "({x}, {}, {z}): {found:?} instead of {wanted:?}",
                    first + row
                );
            }
        }
    }
}
