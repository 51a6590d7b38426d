//! What members of one collective call hand in: the call itself, arguments that are the same at all, and memory that is
//! written for each of them.
//!
//! Source: OpenSHMEM 1.5 §9.9: before any member calls, the destination of each is ready, so that it may be written from
//! then on, as soon as a member that writes has entered; and until its owner returns.

use super::Threads;
use crate::finding::Site;
use crate::record::Moved;
use farside_clocks::{Component, VectorClock};
use farside_events::{Buffer, CommId, Exchange, Rank, StackId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::sync::Arc;

/// All calls in progress.
#[derive(Debug, Default)]
pub(crate) struct Exchanges {
    running: HashMap<(CommId, u64), Running>,
    /// By what calls the destinations were written of those who called from these places.
    written: HashMap<Site, (CommId, Option<Rank>)>,
    /// Sets whose members do not make the same calls: no more is told of them, for nothing fits any more.
    unlike: HashSet<CommId>,
}

#[derive(Debug)]
struct Running {
    /// The member that came first.
    first: Caller,
    arguments: Vec<(Box<str>, u64, Caller)>,
    members: HashMap<Rank, Member>,
    left: usize,
}

/// A member of a call: what it calls, and where.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    name: Arc<str>,
    site: Site,
}

impl Caller {
    /// A call of this name.
    pub(crate) fn new(name: &str, site: Site) -> Self {
        Self {
            name: Arc::from(name),
            site,
        }
    }

    /// The name of the call.
    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Its place.
    pub(crate) fn site(&self) -> Site {
        self.site
    }
}

#[derive(Debug)]
struct Member {
    exchange: Exchange,
    caller: Caller,
    by: Moved,
    mark: u64,
    clock: VectorClock,
}

/// Two members that differ.
#[derive(Debug)]
pub(crate) struct Unlike {
    /// In an argument, with its two values; else in the call.
    pub(crate) argument: Option<(Box<str>, [u64; 2])>,
    /// Both.
    pub(crate) members: [Caller; 2],
}

/// A member that writes the destinations of others.
#[derive(Debug)]
pub(crate) struct Writer {
    /// Its call.
    pub(crate) caller: Caller,
    /// The thread that made it, and when.
    pub(crate) by: Moved,
    /// The place of the call in the sequence.
    pub(crate) mark: u64,
    /// What it knew when it entered.
    pub(crate) clock: VectorClock,
}

/// What a member has received when it returns.
#[derive(Debug)]
pub(crate) struct Received {
    /// The call, by the set that makes it and who writes.
    pub(crate) by: (CommId, Option<Rank>),
    /// Its destination.
    pub(crate) destination: Buffer,
    /// The name of the call.
    pub(crate) name: Box<str>,
    /// Its return address, and the functions around it.
    pub(crate) place: (u64, StackId),
    /// The others who write there.
    pub(crate) writers: Vec<Writer>,
}

impl Exchanges {
    /// A member enters a call; gives two members that make different calls.
    pub(crate) fn enter(&mut self, place: (CommId, u64), caller: Caller) -> Option<Unlike> {
        let running = self.running.entry(place).or_insert_with(|| Running {
            first: caller.clone(),
            arguments: Vec::new(),
            members: HashMap::default(),
            left: 0,
        });
        if running.first.name == caller.name {
            return None;
        }
        let members = [running.first.clone(), caller];
        self.unlike.insert(place.0).then_some(Unlike {
            argument: None,
            members,
        })
    }

    /// A member gives an argument; gives two members that give different ones.
    pub(crate) fn agree(
        &mut self,
        place: (CommId, u64),
        caller: Caller,
        argument: &str,
        value: u64,
    ) -> Option<Unlike> {
        let running = self.running.get_mut(&place)?;
        let Some((_, first, of)) = running.arguments.iter().find(|(name, ..)| **name == *argument) else {
            running.arguments.push((argument.into(), value, caller));
            return None;
        };
        if *first == value {
            return None;
        }
        let unlike = Unlike {
            argument: Some((argument.into(), [*first, value])),
            members: [of.clone(), caller],
        };
        self.unlike.insert(place.0).then_some(unlike)
    }

    /// A member hands memory in.
    pub(crate) fn hand_in(
        &mut self,
        threads: &Threads,
        component: Component,
        exchange: &Exchange,
        caller: Caller,
        mark: u64,
    ) {
        let Some(running) = self.running.get_mut(&(exchange.comm, exchange.sequence)) else {
            return;
        };
        let member = Member {
            exchange: exchange.clone(),
            caller,
            by: threads.moved(component),
            mark,
            clock: threads.clock(component).clone(),
        };
        running.members.insert(threads.rank(component), member);
    }

    /// Whether what was written from this place was so by an earlier call of the same members, by the same writers:
    /// these make such calls one after the other.
    pub(crate) fn is_of(&self, place: Site, by: (CommId, Option<Rank>)) -> bool {
        self.written.get(&place) == Some(&by)
    }

    /// A destination was written for who called from this place.
    pub(crate) fn wrote(&mut self, place: Site, by: (CommId, Option<Rank>)) {
        self.written.insert(place, by);
    }

    /// One of so many members returns; gives what it has received.
    pub(crate) fn leave(
        &mut self,
        place: (CommId, u64),
        rank: Rank,
        members: Option<usize>,
    ) -> Option<Received> {
        let running = self.running.get_mut(&place)?;
        running.left += 1;
        let received = running.received(rank);
        if members.is_some_and(|members| running.left >= members) {
            self.running.remove(&place);
        }
        received
    }
}

impl Running {
    fn received(&self, rank: Rank) -> Option<Received> {
        let own = self.members.get(&rank)?;
        let mut destination = own.exchange.destination?;
        if own.exchange.collects {
            let all = self.members.values();
            destination.count = all.map(|member| member.exchange.contributes).sum();
        }
        let writer = own.exchange.writer;
        let others = self.members.iter().filter(|(other, _)| **other != rank);
        let writes = |(other, _): &(&Rank, &Member)| writer.is_none_or(|writer| writer == **other);
        let mut writers: Vec<Writer> = others
            .filter(writes)
            .map(|(_, member)| Writer {
                caller: member.caller.clone(),
                by: member.by,
                mark: member.mark,
                clock: member.clock.clone(),
            })
            .collect();
        writers.sort_by_key(|writer| writer.mark);
        Some(Received {
            by: (own.exchange.comm, writer),
            destination,
            name: own.exchange.name.clone(),
            place: own.exchange.place,
            writers,
        })
    }
}
