//! The endpoint: [`Fabric`] in terms of the engine.

use crate::engine::{Engine, MESSAGE, NOTIFICATIONS, Part, Which};
use crate::ffi::constants as c;
use crate::port::Port;
use crate::progress::{Patience, Shared};
use crate::wire::Mark;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{
    AtomicKind, AtomicOperation, Atomics, Capabilities, CompareSwap, Descriptor, Error, Exposed, Fabric,
    Fetch, Get, Message, Notification, Progress, Put, Rank, Region, Remote, Result, Scope, Ticket,
};
use std::ptr::NonNull;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Under this name a rank publishes the address of its endpoint.
const ADDRESS: &str = "ofi-address";

/// A rank's endpoint over libfabric.
pub struct Ofi {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    bootstrap: Arc<dyn Bootstrap>,
    capabilities: Capabilities,
    description: String,
    began: Instant,
}

impl Ofi {
    /// Opens an endpoint and connects it with those of all ranks, which call this as well.
    ///
    /// `provider` is a name of `fi_info`, such as `tcp;ofi_rxm`, `verbs;ofi_rxm` or `shm`; else the first one is taken that
    /// libfabric offers and that reaches other machines.
    ///
    /// # Errors
    /// libfabric is not there, has no such provider, or refuses; the ranks do not find one another.
    pub fn open(bootstrap: Arc<dyn Bootstrap>, provider: Option<&str>) -> Result<Self> {
        let began = Instant::now();
        let mut port = Port::open(provider)?;
        let facts = port.facts.clone();
        let name = port.name()?;
        // The provider goes with the address: two ranks that chose different ones must not try.
        let mut card = facts.name.clone().into_bytes();
        card.push(0);
        card.extend(name);
        bootstrap.publish(ADDRESS, &card)?;
        bootstrap.fence()?;
        let names = (0..bootstrap.size())
            .map(|rank| address_of(&*bootstrap, rank, &facts.name))
            .collect::<Result<Vec<_>>>()?;
        let addresses = port.insert(&names)?;
        let engine = Engine::new(port, Arc::clone(&bootstrap), &addresses)?;
        let capabilities = capabilities(&engine);
        let shared = Arc::new(Shared::new(engine));
        let thread = {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name("farside-ofi".into())
                .spawn(move || shared.run())
                .map_err(|error| Error::System {
                    call: "thread",
                    detail: error.to_string(),
                })?
        };
        Ok(Self {
            shared,
            thread: Some(thread),
            bootstrap,
            capabilities,
            description: format!(
                "libfabric {}.{}, provider {} on {}: order {:#x}, immediate {} bytes, operations of up to {} bytes, \
                 registration mode {:#x}",
                facts.library.0,
                facts.library.1,
                facts.name,
                facts.domain,
                facts.order,
                facts.immediate,
                facts.operation,
                facts.registration
            ),
            began,
        })
    }

    /// What the provider says of itself, in one line.
    #[must_use]
    pub fn describe(&self) -> &str {
        &self.description
    }

    /// Tries something until it is done; makes progress between.
    fn until<T>(&self, mut step: impl FnMut(&mut Engine) -> Result<Option<T>>) -> Result<T> {
        let mut patience = Patience::default();
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
            patience.after(events, &self.shared);
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
            let usable = engine.usable();
            if usable.is_err() {
                // Behind a failure no buffer is touched any more (promise 8 of `Fabric`).
                engine.shut();
            }
            usable.map(|()| None)
        })
    }
}

/// What a rank published, if its provider is ours.
fn address_of(bootstrap: &dyn Bootstrap, rank: Rank, provider: &str) -> Result<Vec<u8>> {
    let card = bootstrap.lookup(rank, ADDRESS)?;
    let mut parts = card.splitn(2, |byte| *byte == 0);
    match (parts.next(), parts.next()) {
        (Some(name), Some(address)) if name == provider.as_bytes() => Ok(address.to_vec()),
        (name, _) => Err(Error::Bootstrap(format!(
            "rank {rank} uses libfabric's provider `{}`, rank {} uses `{provider}`; name one for all",
            String::from_utf8_lossy(name.unwrap_or_default()),
            bootstrap.rank()
        ))),
    }
}

fn capabilities(engine: &Engine) -> Capabilities {
    let facts = &engine.port.facts;
    let ordered = engine.writes_in_order();
    Capabilities {
        transport: format!("ofi:{}", facts.name),
        write_after_write: ordered,
        message_after_write: facts.keeps(c::ORDER_SAW),
        // A write with immediate is a write.
        immediate_after_write: ordered && facts.immediate >= 4,
        read_after_write: engine.reads_behind_writes(),
        immediate_bits: Mark::bits(facts.immediate),
        notification_depth: NOTIFICATIONS,
        counts: true,
        message_bytes: MESSAGE,
        operation_bytes: facts.operation,
        progress: Progress::Thread,
        mapped: false,
        virtual_time: false,
    }
}

impl Fabric for Ofi {
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

    fn send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        self.until(|engine| Ok(engine.send(target, tag, bytes)?.then_some(())))
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
        let mut patience = Patience::default();
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
            patience.after(events, &self.shared);
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
