//! A half that its rank has as a slice is not read by others, nor is it accessed by anything but puts.
use farside::{Result, Window};

fn program(window: &mut Window<u64>, buffer: &mut [u64]) -> Result<()> {
    window.halves(|halves| halves.epoch(|epoch| epoch.get(buffer, 1, 0)))
}

fn main() {}
