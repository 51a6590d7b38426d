//! What a transport says it orders, it orders.

use super::rig::{pattern, same};
use super::{Check, Checked, Rig, ensure};
use crate::Signal;

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "puts become visible in order, where that is promised",
        ranks: 2,
        run: write_after_write,
    },
    Check {
        name: "puts of all lengths between one another become visible in order, where that is promised",
        ranks: 2,
        run: mixed_lengths,
    },
    Check {
        name: "a message comes after earlier puts, where that is promised",
        ranks: 1,
        run: message_after_write,
    },
    Check {
        name: "a notification comes after earlier puts, where that is promised",
        ranks: 1,
        run: immediate_after_write,
    },
    Check {
        name: "a get sees earlier puts, where that is promised",
        ranks: 1,
        run: read_after_write,
    },
];

/// Lengths of the put that must not be overtaken.
const LENGTHS: [usize; 6] = [8, 64, 1000, 8192, 65_536, 1 << 18];

fn write_after_write(rig: &Rig<'_>) -> Checked {
    if !rig.fabric.capabilities().write_after_write {
        return Ok(());
    }
    let shared = rig.share((1 << 18) + 64)?;
    for round in 1..=rig.extent.rounds {
        let bytes = LENGTHS[round as usize % LENGTHS.len()];
        if rig.rank() == 0 {
            let (data, flag) = (pattern(0, round, bytes), u64::from(round).to_ne_bytes());
            rig.put(&shared, 1, 64, &data)?;
            rig.put(&shared, 1, 0, &flag)?;
            rig.flush(&shared)?;
        } else if rig.rank() == 1 {
            rig.until(&mut || Ok(shared.load(0) == u64::from(round)))?;
            same(
                "the put before the flag",
                &shared.copy(64, bytes),
                &pattern(0, round, bytes),
            )?;
        }
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

/// A transport may have several ways for puts, by their length: each rank puts the number of the round to the places of
/// all lengths, in an order that changes, and no place is seen to be older than one that was put to after it.
fn mixed_lengths(rig: &Rig<'_>) -> Checked {
    if !rig.fabric.capabilities().write_after_write {
        return Ok(());
    }
    const PLACES: usize = 12;
    const SPACE: usize = 1 << 13;
    let lengths = [8, 2048, 16, 8, 8192, 64, 72, 8, 128, 4096, 8, 8];
    let shared = rig.share(PLACES * SPACE)?;
    for round in 1..=rig.extent.rounds.min(40) {
        let order = |step: usize| (step * 5 + round as usize) % PLACES;
        if rig.rank() == 0 {
            let bytes = u64::from(round).to_ne_bytes().repeat(SPACE / 8);
            for place in (0..PLACES).map(order) {
                // Those that end with the place, for transports copy from the first byte to the last.
                let begin = (place + 1) * SPACE - lengths[place];
                rig.put(&shared, 1, begin, &bytes[..lengths[place]])?;
            }
            rig.flush(&shared)?;
        } else if rig.rank() == 1 {
            let last = |place: usize| shared.load((place + 1) * SPACE - 8);
            let mut overtaken = None;
            rig.until(&mut || {
                // Those that were put to last are looked at first.
                for step in (0..PLACES).rev() {
                    let number = last(order(step));
                    let behind = (0..step).map(order).find(|&earlier| last(earlier) < number);
                    overtaken = overtaken.or(behind.map(|earlier| (earlier, order(step))));
                }
                Ok(overtaken.is_some() || last(order(PLACES - 1)) == u64::from(round))
            })?;
            if let Some((earlier, later)) = overtaken {
                let (earlier, later) = (lengths[earlier], lengths[later]);
                ensure!(
                    false,
                    "round {round}: a put of {earlier} bytes was overtaken by one of {later} bytes"
                );
            }
        }
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn message_after_write(rig: &Rig<'_>) -> Checked {
    if !rig.fabric.capabilities().message_after_write {
        return Ok(());
    }
    let shared = rig.share(1 << 18)?;
    for round in 0..rig.extent.rounds {
        let bytes = LENGTHS[round as usize % LENGTHS.len()];
        let data = pattern(rig.rank(), round, bytes);
        rig.put(&shared, rig.next(), 0, &data)?;
        rig.fabric.send(rig.next(), 9, &[])?;
        rig.message(rig.previous(), 9)?;
        same(
            "the put before the message",
            &shared.copy(0, bytes),
            &pattern(rig.previous(), round, bytes),
        )?;
        rig.flush(&shared)?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn immediate_after_write(rig: &Rig<'_>) -> Checked {
    let capabilities = rig.fabric.capabilities();
    if !capabilities.immediate_after_write || capabilities.immediate_bits == 0 {
        return Ok(());
    }
    let shared = rig.share(1 << 18)?;
    for round in 0..rig.extent.rounds {
        let bytes = LENGTHS[round as usize % LENGTHS.len()];
        let data = pattern(rig.rank(), round, bytes);
        rig.put(&shared, rig.next(), 0, &data)?;
        rig.put_signal(&shared, rig.next(), 0, &[], Signal::Immediate(1))?;
        rig.until(&mut || Ok(rig.fabric.notification()?.is_some()))?;
        same(
            "the put before the notification",
            &shared.copy(0, bytes),
            &pattern(rig.previous(), round, bytes),
        )?;
        rig.flush(&shared)?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn read_after_write(rig: &Rig<'_>) -> Checked {
    if !rig.fabric.capabilities().read_after_write {
        return Ok(());
    }
    let shared = rig.share(1 << 18)?;
    for round in 0..rig.extent.rounds {
        let bytes = LENGTHS[round as usize % LENGTHS.len()];
        let (data, mut found) = (pattern(rig.rank(), round, bytes), vec![0; bytes]);
        rig.put(&shared, rig.next(), 0, &data)?;
        rig.get(&shared, rig.next(), 0, &mut found)?;
        rig.flush(&shared)?;
        ensure!(
            found == data,
            "round {round}: a get of {bytes} bytes does not see the put before it"
        );
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}
