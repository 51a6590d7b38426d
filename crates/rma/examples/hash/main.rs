//! A distributed hash table: insertion by compare_and_swap, without a lock.
//!
//! `farside run -n 4 -- hash KEYS`; or `FARSIDE_TRANSPORT=sim:16 hash KEYS`.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let keys = std::env::args().nth(1).map_or(Ok(1000), |word| word.parse())?;
    for table in farside::run(|world| program::run(world, keys))?
        .into_iter()
        .flatten()
    {
        print!("{table}");
    }
    Ok(())
}
