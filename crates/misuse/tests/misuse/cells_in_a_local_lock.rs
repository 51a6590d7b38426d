//! Where the own memory is lent as plain elements, there are no cells of it.
use farside::{Passive, Result, Window};

fn program(window: &mut Window<u64, Passive>) -> Result<()> {
    window.lock_local(|elements| {
        window.cells().store(0, 1)?;
        elements[0] = 2;
        Ok(())
    })
}

fn main() {}
