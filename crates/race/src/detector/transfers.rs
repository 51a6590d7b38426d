//! Communication calls: the epochs that cover them, and when each side of one takes effect at which bytes.

use super::Detector;
use crate::finding::{CallKind, Name, Site};
use crate::footprint;
use crate::interface::Rules;
use crate::job::Caller;
use crate::memory::Renewed;
use crate::misuse;
use crate::operations::Side;
use crate::order::{Promise, SingleElement};
use crate::record::{AccessEpoch, Arrival, Op, Record};
use crate::report::Groups;
use crate::stamp::Stamp;
use crate::windows::{TargetPart, TargetParts};
use farside_clocks::{Component, VectorClock};
use farside_conflicts::Effect;
use farside_events::{AccumulateOp, Buffer, Notice, Operation, OperationKind, Rank, WinId};
use smallvec::SmallVec;
use std::ops::Range;
use std::rc::Rc;

impl Detector {
    /// A communication call is issued.
    pub(super) fn operation(&mut self, component: Component, rank: Rank, call: &Operation, time: Stamp) {
        self.counts.operations += 1;
        let Some(target) = call.target else { return };
        let caller = Caller::new(
            component,
            self.threads.id(component),
            Site::of_call(rank, call.stack),
        );
        let kind = CallKind::Operation {
            kind: call.kind,
            request: call.request.is_some(),
        };
        let name = || Name::CallOf(self.windows.interface(call.win), kind);
        let level = self.levels.call(&self.threads, &caller, name);
        self.tell(level);
        let party = || caller.party(kind, Some(target));
        if let Some(count) = call.negative_count() {
            return self.tell([misuse::negative_count(call.win, party(), count)]);
        }
        let groups = Groups::new(&self.job, &self.windows);
        let now = self.threads.now(component).time;
        self.report.call(&caller, kind, now, groups, &mut self.sequence);
        let mark = self.sequence.advance();
        let Some(epoch) = self.cover(&caller, call, target) else {
            return;
        };
        let mut parts = self.windows.target_parts(rank, call, target);
        let interface = self.windows.interface(call.win);
        for (_, effect) in &mut parts {
            if let Effect::Update(update) = effect {
                if interface.has_atomics_by_address() {
                    update.win = WinId(0);
                }
                update.order_shows = self.options.updates.shows_order(call, update.hint);
            }
        }
        let at_once = matches!(epoch, AccessEpoch::Lock | AccessEpoch::LockAll);
        let clock = at_once.then(|| self.threads.clock(component));
        if let Some(outside) = self.windows.outside(call.win, (rank, target), &parts, clock) {
            let right = self.windows.right_argument(rank, call, target);
            return self.tell([misuse::outside(call.win, target, party(), (&outside, right))]);
        }
        let op = self
            .operations
            .issue(&self.threads, &caller, call, target, (epoch, interface), mark);
        // What recordings have of values: single elements of fetches, and of gets under the lock of one target.
        let is_small = matches!(&parts[..], [(range, _)] if range.end - range.start <= 8);
        let is_recorded = call.kind != OperationKind::Get || epoch == AccessEpoch::Lock;
        if is_small && is_recorded && call.target_count == 1 {
            op.has_a_value();
        }
        self.report.operation(&op);
        let clock = self.threads.clock(component).clone();
        self.windows.carry([rank, target], call, &clock);
        match &call.notice {
            Some(Notice::Counted(number)) => self.notices.give(&mut self.threads, component, *number, &op),
            Some(Notice::Flag(flag)) => self.raise(component, flag, &op),
            None => {}
        }
        if self.is_relaxed(interface) && call.kind == OperationKind::Put {
            op.order_writes();
        }
        let waits = self.locks.held(rank).may_wait(target);
        let buffers = [
            (call.origin, Side::origin(Effect::Read, waits)),
            (call.compare, Side::compared(waits)),
            (call.result, Side::origin(Effect::Write, waits)),
        ];
        for (buffer, side) in buffers {
            if let Some(buffer) = buffer {
                self.origin_access(component, &op, buffer, side, &clock);
            }
        }
        self.agree_on_accesses(rank);
        if let Some(element) = self.single_element(call, target, &parts) {
            let before = self.operations.going_before(&op, &clock);
            self.updates.issue(
                &mut self.threads,
                component,
                call.id,
                (&op, before),
                &element,
                time,
            );
            self.forget_updates();
        }
        self.depart(component, &op, (parts, waits), clock);
    }

    /// One side of an operation takes effect at once at some bytes of a process.
    fn side(
        &mut self,
        component: Component,
        op: &Rc<Op>,
        side: Side,
        (owner, range): (Rank, Range<u64>),
        clock: &VectorClock,
    ) {
        let shared = self.operations.record(&self.threads, component, op, side);
        if let Some(record) = shared {
            return self.access(owner, range, &record, clock);
        }
        let locks = self.locks.held(op.rank());
        let mut renewed = Renewed::Unknown;
        if let Some(new) = side.renewal(op, locks) {
            renewed = self.memory.renew(owner, &range, &new, clock);
            if renewed == Renewed::Done {
                self.report.renewed(&new, clock);
                return self.forget_at_once();
            }
        }
        let record = self.operations.enter(&self.threads, component, op, side, locks);
        if renewed == Renewed::Quiet {
            self.report.access(&record, clock);
            self.enter_access(owner, range, &record);
        } else {
            self.access(owner, range, &record, clock);
        }
    }

    /// The record of one side of an operation.
    fn record(&mut self, component: Component, op: &Rc<Op>, side: Side) -> Rc<Record> {
        let shared = self.operations.record(&self.threads, component, op, side);
        shared.unwrap_or_else(|| {
            let locks = self.locks.held(op.rank());
            self.operations.enter(&self.threads, component, op, side, locks)
        })
    }

    /// The epoch that covers an operation; tells if there is none, or if it allows no requests.
    fn cover(&mut self, caller: &Caller, call: &Operation, target: Rank) -> Option<AccessEpoch> {
        let (win, rank) = (call.win, caller.rank());
        let interface = self.windows.interface(win);
        if interface.completes_by_flags() {
            return Some(AccessEpoch::LockAll);
        }
        let covered = self.epochs.cover(&self.locks, win, rank, target);
        match covered {
            Some(AccessEpoch::Fence | AccessEpoch::Start)
                if call.request.is_some()
                    && self.epochs.knows(win)
                    && !interface.completes_at_origin_everywhere() =>
            {
                let kind = CallKind::Operation {
                    kind: call.kind,
                    request: true,
                };
                let party = caller.party(kind, Some(target));
                self.tell([misuse::request_in_active_epoch(win, call.kind, party)]);
            }
            Some(_) => {}
            None => self.tell([misuse::not_covered(
                &self.epochs,
                &self.locks,
                call,
                target,
                caller,
            )]),
        }
        covered
    }

    fn origin_access(
        &mut self,
        component: Component,
        op: &Rc<Op>,
        buffer: Buffer,
        side: Side,
        clock: &VectorClock,
    ) {
        let rank = op.rank();
        let Some(of_buffer) = self.windows.type_map(rank, buffer.datatype) else {
            return;
        };
        if !self.looks_at(rank) {
            return self.report.elsewhere(op, clock);
        }
        let effect = side.effect();
        let side = match self.threads.is_strand(component) {
            true => {
                let mut ranges: SmallVec<[Range<u64>; 2]> = SmallVec::new();
                footprint::of_buffer(of_buffer.map(), buffer.address, buffer.count, |range, _| {
                    ranges.push(range)
                });
                side.in_memory_of_the_thread(self.is_of_the_thread(component, rank, ranges))
            }
            false => side,
        };
        if let Some(range) = of_buffer.range(buffer.address, buffer.count)
            && !self.windows.has_neighbours(rank)
            && (effect != Effect::Write || self.windows.touched(rank, range.clone()).next().is_none())
        {
            return self.side(component, op, side, (rank, range), clock);
        }
        let mut ranges: SmallVec<[Range<u64>; 2]> = SmallVec::new();
        footprint::of_buffer(of_buffer.map(), buffer.address, buffer.count, |range, _| {
            ranges.push(range)
        });
        let record = self.record(component, op, side);
        for range in ranges {
            for (owner, range) in self.windows.owners(rank, range) {
                if effect == Effect::Write {
                    self.stored(owner, &range, &record);
                }
                self.access(owner, range, &record, clock);
            }
        }
    }

    /// The one element that a call updates, or the one word that its target may wait for.
    fn single_element(&self, call: &Operation, target: Rank, parts: &[TargetPart]) -> Option<SingleElement> {
        let [(range, effect)] = parts else {
            return None;
        };
        let length = range.end - range.start;
        let (size, operator) = match effect {
            Effect::Update(update) => {
                let operator = match call.kind {
                    OperationKind::CompareAndSwap => None,
                    _ => call.operator.or(Some(AccumulateOp::Other)),
                };
                (update.size, operator)
            }
            Effect::Write if call.operand.is_some() && self.windows.any(Rules::waits_for_words) => {
                (length.min(9) as u32, Some(AccumulateOp::Replace))
            }
            _ => return None,
        };
        let fetches = !matches!(call.kind, OperationKind::Accumulate | OperationKind::Put);
        (length == u64::from(size) && size <= 8)
            .then(|| SingleElement::new((target, range.start), size, operator, call.operand, fetches))
    }

    /// The target side of an operation takes effect, at once or when the target opens its exposure epoch.
    fn depart(
        &mut self,
        component: Component,
        op: &Rc<Op>,
        (parts, waits): (TargetParts, bool),
        clock: VectorClock,
    ) {
        let target = op.target();
        let owns = self.owns(target);
        let arrival = |detector: &mut Self, parts: TargetParts| {
            let locks = detector.locks_of_judges(op.rank());
            let side = |(range, effect): TargetPart| {
                let record = detector.record(component, op, Side::target(effect, waits));
                (range, record)
            };
            let parts = parts.into_iter().filter(|_| owns).map(side).collect();
            Arrival::new(op, &locks, parts, clock.clone())
        };
        let (arrived, call) = match op.epoch() {
            AccessEpoch::Lock | AccessEpoch::LockAll => {
                if !owns {
                    self.report.elsewhere(op, &clock);
                }
                for (range, effect) in parts.into_iter().filter(|_| owns) {
                    let side = Side::target(effect, waits);
                    self.side(component, op, side, (target, range), &clock);
                }
                return self.agree_on_target(op);
            }
            AccessEpoch::Start => {
                let arrival = arrival(self, parts);
                (self.exposure.arrive(op, arrival), CallKind::Post)
            }
            AccessEpoch::Fence => {
                let arrival = arrival(self, parts);
                let state = self.epochs.of(op.win(), op.rank());
                let fence = state.and_then(|state| state.fence()).unwrap_or(0);
                (self.fences.arrive(fence, op, arrival), CallKind::Fence)
            }
        };
        if let Some((arrival, promise)) = arrived {
            self.arrive(target, arrival, promise, call);
        }
    }

    /// The target side of an operation takes effect, in an epoch that `call` of its target opened with a promise.
    pub(super) fn arrive(
        &mut self,
        target: Rank,
        arrival: Arrival,
        promise: Option<Promise>,
        call: CallKind,
    ) {
        let locks = arrival.locks().clone();
        if self.owns(target) {
            let wrong = misuse::no_put(&arrival, promise, call);
            wrong.into_iter().for_each(|finding| self.report.misuse(finding));
            let (win, pieces) = (arrival.op().win(), arrival.pieces());
            let ranks = (arrival.op().rank(), target);
            if let Some(outside) = self.windows.unattached(win, ranks, pieces, arrival.clock()) {
                let party = arrival.op().party();
                let unattached = misuse::outside(win, target, party, (&outside, None));
                self.report.misuse(unattached);
                return self.agree(Some(target), &locks);
            }
        } else {
            self.report.elsewhere(arrival.op(), arrival.clock());
        }
        let (parts, clock) = arrival.into_parts();
        for (range, record) in parts {
            self.access(target, range, &record, &clock);
        }
        self.agree(Some(target), &locks);
    }
}
