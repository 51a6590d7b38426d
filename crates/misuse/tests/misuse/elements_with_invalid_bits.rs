//! Elements of a window are plain data: not every byte is a bool.
use farside::{Result, Window, World};

fn program(world: &World) -> Result<Window<bool>> {
    Window::allocate(world, 10)
}

fn main() {}
