//! Heat in one and two dimensions, with halos exchanged in four ways (paper 004, section 4.1).
//!
//! `farside run -n 4 -- stencil 1d|2d fence|pscw|put|get SIZE STEPS [heat.ppm]`; or with `FARSIDE_TRANSPORT=sim:16` in
//! front.

mod exchange;
mod grid;
mod program;

use exchange::Way;
use std::io::Write as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word =
        |index: usize, fallback: &'static str| words.get(index).map_or(fallback, String::as_str).to_owned();
    let two = match word(0, "2d").as_str() {
        "1d" => false,
        "2d" => true,
        _ => return Err("usage: stencil 1d|2d fence|pscw|put|get SIZE STEPS [heat.ppm]".into()),
    };
    let way: Way = word(1, "fence").parse()?;
    let (size, steps) = (word(2, "96").parse()?, word(3, "200").parse()?);
    let pictures = farside::run(|world| program::run(world, two, way, size, steps))?;
    for answer in pictures.into_iter().flatten() {
        println!("{}", answer.line);
        if let Some(path) = words.get(4) {
            std::fs::File::create(path)?.write_all(&answer.picture)?;
        }
    }
    Ok(())
}
