//! What the tests share: windows that all ranks know, and points of time that all ranks meet.
#![allow(dead_code, reason = "each test file takes what it needs")]

use farside_fabric::conformance::{Extent, Rig, Shared};
use farside_fabric::{Fabric, Put, Rank, Remote, Scope, Signal, Ticket};
use farside_fabric_sim::{Link, Network};
use std::time::Duration;

/// Nanoseconds.
pub(crate) fn ns(number: u64) -> Duration {
    Duration::from_nanos(number)
}

/// Microseconds.
pub(crate) fn us(number: u64) -> Duration {
    Duration::from_micros(number)
}

/// Round numbers: o = 100 ns, L = 1000 ns, g = 200 ns, G = 1 ns, 50 ns at a target that takes part, 1 ns for a poll.
pub(crate) fn round_numbers() -> Network {
    Network {
        link: Link {
            latency: ns(1000),
            gap: ns(200),
            byte_picoseconds: 1000,
        },
        overhead: ns(100),
        receive_overhead: ns(50),
        copy_picoseconds: 0,
        poll: ns(1),
        retry: us(10),
        ..Network::ethernet_100g()
    }
}

/// The rig of the conformance suite.
pub(crate) fn rig(fabric: &dyn Fabric) -> Rig<'_> {
    Rig::new(
        fabric,
        Extent {
            limit: Duration::from_secs(1),
            ..Extent::default()
        },
    )
}

/// Computes until a time; for networks whose poll takes 1 ns.
pub(crate) fn compute_until(fabric: &dyn Fabric, time: Duration) {
    let rest = time
        .checked_sub(fabric.now() + ns(1))
        .expect("the time has not passed");
    fabric.compute(rest);
}

/// When all ranks have long since set up.
pub(crate) const START: Duration = Duration::from_millis(1);

/// A put of bytes that outlive it.
pub(crate) fn put(
    fabric: &dyn Fabric,
    scope: Scope,
    remote: Remote,
    at: usize,
    bytes: &[u8],
    signal: Signal,
) -> Ticket {
    let put = Put {
        scope,
        origin: bytes.as_ptr(),
        bytes: bytes.len(),
        remote,
        displacement: at,
        signal,
    };
    // SAFETY: tests keep the bytes until they have flushed.
    unsafe { fabric.put(&put) }.expect("the put is in bounds")
}

/// Waits for the first 8 bytes of the own region to be anything but 0; when that was.
pub(crate) fn seen(rig: &Rig<'_>, shared: &Shared) -> Duration {
    rig.until(&mut || Ok(shared.load(0) != 0)).expect("the put comes");
    rig.fabric.now()
}

/// A dissemination barrier, by messages (Hensgen, Finkel, Manber, IJPP 1988).
pub(crate) fn barrier(fabric: &dyn Fabric, turn: u64) -> farside_fabric::Result<()> {
    let mut early: Vec<(Rank, u64)> = Vec::new();
    let (mut distance, mut round) = (1, turn << 8);
    while distance < fabric.size() {
        fabric.send((fabric.rank() + distance) % fabric.size(), round, &[])?;
        let awaited = ((fabric.rank() + fabric.size() - distance) % fabric.size(), round);
        fabric.wait(None, &mut || {
            if early.contains(&awaited) {
                return Ok(true);
            }
            let message = fabric.receive()?.map(|message| (message.source, message.tag));
            early.extend(message);
            Ok(message == Some(awaited))
        })?;
        distance *= 2;
        round += 1;
    }
    Ok(())
}
