//! Random access: updates of words all over the job, as in the HPC Challenge benchmark RandomAccess.
//!
//! `farside run -n 4 -- update WORDS`; or `FARSIDE_TRANSPORT=sim:64 update WORDS`.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words = std::env::args().nth(1).map_or(Ok(1 << 12), |word| word.parse())?;
    for table in farside::run(|world| program::run(world, words))?
        .into_iter()
        .flatten()
    {
        print!("{table}");
    }
    Ok(())
}
