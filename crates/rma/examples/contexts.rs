//! A histogram by threads: each thread of each rank counts its part of the numbers in a table that all ranks share, by
//! a context of its own; rayon splits the work. The answer is compared with a serial one.
//!
//! `farside run -n 4 target/release/examples/contexts [NUMBERS]`

use farside::{Operation, Rank, Result, Window, World};
use rayon::prelude::*;

/// Boxes of the table at each rank.
const BOXES: usize = 64;

/// The box of a number, of all ranks' boxes.
fn box_of(number: usize, boxes: usize) -> usize {
    (number * number) % 1_000_003 % boxes
}

/// What a rank finds in its boxes.
fn count(world: &World, numbers: usize) -> Result<Vec<u64>> {
    let ranks: Vec<Rank> = (0..world.size()).collect();
    let (boxes, rank) = (BOXES * ranks.len(), world.rank() as usize);
    let mut window = Window::<u64>::allocate(world, BOXES)?.into_passive()?;
    window.lock_all(|epoch| {
        let contexts = epoch.contexts(&ranks)?;
        let own: Vec<usize> = (rank..numbers).step_by(ranks.len()).collect();
        own.par_chunks(own.len().div_ceil(8).max(1)).try_for_each(|part| {
            contexts.context(|context| {
                for &number in part {
                    let place = box_of(number, boxes);
                    context.accumulate(Operation::Sum, &[1], (place / BOXES) as Rank, place % BOXES)?;
                }
                Ok(())
            })
        })
    })?;
    window.into_active()?.free_into()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: usize = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let tables = farside::run(|world| {
        let found = count(world, numbers)?;
        let boxes = BOXES * world.size() as usize;
        let mut serial = vec![0; boxes];
        (0..numbers).for_each(|number| serial[box_of(number, boxes)] += 1);
        let own = world.rank() as usize * BOXES..(world.rank() as usize + 1) * BOXES;
        assert_eq!(found, serial[own], "rank {}", world.rank());
        Ok((world.rank(), world.size()))
    })?;
    for (_, size) in tables.into_iter().filter(|&(rank, _)| rank == 0) {
        println!(
            "{numbers} numbers in {} boxes of {size} ranks: as the serial run",
            BOXES * size as usize
        );
    }
    Ok(())
}
