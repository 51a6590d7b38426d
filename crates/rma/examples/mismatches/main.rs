//! Collective calls that do not match, over the transport that `FARSIDE_TRANSPORT` names: each is an error at all
//! ranks, which names both calls. Prints `verified` and how many there were.

#[path = "../../tests/support/mismatches.rs"]
mod mismatches;

use farside::Error;

fn main() -> Result<(), Error> {
    farside::run(|world| {
        let pairs = mismatches::pairs();
        mismatches::run(world, &pairs)?;
        let neighbours = mismatches::neighbours();
        mismatches::run(world, &neighbours)?;
        mismatches::run(world, mismatches::ARGUMENTS)?;
        mismatches::two_groups(world)?;
        if world.rank() == 0 {
            println!(
                "verified {}",
                pairs.len() + neighbours.len() + mismatches::ARGUMENTS.len() + 1
            );
        }
        Ok(())
    })?;
    Ok(())
}
