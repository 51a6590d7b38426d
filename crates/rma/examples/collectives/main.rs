//! Collective calls over the transport that `FARSIDE_TRANSPORT` names, beside what one process computes: each function
//! with blocks of every width, and sequences of any calls, blocking and not. Prints `verified` and how many calls the
//! sequences had.
//!
//! `collectives [SEQUENCES]`

#[path = "../../tests/support/movements.rs"]
mod movements;

use farside::Error;
use movements::{FUNCTIONS, Step, every_movement};

fn main() -> Result<(), Error> {
    let sequences = std::env::args()
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(20u64);
    farside::run(|world| {
        every_movement::<u8>(world, 3)?;
        every_movement::<[u8; 3]>(world, 5)?;
        every_movement::<u128>(world, 300)?;
        // Longer than what is sent without asking.
        every_movement::<f64>(world, 40_000)?;
        let mut calls = 0;
        for sequence in 0..sequences {
            let mut state = sequence;
            let mut next = |limit: u64| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % limit
            };
            let steps: Vec<Step> = (0..1 + next(40))
                .map(|_| Step {
                    function: next(FUNCTIONS.into()) as u32,
                    root: next(1 << 20) as u32,
                    length: match next(10) {
                        0 => next(40_000) as usize,
                        _ => next(60) as usize,
                    },
                    later: next(4) as usize,
                    in_group: next(2) == 1,
                })
                .collect();
            movements::run(world, &steps)?;
            calls += steps.len();
        }
        if world.rank() == 0 {
            println!("verified {calls}");
        }
        Ok(())
    })?;
    Ok(())
}
