//! Puts that the target learns of: by a notification, by a counter.

use super::rig::{pattern, same};
use super::{Check, Checked, Rig, ensure};
use crate::{Error, Notification, Signal};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "a notified put is visible when its notification comes",
        ranks: 1,
        run: visible,
    },
    Check {
        name: "no notification is lost",
        ranks: 1,
        run: none_lost,
    },
    Check {
        name: "puts are counted when they are visible",
        ranks: 1,
        run: counted,
    },
    Check {
        name: "signals that are not there are refused",
        ranks: 1,
        run: refused,
    },
];

fn next(rig: &Rig<'_>) -> crate::Result<Notification> {
    let mut found = None;
    rig.until(&mut || {
        found = rig.fabric.notification()?;
        Ok(found.is_some())
    })?;
    found.ok_or(Error::Stale("a notification"))
}

fn visible(rig: &Rig<'_>) -> Checked {
    let bits = rig.fabric.capabilities().immediate_bits;
    if bits == 0 {
        return Ok(());
    }
    let shared = rig.share(1 << 18)?;
    for round in 0..rig.extent.rounds {
        let bytes = [0, 8, 64, 1000, 65_536, 200_001][round as usize % 6];
        let sent = pattern(rig.rank(), round, bytes);
        let immediate = round.wrapping_mul(0x9E37_79B9) & mask(bits);
        rig.put_signal(&shared, rig.next(), 8, &sent, Signal::Immediate(immediate))?;
        let notification = next(rig)?;
        ensure!(
            notification.immediate == immediate
                && notification.source.is_none_or(|source| source == rig.previous()),
            "{notification:?} instead of {immediate} of rank {}",
            rig.previous()
        );
        same(
            "the notified put",
            &shared.copy(8, bytes),
            &pattern(rig.previous(), round, bytes),
        )?;
        rig.flush(&shared)?;
        rig.barrier()?;
    }
    ensure!(rig.fabric.notification()?.is_none(), "a notification of nothing");
    rig.unshare(shared)?;
    Ok(())
}

fn mask(bits: u32) -> u32 {
    u32::MAX.checked_shr(32 - bits.min(32)).unwrap_or(0)
}

/// More than fit are under way, taken by a target that is slow to begin with.
fn none_lost(rig: &Rig<'_>) -> Checked {
    let capabilities = rig.fabric.capabilities();
    if capabilities.immediate_bits < 16 {
        return Ok(());
    }
    let shared = rig.share(64)?;
    let number = (capabilities.notification_depth as u32).min(4096) + 100;
    let mut seen = vec![false; number as usize];
    let mut left = number;
    let mut take = |rig: &Rig<'_>| -> crate::Result<bool> {
        while let Some(notification) = rig.fabric.notification()? {
            let at = notification.immediate as usize;
            if at >= seen.len() || seen[at] {
                return Err(Error::Malformed {
                    what: "a notification",
                    detail: format!("{at} came twice or was never sent"),
                });
            }
            seen[at] = true;
            left -= 1;
        }
        Ok(left == 0)
    };
    for immediate in 0..number {
        rig.put_signal(&shared, rig.next(), 0, &[], Signal::Immediate(immediate))?;
        if immediate % 64 == 63 {
            take(rig)?;
        }
    }
    rig.until(&mut || take(rig))?;
    rig.flush(&shared)?;
    rig.barrier()?;
    rig.unshare(shared)?;
    Ok(())
}

fn counted(rig: &Rig<'_>) -> Checked {
    if !rig.fabric.capabilities().counts {
        return Ok(());
    }
    let shared = rig.share(1 << 17)?;
    let other = rig.share(64)?;
    let mut total = 0;
    for round in 0..rig.extent.rounds.min(60) {
        let bytes = [0, 8, 3000, 100_000][round as usize % 4];
        let sent = pattern(rig.rank(), round, bytes);
        for target in 0..rig.size() {
            let at = if target == rig.next() { 0 } else { bytes };
            let bytes: &[u8] = if target == rig.next() { &sent } else { &[] };
            rig.put_signal(&shared, target, at, bytes, Signal::Count)?;
        }
        total += u64::from(rig.size());
        rig.until(&mut || Ok(rig.fabric.arrivals(&shared.own.region)? >= total))?;
        let found = rig.fabric.arrivals(&shared.own.region)?;
        ensure!(found == total, "{found} puts counted of {total}");
        same(
            "the counted put",
            &shared.copy(0, bytes),
            &pattern(rig.previous(), round, bytes),
        )?;
        rig.flush(&shared)?;
        rig.barrier()?;
    }
    ensure!(
        rig.fabric.arrivals(&other.own.region)? == 0,
        "puts are counted at another region"
    );
    rig.unshare(shared)?;
    rig.unshare(other)?;
    Ok(())
}

fn refused(rig: &Rig<'_>) -> Checked {
    let capabilities = rig.fabric.capabilities();
    let shared = rig.share(64)?;
    if capabilities.immediate_bits < 32 {
        let immediate = Signal::Immediate(mask(capabilities.immediate_bits).wrapping_add(1));
        let answer = rig.put_signal(&shared, rig.next(), 0, &[1], immediate);
        ensure!(
            matches!(answer, Err(Error::Unsupported { .. })),
            "{immediate:?}: {answer:?}"
        );
    }
    if !capabilities.counts {
        let answer = rig.put_signal(&shared, rig.next(), 0, &[1], Signal::Count);
        ensure!(
            matches!(answer, Err(Error::Unsupported { .. })),
            "count: {answer:?}"
        );
        let answer = rig.fabric.arrivals(&shared.own.region);
        ensure!(
            matches!(answer, Err(Error::Unsupported { .. })),
            "arrivals: {answer:?}"
        );
    }
    rig.flush(&shared)?;
    rig.barrier()?;
    if capabilities.immediate_bits < 32 || !capabilities.counts {
        same("the region", &shared.copy(0, 64), &[0; 64])?;
    }
    rig.unshare(shared)?;
    Ok(())
}
