//! Atomic operations: what they compute, and that nobody comes between.

use super::arithmetic::{Bits, bits_of, bytes_of, expected, samples};
use super::rig::same;
use super::{Check, Checked, Failure, Rig, Shared, ensure};
use crate::{AtomicKind, AtomicOperation, Atomics, CompareSwap, Error, Fetch, Rank};
use std::ptr;

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "atomic operations compute what MPI says",
        ranks: 1,
        run: results,
    },
    Check {
        name: "atomic operations of all ranks add up",
        ranks: 1,
        run: sums,
    },
    Check {
        name: "neighbouring elements are left alone",
        ranks: 2,
        run: neighbours,
    },
    Check {
        name: "compare-and-swap lets one through",
        ranks: 1,
        run: compare_and_swap,
    },
    Check {
        name: "atomic operations on an element keep their order",
        ranks: 1,
        run: order,
    },
    Check {
        name: "misaligned, out of bounds and senseless atomic operations are refused",
        ranks: 1,
        run: refused,
    },
];

fn results(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(4096)?;
    for kind in AtomicKind::ALL {
        for operation in AtomicOperation::ALL {
            one_kind(rig, &shared, operation, kind)?;
        }
    }
    rig.unshare(shared)?;
    Ok(())
}

/// All pairs of samples, several elements at once, with and without a result.
fn one_kind(rig: &Rig<'_>, shared: &Shared, operation: AtomicOperation, kind: AtomicKind) -> Checked {
    let values = samples(kind);
    let pairs: Vec<(Bits, Bits)> = values
        .iter()
        .flat_map(|a| values.iter().map(|b| (*a, *b)))
        .collect();
    let there: Vec<u8> = pairs
        .iter()
        .flat_map(|(there, _)| bytes_of(*there, kind))
        .collect();
    let operands: Vec<u8> = pairs
        .iter()
        .flat_map(|(_, operand)| bytes_of(*operand, kind))
        .collect();
    let wanted: Vec<u8> = pairs
        .iter()
        .flat_map(|(there, operand)| bytes_of(expected(operation, kind, *there, *operand), kind))
        .collect();
    for with_results in [true, false] {
        shared.fill(64, &there);
        rig.barrier()?;
        let mut found = vec![0xEE; there.len()];
        let fetch = Fetch {
            scope: shared.scope,
            operation,
            kind,
            count: pairs.len(),
            operands: if operation == AtomicOperation::NoOp {
                ptr::null()
            } else {
                operands.as_ptr()
            },
            results: if with_results {
                found.as_mut_ptr()
            } else {
                ptr::null_mut()
            },
            remote: shared.remotes[rig.next() as usize],
            displacement: 64,
        };
        let what = format!("{operation:?} of {kind:?}");
        if supported(rig, &what, operation, kind, rig.fetch(&fetch))? {
            rig.flush(shared)?;
            rig.barrier()?;
            same(&what, &shared.copy(64, wanted.len()), &wanted)?;
            if with_results {
                same(&format!("what {what} fetched"), &found, &there)?;
            }
        }
        rig.barrier()?;
    }
    Ok(())
}

/// Whether the answer fits what the transport says of itself.
fn supported<T>(
    rig: &Rig<'_>,
    what: &str,
    operation: AtomicOperation,
    kind: AtomicKind,
    answer: Result<T, Error>,
) -> Result<bool, Failure> {
    let there = operation.applies_to(kind) && rig.fabric.atomics(operation, kind) != Atomics::Missing;
    match answer {
        Ok(_) if there => Ok(true),
        Ok(_) => Err(Failure::Wrong(format!("{what} should be refused"))),
        Err(Error::Unsupported { .. }) if !there => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A number of 8 bytes added at a target; what was there.
fn add(
    rig: &Rig<'_>,
    shared: &Shared,
    target: Rank,
    displacement: usize,
    value: u64,
) -> Result<u64, Failure> {
    let (operand, mut found) = (value.to_ne_bytes(), [0; 8]);
    rig.fetch(&Fetch {
        scope: shared.scope,
        operation: AtomicOperation::Sum,
        kind: AtomicKind::U64,
        count: 1,
        operands: operand.as_ptr(),
        results: found.as_mut_ptr(),
        remote: shared.remotes[target as usize],
        displacement,
    })?;
    rig.fabric.flush_local(shared.scope, Some(target))?;
    Ok(u64::from_ne_bytes(found))
}

fn has(rig: &Rig<'_>, operation: AtomicOperation) -> bool {
    rig.fabric.atomics(operation, AtomicKind::U64) != Atomics::Missing
}

fn sums(rig: &Rig<'_>) -> Checked {
    if !has(rig, AtomicOperation::Sum) {
        return Ok(());
    }
    let shared = rig.share(128)?;
    let rounds = u64::from(rig.extent.rounds) * 5;
    let mut seen = Vec::new();
    for _ in 0..rounds {
        seen.push(add(rig, &shared, 0, 64, 1)?);
    }
    ensure!(seen.is_sorted_by(|a, b| a < b), "fetched values do not grow");
    let all = rig.exchange(&seen.iter().sum::<u64>().to_ne_bytes())?;
    rig.flush(&shared)?;
    rig.barrier()?;
    let number = rounds * u64::from(rig.size());
    // Each value from 0 up is fetched once: then their sum is known.
    let sum: u64 = all.iter().map(|bytes| bits_of(bytes)).sum();
    ensure!(
        sum == number * (number - 1) / 2,
        "{number} values fetched add up to {sum}"
    );
    if rig.rank() == 0 {
        ensure!(
            shared.load(64) == number,
            "{} after {number} additions",
            shared.load(64)
        );
    }
    rig.unshare(shared)?;
    Ok(())
}

fn neighbours(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(1024)?;
    for kind in [AtomicKind::U8, AtomicKind::U16, AtomicKind::U32] {
        if rig.fabric.atomics(AtomicOperation::Sum, kind) == Atomics::Missing {
            continue;
        }
        // Every rank adds to its own element of rank 0, all beside one another.
        let rounds = rig.extent.rounds.min(120);
        let one = bytes_of(1, kind);
        for _ in 0..rounds {
            rig.fetch(&Fetch {
                scope: shared.scope,
                operation: AtomicOperation::Sum,
                kind,
                count: 1,
                operands: one.as_ptr(),
                results: ptr::null_mut(),
                remote: shared.remotes[0],
                displacement: rig.rank() as usize * kind.bytes(),
            })?;
        }
        rig.flush(&shared)?;
        rig.barrier()?;
        if rig.rank() == 0 {
            let wanted: Vec<u8> = (0..rig.size())
                .flat_map(|_| bytes_of(rounds.into(), kind))
                .collect();
            same(
                &format!("sums of {kind:?}"),
                &shared.copy(0, wanted.len()),
                &wanted,
            )?;
            shared.fill(0, &vec![0; wanted.len()]);
        }
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn compare_and_swap(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(128)?;
    for kind in AtomicKind::ALL {
        let (expected, replacement, mut found) = (
            bytes_of(0, kind),
            bytes_of(u64::from(rig.rank()) + 1, kind),
            vec![0; 8],
        );
        let swap = CompareSwap {
            scope: shared.scope,
            kind,
            expected: expected.as_ptr(),
            replacement: replacement.as_ptr(),
            result: found.as_mut_ptr(),
            remote: shared.remotes[0],
            displacement: 64,
        };
        match rig.compare_swap(&swap) {
            Err(Error::Unsupported { .. }) if rig.fabric.compare_swaps(kind) == Atomics::Missing => continue,
            answer => answer?,
        };
        rig.flush(&shared)?;
        let won = bits_of(&found[..kind.bytes()]) == 0;
        let winners = rig.exchange(&[won.into()])?;
        let number = winners.iter().filter(|won| won[0] == 1).count();
        ensure!(number == 1, "{number} ranks swapped one {kind:?}: {winners:?}");
        let winner = winners.iter().position(|won| won[0] == 1).unwrap_or_default() as u64;
        if !won {
            let there = bits_of(&found[..kind.bytes()]);
            ensure!(
                there == winner + 1,
                "a late swap of {kind:?} found {there}, not {}",
                winner + 1
            );
        }
        if rig.rank() == 0 {
            same(
                "the winner",
                &shared.copy(64, kind.bytes()),
                &bytes_of(winner + 1, kind),
            )?;
            shared.fill(64, &[0; 8]);
        }
        rig.barrier()?;
    }
    rig.unshare(shared)?;
    Ok(())
}

fn order(rig: &Rig<'_>) -> Checked {
    if !has(rig, AtomicOperation::Replace) || !has(rig, AtomicOperation::NoOp) {
        return Ok(());
    }
    let shared = rig.share(128)?;
    let number = rig.extent.rounds as usize;
    let operands: Vec<[u8; 8]> = (1..=number as u64).map(u64::to_ne_bytes).collect();
    let mut found = vec![[0; 8]; number];
    for (operand, found) in operands.iter().zip(&mut found) {
        // A write, and a read after it, without a flush between.
        for (operation, operands, results) in [
            (AtomicOperation::Replace, operand.as_ptr(), ptr::null_mut()),
            (AtomicOperation::NoOp, ptr::null(), found.as_mut_ptr()),
        ] {
            rig.fetch(&Fetch {
                scope: shared.scope,
                operation,
                kind: AtomicKind::U64,
                count: 1,
                operands,
                results,
                remote: shared.remotes[rig.next() as usize],
                displacement: 8,
            })?;
        }
    }
    rig.flush(&shared)?;
    rig.barrier()?;
    ensure!(
        found == operands,
        "atomic reads do not see the atomic writes before them"
    );
    ensure!(
        shared.load(8) == number as u64,
        "the last atomic write is not the last: {}",
        shared.load(8)
    );
    rig.unshare(shared)?;
    Ok(())
}

fn refused(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(64)?;
    let operand = [1_u8; 8];
    let fetch = |kind, operation, displacement| {
        rig.fetch(&Fetch {
            scope: shared.scope,
            operation,
            kind,
            count: 1,
            operands: operand.as_ptr(),
            results: ptr::null_mut(),
            remote: shared.remotes[rig.next() as usize],
            displacement,
        })
    };
    if has(rig, AtomicOperation::Sum) {
        let answer = fetch(AtomicKind::U64, AtomicOperation::Sum, 4);
        ensure!(
            matches!(answer, Err(Error::Misaligned { .. })),
            "misaligned: {answer:?}"
        );
        let answer = fetch(AtomicKind::U64, AtomicOperation::Sum, 64);
        ensure!(
            matches!(answer, Err(Error::OutOfBounds { .. })),
            "out of bounds: {answer:?}"
        );
    }
    for operation in [AtomicOperation::Xor, AtomicOperation::LogicalXor] {
        let answer = fetch(AtomicKind::F64, operation, 0);
        ensure!(
            matches!(answer, Err(Error::Unsupported { .. })),
            "{operation:?} of floats: {answer:?}"
        );
    }
    rig.flush(&shared)?;
    rig.barrier()?;
    same("the region", &shared.copy(0, 64), &[0; 64])?;
    rig.unshare(shared)?;
    Ok(())
}
