//! Messages are plain data: a reference means nothing elsewhere.
use farside::{Result, World};

fn program(world: &World, text: &str) -> Result<()> {
    world.send(1, 0, &[text])
}

fn main() {}
