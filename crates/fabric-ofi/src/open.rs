//! How an endpoint comes to be: a provider, addresses of all ranks, what it can do.

use crate::engine::{Engine, NOTIFICATIONS};
use crate::fabric::Ofi;
use crate::ffi::constants as c;
use crate::port::Port;
use crate::progress::{Notice, Shared};
use crate::wire::MESSAGE;
use crate::wire::Mark;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Capabilities, Error, Progress, Rank, Result};
use std::sync::Arc;
use std::time::Instant;

/// Under this name a rank publishes the address of its endpoint.
const ADDRESS: &str = "ofi-address";

impl Ofi {
    /// Opens an endpoint and connects it with those of all ranks, which call this as well.
    ///
    /// `provider` is a name of `fi_info`, such as `tcp;ofi_rxm`, `verbs;ofi_rxm` or `shm` (`tcp` alone has no datagrams
    /// in libfabric 1.17, where `net` is what `tcp` became later); else the first one is taken that libfabric offers
    /// and that reaches other machines.
    ///
    /// # Errors
    /// libfabric is not there, has no such provider, or refuses; the ranks do not find one another.
    pub fn open(bootstrap: Arc<dyn Bootstrap>, provider: Option<&str>) -> Result<Self> {
        Self::begin(bootstrap, provider, None)
    }

    /// As [`Ofi::open`], for a transport that waits for more than this one. Its callers poll ([`Ofi::poll`]) while they
    /// are awake, and [`Ofi::hand_over`] before they sleep; then the thread of the endpoint polls, and calls `notice`
    /// when something may have come, with a rank that is lost if there is one. It must not call the endpoint.
    ///
    /// # Errors
    /// As there.
    pub fn open_within(
        bootstrap: Arc<dyn Bootstrap>,
        provider: Option<&str>,
        notice: Notice,
    ) -> Result<Self> {
        Self::begin(bootstrap, provider, Some(notice))
    }

    fn begin(bootstrap: Arc<dyn Bootstrap>, provider: Option<&str>, notice: Option<Notice>) -> Result<Self> {
        let began = Instant::now();
        let mut port = Port::open(provider)?;
        let facts = port.facts.clone();
        let name = port.name()?;
        // The provider goes with the address: two ranks that chose different ones must not try. So does the machine.
        let machine = machine();
        let card = [facts.name.as_bytes(), b"\0", machine.as_bytes(), b"\0", &name].concat();
        bootstrap.publish(ADDRESS, &card)?;
        bootstrap.fence()?;
        let cards = (0..bootstrap.size())
            .map(|rank| card_of(&*bootstrap, rank, &facts.name))
            .collect::<Result<Vec<_>>>()?;
        let neighbours = cards.iter().filter(|card| card.machine == machine).count();
        let names: Vec<Vec<u8>> = cards.into_iter().map(|card| card.address).collect();
        let addresses = port.insert(&names)?;
        let engine = Engine::new(port, Arc::clone(&bootstrap), &addresses)?;
        let capabilities = capabilities(&engine);
        let shared = Arc::new(Shared::new(engine, neighbours > processors(), notice));
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
}

/// What a rank publishes.
struct Card {
    /// Equal for ranks on one machine.
    machine: String,
    address: Vec<u8>,
}

/// What a rank published, if its provider is ours.
fn card_of(bootstrap: &dyn Bootstrap, rank: Rank, provider: &str) -> Result<Card> {
    let card = bootstrap.lookup(rank, ADDRESS)?;
    let mut parts = card.splitn(3, |byte| *byte == 0);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(name), Some(machine), Some(address)) if name == provider.as_bytes() => Ok(Card {
            machine: String::from_utf8_lossy(machine).into_owned(),
            address: address.to_vec(),
        }),
        (name, _, _) => Err(Error::Bootstrap(format!(
            "rank {rank} uses libfabric's provider `{}`, rank {} uses `{provider}`; name one for all",
            String::from_utf8_lossy(name.unwrap_or_default()),
            bootstrap.rank()
        ))),
    }
}

/// A name of this machine since it was started; empty where the system tells none.
fn machine() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map_or_else(|_| String::new(), |id| id.trim().into())
}

/// Processors of this machine, whatever this process is bound to.
fn processors() -> usize {
    // SAFETY: takes a number, and gives one.
    let number = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    usize::try_from(number).unwrap_or(1)
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
        read_after_write: engine.reads_after_writes(),
        // Those of a stream are stored by this crate, word by word, or may be seen half written.
        whole_words: !facts.is_stream() || engine.holds_puts(),
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
