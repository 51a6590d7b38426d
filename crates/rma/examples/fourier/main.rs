//! A Fourier transform in three dimensions, by transposition with puts that overlap the computation (paper 004, section
//! 4.2).
//!
//! `farside run -n 4 -- fourier SIZE`; or with `FARSIDE_TRANSPORT=sim:8` in front.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = std::env::args().nth(1).map_or(Ok(32), |word| word.parse())?;
    for table in farside::run(|world| program::run(world, size))?
        .into_iter()
        .flatten()
    {
        print!("{table}");
    }
    Ok(())
}
