//! Heat in two dimensions, on a distributed array. `farside run -n 4 -- heat SIZE STEPS`.

mod program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |fallback: &str| words.next().unwrap_or_else(|| fallback.to_owned()).parse();
    let (size, steps) = (number("96")?, number("200")?);
    for line in farside::run(|world| program::run(world, size, steps))?
        .into_iter()
        .flatten()
    {
        println!("{line}");
    }
    Ok(())
}
