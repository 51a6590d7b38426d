//! The recordings of a job as one stream, in which what is acquired comes after what was released.
//!
//! | what | module |
//! |---|---|
//! | the processes that share a clock, by time | [`host`] |
//! | several hosts: what an event waits for | the crate `farside-causes` |
//! | who comes first where nobody waits for the other | [`offsets`] |
//!
//! Promise: the events of hosts with one clock come by time. Those of different hosts come so that every event follows
//! what it acquires: times of two clocks are never compared for that. Within a host time follows causes, and between
//! hosts what a gate waits for has happened before in reality, so that waiting for a whole host never closes a circle.
//!
//! Where nothing can come any more without an event that is missing (a process that was lost, an erroneous program), a
//! gate is opened all the same: first that of a value, which lay there from the beginning if nobody is left that can
//! have written it; then that of a lock, then any other. The last two are counted ([`Order::forced`]).
//!
//! Limit: as within a host, one process that is silent for long holds back the events of all hosts. Where the order of
//! two updates or two lock epochs shows in no value, it is that of the estimated offsets.
//! [Why](../../../docs/design/hosts.md).

mod host;
mod offsets;

use farside_causes::{Gate, Gates, Moment};
use farside_events::{Event, Rank};
use farside_spool::reader::Stream;
use host::Host;
use offsets::Offsets;

/// How long a value may be missing before it is taken to have lain there, in nanoseconds, besides the doubt about the
/// clocks.
const PATIENCE: i64 = 1_000_000_000;

/// Who goes first of hosts of which none waits for another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The one that is less far, by the estimated offsets of the clocks.
    #[default]
    Estimated,
    /// The host of the rank that stands first here: for tests, which try what no clock would do.
    InOrder(Vec<Rank>),
}

/// Streams being merged.
#[derive(Debug, Default)]
pub(crate) struct Order {
    ties: Ties,
    hosts: Vec<Of>,
    gates: Gates,
    offsets: Offsets,
    causes: Vec<Moment>,
    forced: u64,
}

/// One host.
#[derive(Debug)]
struct Of {
    host: Host,
    /// The time of the first event that was seen of it.
    first: u64,
    /// Its next event had to wait, and nothing has come since that could change it.
    shut: Option<Gate>,
}

/// What a look at all hosts gave.
enum Look {
    /// The host whose event comes next.
    Next(usize),
    /// Every host waits for another, and this one need not any more.
    Stuck(usize),
    /// Some event is not known yet, or there is none.
    Nothing,
}

impl Order {
    /// With a rule for ties.
    pub(crate) fn new(ties: Ties) -> Self {
        Self {
            ties,
            ..Self::default()
        }
    }

    /// Adds a stream whose first event was taken already; gives the number of its host. Call it before the first
    /// [`Self::next`].
    pub(crate) fn add(&mut self, rank: Rank, stream: Stream, first: Event) -> usize {
        let machine = stream.machine();
        let known = self.hosts.iter().position(|of| of.host.shares_clock(machine));
        let index = known.unwrap_or_else(|| {
            let first = first.time;
            let of_first = self.hosts.first().map_or(first, |of| of.first);
            self.offsets.add(first, of_first);
            self.hosts.push(Of {
                host: Host::default(),
                first,
                shut: None,
            });
            self.hosts.len() - 1
        });
        self.hosts[index].host.add(rank, stream, first);
        index
    }

    /// The processes that were added, and their streams.
    pub(crate) fn members(&self) -> impl Iterator<Item = (Rank, &Stream)> {
        self.hosts.iter().flat_map(|of| of.host.members())
    }

    /// Their streams, to be changed.
    pub(crate) fn streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.hosts.iter_mut().flat_map(|of| of.host.streams())
    }

    /// Whether every event was given out, and none can come.
    pub(crate) fn finished(&self) -> bool {
        self.hosts.iter().all(|of| of.host.finished())
    }

    /// How many events were given out although their partners, or the end of another's lock epoch, had not come.
    pub(crate) fn forced(&self) -> u64 {
        self.forced
    }

    /// The next event; `None` if it is not known yet, or there is none.
    pub(crate) fn next(&mut self) -> Option<(Rank, &Event)> {
        if self.hosts.len() == 1 {
            return self.hosts[0].host.next();
        }
        let index = match self.look() {
            Look::Next(index) => index,
            Look::Stuck(index) => {
                self.forced += u64::from(self.hosts[index].shut != Some(Gate::Value));
                index
            }
            Look::Nothing => return None,
        };
        let (rank, event) = self.hosts[index].host.next()?;
        let at = Moment::new(index, event.time);
        let reopens = self.gates.pass(rank, event, at, &mut self.causes);
        self.hosts[index].shut = None;
        if reopens {
            self.reopen();
        }
        for cause in self.causes.drain(..) {
            self.offsets.learn(cause, at);
        }
        self.hosts[index].host.given()
    }

    fn reopen(&mut self) {
        self.hosts.iter_mut().for_each(|of| of.shut = None);
    }

    /// Decides whose event comes next.
    fn look(&mut self) -> Look {
        let mut lost = false;
        let mut unknown = false;
        for of in &mut self.hosts {
            unknown |= !of.host.look();
            for rank in of.host.newly_ended() {
                self.gates.lose(rank);
                lost = true;
            }
        }
        if lost {
            self.reopen();
        }
        // All are kept in step, so that little has to be remembered of any.
        if unknown {
            return Look::Nothing;
        }
        let mut next: Option<(i64, usize)> = None;
        let mut stuck: Option<(u8, i64, usize)> = None;
        let mut values: Vec<(usize, i64)> = Vec::new();
        for index in 0..self.hosts.len() {
            let Some((rank, event)) = self.hosts[index].host.peek() else {
                continue;
            };
            let moment = Moment::new(index, event.time);
            let place = self.place(moment);
            let shut = self.hosts[index].shut;
            let gate = shut.unwrap_or_else(|| self.gates.gate(rank, event));
            if gate == Gate::Open {
                next = Some(next.map_or((place, index), |known| known.min((place, index))));
                continue;
            }
            if gate == Gate::Value
                && let Some(doubt) = self.offsets.doubt(moment)
            {
                values.push((index, self.offsets.aligned(moment) + doubt + PATIENCE));
            }
            let candidate = (turn(gate), place, index);
            stuck = Some(stuck.map_or(candidate, |known| known.min(candidate)));
            self.hosts[index].shut = Some(gate);
        }
        match (next, stuck) {
            (Some((_, index)), _) => {
                // What has not come by now from any host did not come before the value was seen.
                let overdue = values.into_iter().find(|(_, until)| self.all_are_after(*until));
                Look::Next(overdue.map_or(index, |(index, _)| index))
            }
            (None, Some((_, _, index))) => Look::Stuck(index),
            (None, None) => Look::Nothing,
        }
    }

    /// When the next event of a host has its turn, among those of which none waits for another.
    fn place(&self, moment: Moment) -> i64 {
        match &self.ties {
            Ties::Estimated => self.offsets.aligned(moment),
            Ties::InOrder(ranks) => {
                let host = &self.hosts[moment.host()].host;
                let is_here = |rank: &Rank| host.members().any(|(member, _)| member == *rank);
                ranks
                    .iter()
                    .position(is_here)
                    .map_or(i64::MAX, |place| place as i64)
            }
        }
    }

    /// Whether the next event of every host that need not wait is later than this.
    fn all_are_after(&self, time: i64) -> bool {
        self.hosts.iter().enumerate().all(|(index, of)| {
            let next = of.host.peek().filter(|_| of.shut.is_none());
            next.is_none_or(|(_, event)| self.offsets.aligned(Moment::new(index, event.time)) > time)
        })
    }
}

/// What is given up first when every host waits.
fn turn(gate: Gate) -> u8 {
    match gate {
        Gate::Open => 0,
        Gate::Value => 1,
        Gate::Lock => 2,
        Gate::Partner => 3,
    }
}

#[cfg(test)]
mod tests;
