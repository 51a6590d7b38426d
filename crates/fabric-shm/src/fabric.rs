//! The operations: copies and instructions on mapped memory, done when the call returns.

use crate::ShmFabric;
use crate::control::{MESSAGE_BYTES, State};
use crate::endpoint::LONGEST_SLEEP;
use crate::{card, segment};
use farside_fabric::{
    AtomicKind, AtomicOperation, Atomics, Capabilities, CompareSwap, Descriptor, Direct, Error, Exposed,
    Fabric, Fetch, Get, Message, Notification, Put, Rank, Region, Remote, Result, Scope, Signal, Ticket,
    copy, direct, element,
};
use std::ptr::NonNull;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Most scopes that are open at once.
const SCOPES: usize = 1 << 20;

// SAFETY: a rank is that of the launcher (`start`), or one of a list (`threads`). Regions are mappings of files of
// their own, filled with 0, which are unmapped by `withdraw` or with the endpoint; a connection is a mapping of the
// very file that its owner named by a random number. Operations are checked by `Remote::at`, and are done when their
// calls return: copies and instructions of this thread, with the order that the capabilities say (see the head of the
// crate). Messages and notifications pass by rings, after the puts before them.
unsafe impl Fabric for ShmFabric {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn atomics(&self, operation: AtomicOperation, kind: AtomicKind) -> Atomics {
        match operation.applies_to(kind) {
            true => Atomics::Native,
            false => Atomics::Missing,
        }
    }

    fn compare_swaps(&self, _: AtomicKind) -> Atomics {
        Atomics::Native
    }

    fn expose(&self, bytes: usize) -> Result<Exposed> {
        self.regions.expose(bytes)
    }

    unsafe fn withdraw(&self, region: Region) -> Result<()> {
        self.regions.withdraw(region)
    }

    fn connect(&self, owner: Rank, descriptor: &Descriptor) -> Result<Remote> {
        self.peer(owner)?;
        let process = self.processes[owner as usize];
        let connected = self
            .regions
            .connect(owner, process, owner == self.rank, descriptor);
        connected.map_err(|error| self.unless_dying(owner, error))
    }

    unsafe fn disconnect(&self, remote: Remote) -> Result<()> {
        self.regions.disconnect(&remote)
    }

    fn mapped(&self, remote: &Remote) -> Option<NonNull<u8>> {
        NonNull::new(remote.at(0, 0).ok()? as *mut u8)
    }

    fn direct(&self, remote: &Remote) -> Option<Direct> {
        let base = self.mapped(remote)?;
        let asleep = self.peer(remote.target()).ok()?.bell().asleep();
        // SAFETY: the words are in control segments, which the endpoint maps as long as it lives; the region is mapped
        // as long as it is connected.
        Some(unsafe { Direct::new(base, asleep.into(), self.own().lost_word().into()) })
    }

    fn is_crowded(&self) -> bool {
        self.crowd.is_crowded()
    }

    fn wake(&self, target: Rank) {
        if let Some(peer) = self.ranks.get(target as usize) {
            self.ring(peer);
        }
    }

    fn open_scope(&self) -> Result<Scope> {
        let mut scopes = self.scopes();
        if scopes.open.len() >= SCOPES {
            return Err(Error::Unsupported {
                transport: self.capabilities.transport.clone(),
                what: format!("scope number {}", SCOPES + 1),
                reason: "so many are open".into(),
            });
        }
        loop {
            scopes.last = scopes.last.wrapping_add(1);
            let number = scopes.last;
            if scopes.open.insert(number) {
                return Ok(Scope(number));
            }
        }
    }

    fn close_scope(&self, scope: Scope) -> Result<()> {
        match self.scopes().open.remove(&scope.0) {
            true => Ok(()),
            false => Err(Error::Stale("the scope")),
        }
    }

    #[inline]
    unsafe fn put(&self, put: &Put) -> Result<Ticket> {
        let to = put.remote.at(put.displacement, put.bytes)? as *mut u8;
        let peer = self.peer(put.remote.target())?;
        // SAFETY: the caller says that the region is connected, hence mapped, and that the buffer is valid; in bounds.
        unsafe { copy::write(to, put.origin, put.bytes) };
        match put.signal {
            Signal::None => {}
            Signal::Immediate(immediate) => self.notify(peer, immediate)?,
            Signal::Count => {
                let contents = put.remote.at(0, 0)?;
                // SAFETY: `contents` is that of a segment that is mapped as long as it is connected.
                unsafe { segment::arrivals_before(contents) }.fetch_add(1, Ordering::Release);
            }
        }
        self.ring(peer);
        Ok(Ticket::DONE)
    }

    #[inline]
    unsafe fn get(&self, get: &Get) -> Result<Ticket> {
        let from = get.remote.at(get.displacement, get.bytes)? as *mut u8;
        self.peer(get.remote.target())?;
        // SAFETY: the caller says that the region is connected, hence mapped, and that the buffer is valid; in bounds.
        unsafe { copy::read(get.origin, from, get.bytes) };
        Ok(Ticket::DONE)
    }

    #[inline]
    unsafe fn fetch(&self, fetch: &Fetch) -> Result<Ticket> {
        let &Fetch { operation, kind, .. } = fetch;
        if !operation.applies_to(kind) {
            return Err(Error::Unsupported {
                transport: self.capabilities.transport.clone(),
                what: format!("{operation:?} of {kind:?}"),
                reason: "the operation does not exist for the type (MPI-4.1 §6.9.2, §6.9.4)".into(),
            });
        }
        let at = Self::elements(&fetch.remote, fetch.displacement, kind, fetch.count)?;
        let peer = self.peer(fetch.remote.target())?;
        // SAFETY: connected, hence mapped, and buffers valid, by the caller; in bounds and aligned, by `elements`, for
        // regions are aligned to more.
        unsafe {
            element::apply(kind, operation, at, fetch.operands, fetch.results, fetch.count);
        }
        self.ring(peer);
        Ok(Ticket::DONE)
    }

    #[inline]
    unsafe fn compare_swap(&self, swap: &CompareSwap) -> Result<Ticket> {
        let at = Self::elements(&swap.remote, swap.displacement, swap.kind, 1)?;
        let peer = self.peer(swap.remote.target())?;
        // SAFETY: as for `fetch`.
        unsafe {
            element::compare_swap(
                swap.kind.bytes(),
                at,
                swap.expected,
                swap.replacement,
                swap.result,
            );
        }
        self.ring(peer);
        Ok(Ticket::DONE)
    }

    fn test(&self, ticket: Ticket) -> Result<bool> {
        match ticket == Ticket::DONE {
            true => Ok(true),
            false => Err(Error::Stale("the ticket")),
        }
    }

    #[inline]
    fn flush_local(&self, _: Scope, target: Option<Rank>) -> Result<()> {
        self.unless_lost(target)
    }

    #[inline]
    fn flush(&self, _: Scope, target: Option<Rank>) -> Result<()> {
        // See the head of the crate, "Completion".
        direct::full_fence();
        // Whoever writes by `Direct` rings here.
        if let Some(peer) = target.and_then(|target| self.ranks.get(target as usize)) {
            self.ring(peer);
        }
        self.unless_lost(target)
    }

    fn send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        let peer = self.peer(target)?;
        if bytes.len() > MESSAGE_BYTES {
            return Err(Error::TooLong {
                bytes: bytes.len(),
                limit: MESSAGE_BYTES,
            });
        }
        let push = || self.push_message(peer, tag, bytes);
        if !push() {
            self.when_there_is_room(peer, &push, &|| peer.messages().starve())?;
        }
        self.ring(peer);
        Ok(())
    }

    fn try_send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<bool> {
        let peer = self.peer(target)?;
        if bytes.len() > MESSAGE_BYTES {
            return Err(Error::TooLong {
                bytes: bytes.len(),
                limit: MESSAGE_BYTES,
            });
        }
        let sent = self.push_message(peer, tag, bytes);
        if !sent {
            peer.messages().starve();
        }
        self.ring(peer);
        Ok(sent)
    }

    #[inline]
    fn receive(&self) -> Result<Option<Message>> {
        let (message, feeds) = self.messages.take(self.own().messages())?;
        if feeds {
            self.feed();
        }
        Ok(message)
    }

    #[inline]
    fn notification(&self) -> Result<Option<Notification>> {
        let (notification, feeds) = self.notifications.take(self.own().notifications())?;
        if feeds {
            self.feed();
        }
        Ok(notification)
    }

    fn arrivals(&self, region: &Region) -> Result<u64> {
        self.regions.arrivals(region)
    }

    #[inline]
    fn wait(&self, limit: Option<Duration>, ready: &mut dyn FnMut() -> Result<bool>) -> Result<()> {
        self.wait_until(limit, LONGEST_SLEEP, ready, &|| {})
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(card::clock().saturating_sub(self.began))
    }

    fn compute(&self, time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    fn lost(&self) -> Option<Rank> {
        self.own().lost()
    }

    fn finish(&self) -> Result<()> {
        if self.own().state() == State::Running {
            self.own().set_state(State::Finishing);
            for peer in &self.ranks[..] {
                self.ring(peer);
            }
        }
        self.wait(None, &mut || {
            Ok(self.ranks.iter().all(|rank| rank.state() != State::Running))
        })?;
        self.own().set_state(State::Finished);
        match &self.bootstrap {
            None => Ok(()),
            Some(bootstrap) => bootstrap.finish(),
        }
    }
}
