//! Memory that is lent to be written is lent once.
use farside::{Attached, Result, Window};

fn program(window: &mut Window<u64>, memory: &mut Attached<u64>) -> Result<()> {
    let [first, second] = window.attached_each_mut([memory, memory])?;
    first.copy_from_slice(second);
    Ok(())
}

fn main() {}
