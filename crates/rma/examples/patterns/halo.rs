//! A ring of ranks exchanges the borders of their parts, one fence a step.

use farside::{Result, Window, World};

const CELLS: usize = 8;
const STEPS: usize = 4;

/// What could be forgotten does not compile: in an epoch the memory that others put to is not lent.
pub(crate) fn run(world: &World, _forget: bool) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (left, right) = ((me + size - 1) % size, (me + 1) % size);
    let mut cells = [f64::from(me); CELLS];
    // What the neighbours put: the cell on the left and the one on the right.
    let mut window = Window::<f64>::allocate(world, 2)?;
    for _ in 0..STEPS {
        window.fence(|epoch| {
            epoch.put_value(cells[0], left, 1)?;
            epoch.put_value(cells[CELLS - 1], right, 0)
        })?;
        let halo = window.local()?;
        cells = std::array::from_fn(|at| {
            let before = if at == 0 { halo[0] } else { cells[at - 1] };
            let after = cells.get(at + 1).unwrap_or(&halo[1]);
            (before + cells[at] + after) / 3.0
        });
    }
    if me == 0 {
        println!("0: {:.6}", cells[0]);
    }
    window.free()
}
