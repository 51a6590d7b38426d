//! The state of an endpoint, under one lock: what runs, what has come, and what completes it.
//!
//! Nothing here waits. A call that finds queues full says so, and its caller tries again after progress.

mod atomic;
mod completion;
mod held;
mod message;
mod piece;
mod region;
mod scope;
mod serve;
mod slots;
mod taken;
mod transfer;
mod visit;

use crate::ffi::Address;
use crate::port::Port;
use crate::wire::{Header, Kind, Mark};
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Message, Notification, Rank, Result, Ticket};
use message::Peer;
use region::{Connection, Own};
use slots::{Context, Contexts, Handle, Operations};
use std::collections::{BTreeMap, VecDeque};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) use piece::Part;
pub(crate) use scope::Which;

/// Most notifications that wait to be taken.
pub(crate) const NOTIFICATIONS: usize = 1 << 16;

/// Buffers for messages that are offered to libfabric.
const BUFFERS: usize = 128;

/// How long an error at a peer may stay without the launcher's word, until the peer is taken for lost.
const DOUBT: Duration = Duration::from_secs(2);

/// How often the launcher is asked for lost ranks.
const ASK: Duration = Duration::from_millis(2);

/// See the module.
pub(crate) struct Engine {
    // First, for it is dropped first: then libfabric is done with all that follows.
    pub(crate) port: Port,
    contexts: Contexts,
    operations: Operations,
    scopes: BTreeMap<u32, scope::State>,
    next_scope: u32,
    regions: BTreeMap<u64, Own>,
    next_region: u64,
    connections: Vec<Option<Connection>>,
    free_connections: Vec<usize>,
    rank: Rank,
    peers: Vec<Peer>,
    inbox: VecDeque<(Message, bool)>,
    /// Entries of `inbox` from here on were not credited to their sources.
    credited: usize,
    notifications: VecDeque<Notification>,
    overflow: bool,
    /// Messages that wait for room in the queues, and the operations that end with them.
    backlog: VecDeque<(Rank, Vec<u8>, Option<Handle>)>,
    /// Contexts with a buffer that could not be offered yet.
    reposts: Vec<NonNull<Context>>,
    /// Ranks for which puts or messages are held back.
    holding: Vec<Rank>,
    /// Ranks that wait to be told which puts were taken.
    owing: Vec<Rank>,
    /// Messages under way.
    sending: usize,
    bootstrap: Arc<dyn Bootstrap>,
    asked: Instant,
    /// What failed at a peer, or at one that libfabric does not name, and since when.
    doubt: Option<(Option<Rank>, Instant, String)>,
    lost: Option<Rank>,
    broken: Option<Error>,
}

// SAFETY: the pointers in it are contexts of its own.
unsafe impl Send for Engine {}

impl Engine {
    /// Over an open port, with the addresses of all ranks.
    pub(crate) fn new(port: Port, bootstrap: Arc<dyn Bootstrap>, addresses: &[Address]) -> Result<Self> {
        let mut engine = Self {
            port,
            contexts: Contexts::default(),
            operations: Operations::default(),
            scopes: BTreeMap::new(),
            next_scope: 1,
            regions: BTreeMap::new(),
            next_region: 1,
            connections: Vec::new(),
            free_connections: Vec::new(),
            rank: bootstrap.rank(),
            peers: addresses.iter().map(|address| Peer::new(*address)).collect(),
            inbox: VecDeque::new(),
            credited: 0,
            notifications: VecDeque::new(),
            overflow: false,
            backlog: VecDeque::new(),
            reposts: Vec::new(),
            holding: Vec::new(),
            owing: Vec::new(),
            sending: 0,
            bootstrap,
            asked: Instant::now(),
            doubt: None,
            lost: None,
            broken: None,
        };
        let buffers = BUFFERS.min(engine.port.facts.receives.max(1));
        for _ in 0..buffers {
            engine.offer_new_buffer();
        }
        if let Some(error) = engine.broken.take() {
            return Err(error);
        }
        Ok(engine)
    }

    /// An error if nothing can be started any more.
    pub(crate) fn usable(&self) -> Result<()> {
        if let Some(rank) = self.lost {
            return Err(Error::PeerLost { rank });
        }
        match &self.broken {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// Ends all operations that run, without completing them; libfabric touches no buffer any more.
    pub(crate) fn shut(&mut self) {
        if self.lost.is_some() || self.doubt.is_some() || self.broken.is_some() {
            self.port.leave();
        } else {
            self.port.shut();
        }
    }

    /// A rank that is lost.
    pub(crate) fn lost(&self) -> Option<Rank> {
        self.lost
    }

    /// Asks the launcher now and then, and decides about doubts.
    pub(crate) fn look_for_losses(&mut self) {
        let now = Instant::now();
        if self.lost.is_some() || now.duration_since(self.asked) < ASK {
            return;
        }
        self.asked = now;
        self.lost = self.bootstrap.lost();
        if let (None, Some((rank, since, detail))) = (self.lost, &self.doubt)
            && now.duration_since(*since) > DOUBT
        {
            match rank {
                Some(rank) => self.lost = Some(*rank),
                None => {
                    let detail = format!("a connection ended, and nobody says whose: {detail}");
                    self.break_with("libfabric", &detail);
                }
            }
        }
        if self.lost.is_some() {
            self.port.leave();
        }
    }

    /// A put with a signal is visible here.
    fn marked(&mut self, mark: Mark) {
        match mark {
            Mark::Immediate { source, number } => {
                if self.notifications.len() >= NOTIFICATIONS {
                    self.overflow = true;
                    return;
                }
                self.notifications.push_back(Notification {
                    source,
                    immediate: number,
                });
            }
            Mark::Count { region } => {
                if let Some(own) = self.regions.get_mut(&u64::from(region)) {
                    own.arrivals = own.arrivals.wrapping_add(1);
                }
            }
        }
    }

    /// The next notification.
    pub(crate) fn notification(&mut self) -> Result<Option<Notification>> {
        if self.notifications.is_empty() {
            self.progress();
        }
        self.take_notification()
    }

    /// The next notification that has come already.
    pub(crate) fn take_notification(&mut self) -> Result<Option<Notification>> {
        if std::mem::take(&mut self.overflow) {
            return Err(Error::Overflow("notifications"));
        }
        if self.notifications.is_empty()
            && let Some(error) = &self.broken
        {
            return Err(error.clone());
        }
        Ok(self.notifications.pop_front())
    }

    /// Whether an operation has completed.
    pub(crate) fn test(&mut self, ticket: Ticket) -> Result<bool> {
        let handle = Handle(ticket.number());
        let runs = |engine: &mut Self| {
            engine
                .operations
                .get(handle)
                .is_some_and(|operation| operation.holds_buffers)
        };
        if ticket == Ticket::DONE || !runs(self) {
            return Ok(true);
        }
        self.progress();
        if !runs(self) {
            return Ok(true);
        }
        self.look_for_losses();
        let usable = self.usable();
        if usable.is_err() {
            self.shut();
        }
        usable.map(|()| false)
    }

    /// One piece less of an operation; with the last it is complete, but for a signal that a message brings.
    fn piece_done(&mut self, handle: Handle) {
        let Some(operation) = self.operations.get(handle) else {
            return;
        };
        operation.pieces -= 1;
        if operation.pieces > 0 {
            return;
        }
        if let Some(mark) = operation.mark.take() {
            operation.pieces = 1;
            let target = operation.target;
            let mut header = Header::new(Kind::Notice, self.rank);
            header.first = mark.pack(8);
            self.backlog
                .push_back((target, header.message(&[]), Some(handle)));
            return;
        }
        if let Some(operation) = self.operations.remove(handle)
            && let Some(scope) = self.scopes.get_mut(&operation.scope.0)
        {
            scope.completed(operation.target, operation.holds_buffers);
        }
    }

    /// Whether nothing of this rank is under way.
    pub(crate) fn is_quiet(&self) -> bool {
        self.sending == 0
            && self.backlog.is_empty()
            && self.owing.is_empty()
            && self.holding.is_empty()
            && self.scopes.values().all(scope::State::is_quiet)
            && self.peers.iter().all(|peer| peer.traffic.is_settled())
    }
}
