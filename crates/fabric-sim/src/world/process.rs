//! A rank, as the virtual network sees it.

use super::agenda::Alarm;
use super::slab::Key;
use crate::outcome::Counters;
use crate::time::Time;
use farside_fabric::{Message, Notification, Rank};
use std::collections::{BTreeMap, VecDeque};

/// In which call a rank waits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Wait,
    Flush {
        scope: u32,
        target: Option<Rank>,
        local: bool,
    },
    /// A put, a get or an atomic operation, of which too many are under way.
    Start,
    Send {
        target: Rank,
    },
    Finish,
}

impl Call {
    /// The method.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Flush { local: true, .. } => "flush_local",
            Self::Flush { local: false, .. } => "flush",
            Self::Start => "put, get or fetch",
            Self::Send { .. } => "send",
            Self::Finish => "finish",
        }
    }
}

/// What a rank does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    /// It runs, or goes on at a time that is on the agenda.
    Busy,
    /// It waits for something to arrive.
    Blocked(Call),
    /// It has returned.
    Ended,
    /// It was killed.
    Dead,
}

/// What leaves by a port.
#[derive(Clone, Copy)]
pub(crate) enum Outgoing {
    /// An operation, or the answer of a get, which is read part by part.
    Operation(Key),
    /// A packet that is ready.
    Packet(Key),
}

/// The ports of an adapter.
#[derive(Default)]
pub(crate) struct Port {
    /// When the injection port is free.
    pub(crate) injection: Time,
    /// What waits for it, and when it is whose turn.
    pub(crate) queue: VecDeque<(Time, Outgoing)>,
    /// When the reception port is free.
    pub(crate) reception: Time,
}

/// A message that arrived.
pub(crate) struct Arrived {
    pub(crate) message: Message,
    /// The source was told that there is room again.
    pub(crate) credited: bool,
}

/// Operations of a scope that are not complete.
#[derive(Default)]
pub(crate) struct Pending {
    all: u64,
    by_target: BTreeMap<Rank, u64>,
}

impl Pending {
    pub(crate) fn add(&mut self, target: Rank) {
        self.all += 1;
        *self.by_target.entry(target).or_default() += 1;
    }

    pub(crate) fn remove(&mut self, target: Rank) {
        self.all = self.all.saturating_sub(1);
        if let Some(number) = self.by_target.get_mut(&target) {
            *number -= 1;
            if *number == 0 {
                self.by_target.remove(&target);
            }
        }
    }

    /// How many to a target, or to all.
    pub(crate) fn number(&self, target: Option<Rank>) -> u64 {
        match target {
            Some(target) => self.by_target.get(&target).copied().unwrap_or(0),
            None => self.all,
        }
    }
}

/// A scope.
#[derive(Default)]
pub(crate) struct Completion {
    /// Not complete locally.
    pub(crate) local: Pending,
    /// Not complete remotely.
    pub(crate) remote: Pending,
    /// A target to which an operation failed.
    pub(crate) failed: Option<Rank>,
}

/// A rank.
pub(crate) struct Process {
    pub(crate) state: State,
    /// Goes up whenever the rank goes on: what was on the agenda for an earlier turn is void.
    pub(crate) turn: u64,
    /// When it waits no longer, if it waits for so long only.
    pub(crate) alarm: Option<Alarm>,
    /// Goes up whenever something arrives that may change what `ready` of a wait says.
    pub(crate) arrivals: u64,
    /// How many `ready` functions it is in.
    pub(crate) asking: u32,
    /// Of the network, and of the node.
    pub(crate) ports: [Port; 2],
    /// Between which ranks the adapter exchanged something last: one of its own, and another.
    pub(crate) peer: Option<(Rank, Rank)>,
    /// What waits for the rank to call, with `Progress::Calls`.
    pub(crate) inbox: VecDeque<Key>,
    /// When the one who executes operations here is free.
    pub(crate) agent: Time,
    pub(crate) messages: VecDeque<Arrived>,
    /// It takes in whatever comes: it waits in `send`.
    pub(crate) takes_in: bool,
    pub(crate) notifications: VecDeque<Notification>,
    /// Receive descriptors that are free.
    pub(crate) descriptors: usize,
    /// Operations that are not complete.
    pub(crate) under_way: u32,
    /// Messages to others that they have not taken in.
    pub(crate) outstanding: BTreeMap<Rank, u32>,
    pub(crate) scopes: BTreeMap<u32, Completion>,
    /// Number of scopes opened.
    pub(crate) opened: u32,
    pub(crate) counters: Counters,
}

impl Process {
    pub(crate) fn new(descriptors: usize) -> Self {
        Self {
            state: State::Busy,
            turn: 0,
            alarm: None,
            arrivals: 0,
            asking: 0,
            ports: [Port::default(), Port::default()],
            peer: None,
            inbox: VecDeque::new(),
            agent: Time::ZERO,
            messages: VecDeque::new(),
            takes_in: false,
            notifications: VecDeque::new(),
            descriptors,
            under_way: 0,
            outstanding: BTreeMap::new(),
            scopes: BTreeMap::new(),
            opened: 0,
            counters: Counters::default(),
        }
    }

    pub(crate) fn is_dead(&self) -> bool {
        matches!(self.state, State::Dead)
    }

    pub(crate) fn is_blocked(&self) -> bool {
        matches!(self.state, State::Blocked(_))
    }
}
