//! What a virtual network costs, orders and offers.
//!
//! The cost model is LogGP (Alexandrov, Ionescu, Schauser, Scheiman: "LogGP: incorporating long messages into the LogP
//! model", SPAA 1995) with ports. A rank has an injection port and a reception port. Something of `k` bytes that is
//! started when the injection port is free:
//!
//! | when | what |
//! |---|---|
//! | 0 | the call; the processor of the origin is busy for [`overhead`](field@Network::overhead) |
//! | `o` | the first byte leaves; the injection port is busy for `max(gap, k G)` |
//! | `o + k G` | the last byte has left: the origin buffer was read (local completion of a put) |
//! | `o + L` | the first byte is there; the reception port is busy for `max(gap, k G)`, from then or from when it is free |
//! | `o + L + k G` | the last byte is there: visible |
//! | `o + L + k G + L` | the acknowledgement is at the origin (remote completion of a put) |
//!
//! A get is a request of 0 bytes and an answer of `k` bytes that goes through the injection port of the target. A
//! message costs its receiver [`receive_overhead`](field@Network::receive_overhead) when it is received. `k G` stands
//! for LogGP's `(k - 1) G`.

use crate::Error;
use crate::time::Time;
use farside_fabric::{Capabilities, Progress, Rank};
use std::time::Duration;

/// A way between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// From port to port (LogGP's `L`).
    pub latency: Duration,
    /// Between two operations or messages at a port (LogGP's `g`): the reciprocal of the message rate.
    pub gap: Duration,
    /// Picoseconds per byte at a port (LogGP's `G`): 1000 are 1 GB/s.
    pub byte_picoseconds: u64,
}

impl Link {
    pub(crate) fn bytes(&self, bytes: usize) -> Time {
        Time::of_bytes(bytes, self.byte_picoseconds)
    }

    /// How long a port is busy with so many bytes.
    pub(crate) fn busy(&self, bytes: usize) -> Time {
        self.bytes(bytes).max(Time::of(self.gap))
    }
}

/// Whether what one rank sends another keeps its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// It does, as on a reliable connection of InfiniBand (specification 1.2.1, section 9.7).
    Ordered,
    /// Each packet takes one of several ways, as with adaptive routing. Messages between two ranks keep their order all
    /// the same, and so do atomic operations; nothing else does.
    Adaptive {
        /// Number of ways; at least 1.
        paths: u32,
        /// How much longer than the shortest the longest takes. The others lie between, evenly.
        spread: Duration,
    },
}

/// Something that happens now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rarely {
    /// To one packet of so many, on average; at least 1.
    pub one_in: u32,
    /// See [`Network::delay`] and [`Network::loss`].
    pub time: Duration,
}

/// Ranks that share a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// Number of ranks on each: 0 and up to this are on the first. At least 1.
    pub ranks: u32,
    /// The way between two ranks of a node, and of a rank to itself. It is always ordered, and has ports of its own.
    pub link: Link,
    /// What [`overhead`](field@Network::overhead) and [`receive_overhead`](field@Network::receive_overhead) are within
    /// a node.
    pub overhead: Duration,
    /// Its ranks have one adapter, with one injection port and one reception port to the other nodes; otherwise each
    /// has its own.
    pub shared_adapter: bool,
    /// They can load and store one another's regions directly ([`Fabric::mapped`](farside_fabric::Fabric::mapped)).
    /// Loads and stores take no time. What is stored there wakes a neighbour that waits at the next call of the one who
    /// stored it, outside `ready` functions: those must not store.
    pub mapped: bool,
}

impl Nodes {
    /// So many ranks that share memory and an adapter. A word of one rank is seen by another after 60 ns, a store takes
    /// 5 ns, and copies run at 50 GB/s: round numbers of what two processes of one machine took (`facts/runtime.md`,
    /// section 3: 61 ns, 5.3 ns, 54 GB/s).
    #[must_use]
    pub fn shared_memory(ranks: u32) -> Self {
        Self {
            ranks,
            link: Link {
                latency: Duration::from_nanos(60),
                gap: Duration::from_nanos(5),
                byte_picoseconds: 20,
            },
            overhead: Duration::from_nanos(5),
            shared_adapter: true,
            mapped: true,
        }
    }
}

/// A virtual network. Take a set by name and change what you like:
///
/// ```
/// use farside_fabric_sim::{Network, Routing};
/// use std::time::Duration;
///
/// let spread = Duration::from_micros(5);
/// let network = Network { seed: 7, routing: Routing::Adaptive { paths: 4, spread }, ..Network::ethernet_100g() };
/// assert_eq!(network.receive_descriptors, 1024);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Decides everything that is random. The same seed gives the same run.
    pub seed: u64,
    /// The way between two ranks, of different nodes if there are [`Network::nodes`].
    pub link: Link,
    /// The processor's work at the origin for an operation or a message (LogGP's `o`).
    pub overhead: Duration,
    /// The processor's work at the target: for a message when it is received, for a notification when it is taken, and
    /// for an operation unless [`Network::progress`] is `Passive`.
    pub receive_overhead: Duration,
    /// What the adapter takes when it turns to another rank than the one with which it exchanged something last, in
    /// either direction: it has to fetch the context of a connection. Its port is busy meanwhile. Not within a node.
    pub connection: Duration,
    /// Picoseconds per byte for the copy of a message, once at each side.
    pub copy_picoseconds: u64,
    /// What a call takes that finds nothing, or looks at the clock; at least 1 ns, so that no loop stops the world.
    pub poll: Duration,
    /// Longer operations travel in packets of so many bytes; a multiple of 8, at least 64.
    pub packet: usize,
    /// Whether order is kept.
    pub routing: Routing,
    /// Packets that take longer than others, by up to this time.
    pub delay: Option<Rarely>,
    /// How long at most the adapter leaves an operation alone before it reads its origin buffer, or asks for a get:
    /// work requests wait their turn. Puts to other targets, or with adaptive routing any, may be read before it.
    pub hesitation: Duration,
    /// Packets that are lost, and sent again after this time. May hit the same packet again. The adapter keeps a copy:
    /// a retransmission does not read the origin buffer, nor hold the port.
    pub loss: Option<Rarely>,
    /// How many puts with an immediate may be there before they are taken; at least 1. One more finds the receiver not
    /// ready, and is sent again after [`Network::retry`], as often as needed (as verbs do it with `rnr_retry` 7). What
    /// is ordered after it waits as well.
    pub receive_descriptors: usize,
    /// See there; at least 1 ns.
    pub retry: Duration,
    /// How many operations of a rank may be under way, whatever their target; at least 1. One more waits: the adapter's
    /// queue is full.
    pub in_flight: u32,
    /// How many messages of a source a rank may have that it did not take in; at least 1. Then `send` waits.
    pub message_credits: u32,
    /// The longest message; at least 1,024.
    pub message_bytes: usize,
    /// Bits of the immediate of a put, up to 32; 0: puts have none.
    pub immediate_bits: u32,
    /// Puts can be counted at the target.
    pub counts: bool,
    /// There are atomic operations.
    pub atomics: bool,
    /// Who executes operations at the target. `Passive`: the adapter. `Thread`: a thread with a core of its own, one
    /// operation after the other. `Calls`: the target, when it calls. Answers are taken in by the adapter of the origin
    /// in any case.
    pub progress: Progress,
    /// Ranks that share machines.
    pub nodes: Option<Nodes>,
    /// How long it takes until the others know that a rank is lost.
    pub detection: Duration,
}

impl Network {
    /// The cluster of paper 002, as far as the paper says what it was: 64 nodes, one process each, MT25208 adapters on
    /// 8x PCI Express, one switch (section 4.1).
    ///
    /// - From Table 1, column Barrier, which are 1 to 6 rounds of a dissemination. The row of 2 ranks, one round: 3.66
    ///   us are overhead, latency and a look at the clock. More ranks: a rank has another partner in each round, for
    ///   sending and for receiving, and the rounds cost more, by 1.95 us for each change of partner, the least-squares
    ///   slope of the other rows (`measure/src/paper.rs` computes both again). An adapter without memory, as these
    ///   were, fetches the contexts of connections from its host; that this is the reason, is a guess.
    /// - Not in the paper: how the 3.66 us are divided, a receive overhead of 0.8 us, the bandwidth (1 GB/s: a 4x link
    ///   at 10 Gb/s with 8b/10b), packets of 2,048 bytes, 1 us between messages.
    #[must_use]
    pub fn infiniband_2009() -> Self {
        Self {
            link: Link {
                latency: Duration::from_nanos(3060),
                gap: Duration::from_micros(1),
                byte_picoseconds: 1000,
            },
            overhead: Duration::from_nanos(500),
            receive_overhead: Duration::from_nanos(800),
            connection: Duration::from_nanos(1950),
            copy_picoseconds: 500,
            poll: Duration::from_nanos(100),
            packet: 2048,
            retry: Duration::from_micros(20),
            receive_descriptors: 512,
            ..Self::ethernet_100g()
        }
    }

    /// A network of today: 100 Gb/s with RDMA, one switch. Round numbers, not measured: 1.2 us from port to port, 10
    /// million messages a second, 12.5 GB/s.
    #[must_use]
    pub fn ethernet_100g() -> Self {
        Self {
            seed: 1,
            link: Link {
                latency: Duration::from_nanos(1200),
                gap: Duration::from_nanos(100),
                byte_picoseconds: 80,
            },
            overhead: Duration::from_nanos(100),
            receive_overhead: Duration::from_nanos(150),
            connection: Duration::ZERO,
            copy_picoseconds: 100,
            poll: Duration::from_nanos(30),
            packet: 4096,
            routing: Routing::Ordered,
            delay: None,
            hesitation: Duration::ZERO,
            loss: None,
            receive_descriptors: 1024,
            retry: Duration::from_micros(10),
            in_flight: 65_536,
            message_credits: 256,
            message_bytes: 65_536,
            immediate_bits: 32,
            counts: true,
            atomics: true,
            progress: Progress::Passive,
            nodes: None,
            detection: Duration::from_millis(1),
        }
    }

    /// One-sided operations done by software on TCP, moved by the calls of the target only. Fitted to what libfabric
    /// 2.7's provider `tcp` takes between two processes here (`facts/runtime.md`, section 2): 5.0 us one way for 8
    /// bytes, 166 us for 1 MiB.
    #[must_use]
    pub fn tcp() -> Self {
        Self {
            link: Link {
                latency: Duration::from_nanos(2500),
                gap: Duration::from_nanos(1000),
                byte_picoseconds: 153,
            },
            overhead: Duration::from_nanos(1200),
            receive_overhead: Duration::from_nanos(1300),
            packet: 65_536,
            progress: Progress::Calls,
            ..Self::ethernet_100g()
        }
    }

    /// What this network orders, completes and offers to a job.
    #[must_use]
    pub fn capabilities(&self, ranks: u32) -> Capabilities {
        let ordered =
            self.routing == Routing::Ordered || self.nodes.is_some_and(|nodes| nodes.ranks >= ranks);
        Capabilities {
            transport: "sim".to_owned(),
            write_after_write: ordered,
            message_after_write: ordered,
            immediate_after_write: ordered,
            read_after_write: ordered,
            whole_words: true,
            immediate_bits: self.immediate_bits,
            notification_depth: self.receive_descriptors,
            counts: self.counts,
            message_bytes: self.message_bytes,
            operation_bytes: usize::MAX,
            progress: self.progress,
            mapped: self
                .nodes
                .is_some_and(|nodes| nodes.mapped && nodes.ranks >= ranks),
            virtual_time: true,
        }
    }

    /// The node of a rank.
    pub(crate) fn node(&self, rank: Rank) -> u32 {
        self.nodes.map_or(rank, |nodes| rank / nodes.ranks)
    }

    /// The rank whose ports something passes that leaves `rank`, or comes to it.
    pub(crate) fn port_of(&self, rank: Rank, near: bool) -> Rank {
        match self.nodes {
            Some(nodes) if nodes.shared_adapter && !near => rank / nodes.ranks * nodes.ranks,
            _ => rank,
        }
    }

    /// The processor's work at the origin of something.
    pub(crate) fn overhead(&self, from: Rank, to: Rank) -> Time {
        self.near(from, to)
            .map_or(Time::of(self.overhead), |nodes| Time::of(nodes.overhead))
    }

    /// The processor's work at its target.
    pub(crate) fn receive_overhead(&self, from: Rank, to: Rank) -> Time {
        self.near(from, to)
            .map_or(Time::of(self.receive_overhead), |nodes| Time::of(nodes.overhead))
    }

    fn near(&self, from: Rank, to: Rank) -> Option<&Nodes> {
        self.nodes
            .as_ref()
            .filter(|nodes| from / nodes.ranks == to / nodes.ranks)
    }

    /// The way between two ranks, and whether it is within a node.
    pub(crate) fn way(&self, from: Rank, to: Rank) -> (&Link, bool) {
        self.near(from, to)
            .map_or((&self.link, false), |nodes| (&nodes.link, true))
    }

    /// Whether the parameters make sense.
    ///
    /// # Errors
    /// The first that does not, by name.
    pub fn validate(&self) -> Result<(), Error> {
        let nanosecond = Duration::from_nanos(1);
        let paths = match self.routing {
            Routing::Ordered => 1,
            Routing::Adaptive { paths, .. } => paths,
        };
        let rarely = |what: Option<Rarely>| what.is_none_or(|what| what.one_in >= 1);
        let rules = [
            ("poll", "at least 1 ns", self.poll >= nanosecond),
            ("retry", "at least 1 ns", self.retry >= nanosecond),
            (
                "packet",
                "a multiple of 8, at least 64",
                self.packet >= 64 && self.packet.is_multiple_of(8),
            ),
            ("routing.paths", "at least 1", paths >= 1),
            ("delay.one_in", "at least 1", rarely(self.delay)),
            // Otherwise a packet would be lost for ever.
            (
                "loss.one_in",
                "at least 2",
                self.loss.is_none_or(|loss| loss.one_in >= 2),
            ),
            ("receive_descriptors", "at least 1", self.receive_descriptors >= 1),
            ("in_flight", "at least 1", self.in_flight >= 1),
            ("message_credits", "at least 1", self.message_credits >= 1),
            ("message_bytes", "at least 1,024", self.message_bytes >= 1024),
            ("immediate_bits", "at most 32", self.immediate_bits <= 32),
            (
                "nodes.ranks",
                "at least 1",
                self.nodes.is_none_or(|nodes| nodes.ranks >= 1),
            ),
        ];
        match rules.iter().find(|(_, _, holds)| !holds) {
            Some((parameter, rule, _)) => Err(Error::Parameter { parameter, rule }),
            None => Ok(()),
        }
    }
}
