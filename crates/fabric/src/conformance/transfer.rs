//! Transfers: no byte, odd places and lengths, many, large.

use super::rig::{pattern, same};
use super::{Check, Checked, Rig, ensure};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "transfers of 0 bytes",
        ranks: 1,
        run: nothing,
    },
    Check {
        name: "unaligned places and odd lengths",
        ranks: 1,
        run: unaligned,
    },
    Check {
        name: "many puts and gets in flight",
        ranks: 2,
        run: many,
    },
    Check {
        name: "a large transfer",
        ranks: 1,
        run: large,
    },
    Check {
        name: "an aligned word is not torn",
        ranks: 2,
        run: whole_words,
    },
    Check {
        name: "puts to oneself",
        ranks: 1,
        run: oneself,
    },
];

fn nothing(rig: &Rig<'_>) -> Checked {
    for bytes in [0, 64] {
        let shared = rig.share(bytes)?;
        rig.put(&shared, rig.next(), bytes, &[])?;
        rig.get(&shared, rig.next(), bytes, &mut [])?;
        rig.put(&shared, rig.next(), 0, &[])?;
        rig.flush(&shared)?;
        rig.barrier()?;
        same("the region", &shared.copy(0, bytes), &vec![0; bytes])?;
        rig.unshare(shared)?;
    }
    Ok(())
}

fn unaligned(rig: &Rig<'_>) -> Checked {
    const BYTES: usize = 320;
    let shared = rig.share(BYTES)?;
    let sent = pattern(rig.rank(), 7, BYTES);
    let wanted = pattern(rig.previous(), 7, BYTES);
    for at in [0, 1, 3, 4, 7, 8, 13, 63] {
        for bytes in (1..=17).chain([31, 32, 33, 63, 64, 65, 127, 128, 129, 200]) {
            shared.fill(0, &[0; BYTES]);
            rig.barrier()?;
            let from = (at * 5 + bytes) % 64;
            rig.put(&shared, rig.next(), at, &sent[from..from + bytes])?;
            rig.flush(&shared)?;
            rig.barrier()?;
            let mut expected = vec![0; BYTES];
            expected[at..at + bytes].copy_from_slice(&wanted[from..from + bytes]);
            same(
                &format!("{bytes} bytes at {at}"),
                &shared.copy(0, BYTES),
                &expected,
            )?;
            let mut found = vec![0xAA; bytes + 2];
            rig.get(&shared, rig.next(), at, &mut found[1..=bytes])?;
            rig.flush(&shared)?;
            same("the get", &found[1..=bytes], &sent[from..from + bytes])?;
            ensure!(
                found[0] == 0xAA && found[bytes + 1] == 0xAA,
                "a get of {bytes} bytes wrote beside"
            );
            rig.barrier()?;
        }
    }
    rig.unshare(shared)?;
    Ok(())
}

fn many(rig: &Rig<'_>) -> Checked {
    const SLOTS: usize = 10_000;
    let slot = |rank: u32, number: usize| (u64::from(rank) << 32 | number as u64) ^ 0x5555_5555_5555_5555;
    let shared = rig.share(SLOTS * 8 * rig.size() as usize)?;
    let values: Vec<[u8; 8]> = (0..SLOTS)
        .map(|number| slot(rig.rank(), number).to_ne_bytes())
        .collect();
    let base = SLOTS * 8 * rig.rank() as usize;
    for (number, value) in values.iter().enumerate() {
        for target in 0..rig.size() {
            rig.put(&shared, target, base + number * 8, value)?;
        }
    }
    rig.flush(&shared)?;
    rig.barrier()?;
    for rank in 0..rig.size() {
        for number in 0..SLOTS {
            let found = shared.load(SLOTS * 8 * rank as usize + number * 8);
            ensure!(
                found == slot(rank, number),
                "slot {number} of rank {rank} has {found:#x}"
            );
        }
    }
    let mut found = vec![[0; 8]; SLOTS];
    for (number, value) in found.iter_mut().enumerate() {
        rig.get(&shared, rig.next(), base + number * 8, value)?;
    }
    rig.fabric.flush_local(shared.scope, None)?;
    ensure!(found == values, "gets do not bring back what was put");
    rig.unshare(shared)?;
    Ok(())
}

fn large(rig: &Rig<'_>) -> Checked {
    let bytes = rig.extent.large | 3;
    let shared = rig.share(bytes)?;
    if rig.rank() == 0 {
        let target = rig.next();
        let mut buffer = vec![0_u8; bytes];
        let stamp = |at: usize| (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_ne_bytes();
        for (at, chunk) in buffer.chunks_mut(8).enumerate() {
            let length = chunk.len();
            chunk.copy_from_slice(&stamp(at)[..length]);
        }
        rig.put(&shared, target, 0, &buffer)?;
        rig.fabric.flush(shared.scope, Some(target))?;
        buffer.fill(0);
        rig.get(&shared, target, 0, &mut buffer)?;
        rig.fabric.flush(shared.scope, Some(target))?;
        for (at, chunk) in buffer.chunks(8).enumerate() {
            ensure!(
                *chunk == stamp(at)[..chunk.len()],
                "{bytes} bytes there and back differ near byte {}",
                at * 8
            );
        }
    }
    rig.barrier()?;
    rig.unshare(shared)?;
    Ok(())
}

/// Rank 0 puts one of two words over and over; all others, and the target's loads, see one of them.
fn whole_words(rig: &Rig<'_>) -> Checked {
    const WORDS: [u64; 2] = [0, u64::MAX];
    let shared = rig.share(64)?;
    let rounds = rig.extent.rounds * 10;
    for round in 0..rounds {
        if rig.rank() == 0 {
            let sent = WORDS[round as usize % 2].to_ne_bytes();
            rig.put(&shared, 1, 8, &sent)?;
            rig.fabric.flush(shared.scope, Some(1))?;
        } else {
            let mut found = [0; 8];
            rig.get(&shared, 1, 8, &mut found)?;
            rig.fabric.flush(shared.scope, Some(1))?;
            let loaded = shared.load(8);
            let found = u64::from_ne_bytes(found);
            ensure!(WORDS.contains(&found), "a get sees half a word: {found:#018x}");
            ensure!(WORDS.contains(&loaded), "a load sees half a word: {loaded:#018x}");
        }
    }
    rig.barrier()?;
    rig.unshare(shared)?;
    Ok(())
}

fn oneself(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(4096)?;
    let sent = pattern(rig.rank(), 1, 2048);
    rig.put(&shared, rig.rank(), 1024, &sent)?;
    rig.flush(&shared)?;
    same("the put", &shared.copy(1024, 2048), &sent)?;
    let mut found = vec![0; 2048];
    rig.get(&shared, rig.rank(), 1024, &mut found)?;
    rig.flush(&shared)?;
    same("the get", &found, &sent)?;
    rig.unshare(shared)?;
    Ok(())
}
