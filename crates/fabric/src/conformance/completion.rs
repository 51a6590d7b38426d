//! Completion: when an operation is done, and what `flush`, `flush_local` and `test` may say.

use super::rig::{pattern, same};
use super::{Check, Checked, Rig, ensure};
use crate::{Error, Progress};
use std::time::{Duration, Instant};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "a put is visible after flush",
        ranks: 1,
        run: put_flush,
    },
    Check {
        name: "a get has its bytes after flush_local",
        ranks: 1,
        run: get_flush_local,
    },
    Check {
        name: "an origin buffer is free after flush_local",
        ranks: 1,
        run: buffer_flush_local,
    },
    Check {
        name: "an origin buffer is free after test",
        ranks: 1,
        run: buffer_test,
    },
    Check {
        name: "flush of one target completes what goes there",
        ranks: 3,
        run: one_target,
    },
    Check {
        name: "who sees a flag sees the puts before it, and those to others are complete",
        ranks: 2,
        run: before_flag,
    },
    Check {
        name: "scopes complete for themselves",
        ranks: 1,
        run: scopes,
    },
    Check {
        name: "a put is seen by third parties after flush",
        ranks: 3,
        run: third_party,
    },
    Check {
        name: "a target that computes is written",
        ranks: 2,
        run: busy_target,
    },
    Check {
        name: "a put arrives though its origin calls nothing more",
        ranks: 2,
        run: unflushed,
    },
    Check {
        name: "waiting ends with its limit or its error",
        ranks: 1,
        run: waiting,
    },
];

fn put_flush(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(512)?;
    for round in 0..rig.extent.rounds {
        let sent = pattern(rig.rank(), round, 512);
        rig.put(&shared, rig.next(), 0, &sent)?;
        rig.fabric.flush(shared.scope, Some(rig.next()))?;
        rig.fabric.send(rig.next(), 1, &[])?;
        rig.message(rig.previous(), 1)?;
        same(
            "the put",
            &shared.copy(0, 512),
            &pattern(rig.previous(), round, 512),
        )?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn get_flush_local(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(512)?;
    for round in 0..rig.extent.rounds {
        shared.fill(0, &pattern(rig.rank(), round, 512));
        rig.barrier()?;
        let mut found = [0; 512];
        rig.get(&shared, rig.next(), 0, &mut found)?;
        rig.fabric.flush_local(shared.scope, Some(rig.next()))?;
        same("the get", &found, &pattern(rig.next(), round, 512))?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn buffer_flush_local(rig: &Rig<'_>) -> Checked {
    const BYTES: usize = 70_000;
    let shared = rig.share(BYTES)?;
    let mut buffer = vec![0; BYTES];
    for round in 0..rig.extent.rounds.min(40) {
        let bytes = [8, 200, 5000, BYTES][round as usize % 4];
        buffer.copy_from_slice(&pattern(rig.rank(), round, BYTES));
        rig.put(&shared, rig.next(), 0, &buffer[..bytes])?;
        rig.fabric.flush_local(shared.scope, Some(rig.next()))?;
        buffer.fill(0xDD);
        rig.flush(&shared)?;
        rig.barrier()?;
        same(
            "the put",
            &shared.copy(0, bytes),
            &pattern(rig.previous(), round, BYTES)[..bytes],
        )?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn buffer_test(rig: &Rig<'_>) -> Checked {
    const BYTES: usize = 70_000;
    let shared = rig.share(2 * BYTES)?;
    let (mut buffer, mut second) = (vec![0; BYTES], vec![0; BYTES]);
    for round in 0..rig.extent.rounds.min(40) {
        buffer.copy_from_slice(&pattern(rig.rank(), round, BYTES));
        second.copy_from_slice(&pattern(rig.rank(), !round, BYTES));
        let ticket = rig.put(&shared, rig.next(), 0, &buffer)?;
        let later = rig.put(&shared, rig.next(), BYTES, &second)?;
        rig.until(&mut || rig.fabric.test(ticket))?;
        buffer.fill(0xDD);
        rig.until(&mut || rig.fabric.test(later))?;
        second.fill(0xCC);
        ensure!(
            rig.fabric.test(ticket)?,
            "a complete operation is no longer complete"
        );
        rig.flush(&shared)?;
        rig.barrier()?;
        same(
            "the put",
            &shared.copy(0, BYTES),
            &pattern(rig.previous(), round, BYTES),
        )?;
        same(
            "the second put",
            &shared.copy(BYTES, BYTES),
            &pattern(rig.previous(), !round, BYTES),
        )?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn one_target(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(1024)?;
    for round in 0..rig.extent.rounds.min(50) {
        let sent = pattern(rig.rank(), round, 256);
        for target in [rig.next(), rig.previous()] {
            let at = if target == rig.next() { 0 } else { 512 };
            rig.put(&shared, target, at, &sent)?;
        }
        rig.fabric.flush(shared.scope, Some(rig.next()))?;
        rig.fabric.send(rig.next(), 1, &[])?;
        rig.message(rig.previous(), 1)?;
        same(
            "from the previous",
            &shared.copy(0, 256),
            &pattern(rig.previous(), round, 256),
        )?;
        rig.fabric.flush(shared.scope, Some(rig.previous()))?;
        rig.barrier()?;
        same(
            "from the next",
            &shared.copy(512, 256),
            &pattern(rig.next(), round, 256),
        )?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

/// Rank 0 puts to all others, makes sure of all but rank 1, and puts a flag there; whom rank 1 tells of it has its put.
fn before_flag(rig: &Rig<'_>) -> Checked {
    const LENGTHS: [usize; 5] = [8, 64, 20, 1000, 70_000];
    let shared = rig.share(64 + LENGTHS[4])?;
    for round in 1..=rig.extent.rounds {
        let bytes = LENGTHS[round as usize % LENGTHS.len()];
        let mut sent = pattern(0, round, bytes);
        let flag = u64::from(round).to_ne_bytes();
        if rig.rank() == 0 {
            for target in 1..rig.size() {
                rig.put(&shared, target, 64, &sent)?;
            }
            rig.fabric.flush_before_flag(shared.scope, 1)?;
            // All are complete locally.
            sent.fill(0xDD);
            rig.put(&shared, 1, 0, &flag)?;
            rig.fabric.send_held();
        } else if rig.rank() == 1 {
            rig.until(&mut || Ok(shared.load(0) == u64::from(round)))?;
            for other in 2..rig.size() {
                rig.fabric.send(other, 12, &[])?;
            }
        } else {
            rig.message(1, 12)?;
        }
        if rig.rank() != 0 {
            same(
                "the put before the flag",
                &shared.copy(64, bytes),
                &pattern(0, round, bytes),
            )?;
        }
        rig.flush(&shared)?;
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn scopes(rig: &Rig<'_>) -> Checked {
    let first = rig.share(64)?;
    let second = rig.share(64)?;
    ensure!(first.scope != second.scope, "two open scopes are one");
    rig.put(&first, rig.next(), 0, &[1; 64])?;
    // Nothing was started in this scope; that must not hang, nor free the buffer of the other.
    rig.fabric.flush(second.scope, None)?;
    rig.fabric.flush(second.scope, Some(rig.next()))?;
    rig.fabric.flush_local(second.scope, Some(rig.previous()))?;
    rig.flush(&first)?;
    rig.barrier()?;
    same("the put", &first.copy(0, 64), &[1; 64])?;
    rig.unshare(first)?;
    rig.unshare(second)?;
    Ok(())
}

fn third_party(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(64)?;
    for round in 0..rig.extent.rounds {
        // Rank 0 writes rank 1, then tells rank 2, which reads rank 1.
        match rig.rank() {
            0 => {
                let sent = pattern(0, round, 64);
                rig.put(&shared, 1, 0, &sent)?;
                rig.fabric.flush(shared.scope, Some(1))?;
                rig.fabric.send(2, 1, &[])?;
            }
            2 => {
                rig.message(0, 1)?;
                let mut found = [0; 64];
                rig.get(&shared, 1, 0, &mut found)?;
                rig.fabric.flush(shared.scope, Some(1))?;
                same("the get", &found, &pattern(0, round, 64))?;
            }
            _ => {}
        }
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

/// Rank 0 puts, and looks at its own memory only until rank 1 has answered.
fn unflushed(rig: &Rig<'_>) -> Checked {
    let capabilities = rig.fabric.capabilities();
    if capabilities.progress == Progress::Calls || capabilities.virtual_time {
        return Ok(());
    }
    let shared = rig.share(64)?;
    for round in 1..=rig.extent.rounds.min(20) {
        let number = u64::from(round);
        let word = number.to_ne_bytes();
        rig.barrier()?;
        if rig.rank() == 0 {
            rig.put(&shared, 1, 0, &word)?;
            let began = Instant::now();
            while shared.load(0) != number {
                ensure!(
                    began.elapsed() < rig.extent.limit,
                    "round {round}: the put was not answered within {:?}",
                    rig.extent.limit
                );
                std::thread::yield_now();
            }
        } else if rig.rank() == 1 {
            rig.until(&mut || Ok(shared.load(0) == number))?;
            rig.put(&shared, 0, 0, &word)?;
        }
        rig.flush(&shared)?;
    }
    rig.barrier()?;
    rig.unshare(shared)?;
    Ok(())
}

/// The target looks at its memory without a call, until it sees the put. Only where that is promised.
fn busy_target(rig: &Rig<'_>) -> Checked {
    if rig.fabric.capabilities().progress == Progress::Calls {
        return Ok(());
    }
    let shared = rig.share(64)?;
    for round in 1..=u64::from(rig.extent.rounds.min(20)) {
        if rig.rank() == 0 {
            let sent = round.to_ne_bytes();
            rig.put(&shared, 1, 8, &sent)?;
            rig.fabric.flush(shared.scope, Some(1))?;
        } else if rig.rank() == 1 {
            let began = rig.fabric.now();
            while shared.load(8) != round {
                rig.fabric.compute(Duration::from_micros(20));
                ensure!(
                    rig.fabric.now() - began < rig.extent.limit,
                    "round {round}: a put did not come while the target did not call"
                );
            }
        }
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn waiting(rig: &Rig<'_>) -> Checked {
    let short = Some(Duration::from_millis(3));
    let ended = rig.fabric.wait(short, &mut || Ok(false));
    ensure!(
        matches!(ended, Err(Error::TimeOut(_))),
        "a wait for nothing ended with {ended:?}"
    );
    let ended = rig.fabric.wait(None, &mut || Err(Error::Stale("a thing")));
    ensure!(
        ended == Err(Error::Stale("a thing")),
        "a wait with an error ended with {ended:?}"
    );
    let mut calls = 0;
    rig.fabric.wait(Some(Duration::ZERO), &mut || {
        calls += 1;
        Ok(true)
    })?;
    ensure!(calls == 1, "what is ready at once was asked {calls} times");
    Ok(())
}
