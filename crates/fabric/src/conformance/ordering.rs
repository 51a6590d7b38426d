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
        name: "a message comes behind earlier puts, where that is promised",
        ranks: 1,
        run: message_after_write,
    },
    Check {
        name: "a notification comes behind earlier puts, where that is promised",
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
