//! A token that goes around a ring, once a round.
//!
//! Each process waits for the word of the one before it and then passes it on to the one after it; one process, the
//! *starter*, passes it on first. All count the same rounds. If a process has had the word of round b, then the one
//! before it has passed it on in round b, so has had it in round b, and so on back to the starter, which passed it on
//! in round b, and so has had it in round b - 1, for which all processes have passed it on in that round.
//!
//! So of two processes, what the one does before it passes the word on comes before what the other does after it has
//! had it: in the same round or a later one if the word goes from the one to the other before it comes to the starter,
//! else from the next round on. Of two processes but the starter one comes before the other on this way, so that
//! between them the starter is passed once, there and back.

use super::{Rounds, Signal};
use crate::every::form::Role;
use farside_pgas::calculus::Register;

/// A ring.
pub(super) struct Ring {
    /// By flow.
    places: Vec<Place>,
    starter: usize,
}

/// How a role takes part.
struct Place {
    load: usize,
    write: usize,
    register: Register,
}

/// Finds the ring, if all roles take part in one.
pub(super) fn find(rounds: &Rounds<'_, '_>) -> Option<Ring> {
    [1, -1].into_iter().find_map(|direction| found(rounds, direction))
}

fn found(rounds: &Rounds<'_, '_>, direction: i64) -> Option<Ring> {
    let all = rounds.accesses.all();
    let on = |signal: &&Signal| signal.ahead == 0 && rounds.offset(signal.writer) == Some(direction);
    let mut places = Vec::new();
    let mut starter = None;
    for (number, flow) in rounds.flows.iter().enumerate() {
        let mut loads = rounds
            .signals
            .iter()
            .filter(|signal| all[signal.load].at().0 == number);
        let load = loads.clone().find(on)?.load;
        // Whoever writes there passes the word on.
        if loads.any(|signal| signal.load == load && !on(&signal)) {
            return None;
        }
        let mut writes = rounds.signals.iter().filter(|signal| {
            all[signal.writer].at().0 == number && rounds.accesses.is_one_cell(signal.writer, load)
        });
        let write = writes.find(on)?.writer;
        let register = *rounds.counted.get(&load)?;
        let counter = rounds.counter(load, register)?;
        let other_flag = |place: &Place| !rounds.accesses.is_one_cell(load, place.load);
        if places.iter().any(other_flag) {
            return None;
        }
        if rounds.counted.get(&write) != Some(&register) || writes.any(|signal| signal.writer != write) {
            return None;
        }
        let (loads, writes) = (all[load].at().1, all[write].at().1);
        if loads == writes || !counter.is_after(flow, writes, loads) {
            let alone = flow.role() != Role::Middle;
            if !alone || !counter.passes(flow, loads) || starter.replace(number).is_some() {
                return None;
            }
        }
        places.push(Place {
            load,
            write,
            register,
        });
    }
    let first = |place: &Place| {
        rounds
            .counter(place.load, place.register)
            .map(super::Counter::first)
    };
    let same = places.iter().all(|place| first(place) == first(&places[0]));
    Some(Ring {
        places,
        starter: starter.filter(|_| same)?,
    })
}

impl Ring {
    /// Whether accesses of two processes are in order by the word: in each round, and from one round to the next one.
    pub(super) fn take_turns(&self, rounds: &Rounds<'_, '_>, first: usize, then: usize) -> bool {
        let flow = |access: usize| rounds.accesses.all()[access].at().0;
        let passes_starter = flow(first) != self.starter && flow(then) != self.starter;
        let there = self.given(rounds, first).zip(self.had(rounds, then, true));
        let back = self.given(rounds, then).zip(self.had(rounds, first, false));
        let sum = |(one, other): (i64, i64)| one + other;
        there
            .zip(back)
            .is_some_and(|(there, back)| sum(there) + sum(back) + i64::from(passes_starter) <= 1)
    }

    /// After how many rounds the word says that an access has happened.
    fn given(&self, rounds: &Rounds<'_, '_>, access: usize) -> Option<i64> {
        let all = rounds.accesses.all();
        let (flow, step) = all[access].at();
        let place = &self.places[flow];
        let counter = rounds.counter(access, place.register)?;
        let acknowledged = access == place.write && self.is_acknowledged(rounds, access);
        if !acknowledged && !rounds.is_before(&all[access], &all[place.write]) {
            return None;
        }
        let write = all[place.write].at().1;
        let late = step != write && counter.may_follow(&rounds.flows[flow], write, step);
        Some(i64::from(late))
    }

    /// The word of how many rounds before a process has had when it does an access, or issues it.
    fn had(&self, rounds: &Rounds<'_, '_>, access: usize, happens: bool) -> Option<i64> {
        let (flow, step) = rounds.accesses.all()[access].at();
        let place = &self.places[flow];
        let counter = rounds.counter(access, place.register)?;
        let (code, load) = (&rounds.flows[flow], rounds.accesses.all()[place.load].at().1);
        let is_load = happens && access == place.load;
        if is_load || step != load && counter.is_after(code, step, load) {
            return Some(0);
        }
        counter.passes(code, load).then_some(1)
    }

    /// Whether the word of a round has taken effect before its process passes on the next one: it comes back first.
    pub(super) fn is_acknowledged(&self, rounds: &Rounds<'_, '_>, access: usize) -> bool {
        let (flow, write) = rounds.accesses.all()[access].at();
        let place = &self.places[flow];
        let (code, load) = (&rounds.flows[flow], rounds.accesses.all()[place.load].at().1);
        let counter = rounds.counter(access, place.register);
        access == place.write
            && counter.is_some_and(|counter| {
                // What comes back is the word of this round, or of a later one.
                let again = flow != self.starter && counter.may_follow(code, write, load);
                !counter.may_follow(code, write, write) && !again
            })
            && !code.steps_after(write, |step| step == load).contains(&write)
    }
}
