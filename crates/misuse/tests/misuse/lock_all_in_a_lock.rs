//! No lock_all while a lock is held.
use farside::{Lock, Passive, Result, Window};

fn program(window: &mut Window<u64, Passive>) -> Result<()> {
    window.lock(1, Lock::Shared, |_| window.lock_all(|_| Ok(())))
}

fn main() {}
