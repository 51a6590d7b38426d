//! The virtual network and its ranks: one value that only the running rank, or the scheduler, touches.
//!
//! Files: `agenda` (what is to happen), `wire` (from port to port), `target` (what has an effect there), `completion`
//! (what the origin learns), `faults` (ranks that are lost), and the things they work on.

mod agenda;
mod completion;
mod faults;
mod memory;
mod operation;
mod process;
mod slab;
mod target;
mod wire;

use crate::choices::{Choice, Choices};
use crate::network::Network;
use crate::outcome::{Counters, Waiting};
use crate::time::Time;
use crate::trace::{Activity, Event, Trace, Travel};
use agenda::{Agenda, Happening};
use farside_fabric::{Error, Exposed, Rank, Region, Result};
use memory::Memory;
pub(crate) use memory::decode;
use operation::Packet;
pub(crate) use operation::{Kind, Operation};
pub(crate) use process::Call;
use process::{Completion, Process, State};
pub(crate) use slab::Key;
use slab::Slab;
use std::collections::{BTreeMap, HashMap};
use target::Stall;
use wire::Channel;

/// What the scheduler is to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Let a rank run.
    Run(Rank),
    /// End a rank.
    Stop(Rank),
    /// All ranks have ended.
    Done,
    /// Nothing will ever happen.
    Deadlock,
    /// Virtual time is over.
    TimeLimit,
}

/// Everything.
pub(crate) struct World {
    pub(crate) network: Network,
    choices: Box<dyn Choices>,
    agenda: Agenda,
    now: Time,
    limit: Time,
    processes: Vec<Process>,
    /// Ranks that have neither ended nor died.
    alive: u32,
    regions: BTreeMap<u64, Memory>,
    exposed: u64,
    operations: Slab<Operation>,
    packets: Slab<Packet>,
    channels: HashMap<(Rank, Rank), Channel>,
    /// By target and source.
    stalls: BTreeMap<(Rank, Rank), Stall>,
    /// The first rank of which all know that it is lost.
    lost: Option<Rank>,
    /// Number of ranks in `finish`, and when they may leave.
    finishing: u32,
    finished: Option<Time>,
    /// Somebody loads and stores memory of a neighbour.
    sharing: bool,
    /// No rank may run any more.
    pub(crate) stopping: bool,
    /// When the last rank returned.
    ended: Time,
    trace: Trace,
    /// How many events the trace has room for.
    room: usize,
}

impl World {
    pub(crate) fn new(
        network: Network,
        ranks: u32,
        choices: Box<dyn Choices>,
        limit: Time,
        room: usize,
        kills: &[(Rank, Time)],
    ) -> Self {
        let mut agenda = Agenda::default();
        for rank in 0..ranks {
            agenda.push(Time::ZERO, Happening::Resume { rank, turn: 0 });
        }
        for &(rank, time) in kills {
            agenda.push(time, Happening::Kill(rank));
        }
        let descriptors = network.receive_descriptors;
        Self {
            network,
            choices,
            agenda,
            now: Time::ZERO,
            limit,
            processes: (0..ranks).map(|_| Process::new(descriptors)).collect(),
            alive: ranks,
            regions: BTreeMap::new(),
            exposed: 0,
            operations: Slab::new(),
            packets: Slab::new(),
            channels: HashMap::new(),
            stalls: BTreeMap::new(),
            lost: None,
            finishing: 0,
            finished: None,
            sharing: false,
            stopping: false,
            ended: Time::ZERO,
            trace: Trace::default(),
            room,
        }
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    pub(crate) fn ranks(&self) -> u32 {
        self.processes.len() as u32
    }

    fn process(&mut self, rank: Rank) -> &mut Process {
        &mut self.processes[rank as usize]
    }

    /// Lets time pass until a rank has to run, or to stop.
    pub(crate) fn step(&mut self) -> Step {
        loop {
            if self.alive == 0 {
                return Step::Done;
            }
            let Some((time, happening)) = self.agenda.pop() else {
                return Step::Deadlock;
            };
            if let Happening::Resume { rank, turn } = happening {
                // What is void does not move time.
                if self.process(rank).turn != turn {
                    continue;
                }
            }
            if time > self.limit {
                return Step::TimeLimit;
            }
            self.now = time;
            match happening {
                Happening::Resume { rank, .. } => {
                    let process = self.process(rank);
                    process.turn += 1;
                    process.state = State::Busy;
                    return Step::Run(rank);
                }
                Happening::Read(operation) => self.read(operation),
                Happening::WasRead { operation, packet } => self.was_read(operation, packet),
                Happening::Depart(packet) => self.depart(packet),
                Happening::Arrive(packet) => self.arrive(packet),
                Happening::Deliver(packet) => self.deliver(packet),
                Happening::Execute(packet) => self.execute(packet),
                Happening::Retry { target, source } => self.try_again(target, source),
                Happening::Acknowledge(operation) => self.complete_remotely(operation),
                Happening::Credit { source, target } => self.credit(source, target),
                Happening::Kill(rank) => {
                    if self.kill(rank) {
                        return Step::Stop(rank);
                    }
                }
                Happening::Detect(rank) => self.detect(rank),
            }
        }
    }

    /// Lets a time pass for a running rank. `true`: others come first, and the rank has to give way.
    pub(crate) fn sleep(&mut self, rank: Rank, time: Time) -> bool {
        let until = self.now + time;
        if until <= self.limit && self.agenda.next().is_none_or(|next| next > until) {
            self.now = until;
            return false;
        }
        let turn = self.process(rank).turn;
        self.agenda.push(until, Happening::Resume { rank, turn });
        true
    }

    /// A running rank waits for something to arrive, at most until then.
    pub(crate) fn block(&mut self, rank: Rank, call: Call, until: Option<Time>) {
        let process = self.process(rank);
        process.state = State::Blocked(call);
        let turn = process.turn;
        if let Some(until) = until {
            self.agenda.push(until, Happening::Resume { rank, turn });
        }
    }

    /// Something has changed for a rank: if it waits, it looks again.
    fn wake(&mut self, rank: Rank) {
        let now = self.now;
        let process = self.process(rank);
        process.arrivals += 1;
        if process.is_blocked() {
            process.state = State::Busy;
            let turn = process.turn;
            self.agenda.push(now, Happening::Resume { rank, turn });
        }
    }

    /// A rank calls: what it stored into memory of its neighbours before, they may see now.
    pub(crate) fn touch(&mut self, rank: Rank) {
        let Some(nodes) = self.network.nodes.filter(|_| self.sharing) else {
            return;
        };
        if self.process(rank).asking > 0 {
            return;
        }
        let first = rank / nodes.ranks * nodes.ranks;
        for neighbour in first..first.saturating_add(nodes.ranks).min(self.ranks()) {
            if neighbour != rank && self.process(neighbour).is_blocked() {
                self.wake(neighbour);
            }
        }
    }

    /// A rank has returned.
    pub(crate) fn end(&mut self, rank: Rank) {
        self.touch(rank);
        if !self.process(rank).is_dead() {
            self.process(rank).state = State::Ended;
            self.alive -= 1;
            self.ended = self.now;
        }
    }

    /// Whether a rank was killed.
    pub(crate) fn is_dead(&self, rank: Rank) -> bool {
        self.processes[rank as usize].is_dead()
    }

    /// The first rank of which all know that it is lost.
    pub(crate) fn lost(&self) -> Option<Rank> {
        self.lost
    }

    /// A number that goes up whenever something arrives at a rank.
    pub(crate) fn arrivals(&self, rank: Rank) -> u64 {
        self.processes[rank as usize].arrivals
    }

    /// A rank enters a `ready` function, or leaves it.
    pub(crate) fn asking(&mut self, rank: Rank, enters: bool) {
        let asking = &mut self.process(rank).asking;
        *asking = if enters {
            *asking + 1
        } else {
            asking.saturating_sub(1)
        };
    }

    /// A rank is in `finish`; how long it stays at least is known when all are.
    pub(crate) fn arrive_at_end(&mut self) {
        self.finishing += 1;
        if self.finishing == self.ranks() {
            let network = &self.network;
            let round = Time::of(network.overhead)
                + Time::of(network.link.latency)
                + Time::of(network.receive_overhead);
            let rounds = self.ranks().next_power_of_two().trailing_zeros();
            self.finished = Some(self.now + round.times(rounds.into()));
            (0..self.ranks()).for_each(|rank| self.wake(rank));
        }
    }

    /// When all may leave `finish`.
    pub(crate) fn finished(&self) -> Option<Time> {
        self.finished
    }

    /// Exposes new memory.
    pub(crate) fn expose(&mut self, owner: Rank, bytes: usize) -> Result<Exposed> {
        let memory = Memory::new(owner, bytes)?;
        self.exposed += 1;
        let region = self.exposed;
        let exposed = Exposed {
            region: Region(region),
            base: memory.base,
            bytes,
            descriptor: memory::descriptor(region, owner, bytes)?,
        };
        self.regions.insert(region, memory);
        Ok(exposed)
    }

    /// Owner, address and length of a region.
    pub(crate) fn region(&self, region: u64) -> Option<(Rank, std::ptr::NonNull<u8>, usize)> {
        let memory = self.regions.get(&region)?;
        Some((memory.owner, memory.base, memory.bytes))
    }

    /// How many counted puts are visible in an own region.
    pub(crate) fn counted(&self, owner: Rank, region: Region) -> Result<u64> {
        match self.regions.get(&region.0) {
            Some(memory) if memory.owner == owner => Ok(memory.arrivals),
            _ => Err(Error::Stale("the region")),
        }
    }

    /// Frees memory.
    pub(crate) fn withdraw(&mut self, owner: Rank, region: Region) -> Result<()> {
        self.counted(owner, region)?;
        self.regions.remove(&region.0);
        Ok(())
    }

    /// Somebody has the address of a neighbour's memory.
    pub(crate) fn share(&mut self) {
        self.sharing = true;
    }

    pub(crate) fn open_scope(&mut self, rank: Rank) -> Result<u32> {
        let process = self.process(rank);
        let scope = process.opened;
        process.opened = scope.checked_add(1).ok_or_else(|| Error::System {
            call: "open_scope",
            detail: "all numbers of scopes are used".to_owned(),
        })?;
        process.scopes.insert(scope, Completion::default());
        Ok(scope)
    }

    pub(crate) fn close_scope(&mut self, rank: Rank, scope: u32) -> Result<()> {
        let pending = self.scope(rank, scope)?.remote.number(None);
        if pending > 0 {
            return Err(Error::System {
                call: "close_scope",
                detail: format!("{pending} operations are pending"),
            });
        }
        self.process(rank).scopes.remove(&scope);
        Ok(())
    }

    pub(crate) fn scope(&self, rank: Rank, scope: u32) -> Result<&Completion> {
        let scopes = &self.processes[rank as usize].scopes;
        scopes.get(&scope).ok_or(Error::Stale("the scope"))
    }

    /// Chooses among several; 0 if there is one only.
    fn choose(&mut self, choice: Choice, alternatives: u32) -> u32 {
        if alternatives < 2 {
            return 0;
        }
        self.choices.choose(choice, alternatives).min(alternatives - 1)
    }

    /// What a rank did until now.
    pub(crate) fn bar(&mut self, rank: Rank, activity: Activity, began: Time) {
        let ended = self.now;
        if ended > began {
            self.trace.push(self.room, || Event::Bar {
                rank,
                activity,
                began: began.duration(),
                ended: ended.duration(),
            });
        }
    }

    /// What arrives now.
    fn arrow(&mut self, travel: Travel, from: Rank, to: Rank, bytes: usize, left: Time) {
        let arrived = self.now;
        self.trace.push(self.room, || Event::Arrow {
            travel,
            from,
            to,
            bytes,
            left: left.duration(),
            arrived: arrived.duration(),
        });
    }

    /// Who waits for what.
    pub(crate) fn waiting(&self) -> Vec<Waiting> {
        let blocked = self.processes.iter().zip(0..).filter_map(|(process, rank)| {
            let State::Blocked(call) = process.state else {
                return None;
            };
            Some(Waiting {
                rank,
                call: format!("{}{}", call.name(), self.lacks(rank, process, call)),
            })
        });
        blocked.collect()
    }

    fn lacks(&self, rank: Rank, process: &Process, call: Call) -> String {
        let towards =
            |target: Option<Rank>| target.map_or(String::new(), |target| format!(" to rank {target}"));
        match call {
            Call::Wait => format!(
                ": {} messages and {} notifications not taken, {} operations under way{}",
                process.messages.len(),
                process.notifications.len(),
                process
                    .scopes
                    .values()
                    .map(|scope| scope.remote.number(None))
                    .sum::<u64>(),
                self.not_ready(rank),
            ),
            Call::Flush { scope, target, local } => {
                let pending = process.scopes.get(&scope).map_or(0, |scope| {
                    if local { &scope.local } else { &scope.remote }.number(target)
                });
                format!(
                    ": {pending} operations of scope {scope}{} not complete{}",
                    towards(target),
                    self.not_ready(rank)
                )
            }
            Call::Send { target } => format!(": rank {target} has no room"),
            Call::Finish => {
                let others: Vec<Rank> = self
                    .processes
                    .iter()
                    .zip(0..)
                    .filter(|(process, _)| !matches!(process.state, State::Blocked(Call::Finish)))
                    .map(|(_, rank)| rank)
                    .take(8)
                    .collect();
                format!(": not there, among others: {others:?}")
            }
        }
    }

    /// What of a source is held up by receivers that are not ready.
    fn not_ready(&self, source: Rank) -> String {
        let held = self.stalls.iter().filter(|((_, from), _)| *from == source);
        let texts: Vec<String> = held
            .map(|((target, _), stall)| format!("{} for rank {target}", stall.number()))
            .collect();
        if texts.is_empty() {
            return String::new();
        }
        format!(", no receive descriptor left for {}", texts.join(", "))
    }

    /// Ends: duration, counters, trace.
    pub(crate) fn into_report(self) -> (Time, Vec<Counters>, Trace) {
        let counters = self.processes.iter().map(|process| process.counters).collect();
        (self.ended, counters, self.trace)
    }

    /// What a rank has sent so far.
    pub(crate) fn counters(&self, rank: Rank) -> Counters {
        self.processes[rank as usize].counters
    }
}
