//! `table[random] ^= random`, four times as often as there are words.

use farside::{Operation, Result, Window, World};

/// Updates that may be under way before they are completed.
const BATCH: usize = 1024;

/// The next number of the benchmark's sequence: a shift register over the polynomial x^64 + x^2 + x + 1.
fn next(value: u64) -> u64 {
    value << 1 ^ if value >> 63 == 1 { 7 } else { 0 }
}

/// Updates a table of `words` words a rank, a power of two; rank 0 gets the rate. Verified as the benchmark does: the
/// same updates once more leave the table as it was, for `xor` is its own inverse.
pub(crate) fn run(world: &World, words: usize) -> Result<Option<String>> {
    let words = words.next_power_of_two();
    let first = |at: usize| (u64::from(world.rank()) << 40) + at as u64;
    let mut window = Window::create(world, (0..words).map(first).collect::<Vec<u64>>())?.into_passive()?;
    let began = world.now();
    update(world, &mut window, words)?;
    world.barrier()?;
    let time = world.now() - began;
    update(world, &mut window, words)?;
    world.barrier()?;
    let window = window.into_active()?;
    assert!(
        window
            .local()?
            .iter()
            .enumerate()
            .all(|(at, value)| *value == first(at)),
        "an update was lost"
    );
    window.free()?;
    let updates = words as f64 * 4.0 * f64::from(world.size());
    Ok((world.rank() == 0).then(|| {
        format!(
            "{} ranks, {words} words each: {updates} updates in {time:?}, {:.3} million a second\n",
            world.size(),
            updates / time.as_secs_f64() / 1e6
        )
    }))
}

fn update(world: &World, window: &mut Window<u64, farside::Passive>, words: usize) -> Result<()> {
    let mut value = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(2 * u64::from(world.rank()) + 1);
    let mut operands = vec![0; BATCH];
    window.lock_all(|epoch| {
        let mut left = words * 4;
        while left > 0 {
            let batch = left.min(BATCH);
            for operand in &mut operands[..batch] {
                value = next(value);
                *operand = value;
            }
            epoch.local(|updates| {
                for operand in operands[..batch].chunks(1) {
                    let place = (operand[0] % (words as u64 * u64::from(world.size()))) as usize;
                    updates.accumulate(Operation::Xor, operand, (place / words) as u32, place % words)?;
                }
                Ok(())
            })?;
            left -= batch;
        }
        Ok(())
    })
}
