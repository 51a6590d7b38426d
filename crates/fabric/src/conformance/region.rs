//! Regions: fresh, bounded, and gone when they are withdrawn.

use super::{Check, Checked, Rig, ensure};
use crate::{Descriptor, Error, Signal};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "fresh memory is 0 and aligned",
        ranks: 1,
        run: fresh,
    },
    Check {
        name: "a connection to nobody or by garbage is refused",
        ranks: 1,
        run: refused,
    },
    Check {
        name: "out of bounds is refused and touches nothing",
        ranks: 1,
        run: bounds,
    },
    Check {
        name: "regions come and go",
        ranks: 1,
        run: turnover,
    },
    Check {
        name: "what is withdrawn or closed is stale",
        ranks: 1,
        run: stale,
    },
    Check {
        name: "mapped memory is the target's",
        ranks: 2,
        run: mapped,
    },
];

fn fresh(rig: &Rig<'_>) -> Checked {
    for bytes in [0, 1, 7, 64, 4096, 100_001] {
        let shared = rig.share(bytes)?;
        ensure!(
            shared.own.bytes == bytes,
            "{} bytes instead of {bytes}",
            shared.own.bytes
        );
        ensure!(
            (shared.own.base.as_ptr() as usize).is_multiple_of(64),
            "{bytes} bytes are not aligned to 64"
        );
        ensure!(
            shared.copy(0, bytes).iter().all(|byte| *byte == 0),
            "{bytes} bytes are not all 0"
        );
        shared.fill(0, &vec![0xFF; bytes]);
        rig.unshare(shared)?;
    }
    Ok(())
}

fn refused(rig: &Rig<'_>) -> Checked {
    let own = rig.fabric.expose(64)?;
    let nobody = rig.fabric.connect(rig.size(), &own.descriptor);
    ensure!(
        matches!(nobody, Err(Error::RankOutOfRange { .. })),
        "connected to rank {}: {nobody:?}",
        rig.size()
    );
    for garbage in [&[][..], &[0xA5; Descriptor::LIMIT], &[0; 3]] {
        let answer = rig.fabric.connect(rig.rank(), &Descriptor::new(garbage)?);
        ensure!(answer.is_err(), "connected by garbage: {answer:?}");
    }
    // SAFETY: nobody is connected.
    unsafe { rig.fabric.withdraw(own.region)? };
    Ok(())
}

fn bounds(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(64)?;
    let mut buffer = [0xEE; 128];
    for (displacement, bytes) in [(0, 65), (64, 1), (60, 8), (usize::MAX, 8), (usize::MAX - 7, 8)] {
        let put = rig.put_signal(&shared, rig.next(), displacement, &buffer[..bytes], Signal::None);
        ensure!(
            matches!(put, Err(Error::OutOfBounds { .. })),
            "put of {bytes} bytes at {displacement}: {put:?}"
        );
        let get = rig.get(&shared, rig.next(), displacement, &mut buffer[..bytes]);
        ensure!(
            matches!(get, Err(Error::OutOfBounds { .. })),
            "get of {bytes} bytes at {displacement}: {get:?}"
        );
    }
    rig.flush(&shared)?;
    rig.barrier()?;
    ensure!(buffer == [0xEE; 128], "a refused get wrote its origin buffer");
    ensure!(shared.copy(0, 64) == [0; 64], "a refused put wrote the target");
    rig.unshare(shared)?;
    Ok(())
}

fn turnover(rig: &Rig<'_>) -> Checked {
    let rounds = rig.extent.rounds.min(50);
    for round in 0..rounds {
        let first = rig.share(256)?;
        let second = rig.share(8 << (round % 12))?;
        let (here, there) = (round.to_le_bytes(), (!round).to_le_bytes());
        rig.put(&first, rig.next(), 0, &here)?;
        rig.put(&second, rig.next(), 0, &there)?;
        rig.flush(&first)?;
        rig.flush(&second)?;
        rig.barrier()?;
        ensure!(
            first.copy(0, 4) == round.to_le_bytes() && second.copy(0, 4) == (!round).to_le_bytes(),
            "round {round}: wrong region written"
        );
        rig.unshare(first)?;
        rig.unshare(second)?;
    }
    Ok(())
}

fn stale(rig: &Rig<'_>) -> Checked {
    let own = rig.fabric.expose(64)?;
    // SAFETY: nobody is connected.
    let first = unsafe { rig.fabric.withdraw(own.region) };
    ensure!(first.is_ok(), "withdraw: {first:?}");
    // SAFETY: nobody is connected, and a region that is withdrawn already is refused by its name.
    let again = unsafe { rig.fabric.withdraw(own.region) };
    ensure!(again.is_err(), "the same region was withdrawn twice");
    let scope = rig.fabric.open_scope()?;
    rig.fabric.close_scope(scope)?;
    ensure!(
        rig.fabric.close_scope(scope).is_err(),
        "the same scope was closed twice"
    );
    Ok(())
}

fn mapped(rig: &Rig<'_>) -> Checked {
    let shared = rig.share(64)?;
    shared.fill(8, &[rig.rank() as u8 + 1]);
    rig.barrier()?;
    let base = rig.fabric.mapped(&shared.remotes[rig.next() as usize]);
    ensure!(
        base.is_some() || !rig.fabric.capabilities().mapped,
        "memory is said to be mapped, and is not"
    );
    if let Some(base) = base {
        // SAFETY: in bounds of the target's region, which it does not write now.
        let found = unsafe { base.as_ptr().add(8).read_volatile() };
        ensure!(
            found == rig.next() as u8 + 1,
            "the mapped memory is not rank {}'s: {found}",
            rig.next()
        );
    }
    rig.unshare(shared)?;
    Ok(())
}
