//! The MCS lock of paper 004, section 4.3, and a queue of all ranks that it protects.
//!
//! `farside run -n 4 -- locks ROUNDS`; or `FARSIDE_TRANSPORT=sim:16 locks ROUNDS`.

mod mcs;
mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(100), |word| word.parse())?;
    let answers = farside::run(|world| {
        let counted = program::count(world, rounds)?;
        assert_eq!(
            counted,
            rounds * u64::from(world.size()),
            "the lock let two in at once"
        );
        program::run(world, rounds)
    })?;
    for table in answers.into_iter().flatten() {
        print!("{table}");
    }
    Ok(())
}
