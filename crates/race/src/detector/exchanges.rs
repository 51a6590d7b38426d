//! What members of a collective call hand in, and what is written for them (see [`crate::order::Exchanges`]).

use super::Detector;
use crate::finding::Site;
use crate::footprint;
use crate::interface::Rules;
use crate::misuse;
use crate::order::{Member, Received, Unlike};
use crate::report::Groups;
use farside_clocks::Component;
use farside_events::{AccessRun, CommId, Exchange, Interface, Rank};
use std::ops::Range;
use std::rc::Rc;

impl Detector {
    /// A member enters a collective call, which waits for the others or not.
    pub(super) fn enter_exchange(&mut self, place: (CommId, u64), (name, waits): (&str, bool), site: Site) {
        if Interface::of_function(name).is_some_and(Rules::has_one_call_for_all) {
            let unlike = self.exchanges.enter(place, Member::new(name, site), waits);
            self.tell_unlike(unlike);
        }
    }

    /// A member gives an argument of the call that it is in, which is the same at all.
    pub(super) fn agree_on_argument(
        &mut self,
        component: Component,
        place: (CommId, u64),
        argument: &str,
        value: u64,
    ) {
        if let Some(caller) = self.calls.member(component) {
            let unlike = self.exchanges.agree(place, caller, argument, value);
            self.tell_unlike(unlike);
        }
    }

    fn tell_unlike(&mut self, unlike: Option<Unlike>) {
        let Some(unlike) = unlike else { return };
        let [one, other] = unlike.members();
        let finding = match unlike.argument() {
            Some((argument, [first, second])) => {
                let members = [
                    (&**one.name(), one.site(), first),
                    (&**other.name(), other.site(), second),
                ];
                misuse::unequal(argument, members)
            }
            None => misuse::unlike_calls([(one.name(), one.site()), (other.name(), other.site())]),
        };
        self.tell([finding]);
    }

    /// A member hands memory in.
    pub(super) fn hand_in(&mut self, component: Component, exchange: &Exchange) {
        if let Some(caller) = self.calls.member(component) {
            let mark = self.sequence.advance();
            self.exchanges
                .hand_in(&self.threads, component, exchange, caller, mark);
        }
    }

    /// A member returns, and has received: others have written its memory from when they entered, and it was written
    /// until now.
    pub(super) fn receive(&mut self, component: Component, rank: Rank, received: &Received) {
        let buffer = received.destination();
        let mut ranges: Vec<Range<u64>> = Vec::new();
        if let Some(of_buffer) = self.windows.type_map(rank, buffer.datatype) {
            footprint::of_buffer(of_buffer.map(), buffer.address, buffer.count, |range, _| {
                ranges.push(range);
            });
        }
        // The call itself may read what it writes: the operand of a reduction in its place.
        self.exchanges.wrote(received.place(), received.by());
        if self.owns(rank) {
            for range in &ranges {
                for (owner, range) in self.windows.owners(rank, range.clone()) {
                    self.written_by_others(owner, &range, received);
                }
            }
        }
        let runs: Vec<AccessRun> = ranges.iter().map(|range| received.store(range)).collect();
        match self.looks_at(rank) {
            true => self.segment(component, rank, &runs),
            false => self.withheld(component, rank, runs.len() as u64),
        }
    }

    /// Compares what the other members write with what is there; the member itself enters it, when it returns.
    fn written_by_others(&mut self, owner: Rank, range: &Range<u64>, received: &Received) {
        for writer in received.writers() {
            let (record, clock) = writer.write();
            let record = Rc::new(record);
            let order = (&mut self.threads, &mut self.locks);
            if let Some(mut races) = self.memory.meet(order, owner, range, &record, clock) {
                races.leave_out(|old| self.exchanges.is_of(old.site(), received.by()));
                let groups = Groups::new(&self.job, &self.windows);
                self.report.races(owner, &record, &races, (&self.threads, groups));
            }
        }
    }
}
