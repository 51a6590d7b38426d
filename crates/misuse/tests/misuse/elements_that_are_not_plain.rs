//! Elements of a window are plain data: a vector is a pointer, which means nothing elsewhere.
use farside::{Result, Window, World};

fn program(world: &World) -> Result<Window<Vec<u8>>> {
    Window::allocate(world, 10)
}

fn main() {}
