//! What members of a collective call hand in, and what is written for them (see [`crate::order::Exchanges`]).

use super::Detector;
use crate::finding::{Name, Site};
use crate::footprint;
use crate::misuse;
use crate::order::{Member, Received, Unlike};
use crate::record::{HeldLocks, Record};
use crate::report::Groups;
use farside_clocks::Component;
use farside_conflicts::{Access, Effect, Role};
use farside_events::{AccessKind, AccessRun, AccessSource, ChannelId, CommId, Exchange, Rank};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

impl Detector {
    /// A member enters a collective call.
    pub(super) fn enter_exchange(&mut self, place: (CommId, u64), name: &str, site: Site) {
        if self.options.interface.has_one_call_for_all() {
            let unlike = self.exchanges.enter(place, Member::new(name, site));
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
        let Some(Unlike { argument, members }) = unlike else {
            return;
        };
        let [one, other] = &members;
        let finding = match argument {
            Some((argument, [first, second])) => misuse::unequal(
                &argument,
                [
                    (one.name(), one.site(), first),
                    (other.name(), other.site(), second),
                ],
            ),
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
        let buffer = received.destination;
        let mut ranges: Vec<Range<u64>> = Vec::new();
        if let Some(of_buffer) = self.windows.type_map(rank, buffer.datatype) {
            footprint::of_buffer(of_buffer.map(), buffer.address, buffer.count, |range, _| {
                ranges.push(range);
            });
        }
        // The call itself may read what it writes: the operand of a reduction in its place.
        let place = Site {
            rank,
            pc: Some(received.place.0),
            stack: received.place.1,
        };
        self.exchanges.wrote(place, received.by);
        if self.owns(rank) {
            for range in &ranges {
                for (owner, range) in self.windows.owners(rank, range.clone()) {
                    self.written_by_others(owner, &range, received);
                }
            }
        }
        let run = |range: &Range<u64>| AccessRun {
            kind: AccessKind::Store,
            source: AccessSource::Library(received.name.clone()),
            base: range.start,
            size: range.end - range.start,
            inner_count: 1,
            inner_stride: 0,
            outer_count: 1,
            outer_stride: 0,
            pc: received.place.0,
            stack: received.place.1,
            repeats: 1,
        };
        let runs: Vec<AccessRun> = ranges.iter().map(run).collect();
        match self.looks_at(rank) {
            true => self.segment(component, rank, &runs),
            false => self.withheld(component, rank, runs.len() as u64),
        }
    }

    /// Compares what the other members write with what is there; the member itself enters it, when it returns.
    fn written_by_others(&mut self, owner: Rank, range: &Range<u64>, received: &Received) {
        for writer in &received.writers {
            let access = Access {
                rank: writer.caller.site().rank,
                channel: ChannelId::DEFAULT,
                role: Role::Target,
                effect: Effect::Write,
            };
            let name = Name::Text(Arc::clone(writer.caller.name()));
            let site = writer.caller.site();
            let record = Record::local(
                access,
                name,
                site,
                writer.by,
                HeldLocks::default(),
                1,
                writer.mark,
            );
            let record = Rc::new(record);
            let order = (&mut self.threads, &mut self.locks);
            if let Some(mut races) = self.memory.meet(order, owner, range, &record, &writer.clock) {
                races.leave_out(|old| self.exchanges.is_of(old.site(), received.by));
                let groups = Groups::new(&self.job, &self.windows);
                self.report.races(owner, &record, &races, (&self.threads, groups));
            }
        }
    }
}
