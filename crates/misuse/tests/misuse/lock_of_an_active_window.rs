//! No lock on a window that synchronises with fences.
use farside::{Lock, Result, Window};

fn program(window: &mut Window<u64>) -> Result<()> {
    window.lock(1, Lock::Shared, |_| Ok(()))
}

fn main() {}
