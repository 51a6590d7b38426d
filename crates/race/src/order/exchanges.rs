//! What members of one collective call hand in: the call itself, arguments that are the same at all, and memory that is
//! written for each of them.
//!
//! Source: OpenSHMEM 1.5 §9.9: before any member calls, the destination of each is ready, so that it may be written as
//! soon as a member that writes has entered; and until its owner returns.

use super::Threads;
use crate::finding::{Name, Site};
use crate::record::{HeldLocks, Moved, Record};
use farside_clocks::{Component, VectorClock};
use farside_conflicts::{Access, Effect, Role};
use farside_events::{AccessKind, AccessRun, AccessSource, Buffer, ChannelId, CommId, Exchange, Rank};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::ops::Range;
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
    /// The member that came first, and whether its call waits for the others.
    first: (Caller, bool),
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

    /// Whether both make the same call: on the team of all, `shmem_sync_all` is `shmem_team_sync` (OpenSHMEM 1.5
    /// §9.9.3).
    fn makes_the_same(&self, other: &Self) -> bool {
        const SYNCS: [&str; 2] = ["shmem_sync_all", "shmem_team_sync"];
        self.name == other.name || [self, other].iter().all(|caller| SYNCS.contains(&&*caller.name))
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
    argument: Option<(Box<str>, [u64; 2])>,
    members: [Caller; 2],
}

impl Unlike {
    /// The argument in which they differ, and its two values; else they make different calls.
    pub(crate) fn argument(&self) -> Option<(&str, [u64; 2])> {
        self.argument.as_ref().map(|(name, values)| (&**name, *values))
    }

    /// Both.
    pub(crate) fn members(&self) -> &[Caller; 2] {
        &self.members
    }
}

/// A member that writes the destinations of others.
#[derive(Debug)]
pub(crate) struct Writer {
    caller: Caller,
    by: Moved,
    mark: u64,
    clock: VectorClock,
}

impl Writer {
    /// What it does there, as a record of when it entered; and what it knew then.
    pub(crate) fn write(&self) -> (Record, &VectorClock) {
        let access = Access {
            rank: self.caller.site.rank,
            channel: ChannelId::DEFAULT,
            role: Role::Target,
            effect: Effect::Write,
        };
        let name = Name::Text(Arc::clone(&self.caller.name));
        let none = HeldLocks::default();
        let record = Record::local(access, name, self.caller.site, self.by, none, 1, self.mark);
        (record, &self.clock)
    }
}

/// What a member has received when it returns.
#[derive(Debug)]
pub(crate) struct Received {
    by: (CommId, Option<Rank>),
    destination: Buffer,
    name: Box<str>,
    place: Site,
    writers: Vec<Writer>,
}

impl Received {
    /// The call, by the set that makes it and who writes.
    pub(crate) fn by(&self) -> (CommId, Option<Rank>) {
        self.by
    }

    /// Its destination.
    pub(crate) fn destination(&self) -> Buffer {
        self.destination
    }

    /// The place of the call, as that of an access.
    pub(crate) fn place(&self) -> Site {
        self.place
    }

    /// The others who write there.
    pub(crate) fn writers(&self) -> &[Writer] {
        &self.writers
    }

    /// The store of the member itself to some of the bytes.
    pub(crate) fn store(&self, range: &Range<u64>) -> AccessRun {
        AccessRun {
            kind: AccessKind::Store,
            source: AccessSource::Library(self.name.clone()),
            base: range.start,
            size: range.end - range.start,
            inner_count: 1,
            inner_stride: 0,
            outer_count: 1,
            outer_stride: 0,
            repeats: 1,
            pc: self.place.pc.unwrap_or(0),
            stack: self.place.stack,
        }
    }
}

impl Exchanges {
    /// A member enters a call, which waits for the others or not; gives two members that make different calls. A call
    /// that does not wait may overlap one of another kind, whose place in the row is its own then (GASPI 17.1 §11).
    pub(crate) fn enter(&mut self, place: (CommId, u64), caller: Caller, waits: bool) -> Option<Unlike> {
        let running = self.running.entry(place).or_insert_with(|| Running {
            first: (caller.clone(), waits),
            arguments: Vec::new(),
            members: HashMap::default(),
            left: 0,
        });
        let (first, first_waits) = &running.first;
        if first.makes_the_same(&caller) {
            return None;
        }
        let both_wait = *first_waits && waits;
        let members = [first.clone(), caller];
        let is_new = self.unlike.insert(place.0);
        (is_new && both_wait).then_some(Unlike {
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
        if running.first.0.name != caller.name {
            return None;
        }
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
            place: Site {
                rank,
                pc: Some(own.exchange.place.0),
                stack: own.exchange.place.1,
            },
            writers,
        })
    }
}
