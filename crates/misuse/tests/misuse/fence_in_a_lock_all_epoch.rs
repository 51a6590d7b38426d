//! No fence inside a passive target epoch, nor by way of the active mode.
use farside::{Passive, Result, Window};

fn program(mut window: Window<u64, Passive>) -> Result<()> {
    window.lock_all(|_| window.into_active()?.fence(|_| Ok(())))
}

fn main() {}
