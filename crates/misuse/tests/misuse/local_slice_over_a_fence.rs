//! A slice of the own memory ends before the next epoch begins.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<u64> {
    let elements = window.local()?;
    window.fence(|_| Ok(()))?;
    Ok(elements[0])
}

fn main() {}
