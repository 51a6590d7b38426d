//! The virtual network and its ranks: one value that only the running rank, or the scheduler, touches.
//!
//! Files: `agenda` (what is to happen), `start` (who gets a port), `wire` (from port to port), `target` (what has an
//! effect there), `completion` (what the origin learns), `faults` (ranks that are lost), `regions`, `report`, and the
//! things they work on.

mod agenda;
mod completion;
mod faults;
mod memory;
mod operation;
mod process;
mod regions;
mod report;
mod slab;
mod start;
mod target;
mod wire;

use crate::choices::{Choice, Choices};
use crate::network::Network;
use crate::time::Time;
use crate::trace::Trace;
use agenda::{Agenda, Happening};
use farside_fabric::Rank;
pub(crate) use memory::{Memory, decode};
use operation::Packet;
pub(crate) use operation::{Kind, Operation};
pub(crate) use process::Call;
use process::{Process, State};
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
    /// Of packets on their way, and of operations and messages on theirs to the adapter.
    channels: HashMap<(Rank, Rank), Channel>,
    entries: HashMap<(Rank, Rank), Channel>,
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
            entries: HashMap::new(),
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
                Happening::Enter(operation) => self.enter(operation),
                Happening::EnterMessage(packet) => self.enter_message(packet),
                Happening::Port { rank, near } => self.serve(rank, near),
                Happening::WasRead { operation, packet } => {
                    if self.was_read(operation, packet) {
                        self.read(operation);
                    }
                }
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
            let alarm = self.agenda.push_alarm(until, Happening::Resume { rank, turn });
            self.process(rank).alarm = Some(alarm);
        }
    }

    /// Something has changed for a rank: if it waits, it looks again.
    fn wake(&mut self, rank: Rank) {
        let now = self.now;
        let process = self.process(rank);
        process.arrivals += 1;
        if process.is_blocked() {
            process.state = State::Busy;
            let (turn, alarm) = (process.turn, process.alarm.take());
            self.agenda.push(now, Happening::Resume { rank, turn });
            if let Some(alarm) = alarm {
                self.agenda.call_off(alarm);
            }
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

    /// Chooses among several; 0 if there is one only.
    fn choose(&mut self, choice: Choice, alternatives: u32) -> u32 {
        if alternatives < 2 {
            return 0;
        }
        self.choices.choose(choice, alternatives).min(alternatives - 1)
    }
}
