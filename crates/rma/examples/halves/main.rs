//! Heat in one dimension, one fence a step. `farside run -n 4 -- halves CELLS STEPS`: so many cells at each rank.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |fallback: &str| words.next().unwrap_or_else(|| fallback.to_owned()).parse();
    let (cells, steps) = (number("100")?, number("1000")?);
    for line in farside::run(|world| program::run(world, cells, steps))?
        .into_iter()
        .flatten()
    {
        println!("{line}");
    }
    Ok(())
}
