//! A buffer outlasts the epoch in which it is lent, or is owned by a request.
use farside::{Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.fence(|epoch| {
        let buffer = [1, 2, 3];
        epoch.put(&buffer, 1, 0)
    })
}

fn main() {}
