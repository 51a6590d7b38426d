//! No plain load of the own memory while it is exposed.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<u64> {
    window.post(&[1], |_| Ok(window.local()?[0]))
}

fn main() {}
