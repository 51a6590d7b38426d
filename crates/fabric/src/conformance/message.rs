//! Messages: whole, in order, and without a deadlock when all send first.

use super::rig::{pattern, same};
use super::{Check, Checked, Rig, ensure};
use crate::Error;

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "messages of all lengths come whole",
        ranks: 1,
        run: lengths,
    },
    Check {
        name: "messages between two ranks keep their order",
        ranks: 1,
        run: order,
    },
    Check {
        name: "all send before they receive",
        ranks: 1,
        run: flood,
    },
    Check {
        name: "a message that is too long or to nobody is refused",
        ranks: 1,
        run: refused,
    },
];

fn lengths(rig: &Rig<'_>) -> Checked {
    let limit = rig.fabric.capabilities().message_bytes;
    ensure!(
        limit >= 1024,
        "messages have {limit} bytes at the most, 1024 are promised"
    );
    for bytes in [0, 1, 7, 8, 100, 1023, 1024, limit - 1, limit] {
        rig.fabric.send(rig.next(), 5, &pattern(rig.rank(), 3, bytes))?;
        same(
            &format!("a message of {bytes} bytes"),
            &rig.message(rig.previous(), 5)?,
            &pattern(rig.previous(), 3, bytes),
        )?;
    }
    Ok(())
}

fn order(rig: &Rig<'_>) -> Checked {
    let number = rig.extent.rounds * 2;
    for count in 0..number {
        for target in 0..rig.size() {
            rig.fabric
                .send(target, 6, &pattern(rig.rank(), count, count as usize % 90))?;
        }
        // Take some now and then, some late.
        if count % 7 == 6 {
            for round in count - 6..=count {
                for source in 0..rig.size() {
                    same(
                        "the next message",
                        &rig.message(source, 6)?,
                        &pattern(source, round, round as usize % 90),
                    )?;
                }
            }
        }
    }
    for round in number - number % 7..number {
        for source in 0..rig.size() {
            same(
                "the last messages",
                &rig.message(source, 6)?,
                &pattern(source, round, round as usize % 90),
            )?;
        }
    }
    Ok(())
}

fn flood(rig: &Rig<'_>) -> Checked {
    let number = rig.extent.rounds * 10;
    for count in 0..number {
        rig.fabric.send(rig.next(), 7, &pattern(rig.rank(), count, 300))?;
    }
    for count in 0..number {
        same(
            "a message of a flood",
            &rig.message(rig.previous(), 7)?,
            &pattern(rig.previous(), count, 300),
        )?;
    }
    Ok(())
}

fn refused(rig: &Rig<'_>) -> Checked {
    let limit = rig.fabric.capabilities().message_bytes;
    let answer = rig.fabric.send(rig.next(), 8, &vec![0; limit + 1]);
    ensure!(
        matches!(answer, Err(Error::TooLong { .. })),
        "{} bytes: {answer:?}",
        limit + 1
    );
    let answer = rig.fabric.send(rig.size(), 8, &[]);
    ensure!(
        matches!(answer, Err(Error::RankOutOfRange { .. })),
        "to nobody: {answer:?}"
    );
    Ok(())
}
