//! The methods of the trait.

use super::{SimFabric, check_aligned};
use crate::time::Time;
use crate::trace::Activity;
use crate::world::{Call, Kind, World, decode};
use farside_fabric::{
    AtomicKind, AtomicOperation, Atomics, Capabilities, CompareSwap, Descriptor, Error, Exposed, Fabric,
    Fetch, Get, LockedPuts, Message, Notification, Progress, Put, Rank, Region, Remote, Result, Scope,
    Signal, Ticket,
};
use std::ptr::NonNull;
use std::time::Duration;

// SAFETY: ranks are numbered by `Simulation`. Regions are allocations of the virtual world, each with a number that is
// not used again, and are kept after its end as long as an endpoint is (`Baton::close`); every access is looked up by
// number and checked against the length (`world::memory`). Buffers are touched while the operation is in the world and
// has not failed, and it leaves the list of what is not complete after that only (`world::completion`); a rank that
// dies, unwinds or learns of a loss has its operations fail first. All ranks run on one thread, and an endpoint serves
// its own rank only (`Baton::lend`).
unsafe impl Fabric for SimFabric {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn atomics(&self, operation: AtomicOperation, kind: AtomicKind) -> Atomics {
        if operation.applies_to(kind) {
            self.compare_swaps(kind)
        } else {
            Atomics::Missing
        }
    }

    fn compare_swaps(&self, _: AtomicKind) -> Atomics {
        match self.with(|world| world.network.atomics) {
            Ok(true) if self.capabilities.progress == Progress::Passive => Atomics::Native,
            Ok(true) => Atomics::Emulated,
            Ok(false) | Err(_) => Atomics::Missing,
        }
    }

    fn expose(&self, bytes: usize) -> Result<Exposed> {
        self.with(|world| world.expose(self.rank, bytes))?
    }

    unsafe fn withdraw(&self, region: Region) -> Result<()> {
        self.with(|world| world.withdraw(self.rank, region))?
    }

    fn connect(&self, owner: Rank, descriptor: &Descriptor) -> Result<Remote> {
        self.check_rank(owner)?;
        let (region, claimed, bytes) = decode(descriptor)?;
        match self.with(|world| world.region(region))? {
            Some((there, base, length)) if there == owner && claimed == owner && length == bytes => {
                Ok(Remote::new(owner, base.as_ptr() as u64, region, bytes))
            }
            _ => Err(Error::Malformed {
                what: "a descriptor of a region",
                detail: format!("rank {owner} exposes no region {region} of {bytes} bytes"),
            }),
        }
    }

    unsafe fn disconnect(&self, _: Remote) -> Result<()> {
        self.with(|_| ())
    }

    fn mapped(&self, remote: &Remote) -> Option<NonNull<u8>> {
        let near = |world: &mut World| {
            let mapped = world.network.nodes.is_some_and(|nodes| nodes.mapped);
            if !mapped || !world.network.way(self.rank, remote.target()).1 {
                return None;
            }
            if remote.target() != self.rank {
                world.share();
            }
            let (owner, base, _) = world.region(remote.key())?;
            (owner == remote.target()).then_some(base)
        };
        self.with(near).ok().flatten()
    }

    fn node(&self, rank: Rank) -> u32 {
        self.with(|world| world.network.node(rank)).unwrap_or(rank)
    }

    fn open_scope(&self) -> Result<Scope> {
        self.with(|world| world.open_scope(self.rank))?.map(Scope)
    }

    fn close_scope(&self, scope: Scope) -> Result<()> {
        self.with(|world| world.close_scope(self.rank, scope.0))?
    }

    unsafe fn put(&self, put: &Put) -> Result<Ticket> {
        self.signal(put.signal)?;
        let kind = Kind::Put(put.signal);
        let mut operation = self.operation(kind, put.scope, &put.remote, put.displacement, put.bytes)?;
        operation.source = put.origin;
        self.start(operation)
    }

    unsafe fn get(&self, get: &Get) -> Result<Ticket> {
        let mut operation = self.operation(Kind::Get, get.scope, &get.remote, get.displacement, get.bytes)?;
        operation.sink = get.origin;
        self.start(operation)
    }

    unsafe fn fetch(&self, fetch: &Fetch) -> Result<Ticket> {
        self.check_atomic(self.atomics(fetch.operation, fetch.kind), || {
            format!("atomic {:?} of {:?}", fetch.operation, fetch.kind)
        })?;
        let size = fetch.kind.bytes();
        check_aligned(fetch.displacement, size)?;
        let kind = Kind::Fetch {
            operation: fetch.operation,
            kind: fetch.kind,
            results: !fetch.results.is_null(),
        };
        // So many that their length has no number are out of bounds.
        let bytes = fetch.count.saturating_mul(size);
        let mut operation = self.operation(kind, fetch.scope, &fetch.remote, fetch.displacement, bytes)?;
        if fetch.operation != AtomicOperation::NoOp {
            if fetch.operands.is_null() && bytes > 0 {
                return Err(
                    self.unsupported(format!("{:?} without operands", fetch.operation), "they are null")
                );
            }
            operation.source = fetch.operands;
        }
        operation.sink = fetch.results;
        self.start(operation)
    }

    unsafe fn compare_swap(&self, swap: &CompareSwap) -> Result<Ticket> {
        self.check_atomic(self.compare_swaps(swap.kind), || {
            format!("compare-and-swap of {:?}", swap.kind)
        })?;
        let size = swap.kind.bytes();
        check_aligned(swap.displacement, size)?;
        let kind = Kind::Swap;
        let mut operation = self.operation(kind, swap.scope, &swap.remote, swap.displacement, size)?;
        operation.source = swap.expected;
        operation.replacement = swap.replacement;
        operation.sink = swap.result;
        self.start(operation)
    }

    fn puts_locked(&self, remote: &Remote) -> bool {
        // Software of the target executes it.
        self.compare_swaps(AtomicKind::U64) == Atomics::Emulated && remote.target() != self.rank
    }

    unsafe fn put_locked(&self, puts: &LockedPuts<'_>) -> Result<Ticket> {
        if !self.puts_locked(&puts.remote) {
            let reason = "only software of another rank does it";
            return Err(self.unsupported("puts under a lock".to_owned(), reason));
        }
        check_aligned(puts.words, size_of::<u64>())?;
        let kind = Kind::Visit(puts.lock);
        let words = 2 * size_of::<u64>();
        let mut operation = self.operation(kind, puts.scope, &puts.remote, puts.words, words)?;
        for (displacement, bytes) in puts.puts.iter() {
            puts.remote.at(displacement, bytes.len())?;
        }
        operation.carry(puts.puts.clone());
        operation.sink = puts.results.cast();
        self.start(operation)
    }

    fn test(&self, ticket: Ticket) -> Result<bool> {
        self.poll()?;
        self.with(|world| world.test(self.rank, ticket.number()))?
    }

    fn flush_local(&self, scope: Scope, target: Option<Rank>) -> Result<()> {
        self.complete(scope, target, true)
    }

    fn flush(&self, scope: Scope, target: Option<Rank>) -> Result<()> {
        self.complete(scope, target, false)
    }

    fn is_flushed_locally(&self, scope: Scope) -> Result<bool> {
        self.is_complete(scope, true)
    }

    fn is_flushed(&self, scope: Scope) -> Result<bool> {
        self.is_complete(scope, false)
    }

    fn send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        let limit = self.capabilities.message_bytes;
        if bytes.len() > limit {
            let bytes = bytes.len();
            return Err(Error::TooLong { bytes, limit });
        }
        self.check_rank(target)?;
        self.enter(|world| {
            let copy = Time::of_bytes(bytes.len(), world.network.copy_picoseconds);
            world.network.overhead(self.rank, target) + copy
        })?;
        self.until_room(Call::Send { target }, |world| world.has_room(self.rank, target))?;
        self.with(|world| world.start_message(self.rank, target, tag, bytes.to_vec()))
    }

    fn receive(&self) -> Result<Option<Message>> {
        self.enter(|_| Time::ZERO)?;
        let message = self.with(|world| world.take_message(self.rank))?;
        let cost = self.with(|world| match &message {
            Some(message) => {
                let copy = Time::of_bytes(message.bytes.len(), world.network.copy_picoseconds);
                world.network.receive_overhead(message.source, self.rank) + copy
            }
            None => Time::of(world.network.poll),
        })?;
        self.advance(cost)?;
        Ok(message)
    }

    fn notification(&self) -> Result<Option<Notification>> {
        self.enter(|_| Time::ZERO)?;
        let notification = self.with(|world| world.take_notification(self.rank))?;
        let cost = self.with(|world| match notification {
            Some(Notification { source, .. }) => world
                .network
                .receive_overhead(source.unwrap_or(self.rank), self.rank),
            None => Time::of(world.network.poll),
        })?;
        self.advance(cost)?;
        Ok(notification)
    }

    fn arrivals(&self, region: &Region) -> Result<u64> {
        self.signal(Signal::Count)?;
        self.poll()?;
        self.with(|world| world.counted(self.rank, *region))?
    }

    fn wait(&self, limit: Option<Duration>, ready: &mut dyn FnMut() -> Result<bool>) -> Result<()> {
        let until = self.with(|world| limit.map(|limit| world.now() + Time::of(limit)))?;
        // As long as time itself is no limit.
        let until = until.filter(|until| *until < Time::MAX);
        self.poll()?;
        loop {
            let arrivals = self.with(|world| {
                world.asking(self.rank, true);
                world.arrivals(self.rank)
            })?;
            let answer = ready();
            let (now, lost) = self.with(|world| {
                world.asking(self.rank, false);
                (world.now(), world.lost())
            })?;
            if answer? {
                return Ok(());
            }
            if let Some(rank) = lost {
                return Err(Error::PeerLost { rank });
            }
            if let Some(limit) = limit.filter(|_| until.is_some_and(|until| now >= until)) {
                return Err(Error::TimeOut(limit));
            }
            self.block(Call::Wait, arrivals, until)?;
        }
    }

    fn now(&self) -> Duration {
        let now = self.with(|world| world.now().duration()).unwrap_or_default();
        // It takes time to look, so that a loop that waits for a time ends. A rank that was ended meanwhile unwinds.
        let _ = self.poll();
        now
    }

    fn compute(&self, time: Duration) {
        let Ok(began) = self.with(|world| {
            world.touch(self.rank);
            world.now()
        }) else {
            return;
        };
        let time = Time::of(time);
        if self.advance(time).is_ok() {
            let _ = self.with(|world| world.bar(self.rank, Activity::Compute, began));
        }
    }

    fn lost(&self) -> Option<Rank> {
        // As with `now`.
        let _ = self.poll();
        self.with(|world| world.lost()).ok().flatten()
    }

    fn finish(&self) -> Result<()> {
        self.poll()?;
        self.with(World::arrive_at_end)?;
        loop {
            let (arrivals, leave) = self
                .with(|world| match (world.finished(), world.lost()) {
                    (Some(leave), _) if world.now() >= leave => Ok(None),
                    (_, Some(rank)) => Err(Error::PeerLost { rank }),
                    (leave, None) => Ok(Some((world.arrivals(self.rank), leave))),
                })??
                .unzip();
            match arrivals {
                None => return Ok(()),
                Some(arrivals) => self.block(Call::Finish, arrivals, leave.flatten())?,
            }
        }
    }
}
