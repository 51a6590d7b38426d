//! A window is not freed while an epoch is open on it.
use farside::{Lock, Passive, Result, Window};

fn program(window: Window<u64, Passive>, buffer: &[u64]) -> Result<()> {
    window.lock(1, Lock::Shared, |epoch| {
        epoch.put(buffer, 1, 0)?;
        window.free()
    })
}

fn main() {}
