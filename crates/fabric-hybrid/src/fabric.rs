//! The endpoint: each call goes the way of its target.

use crate::members::Members;
use crate::nodes::Nodes;
use farside_fabric::{
    AtomicKind, AtomicOperation, Atomics, Capabilities, CompareSwap, Descriptor, Direct, Error, Exposed,
    Fabric, Fetch, Get, LockedPuts, Message, Notification, Put, Rank, Region, Remote, Result, Scope, Ticket,
};
use farside_fabric_ofi::Ofi;
use farside_fabric_shm::ShmFabric;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// So many questions of a rank that waits go to memory before one goes to the network, which over TCP is a system call.
const EACH: u32 = 16;

/// The longest sleep of a rank that waits. A provider that has nothing to wake the thread of the endpoint by is looked
/// at as often, besides.
const LONGEST_SLEEP: Duration = Duration::from_millis(4);

/// The longest sleep of who waits for room.
const LONGEST_SLEEP_STARVED: Duration = Duration::from_millis(2);

/// First bytes of a descriptor; then come those of `shm` and of `ofi`.
const MARK: [u8; 2] = *b"SO";

/// A rank's endpoint among those of its node, and among all.
pub struct Hybrid {
    // First, for it is dropped first: it has registered memory of the other one.
    ofi: Ofi,
    shm: Arc<ShmFabric>,
    members: Arc<Members>,
    /// The number in the node of each rank that is there.
    inside: Vec<Option<Rank>>,
    nodes: Nodes,
    capabilities: Capabilities,
    /// Calls that wait now, and so look at the network by themselves.
    waiting: AtomicU32,
}

impl Hybrid {
    /// Of both endpoints of a rank: one among the members of its node, and one among all.
    pub(crate) fn new(
        (shm, members): (Arc<ShmFabric>, Arc<Members>),
        ofi: Ofi,
        nodes: Nodes,
        capabilities: Capabilities,
    ) -> Self {
        Self {
            inside: (0..ofi.size()).map(|rank| members.inside(rank)).collect(),
            ofi,
            shm,
            members,
            nodes,
            capabilities,
            waiting: AtomicU32::new(0),
        }
    }

    /// What the user should know of the start, from this rank: which ranks of one machine do not share memory, and why.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        self.nodes.remarks()
    }

    /// The ranks of the job by their nodes.
    #[must_use]
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The number of a target in the own node; `None`: it is elsewhere.
    #[inline]
    fn way(&self, target: Rank) -> Result<Option<Rank>> {
        match self.inside.get(target as usize) {
            Some(inside) => Ok(*inside),
            None => Err(Error::RankOutOfRange {
                rank: target,
                size: self.inside.len() as u32,
            }),
        }
    }

    /// A region of `shm`, with memory that ranks of other nodes find in its place.
    ///
    /// # Safety
    /// As for [`Fabric::expose_lent`], of that memory.
    unsafe fn also_between_nodes(&self, base: NonNull<u8>, bytes: usize, here: &Exposed) -> Result<Exposed> {
        // SAFETY: by the caller.
        let registered = unsafe { self.ofi.expose_lent(base, bytes) };
        let exposed = registered.and_then(|there| {
            Ok(Exposed {
                region: joined(here.region, there.region)?,
                base,
                bytes,
                descriptor: descriptor(&here.descriptor, &there.descriptor)?,
            })
        });
        if exposed.is_err() {
            // SAFETY: nobody knows of it.
            unsafe { self.shm.withdraw(here.region) }?;
        }
        exposed
    }

    /// An error of `shm`, with the ranks of the job.
    #[cold]
    fn by_job(&self, error: Error) -> Error {
        let rank = |known| self.members.in_job(known);
        match error {
            Error::PeerLost { rank: known } => Error::PeerLost { rank: rank(known) },
            Error::OutOfBounds {
                target,
                displacement,
                bytes,
                exposed,
            } => Error::OutOfBounds {
                target: rank(target),
                displacement,
                bytes,
                exposed,
            },
            other => other,
        }
    }

    /// An error of `ofi`. The node hears of a loss.
    #[cold]
    fn told(&self, error: Error) -> Error {
        if let Error::PeerLost { rank } = error {
            self.shm.tell_lost(self.members.known_as(rank));
        }
        error
    }

    /// Waits as `shm` does, with a look at the network now and then.
    fn wait_for(
        &self,
        limit: Option<Duration>,
        longest: Duration,
        ready: &mut dyn FnMut() -> Result<bool>,
    ) -> Result<()> {
        let _waiting = Waiting::new(&self.waiting);
        let (mut asked, mut failure) = (0_u32, None);
        let mut ask = || {
            if ready()? {
                return Ok(true);
            }
            asked = asked.wrapping_add(1);
            if !asked.is_multiple_of(EACH) {
                return Ok(false);
            }
            match self.ofi.poll() {
                Ok(()) => Ok(false),
                // What has come before a loss counts.
                Err(error) => match ready()? {
                    true => Ok(true),
                    false => Err(self.told(error)),
                },
            }
        };
        // Errors that come from here name ranks of the job already.
        let waited = self.shm.wait_until(
            limit,
            longest,
            &mut || {
                ask().or_else(|error| {
                    failure = Some(error);
                    Ok(true)
                })
            },
            &|| self.ofi.hand_over(),
        );
        match failure {
            Some(error) => Err(error),
            None => waited.map_err(|error| self.by_job(error)),
        }
    }

    /// Sends, or waits until there is room; meanwhile it takes in what arrives for this rank both ways, so that who
    /// waits for room here goes on.
    fn pass(&self, target: Rank, tag: u64, bytes: &[u8], may_wait: bool) -> Result<()> {
        let attempt = || self.attempt(target, tag, bytes, may_wait);
        if attempt()? {
            return Ok(());
        }
        self.wait_for(None, LONGEST_SLEEP_STARVED, &mut || {
            self.shm.take_in().map_err(|error| self.by_job(error))?;
            self.ofi.take_in();
            attempt()
        })
    }

    /// Sends if there is room.
    fn attempt(&self, target: Rank, tag: u64, bytes: &[u8], may_wait: bool) -> Result<bool> {
        let limit = self.capabilities.message_bytes;
        if bytes.len() > limit {
            return Err(Error::TooLong {
                bytes: bytes.len(),
                limit,
            });
        }
        match self.way(target)? {
            Some(rank) => {
                let sent = self.shm.try_send(rank, tag, bytes);
                sent.map_err(|error| self.by_job(error))
            }
            None => {
                let sent = self.ofi.try_send_along(target, tag, bytes, may_wait);
                sent.map_err(|error| self.told(error))
            }
        }
    }
}

/// A call that waits, from its beginning to its end.
struct Waiting<'h>(&'h AtomicU32);

impl<'h> Waiting<'h> {
    fn new(waiting: &'h AtomicU32) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection as `shm` made it, to its number of the target.
#[inline]
fn in_node(remote: &Remote, target: Rank) -> Result<Remote> {
    Ok(Remote::new(
        target,
        remote.at(0, 0)?,
        remote.key(),
        remote.bytes(),
    ))
}

/// The name of a region: the numbers that both transports gave it.
fn joined(shm: Region, ofi: Region) -> Result<Region> {
    match (u32::try_from(shm.0), u32::try_from(ofi.0)) {
        (Ok(shm), Ok(ofi)) => Ok(Region(u64::from(ofi) << 32 | u64::from(shm))),
        _ => Err(Error::Overflow("numbers of regions")),
    }
}

fn parted(region: Region) -> (Region, Region) {
    (Region(region.0 & u64::from(u32::MAX)), Region(region.0 >> 32))
}

/// The descriptors of both transports in one.
fn descriptor(shm: &Descriptor, ofi: &Descriptor) -> Result<Descriptor> {
    let length = u8::try_from(shm.bytes().len()).unwrap_or(u8::MAX);
    Descriptor::new(&[&MARK[..], &[length], shm.bytes(), ofi.bytes()].concat())
}

fn of_both(descriptor: &Descriptor) -> Result<(Descriptor, Descriptor)> {
    let parts = || {
        let (&length, rest) = descriptor.bytes().strip_prefix(&MARK)?.split_first()?;
        rest.split_at_checked(length.into())
    };
    let (shm, ofi) = parts().ok_or(Error::Malformed {
        what: "a descriptor of a region",
        detail: "it is not of this transport".into(),
    })?;
    Ok((Descriptor::new(shm)?, Descriptor::new(ofi)?))
}

// SAFETY: a rank is that of the launcher, and each has one way for all its life, so that what holds between two ranks
// is what their transport keeps; the capabilities say what both do. Regions are those of `shm`, registered with `ofi`
// until they are withdrawn, or until it is dropped, which is before they are. A connection is one of the transport
// whose way its target has, and is used with it alone. Completion of all is that of both. Atomic operations are
// instructions of processors of one machine on one memory, by either way (`engine/atomic.rs` of `ofi`).
unsafe impl Fabric for Hybrid {
    fn rank(&self) -> Rank {
        self.ofi.rank()
    }

    fn size(&self) -> u32 {
        self.ofi.size()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn atomics(&self, operation: AtomicOperation, kind: AtomicKind) -> Atomics {
        self.ofi.atomics(operation, kind)
    }

    fn compare_swaps(&self, kind: AtomicKind) -> Atomics {
        self.ofi.compare_swaps(kind)
    }

    fn expose(&self, bytes: usize) -> Result<Exposed> {
        let here = self.shm.expose(bytes)?;
        // SAFETY: the memory is mapped, by the C library, until it is withdrawn, which is after this registration
        // (`withdraw`), or until `shm` is dropped, which is after `ofi` (the order of the fields).
        unsafe { self.also_between_nodes(here.base, bytes, &here) }
    }

    unsafe fn expose_lent(&self, base: NonNull<u8>, bytes: usize) -> Result<Exposed> {
        // In the node there is nothing to be seen.
        let here = self.shm.expose(0)?;
        // SAFETY: by the caller.
        unsafe { self.also_between_nodes(base, bytes, &here) }
    }

    unsafe fn withdraw(&self, region: Region) -> Result<()> {
        let (here, there) = parted(region);
        // SAFETY: by the caller.
        unsafe {
            self.ofi.withdraw(there)?;
            self.shm.withdraw(here)
        }
    }

    fn connect(&self, owner: Rank, descriptor: &Descriptor) -> Result<Remote> {
        let way = self.way(owner)?;
        let (here, there) = of_both(descriptor)?;
        let Some(rank) = way else {
            return self.ofi.connect(owner, &there);
        };
        let remote = self
            .shm
            .connect(rank, &here)
            .map_err(|error| self.by_job(error))?;
        in_node(&remote, owner)
    }

    unsafe fn disconnect(&self, remote: Remote) -> Result<()> {
        match self.way(remote.target())? {
            // SAFETY: by the caller.
            Some(rank) => unsafe { self.shm.disconnect(in_node(&remote, rank)?) },
            // SAFETY: by the caller.
            None => unsafe { self.ofi.disconnect(remote) },
        }
    }

    fn mapped(&self, remote: &Remote) -> Option<NonNull<u8>> {
        let rank = self.way(remote.target()).ok()??;
        self.shm.mapped(&in_node(remote, rank).ok()?)
    }

    fn direct(&self, remote: &Remote) -> Option<Direct> {
        let rank = self.way(remote.target()).ok()??;
        self.shm.direct(&in_node(remote, rank).ok()?)
    }

    fn node(&self, rank: Rank) -> u32 {
        self.nodes.of(rank).unwrap_or(u32::MAX)
    }

    fn is_crowded(&self) -> bool {
        self.shm.is_crowded()
    }

    fn wake(&self, target: Rank) {
        if let Ok(Some(rank)) = self.way(target) {
            self.shm.wake(rank);
        }
    }

    fn send_held(&self) {
        self.ofi.send_held();
    }

    // `shm` completes operations as they are called, and asks for no scope.
    fn open_scope(&self) -> Result<Scope> {
        self.ofi.open_scope()
    }

    fn close_scope(&self, scope: Scope) -> Result<()> {
        self.ofi.close_scope(scope)
    }

    unsafe fn put(&self, put: &Put) -> Result<Ticket> {
        let Some(rank) = self.way(put.remote.target())? else {
            // SAFETY: by the caller.
            return unsafe { self.ofi.put(put) }.map_err(|error| self.told(error));
        };
        let remote = in_node(&put.remote, rank)?;
        // SAFETY: by the caller.
        unsafe { self.shm.put(&Put { remote, ..*put }) }.map_err(|error| self.by_job(error))
    }

    unsafe fn get(&self, get: &Get) -> Result<Ticket> {
        let Some(rank) = self.way(get.remote.target())? else {
            // SAFETY: by the caller.
            return unsafe { self.ofi.get(get) }.map_err(|error| self.told(error));
        };
        let remote = in_node(&get.remote, rank)?;
        // SAFETY: by the caller.
        unsafe { self.shm.get(&Get { remote, ..*get }) }.map_err(|error| self.by_job(error))
    }

    unsafe fn fetch(&self, fetch: &Fetch) -> Result<Ticket> {
        let Some(rank) = self.way(fetch.remote.target())? else {
            // SAFETY: by the caller.
            return unsafe { self.ofi.fetch(fetch) }.map_err(|error| self.told(error));
        };
        let remote = in_node(&fetch.remote, rank)?;
        // SAFETY: by the caller.
        unsafe { self.shm.fetch(&Fetch { remote, ..*fetch }) }.map_err(|error| self.by_job(error))
    }

    unsafe fn compare_swap(&self, swap: &CompareSwap) -> Result<Ticket> {
        let Some(rank) = self.way(swap.remote.target())? else {
            // SAFETY: by the caller.
            return unsafe { self.ofi.compare_swap(swap) }.map_err(|error| self.told(error));
        };
        let remote = in_node(&swap.remote, rank)?;
        // SAFETY: by the caller.
        unsafe { self.shm.compare_swap(&CompareSwap { remote, ..*swap }) }.map_err(|error| self.by_job(error))
    }

    fn puts_locked(&self, remote: &Remote) -> bool {
        matches!(self.way(remote.target()), Ok(None)) && self.ofi.puts_locked(remote)
    }

    unsafe fn put_locked(&self, puts: &LockedPuts<'_>) -> Result<Ticket> {
        if self.way(puts.remote.target())?.is_some() {
            // SAFETY: by the caller; it is refused, for ranks of the node reach the lock themselves.
            return unsafe { self.shm.put_locked(puts) };
        }
        // SAFETY: by the caller.
        unsafe { self.ofi.put_locked(puts) }.map_err(|error| self.told(error))
    }

    fn test(&self, ticket: Ticket) -> Result<bool> {
        self.ofi.test(ticket).map_err(|error| self.told(error))
    }

    fn flush_local(&self, scope: Scope, target: Option<Rank>) -> Result<()> {
        let inside = target.map(|target| self.way(target)).transpose()?;
        if inside.is_none_or(|inside| inside.is_some()) {
            let flushed = self.shm.flush_local(scope, inside.flatten());
            flushed.map_err(|error| self.by_job(error))?;
        }
        match inside {
            Some(Some(_)) => Ok(()),
            _ => self
                .ofi
                .flush_local(scope, target)
                .map_err(|error| self.told(error)),
        }
    }

    fn flush(&self, scope: Scope, target: Option<Rank>) -> Result<()> {
        let inside = target.map(|target| self.way(target)).transpose()?;
        if inside.is_none_or(|inside| inside.is_some()) {
            let flushed = self.shm.flush(scope, inside.flatten());
            flushed.map_err(|error| self.by_job(error))?;
        }
        match inside {
            Some(Some(_)) => Ok(()),
            _ => self.ofi.flush(scope, target).map_err(|error| self.told(error)),
        }
    }

    fn flush_before_flag(&self, scope: Scope, target: Rank) -> Result<bool> {
        if self.way(target)?.is_some() {
            self.flush(scope, None)?;
            return Ok(true);
        }
        self.shm.flush(scope, None).map_err(|error| self.by_job(error))?;
        let flushed = self.ofi.flush_before_flag(scope, target);
        flushed.map_err(|error| self.told(error))
    }

    fn send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        self.pass(target, tag, bytes, false)
    }

    fn try_send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<bool> {
        self.attempt(target, tag, bytes, false)
    }

    fn send_along(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        self.pass(target, tag, bytes, true)
    }

    fn receive(&self) -> Result<Option<Message>> {
        if let Some(message) = self.shm.receive().map_err(|error| self.by_job(error))? {
            let source = self.members.in_job(message.source);
            return Ok(Some(Message { source, ..message }));
        }
        match self.waiting.load(Ordering::Relaxed) {
            0 => self.ofi.receive(),
            _ => self.ofi.take_message(),
        }
    }

    fn notification(&self) -> Result<Option<Notification>> {
        let here = self.shm.notification().map_err(|error| self.by_job(error))?;
        if let Some(Notification { source, immediate }) = here {
            let source = source.map(|known| self.members.in_job(known));
            return Ok(Some(Notification { source, immediate }));
        }
        match self.waiting.load(Ordering::Relaxed) {
            0 => self.ofi.notification(),
            _ => self.ofi.take_notification(),
        }
    }

    fn arrivals(&self, region: &Region) -> Result<u64> {
        let (here, there) = parted(*region);
        let arrived = self.shm.arrivals(&here)?;
        Ok(arrived.wrapping_add(match self.waiting.load(Ordering::Relaxed) {
            0 => self.ofi.arrivals(&there)?,
            _ => self.ofi.counted(&there)?,
        }))
    }

    fn wait(&self, limit: Option<Duration>, ready: &mut dyn FnMut() -> Result<bool>) -> Result<()> {
        self.wait_for(limit, LONGEST_SLEEP, ready)
    }

    fn now(&self) -> Duration {
        self.ofi.now()
    }

    fn compute(&self, time: Duration) {
        self.ofi.compute(time);
    }

    fn lost(&self) -> Option<Rank> {
        let here = self.shm.lost().map(|known| self.members.in_job(known));
        here.or_else(|| self.ofi.lost())
    }

    fn finish(&self) -> Result<()> {
        // While this rank waits for those of its node, the thread of the other endpoint serves the rest.
        self.shm.finish().map_err(|error| self.by_job(error))?;
        self.ofi.finish().map_err(|error| self.told(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_regions_and_descriptors_come_apart_as_they_were() {
        let (shm, ofi) = (Region(7), Region(1 << 31));
        assert_eq!(joined(shm, ofi).map(parted), Ok((shm, ofi)));
        assert!(joined(Region(1 << 32), ofi).is_err());
        let bytes = |byte, length| Descriptor::new(&vec![byte; length]).expect("short");
        let whole = descriptor(&bytes(1, 28), &bytes(2, 40)).expect("both fit");
        assert_eq!(of_both(&whole), Ok((bytes(1, 28), bytes(2, 40))));
        for wrong in [&b""[..], b"SO", b"SO\x05abc", &[0xA5; Descriptor::LIMIT]] {
            assert!(of_both(&Descriptor::new(wrong).expect("short")).is_err());
        }
    }
}
