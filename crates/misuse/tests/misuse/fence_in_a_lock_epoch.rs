//! No fence inside a passive target epoch: a passive window has none.
use farside::{Lock, Passive, Result, Window};

fn program(window: &mut Window<u64, Passive>) -> Result<()> {
    window.lock(1, Lock::Shared, |_| window.fence(|_| Ok(())))
}

fn main() {}
