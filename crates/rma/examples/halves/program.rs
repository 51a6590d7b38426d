//! The program: a ring of cells, each of which becomes the mean of its neighbours. The halo that a fence brought is
//! read as a slice, while other ranks put the next one.

use farside::{Result, Window, World};

/// Verified: the cells of this rank are as in a serial run, to the last bit.
pub(crate) fn run(world: &World, cells: usize, steps: usize) -> Result<Option<String>> {
    let (me, size) = (world.rank(), world.size());
    let (left, right) = ((me + size - 1) % size, (me + 1) % size);
    let mut own: Vec<f64> = (0..cells).map(|at| first(me as usize * cells + at)).collect();
    // Two halves, of the cell on the left and the one on the right.
    let mut window = Window::<f64>::allocate(world, 4)?;
    let began = world.now();
    window.halves(|halves| {
        for _ in 0..steps {
            halves.epoch(|epoch| {
                epoch.put_value(own[0], left, 1)?;
                epoch.put_value(own[cells - 1], right, 0)
            })?;
            let halo = halves.received()?;
            own = step(halo[0], &own, halo[1]);
        }
        Ok(())
    })?;
    let time = world.now() - began;
    window.free()?;
    let mut all: Vec<f64> = (0..cells * size as usize).map(first).collect();
    for _ in 0..steps {
        all = step(all[all.len() - 1], &all, all[0]);
    }
    assert!(
        own == all[me as usize * cells..][..cells],
        "not as the serial run"
    );
    Ok((me == 0)
        .then(|| format!("{size} ranks of {cells} cells, {steps} steps: as the serial run, in {time:?}")))
}

fn first(cell: usize) -> f64 {
    (cell * 7 % 11) as f64
}

fn step(left: f64, cells: &[f64], right: f64) -> Vec<f64> {
    let mean = |at: usize| {
        let before = if at == 0 { left } else { cells[at - 1] };
        0.5 * (before + cells.get(at + 1).unwrap_or(&right))
    };
    (0..cells.len()).map(mean).collect()
}
