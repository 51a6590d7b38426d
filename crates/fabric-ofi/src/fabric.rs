//! The endpoint: [`Fabric`] in terms of the engine.

use crate::engine::{Engine, Part, Which};
use crate::memory::Pages;
use crate::progress::{Patience, Shared};
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{
    AtomicKind, AtomicOperation, Atomics, Capabilities, CompareSwap, Descriptor, Error, Exposed, Fabric,
    Fetch, Get, LockedPuts, Message, Notification, Put, Rank, Region, Remote, Result, Scope, Ticket,
};
use std::ptr::NonNull;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A rank's endpoint over libfabric.
pub struct Ofi {
    pub(crate) shared: Arc<Shared>,
    pub(crate) thread: Option<JoinHandle<()>>,
    pub(crate) bootstrap: Arc<dyn Bootstrap>,
    pub(crate) capabilities: Capabilities,
    pub(crate) description: String,
    pub(crate) began: Instant,
}

impl Ofi {
    /// What the provider says of itself, in one line.
    #[must_use]
    pub fn describe(&self) -> &str {
        &self.description
    }

    /// How many messages this rank has given to libfabric, to others, since it began; several puts and messages may
    /// leave in one.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.shared.engine().messages()
    }

    /// Takes in what has come, without waiting.
    ///
    /// # Errors
    /// A rank is lost, or the provider failed.
    pub fn poll(&self) -> Result<()> {
        let mut engine = self.shared.engine();
        engine.progress();
        engine.look_for_losses();
        engine.usable()
    }

    /// Nobody polls from now on but the thread of the endpoint, which begins at once. For who has opened the endpoint
    /// by [`Ofi::open_within`].
    pub fn hand_over(&self) {
        self.shared.hand_over();
    }

    /// As [`Fabric::send`] or [`Fabric::send_along`], if it can be done at once: false, it is to be tried again.
    ///
    /// # Errors
    /// As there.
    pub fn try_send_along(&self, target: Rank, tag: u64, bytes: &[u8], may_wait: bool) -> Result<bool> {
        self.shared.engine().send(target, tag, bytes, may_wait)
    }

    /// The next message that has come already: [`Fabric::receive`] without progress.
    ///
    /// # Errors
    /// As there.
    pub fn take_message(&self) -> Result<Option<Message>> {
        self.shared.engine().take_message()
    }

    /// The next notification that has come already: [`Fabric::notification`] without progress.
    ///
    /// # Errors
    /// As there.
    pub fn take_notification(&self) -> Result<Option<Notification>> {
        self.shared.engine().take_notification()
    }

    /// [`Fabric::arrivals`] without progress.
    ///
    /// # Errors
    /// As there.
    pub fn counted(&self, region: &Region) -> Result<u64> {
        self.shared.engine().arrivals(region)
    }

    /// Gives room to those who send to this rank, which waits for room itself, elsewhere.
    pub fn take_in(&self) {
        self.shared.engine().take_in();
    }

    /// Tries something until it is done; makes progress between.
    fn until<T>(&self, mut step: impl FnMut(&mut Engine) -> Result<Option<T>>) -> Result<T> {
        let mut patience = Patience::of_caller(&self.shared);
        loop {
            let events = {
                let mut engine = self.shared.engine();
                if let Some(done) = step(&mut engine)? {
                    return Ok(done);
                }
                let events = engine.progress();
                engine.look_for_losses();
                events
            };
            patience.after(events);
        }
    }

    /// Starts an operation, in several tries if need be.
    fn start(
        &self,
        mut step: impl FnMut(&mut Engine, &mut Option<Part>) -> Result<Option<Ticket>>,
    ) -> Result<Ticket> {
        let mut part = None;
        self.until(|engine| {
            let answer = step(engine, &mut part);
            if answer.is_err()
                && let Some(part) = part.take()
            {
                engine.give_up(part);
            }
            answer
        })
    }

    fn complete(&self, scope: Scope, target: Option<Rank>, which: Which) -> Result<()> {
        self.until(|engine| {
            if engine.is_complete(scope, target, which)? {
                return Ok(Some(()));
            }
            match which {
                Which::Local => {}
                Which::Remote => engine.ask_for(scope, |rank| target.is_none_or(|target| target == rank)),
                Which::RemoteBut(flagged) => engine.ask_for(scope, |rank| rank != flagged),
            }
            let usable = engine.usable();
            if usable.is_err() {
                // After a failure no buffer is touched any more (promise 8 of `Fabric`).
                engine.shut();
            }
            usable.map(|()| None)
        })
    }
}

// SAFETY: a rank is that of the launcher. Regions are pages of their own, registered, which are unmapped by `withdraw`
// or with the engine, after the end of their registration. A connection has the key and the address of the region that
// its owner told, and every operation is checked by `Remote::at` or, where software does it, against the region by its
// owner. Buffers are libfabric's from the post of a piece to its completion, which alone takes the operation off the
// numbers that `flush` looks at; after a failure the port is shut, so that libfabric touches none any more. Order is
// what the provider was asked for and granted.
unsafe impl Fabric for Ofi {
    fn rank(&self) -> Rank {
        self.bootstrap.rank()
    }

    fn size(&self) -> u32 {
        self.bootstrap.size()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn atomics(&self, operation: AtomicOperation, kind: AtomicKind) -> Atomics {
        if operation.applies_to(kind) {
            Atomics::Emulated
        } else {
            Atomics::Missing
        }
    }

    fn compare_swaps(&self, _: AtomicKind) -> Atomics {
        Atomics::Emulated
    }

    fn expose(&self, bytes: usize) -> Result<Exposed> {
        self.shared.engine().expose(bytes)
    }

    unsafe fn expose_lent(&self, base: NonNull<u8>, bytes: usize) -> Result<Exposed> {
        let mut engine = self.shared.engine();
        if bytes == 0 {
            // There is nothing to register; nobody comes to see where it is.
            return engine.expose(0);
        }
        // SAFETY: by the caller.
        unsafe { engine.expose_pages(Pages::lent(base, bytes), bytes) }
    }

    unsafe fn withdraw(&self, region: Region) -> Result<()> {
        self.shared.engine().withdraw(region)
    }

    fn connect(&self, owner: Rank, descriptor: &Descriptor) -> Result<Remote> {
        self.shared.engine().connect(owner, descriptor)
    }

    unsafe fn disconnect(&self, remote: Remote) -> Result<()> {
        self.shared.engine().disconnect(&remote)
    }

    fn mapped(&self, _: &Remote) -> Option<NonNull<u8>> {
        None
    }

    fn send_held(&self) {
        self.shared.engine().send_all_held();
    }

    fn open_scope(&self) -> Result<Scope> {
        self.shared.engine().open_scope()
    }

    fn close_scope(&self, scope: Scope) -> Result<()> {
        self.shared.engine().close_scope(scope)
    }

    unsafe fn put(&self, put: &Put) -> Result<Ticket> {
        // SAFETY: by the caller.
        self.start(|engine, part| unsafe { engine.put(put, part) })
    }

    unsafe fn get(&self, get: &Get) -> Result<Ticket> {
        // SAFETY: by the caller.
        self.start(|engine, part| unsafe { engine.get(get, part) })
    }

    unsafe fn fetch(&self, fetch: &Fetch) -> Result<Ticket> {
        // SAFETY: by the caller.
        self.start(|engine, part| unsafe { engine.fetch(fetch, part) })
    }

    unsafe fn compare_swap(&self, swap: &CompareSwap) -> Result<Ticket> {
        // SAFETY: by the caller.
        self.start(|engine, part| unsafe { engine.compare_swap(swap, part) })
    }

    fn puts_locked(&self, remote: &Remote) -> bool {
        remote.target() != self.rank() && self.shared.engine().holds_puts()
    }

    unsafe fn put_locked(&self, puts: &LockedPuts<'_>) -> Result<Ticket> {
        // SAFETY: by the caller.
        self.start(|engine, part| unsafe { engine.put_locked(puts, part) })
    }

    fn test(&self, ticket: Ticket) -> Result<bool> {
        if ticket == Ticket::DONE {
            return Ok(true);
        }
        self.shared.engine().test(ticket)
    }

    fn flush_local(&self, scope: Scope, target: Option<Rank>) -> Result<()> {
        self.complete(scope, target, Which::Local)
    }

    fn flush(&self, scope: Scope, target: Option<Rank>) -> Result<()> {
        self.complete(scope, target, Which::Remote)
    }

    fn flush_before_flag(&self, scope: Scope, target: Rank) -> Result<bool> {
        self.complete(scope, None, Which::RemoteBut(target))?;
        self.shared.engine().is_complete(scope, None, Which::Remote)
    }

    fn send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        self.until(|engine| Ok(engine.send(target, tag, bytes, false)?.then_some(())))
    }

    fn try_send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<bool> {
        self.try_send_along(target, tag, bytes, false)
    }

    fn send_along(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        self.until(|engine| Ok(engine.send(target, tag, bytes, true)?.then_some(())))
    }

    fn receive(&self) -> Result<Option<Message>> {
        self.shared.engine().receive()
    }

    fn notification(&self) -> Result<Option<Notification>> {
        self.shared.engine().notification()
    }

    fn arrivals(&self, region: &Region) -> Result<u64> {
        let mut engine = self.shared.engine();
        engine.progress();
        engine.arrivals(region)
    }

    fn wait(&self, limit: Option<Duration>, ready: &mut dyn FnMut() -> Result<bool>) -> Result<()> {
        let began = Instant::now();
        let mut patience = Patience::of_caller(&self.shared);
        loop {
            if ready()? {
                return Ok(());
            }
            let events = {
                let mut engine = self.shared.engine();
                let events = engine.progress();
                engine.look_for_losses();
                engine.usable()?;
                events
            };
            if let Some(limit) = limit.filter(|limit| began.elapsed() >= *limit) {
                return Err(Error::TimeOut(limit));
            }
            patience.after(events);
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn compute(&self, time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    fn lost(&self) -> Option<Rank> {
        let mut engine = self.shared.engine();
        engine.look_for_losses();
        engine.lost()
    }

    fn finish(&self) -> Result<()> {
        self.until(|engine| {
            engine.usable()?;
            engine.ask_all();
            Ok(engine.is_quiet().then_some(()))
        })?;
        // The thread serves the others until they have come here, too.
        self.bootstrap.fence()?;
        self.bootstrap.finish()
    }
}

impl Drop for Ofi {
    fn drop(&mut self) {
        self.shared.stop();
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, there is nothing to add here.
            let _ = thread.join();
        }
    }
}
