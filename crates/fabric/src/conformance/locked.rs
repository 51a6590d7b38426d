//! Puts under a lock: nobody comes between, and they are complete when the lock is given back.

use super::{Check, Checked, Rig, Shared, ensure};
use crate::lock::{Calls, Lock};
use crate::{AtomicKind, AtomicOperation, Atomics, Error, Fetch, LockedPuts, Result, ShortPuts};
use std::time::Duration;

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "puts under a lock go in turn with all who take it by atomic operations",
        ranks: 2,
        run: in_turn,
    },
    Check {
        name: "puts under a lock that make no sense are refused",
        ranks: 2,
        run: refused,
    },
];

/// Where the words of the lock are; tickets, then calls.
const WORDS: usize = 64;

/// Most rounds: all ranks wait for one another in each.
const ROUNDS: u32 = 40;

/// Between two looks at the calls, at first and at most: pauses grow, so that the owner has time for whoever holds the
/// lock.
const PAUSE: (Duration, Duration) = (Duration::from_micros(10), Duration::from_millis(1));

/// Two words that are equal whenever the lock is free, far from one another.
const TWINS: [usize; 2] = [0, 4096];

/// All ranks write the twins of rank 0 under the lock: by one operation where that works, by several else. Rank 0 looks
/// at them.
fn in_turn(rig: &Rig<'_>) -> Checked {
    if rig.fabric.atomics(AtomicOperation::Sum, AtomicKind::U64) == Atomics::Missing {
        return Ok(());
    }
    let shared = rig.share(TWINS[1] + 8)?;
    let visits = rig.fabric.puts_locked(&shared.remotes[0]);
    let mut alone = 0;
    let rounds = rig.extent.rounds.min(ROUNDS);
    for round in 0..rounds {
        let lock = if round % 4 == 3 {
            Lock::Shared
        } else {
            Lock::Exclusive
        };
        let value = (u64::from(rig.rank()) << 32 | u64::from(round)).to_ne_bytes();
        let mut puts = ShortPuts::default();
        for at in TWINS.into_iter().take(if lock == Lock::Shared { 0 } else { 2 }) {
            ensure!(puts.add(at, &value), "no room for two words");
        }
        let mut found = [0; 2];
        if visits && round % 8 != 0 {
            let visit = LockedPuts {
                scope: shared.scope,
                remote: shared.remotes[0],
                words: WORDS,
                lock,
                puts: &puts,
                results: found.as_mut_ptr(),
            };
            // SAFETY: the results live until the flush, and are read after it.
            unsafe { rig.fabric.put_locked(&visit)? };
            rig.fabric.flush(shared.scope, Some(0))?;
        } else {
            found = [fetch(rig, &shared, WORDS, 1)?, fetch(rig, &shared, WORDS + 8, 0)?];
        }
        let ticket = Calls::<32>::ticket(found[0]);
        if visits && round % 8 != 0 && Calls::<32>(found[1]).is_called(ticket, lock) {
            alone += 1;
            continue;
        }
        let (began, mut pause) = (rig.fabric.now(), PAUSE.0);
        while !Calls::<32>(fetch(rig, &shared, WORDS + 8, 0)?).is_called(ticket, lock) {
            let waited = rig.fabric.now() - began;
            ensure!(
                waited < rig.extent.limit,
                "round {round}: ticket {ticket} is not called"
            );
            match rig.fabric.wait(Some(pause), &mut || Ok(false)) {
                Ok(()) | Err(Error::TimeOut(_)) => {}
                Err(error) => return Err(error.into()),
            }
            pause = (2 * pause).min(PAUSE.1);
        }
        if rig.rank() == 0 {
            let [one, other] = TWINS.map(|at| shared.load(at));
            ensure!(
                one == other,
                "round {round}: {one:#x} and {other:#x}: somebody is halfway"
            );
        }
        for (at, bytes) in puts.iter() {
            rig.put(&shared, 0, at, bytes)?;
        }
        rig.flush(&shared)?;
        fetch(rig, &shared, WORDS + 8, Calls::<32>::pass(ticket))?;
    }
    rig.barrier()?;
    let rounds = u64::from(rig.size()) * u64::from(rounds);
    if rig.rank() == 0 {
        ensure!(
            [shared.load(WORDS), shared.load(WORDS + 8)] == [rounds, rounds << 32 | rounds],
            "{rounds} rounds: {} tickets, {:#x} are called",
            shared.load(WORDS),
            shared.load(WORDS + 8)
        );
        let [one, other] = TWINS.map(|at| shared.load(at));
        ensure!(one == other, "{one:#x} and {other:#x} in the end");
    }
    // Nobody is there any more, so that it cannot be anybody else's turn.
    for rank in 0..rig.size() {
        if visits && rank == rig.rank() {
            let before = alone;
            let mut puts = ShortPuts::default();
            ensure!(puts.add(TWINS[0], &[rank as u8; 8]), "no room for a word");
            let mut found = [0; 2];
            // SAFETY: the results live until the flush, and are read after it.
            unsafe { rig.fabric.put_locked(&visit(&shared, WORDS, &puts, &mut found))? };
            rig.flush(&shared)?;
            let ticket = Calls::<32>::ticket(found[0]);
            alone += u32::from(Calls::<32>(found[1]).is_called(ticket, Lock::Exclusive));
            ensure!(alone > before, "the lock is free, and was not taken");
        }
        rig.barrier()?;
        if visits && rank != 0 && rig.rank() == 0 {
            ensure!(
                shared.copy(TWINS[0], 8) == [rank as u8; 8],
                "the put of rank {rank} is not there"
            );
        }
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

/// Adds to a word of rank 0, and what was there.
fn fetch(rig: &Rig<'_>, shared: &Shared, displacement: usize, operand: u64) -> Result<u64> {
    let mut found = 0u64;
    rig.fetch(&Fetch {
        scope: shared.scope,
        operation: match operand {
            0 => AtomicOperation::NoOp,
            _ => AtomicOperation::Sum,
        },
        kind: AtomicKind::U64,
        count: 1,
        operands: (&raw const operand).cast(),
        results: (&raw mut found).cast(),
        remote: shared.remotes[0],
        displacement,
    })?;
    rig.fabric.flush(shared.scope, Some(0))?;
    Ok(found)
}

/// Puts under the exclusive lock of rank 0.
fn visit<'a>(shared: &Shared, words: usize, puts: &'a ShortPuts, found: &mut [u64; 2]) -> LockedPuts<'a> {
    LockedPuts {
        scope: shared.scope,
        remote: shared.remotes[0],
        words,
        lock: Lock::Exclusive,
        puts,
        results: found.as_mut_ptr(),
    }
}

fn refused(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(128)?;
    if rig.rank() != 0 {
        let (mut puts, mut found) = (ShortPuts::default(), [7; 2]);
        ensure!(puts.add(0, &[1; 8]), "no room for a word");
        let mut beyond = puts.clone();
        ensure!(beyond.add(121, &[1; 8]), "no room for a word");
        let visits = rig.fabric.puts_locked(&shared.remotes[0]);
        for (words, puts) in [(64, &beyond), (120, &puts), (68, &puts)] {
            // SAFETY: nothing is done; if it were, the flush below would come before the results go.
            let answer = unsafe { rig.fabric.put_locked(&visit(&shared, words, puts, &mut found)) };
            let wanted = match &answer {
                Err(Error::Unsupported { .. }) => !visits,
                Err(Error::OutOfBounds { .. }) => words == 120 || puts.iter().count() == 2,
                Err(Error::Misaligned { .. }) => words == 68,
                _ => false,
            };
            ensure!(wanted, "words at {words}: {answer:?}");
        }
        rig.flush(&shared)?;
        ensure!(found == [7; 2], "a refused operation wrote its results");
    }
    rig.barrier()?;
    if rig.rank() == 0 {
        ensure!(
            shared.copy(0, 128) == [0; 128],
            "a refused operation did something"
        );
    }
    rig.unshare(shared)?;
    Ok(())
}
