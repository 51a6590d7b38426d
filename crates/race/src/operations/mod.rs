//! Communication calls: what they touch at origin and target, and since when they are complete.

mod completion;
mod target;

use crate::Interface;
use crate::atomics::SingleElement;
use crate::detector::Detector;
use crate::finding::Site;
use crate::footprint;
use crate::record::{AccessEpoch, Op, Record, Source};
use crate::window::Deferred;
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::{Access, Effect, Role};
use farside_events::{AccumulateOp, Buffer, Operation, OperationKind, Rank, TypeMap};
use std::cell::Cell;
use std::rc::Rc;
use target::TargetPart;

impl Detector {
    pub(crate) fn operation(&mut self, component: Component, call: &Operation, time: u64) {
        self.counts.operations += 1;
        let (rank, thread) = (self.job.thread(component).rank, self.job.thread(component).id);
        let Some(target) = call.target else { return };
        let site = Site {
            rank,
            pc: None,
            stack: call.stack,
        };
        let name = self
            .options
            .interface
            .name(call.kind.call_name(call.request.is_some()));
        if let Some(count) = call.negative_count() {
            return self.negative_count(call, (name, site, thread, Some(target)), count);
        }
        self.operation_step(component, name, site);
        let mark = self.timeline.advance();
        let Some(epoch) = self.access_epoch(
            rank,
            thread,
            call.win,
            target,
            (call.kind, call.request.is_some()),
            name,
            site,
        ) else {
            return;
        };
        let parts = self.target_parts(rank, call, target);
        if !self.within_window(call, target, &parts, thread, site) {
            return;
        }
        let op = self
            .same_op(component, call, target, epoch, site)
            .unwrap_or_else(|| {
                Rc::new(Op {
                    kind: call.kind,
                    name,
                    only_reads: only_reads(call),
                    rank,
                    thread,
                    issued: Epoch { component, time: 0 },
                    win: call.win,
                    target,
                    request: call.request,
                    epoch,
                    site,
                    local: Cell::new(None),
                    remote: Cell::new(None),
                    noticed: Cell::new(None),
                    notifies: call.notice.is_some(),
                    issued_mark: mark,
                    completed_mark: Cell::new(None),
                    completed_time: Cell::new(None),
                })
            });
        let op = if op.issued.time == 0 {
            self.enlist(component, op)
        } else {
            op
        };
        self.timeline.operation(&op);
        let clock = self.job.thread(component).clock.clone();
        if let Some(number) = call.notice {
            self.notify(component, number, &op);
        }
        for (buffer, effect) in [
            (call.origin, Effect::Read),
            (call.compare, Effect::Read),
            (call.result, Effect::Write),
        ] {
            if let Some(buffer) = buffer {
                self.origin_access(component, &op, buffer, effect, &clock);
            }
        }
        self.register_single(component, call, &op, &parts, time);
        let parts = parts
            .into_iter()
            .map(|part| {
                (
                    part.range,
                    self.op_record(component, &op, Role::Target, part.effect),
                )
            })
            .collect();
        self.at_target(rank, &op, Deferred { parts, clock });
    }

    /// An operation just issued that differs in nothing that matters: same place in the code, nothing in between.
    fn same_op(
        &mut self,
        component: Component,
        call: &Operation,
        target: Rank,
        epoch: AccessEpoch,
        site: Site,
    ) -> Option<Rc<Op>> {
        if call.request.is_some() || call.notice.is_some() {
            return None;
        }
        let recent = &self.job.thread(component).recent_ops;
        recent
            .iter()
            .find(|op| {
                op.site == site
                    && !op.notifies
                    && op.kind == call.kind
                    && op.only_reads == only_reads(call)
                    && op.win == call.win
                    && op.target == target
                    && op.epoch == epoch
                    && op.local.get().is_none()
                    && op.remote.get().is_none()
            })
            .cloned()
    }

    fn enlist(&mut self, component: Component, mut op: Rc<Op>) -> Rc<Op> {
        let time = self.job.thread(component).time;
        if let Some(op) = Rc::get_mut(&mut op) {
            op.issued.time = time;
        }
        let (rank, win) = (op.rank, op.win);
        let thread = self.job.thread(component);
        if op.request.is_none() && thread.recent_ops.len() < 16 {
            thread.recent_ops.push(Rc::clone(&op));
        }
        let process = self.job.process(rank);
        process.pending.entry(win).or_default().push(Rc::clone(&op));
        if let Some(request) = op.request {
            process.requests.insert(request, Rc::clone(&op));
        }
        op
    }

    /// The record of one side of an operation; shared by all ranges that it stands for.
    fn op_record(&mut self, component: Component, op: &Rc<Op>, role: Role, effect: Effect) -> Rc<Record> {
        let access = Access {
            rank: op.rank,
            role,
            effect,
        };
        let locks = self.job.process(op.rank).held.iter().cloned().collect();
        let thread = self.job.thread(component);
        let same = |record: &&Rc<Record>| {
            record.access == access && record.operation().is_some_and(|other| Rc::ptr_eq(other, op))
        };
        if let Some(record) = thread.recent_records.iter().find(same) {
            return Rc::clone(record);
        }
        let record = Rc::new(Record {
            access,
            thread: op.thread,
            issued: Cell::new(op.issued),
            first: Cell::new(op.issued),
            source: Source::Operation(Rc::clone(op)),
            site: op.site,
            locks,
            visits: Cell::new(0),
            acquisitions: 0,
            mark: Cell::new(op.issued_mark),
            displaced: Cell::new(false),
            remembered: Cell::new(false),
        });
        if thread.recent_records.len() < 32 {
            thread.recent_records.push(Rc::clone(&record));
        }
        record
    }

    fn origin_access(
        &mut self,
        component: Component,
        op: &Rc<Op>,
        buffer: Buffer,
        effect: Effect,
        clock: &VectorClock,
    ) {
        let Some(map) = self.job.process(op.rank).types.get(&buffer.datatype).cloned() else {
            return;
        };
        let mut ranges = Vec::new();
        footprint::of_buffer(&map, buffer.address, buffer.count, |extent| {
            ranges.push(extent.range)
        });
        let record = self.op_record(component, op, Role::Origin, effect);
        for range in ranges {
            for (owner, range) in self.job.owner(op.rank, range) {
                if effect == Effect::Write {
                    self.stored_into(owner, &range, &record);
                }
                self.access(owner, range, &record, clock);
            }
        }
    }

    fn register_single(
        &mut self,
        component: Component,
        call: &Operation,
        op: &Rc<Op>,
        parts: &[TargetPart],
        time: u64,
    ) {
        let [part] = parts else { return };
        let length = part.range.end - part.range.start;
        let (size, operator) = match part.effect {
            Effect::Update(update) => {
                let operator = match call.kind {
                    OperationKind::CompareAndSwap => None,
                    _ => call.operator.or(Some(AccumulateOp::Other)),
                };
                (update.size, operator)
            }
            // A word that its target may wait for.
            Effect::Write if call.operand.is_some() && self.options.interface == Interface::Farside => {
                (length.min(9) as u32, Some(AccumulateOp::Replace))
            }
            _ => return,
        };
        if length != u64::from(size) || size > 8 {
            return;
        }
        let element = SingleElement {
            location: (op.target, part.range.start),
            size,
            operator,
            operand: call.operand,
            fetches: !matches!(call.kind, OperationKind::Accumulate | OperationKind::Put),
        };
        self.single_element(component, call.id, op, &element, time);
        self.job.thread(component).published = true;
    }

    /// Type maps are kept by process.
    pub(crate) fn define_type(&mut self, rank: Rank, id: farside_events::TypeId, map: &TypeMap) {
        self.job.process(rank).types.insert(id, Rc::new(map.clone()));
    }
}

/// Whether an operation reads its target and leaves it as it is.
fn only_reads(call: &Operation) -> bool {
    match call.kind {
        OperationKind::Get => true,
        OperationKind::GetAccumulate | OperationKind::FetchAndOp => call.operator == Some(AccumulateOp::NoOp),
        _ => false,
    }
}
