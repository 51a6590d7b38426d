//! Accesses of two processes that take turns, by flags whose values count the rounds of loops.
//!
//! Promise: if [`Rounds::take_turns`] says so of two accesses of two processes, then in no computation, of any number
//! of ranks from `least` on, the second comes before the first where both are of one location, but before the first is
//! issued.
//!
//! Both processes count the rounds of a loop in registers ([`Counter`]). A *signal* is a write of a flag by one of
//! them, whose value is the number of its round and a constant, and a load of the other one that waits for the number
//! of its own round and a constant. If the load is over in round b, then the write of a round r >= b + d has taken
//! effect, for the difference d of the constants. So what comes before it in round r or before comes before all that
//! the other one can only do after the load. Two signals there and back leave no two rounds in which the order is open.

mod ring;

use super::access::{Access, Accesses, Moment};
use super::awaits::Flag;
use super::counter::{Counter, linear};
use super::flow::Flow;
use super::form::{Form, Meeting, meet};
use super::order::Orders;
use super::wanted::Wanted;
use farside_pgas::ast::{AtomicOperation, Direction};
use farside_pgas::calculus::{Command, Expression, Register};
use ring::Ring;
use std::collections::BTreeMap;

/// A flag that says how far its writer is.
struct Signal {
    writer: usize,
    load: usize,
    /// So many rounds further than that of the load is the writer at least.
    ahead: i64,
}

/// The turns of a program.
pub(super) struct Rounds<'c, 'p> {
    flows: &'c [Flow<'p>],
    accesses: &'c Accesses<'p>,
    orders: &'c Orders<'p>,
    counters: Vec<BTreeMap<Register, Counter>>,
    signals: Vec<Signal>,
    /// By the index of an access that writes or waits for a flag: the register that counts its rounds.
    counted: BTreeMap<usize, Register>,
    ring: Option<Ring>,
}

impl<'c, 'p> Rounds<'c, 'p> {
    /// Finds the signals among flags.
    pub(super) fn new(
        flows: &'c [Flow<'p>],
        accesses: &'c Accesses<'p>,
        orders: &'c Orders<'p>,
        flags: &[Flag],
    ) -> Self {
        let counters = flows.iter().map(|flow| {
            let all = (0..flow.registers()).map(Register);
            let counter = |register| Counter::of(flow, register).map(|counter| (register, counter));
            all.filter_map(counter).collect()
        });
        let mut rounds = Self {
            flows,
            accesses,
            orders,
            counters: counters.collect(),
            signals: Vec::new(),
            counted: BTreeMap::new(),
            ring: None,
        };
        for flag in flags {
            if let Some(found) = rounds.signals_to(flag.load(), flag.writers(), flag.first()) {
                for (signal, register) in found {
                    rounds.counted.insert(signal.writer, register);
                    rounds.signals.push(signal);
                }
            }
        }
        rounds.ring = ring::find(&rounds);
        rounds
    }

    /// The signals that a load waits for; nothing if some write of its flag is no round of a counter.
    fn signals_to(&mut self, load: usize, writers: &[usize], first: i64) -> Option<Vec<(Signal, Register)>> {
        let access = &self.accesses.all()[load];
        let wanted = Wanted::of(&self.flows[access.at().0], access)?;
        let (register, number) = linear(wanted.least())?;
        let more = number.saturating_add(wanted.more());
        let counter = self.counter(load, register)?;
        // What is there at first ends no load.
        if first >= counter.first().saturating_add(more) {
            return None;
        }
        let signals = writers.iter().map(|&writer| {
            let (counts, added) = self.written(writer)?;
            self.counter(writer, counts)?;
            let ahead = more.saturating_sub(added);
            Some((Signal { writer, load, ahead }, counts))
        });
        let signals: Option<Vec<_>> = signals.collect();
        self.counted.insert(load, register);
        signals
    }

    /// The counter of an access, which is within its rounds.
    fn counter(&self, access: usize, register: Register) -> Option<&Counter> {
        let (flow, step) = self.accesses.all()[access].at();
        let counter = self.counters[flow].get(&register)?;
        counter.is_within(step).then_some(counter)
    }

    /// What a write puts there: the number of a round, and what is added to it.
    fn written(&self, writer: usize) -> Option<(Register, i64)> {
        let access = &self.accesses.all()[writer];
        let (number, step) = access.at();
        let code = self.flows[number].code();
        match &code.transitions[step].command {
            Command::Atomic(atomic)
                if atomic.operation == AtomicOperation::Swap && access.moment() == Moment::A =>
            {
                linear(&atomic.operand)
            }
            Command::Transfer(transfer) if transfer.direction == Direction::Write => {
                self.stored_before(writer, &transfer.local)
            }
            _ => None,
        }
    }

    /// What was stored in the step before a write at the place that it takes its value from, and is there until then.
    fn stored_before(&self, writer: usize, local: &Expression) -> Option<(Register, i64)> {
        let all = self.accesses.all();
        let (number, step) = all[writer].at();
        let flow = &self.flows[number];
        let code = flow.code();
        let from = code.transitions[step].from;
        let mut before = code.transitions.iter().enumerate();
        let (only, transition) = before.find(|(_, transition)| transition.to == from)?;
        if before.any(|(_, transition)| transition.to == from) || from == 0 {
            return None;
        }
        let Command::Store { address, value } = &transition.command else {
            return None;
        };
        let source = self.accesses.of_step(number, step);
        let source = source
            .into_iter()
            .find(|&access| all[access].moment() == Moment::A)?;
        let pending = self.orders.overlapping(number, step, Moment::A);
        let left_alone = |other: usize| {
            let (of, at) = all[other].at();
            !all[other].writes()
                || !self.accesses.may_meet(source, other, false)
                    && (of != number
                        || !self.accesses.may_meet(source, other, true)
                        || at == only
                        || all[other].moment() == Moment::Issue && !pending.contains(&at))
        };
        let in_place = address == local && !pending.contains(&only);
        (in_place && (0..all.len()).all(left_alone))
            .then(|| linear(value))
            .flatten()
    }

    /// The loads that wait for a signal.
    pub(super) fn loads(&self) -> impl Iterator<Item = usize> + '_ {
        self.signals.iter().map(|signal| signal.load)
    }

    /// Whether an access of one process comes before one of another process that is of the same location, or that one
    /// comes before it is issued.
    pub(super) fn take_turns(&self, first: usize, then: usize) -> bool {
        let there = || {
            self.signals
                .iter()
                .filter_map(|signal| self.forward(signal, first, then))
        };
        let back = || {
            self.signals
                .iter()
                .filter_map(|signal| self.backward(signal, then, first))
        };
        there().any(|one| back().any(|other| one.fits(&other)))
            || (self.ring.iter()).any(|ring| ring.take_turns(self, first, then))
    }

    /// Whether a write of a flag has taken effect before its process does it again, whoever has the flag.
    pub(super) fn is_in_own_order(&self, access: usize) -> bool {
        let writer = &self.accesses.all()[access];
        if self.ring.iter().any(|ring| ring.is_acknowledged(self, access)) {
            return true;
        }
        let role = self.flows[writer.at().0].role();
        let sends_to = |flow: &Flow<'_>| {
            let reader = (Form::me(flow.role()), flow.role());
            meet((writer.owner(), role), reader, self.accesses.bounds()) != Meeting::Never
        };
        (0..self.flows.len())
            .filter(|&flow| sends_to(&self.flows[flow]))
            .all(|flow| {
                self.signals.iter().any(|signal| {
                    let to = self.accesses.all()[signal.load].at().0;
                    signal.writer == access && to == flow && self.is_acknowledged(signal)
                })
            })
    }

    /// So many ranks after the process of an access is that of another one, if both are of one location.
    fn apart(&self, first: usize, then: usize) -> Option<i64> {
        Some(self.offset(first)? - self.offset(then)?)
    }

    /// So many ranks after its process is the one whose memory an access is of.
    fn offset(&self, access: usize) -> Option<i64> {
        let access = &self.accesses.all()[access];
        access.owner().offset(self.flows[access.at().0].role())
    }

    /// Whether a signal goes from a process to one that is so many ranks after it.
    fn goes(&self, signal: &Signal, from: usize, to: usize, apart: i64) -> bool {
        let all = self.accesses.all();
        all[signal.writer].at().0 == all[from].at().0
            && all[signal.load].at().0 == all[to].at().0
            && self.offset(signal.writer) == Some(apart)
    }

    /// The first access, of a round a, comes before the second, of a round b, if a <= b + `rounds`.
    fn forward(&self, signal: &Signal, first: usize, then: usize) -> Option<Told> {
        let apart = self.apart(first, then)?;
        self.goes(signal, first, then, apart)
            .then(|| self.told(signal, first, then, then == signal.load))
            .flatten()
    }

    /// The first access, of a round b, comes before the second is issued, of a round a, if b <= a + `rounds`.
    fn backward(&self, signal: &Signal, first: usize, then: usize) -> Option<Told> {
        let apart = self.apart(first, then)?;
        self.goes(signal, first, then, apart)
            .then(|| self.told(signal, first, then, false))
            .flatten()
    }

    /// What a signal tells of an access of its writer and one of its reader; `is_load`: that is its load.
    fn told(&self, signal: &Signal, first: usize, then: usize, is_load: bool) -> Option<Told> {
        let all = self.accesses.all();
        let (sent, got) = (self.counted.get(&signal.writer)?, self.counted.get(&signal.load)?);
        let (sender, reader) = (self.counter(first, *sent)?, self.counter(then, *got)?);
        let acknowledged = || first == signal.writer && self.is_acknowledged(signal);
        if !self.is_before(&all[first], &all[signal.writer]) && !acknowledged() {
            return None;
        }
        let (from, to) = (&self.flows[all[first].at().0], &self.flows[all[then].at().0]);
        let (write, load) = (all[signal.writer].at().1, all[signal.load].at().1);
        let (before, after) = (all[first].at().1, all[then].at().1);
        // Its own round counts only if it comes before the write there.
        let late = before != write && sender.may_follow(from, write, before);
        let in_its_round = is_load || after != load && reader.is_after(to, after, load);
        let starts_apart = sender.first() - reader.first();
        // In the first round nothing was waited for in the round before; nothing is needed if there is none.
        let is_known = in_its_round || reader.passes(to, load) && signal.ahead <= starts_apart;
        is_known.then(|| Told {
            rounds: signal.ahead - i64::from(late) - i64::from(!in_its_round),
            sender: *sent,
            reader: *got,
        })
    }

    /// Whether each write of a signal has taken effect before its process writes the next one, since it waits for an
    /// answer in between: for a signal that the other one only sends when it has had that write, or a later one.
    fn is_acknowledged(&self, signal: &Signal) -> bool {
        let all = self.accesses.all();
        let ((flow, write), (other, load)) = (all[signal.writer].at(), all[signal.load].at());
        let (sender, reader) = (&self.flows[flow], &self.flows[other]);
        let offset = |of: &Signal| {
            all[of.writer]
                .owner()
                .offset(self.flows[all[of.writer].at().0].role())
        };
        let (Some(apart), Some(sent), Some(got)) = (
            offset(signal),
            self.counted.get(&signal.writer),
            self.counted.get(&signal.load),
        ) else {
            return false;
        };
        let counters = (
            self.counter(signal.writer, *sent),
            self.counter(signal.load, *got),
        );
        let (Some(sends), Some(reads)) = counters else {
            return false;
        };
        let answers = |answer: &Signal| {
            let ((of, reply), (to, heard)) = (all[answer.writer].at(), all[answer.load].at());
            let is_back = (of, to) == (other, flow)
                && self.offset(answer.writer) == Some(-apart)
                && self.counted.get(&answer.writer) == Some(got)
                && self.counted.get(&answer.load) == Some(sent);
            if !is_back
                || sends.may_follow(sender, write, write)
                || sender.steps_after(write, |step| step == heard).contains(&write)
            {
                return false;
            }
            let later = i64::from(!sends.may_follow(sender, write, heard));
            let earlier = i64::from(!reads.is_after(reader, reply, load) || reply == load);
            let had_one = earlier == 0
                || reads.passes(reader, load) && sends.first() + later + answer.ahead > reads.first();
            had_one && signal.ahead + answer.ahead + later - earlier >= 0
        };
        self.signals.iter().any(answers)
    }

    /// Whether an access comes before each write of a flag by its process that comes later.
    fn is_before(&self, access: &Access, flag: &Access) -> bool {
        let ((flow, step), (_, write)) = (access.at(), flag.at());
        access.moment() == Moment::Issue
            || (step != write || access.moment() <= flag.moment())
                && (!self
                    .orders
                    .overlapping(flow, step, access.moment())
                    .contains(&write)
                    || self.orders.goes_first(access, flag))
    }
}

/// What a signal tells: of a round a of its sender and a round b of its reader, if a <= b + `rounds`.
struct Told {
    rounds: i64,
    sender: Register,
    reader: Register,
}

impl Told {
    /// Whether no two rounds are left of which neither this nor another one, which goes back, tells the order.
    fn fits(&self, back: &Self) -> bool {
        self.sender == back.reader && self.reader == back.sender && self.rounds + back.rounds >= -1
    }
}
