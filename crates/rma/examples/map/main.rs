//! A map over all ranks by active messages: each key belongs to one rank, whose handler counts how often it was added.
//!
//! `farside run -n 4 -- map KEYS`; or `FARSIDE_TRANSPORT=sim:8 map KEYS`. Compare `hash`, which does it by one-sided
//! operations alone, without the owner.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let keys = std::env::args().nth(1).map_or(Ok(10_000), |word| word.parse())?;
    for line in farside::run(|world| program::run(world, keys))?
        .into_iter()
        .flatten()
    {
        println!("{line}");
    }
    Ok(())
}
