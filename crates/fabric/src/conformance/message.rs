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
        name: "messages that may be held back keep their order with others, and with puts where that is promised",
        ranks: 1,
        run: along,
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

/// Messages of all lengths, some of which may be held back, and puts between them.
fn along(rig: &Rig<'_>) -> Checked {
    let limit = rig.fabric.capabilities().message_bytes;
    let lengths = [
        0,
        8,
        100,
        limit - 1,
        3,
        limit,
        64,
        300,
        limit / 2,
        limit / 2,
        limit / 2,
    ];
    let shared = rig.share(8)?;
    for round in 1..=rig.extent.rounds {
        let word = u64::from(round).to_ne_bytes();
        for (count, &bytes) in (0..).zip(&lengths) {
            let message = pattern(rig.rank(), count, bytes);
            if (count + round).is_multiple_of(3) {
                rig.fabric.send(rig.next(), 10, &message)?;
            } else {
                rig.fabric.send_along(rig.next(), 10, &message)?;
            }
            if count == 6 {
                rig.put(&shared, rig.next(), 0, &word)?;
            }
        }
        // A rank that waits sends what it held back.
        for (count, &bytes) in (0..).zip(&lengths) {
            same(
                "the next message",
                &rig.message(rig.previous(), 10)?,
                &pattern(rig.previous(), count, bytes),
            )?;
            let seen = shared.load(0);
            ensure!(
                count <= 6 || seen == u64::from(round) || !rig.fabric.capabilities().message_after_write,
                "round {round}: message {count} came before the put in front of it, which was {seen}"
            );
        }
        rig.flush(&shared)?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
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
