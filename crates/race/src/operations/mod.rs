//! Operations that are issued and not complete, and the requests by which they can be waited for.

mod ordered;
mod pending;
#[cfg(test)]
mod sample;

pub(crate) use pending::Wanted;

use crate::interface::Rules;
use crate::job::Caller;
use crate::order::Threads;
use crate::record::{AccessEpoch, Batches, HeldLocks, Op, Record, Renewal};
use crate::stamp::Stamp;
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::{Effect, Role};
use farside_events::{ChannelId, Interface, Operation, OperationId, Rank, RequestId, WinId};
use ordered::Ordered;
use pending::{Completion, Pending};
use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::rc::Rc;

/// All open operations.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    /// By rank.
    processes: Vec<OfProcess>,
    /// By component.
    recent: Vec<Recent>,
}

#[derive(Debug, Default)]
struct OfProcess {
    pending: HashMap<WinId, Pending>,
    requests: HashMap<RequestId, Rc<Op>>,
    /// What was completed last, if the process has several threads: each of them may complete it, too.
    completed: HashMap<WinId, VecDeque<Rc<Op>>>,
    /// What it has ordered without completing it.
    ordered: Ordered,
    /// How often somebody saw a flag that came with its operations.
    told: u64,
}

/// What a thread issued at one of its local times, and the records of that.
#[derive(Debug, Default)]
struct Recent {
    time: u64,
    ops: Vec<Rc<Op>>,
    records: Vec<(Side, Rc<Record>)>,
    /// What is done at its target before the next operation, and before that one only.
    before_next: Option<Rc<Op>>,
}

/// A side of an operation: its target, or one of its buffers. Each has records of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    role: Role,
    effect: Effect,
    is_compared: bool,
    /// Its process may wait for a lock.
    waits: bool,
    /// Its bytes belong to the thread, not to all strands.
    of_the_thread: bool,
}

impl Side {
    /// What happens to bytes of the target; `waits` says whether the origin may wait for a lock.
    pub(crate) fn target(effect: Effect, waits: bool) -> Self {
        Self {
            role: Role::Target,
            effect,
            is_compared: false,
            waits,
            of_the_thread: false,
        }
    }

    /// What happens to the origin or the result buffer.
    pub(crate) fn origin(effect: Effect, waits: bool) -> Self {
        Self {
            role: Role::Origin,
            ..Self::target(effect, waits)
        }
    }

    /// The buffer of `MPI_Compare_and_swap` with the value to compare with.
    pub(crate) fn compared(waits: bool) -> Self {
        Self {
            is_compared: true,
            ..Self::origin(Effect::Read, waits)
        }
    }

    /// Whether its bytes belong to the thread.
    pub(crate) fn in_memory_of_the_thread(self, of_the_thread: bool) -> Self {
        Self {
            of_the_thread,
            ..self
        }
    }

    /// What happens to its bytes.
    pub(crate) fn effect(self) -> Effect {
        self.effect
    }

    /// The access that may renew an earlier one.
    pub(crate) fn renewal<'a>(self, op: &'a Rc<Op>, held: &'a HeldLocks) -> Option<Renewal<'a>> {
        let request = op.request().is_some();
        (!request && !self.waits && !self.of_the_thread)
            .then(|| Renewal::of(op, self.role, self.effect, held))
    }
}

/// Operations and records kept of one local time of a thread.
const RECENT_OPS: usize = 16;
const RECENT_RECORDS: usize = 32;
/// Complete operations of a window that are kept for its process' other threads.
const COMPLETED_OPS: usize = 256;

impl Operations {
    /// A call is issued in an epoch; the operation may stand for earlier calls that nothing tells apart from it.
    pub(crate) fn issue(
        &mut self,
        threads: &Threads,
        caller: &Caller,
        call: &Operation,
        target: Rank,
        (epoch, interface): (AccessEpoch, Interface),
        mark: u64,
    ) -> Rc<Op> {
        let now = threads.now(caller.component());
        let recent = self.recent(threads, caller.component());
        let before = recent.before_next.take();
        if call.request.is_none()
            && call.notice.is_none()
            && before.is_none()
            && let Some(op) = recent
                .ops
                .iter()
                .find(|op| op.stands_for(call, target, epoch, caller.site()))
        {
            return Rc::clone(op);
        }
        let op = Rc::new(Op::new(caller, call, target, (epoch, interface), now, mark));
        if let Some(before) = before.filter(|before| before.target() == target) {
            op.brings(before);
        }
        if op.request().is_none() && recent.ops.len() < RECENT_OPS {
            recent.ops.push(Rc::clone(&op));
        }
        let process = self.process(caller.rank());
        process.pending.entry(call.win).or_default().issue(&op);
        if let Some(request) = call.request {
            process.requests.insert(request, Rc::clone(&op));
        }
        op
    }

    /// The record of one side of an operation, if it has one that further ranges can share.
    pub(crate) fn record(
        &mut self,
        threads: &Threads,
        component: Component,
        op: &Rc<Op>,
        side: Side,
    ) -> Option<Rc<Record>> {
        if !op.shares() {
            return None;
        }
        let records = &self.recent(threads, component).records;
        let same = |(of, record): &&(Side, Rc<Record>)| {
            *of == side && record.operation().is_some_and(|other| Rc::ptr_eq(other, op))
        };
        records.iter().find(same).map(|(_, record)| Rc::clone(record))
    }

    /// A new record of one side of an operation; all ranges that it stands for share it.
    pub(crate) fn enter(
        &mut self,
        threads: &Threads,
        component: Component,
        op: &Rc<Op>,
        side: Side,
        held: &HeldLocks,
    ) -> Rc<Record> {
        let access = (side.role, side.effect);
        let record = Rc::new(Record::of(
            op,
            access,
            side.of_the_thread,
            held.clone(),
            side.waits,
        ));
        let recent = self.recent(threads, component);
        if recent.records.len() < RECENT_RECORDS {
            recent.records.push((side, Rc::clone(&record)));
            op.share();
        }
        record
    }

    /// Completes the operations of the caller's process on `win` that are wanted and that the caller knows to have been
    /// issued. They are complete since `mark` in the sequence and `time` of the machine. Gives the targets at which
    /// something is done now.
    pub(crate) fn complete(
        &mut self,
        threads: &mut Threads,
        component: Component,
        win: WinId,
        remotely: bool,
        (mark, time): (u64, Stamp),
        wanted: Wanted,
    ) -> SmallVec<[Rank; 1]> {
        let mut done = SmallVec::new();
        let at = threads.tick(component);
        let clock = threads.clock(component);
        let threaded = threads.has_others(component);
        let process = self.process(threads.rank(component));
        let knows = |epoch| clock.covers(epoch);
        let mut completed = threaded.then(|| process.completed.entry(win).or_default());
        for op in completed.iter().flat_map(|completed| completed.iter()) {
            if wanted.has(op) && op.is_issued_before(clock) {
                op.complete(at, remotely, knows);
            }
        }
        let Some(pending) = process.pending.get_mut(&win) else {
            return done;
        };
        let completion = Completion::new(clock, remotely, process.told);
        let mut over = pending.complete(wanted, completion, |op| {
            // What another strand issued may be completed by that one, too, and by each that comes after: they all
            // know, as their thread does.
            let at = match op.issued().component == component {
                true => at,
                false => at.of_host(),
            };
            op.complete(at, remotely, knows);
        });
        if let Some(completed) = &mut completed {
            over.sort_unstable_by_key(|op| op.mark());
            over.iter().for_each(|op| keep(completed, op));
        }
        for op in over {
            op.completed_at(mark, time);
            if !done.contains(&op.target()) {
                done.push(op.target());
            }
        }
        done
    }

    /// A flag was seen that came with operations of a process: some of them may be complete.
    pub(crate) fn tell(&mut self, rank: Rank) {
        self.process(rank).told += 1;
    }

    /// What the caller's process has issued on a channel, and the caller knows of, is done at its targets before what
    /// it issues there from now on; or only the latest of it, before what the caller issues next.
    pub(crate) fn order(
        &mut self,
        threads: &mut Threads,
        component: Component,
        channel: ChannelId,
        latest: bool,
    ) {
        let at = threads.tick(component);
        let clock = threads.clock(component);
        let process = self.process(threads.rank(component));
        if latest {
            let known = process.pending.values();
            let known = known.filter_map(|pending| pending.latest(channel, clock));
            let latest = known.max_by_key(|op| op.mark()).cloned();
            self.recent(threads, component).before_next = latest;
        } else {
            let OfProcess { pending, ordered, .. } = process;
            for pending in pending.values_mut() {
                pending.order(channel, clock, at, |target, ops| {
                    ordered.enter(channel, target, ops, at)
                });
            }
        }
    }

    /// What a process has issued to the target of an operation and ordered before it; a thread of the process with this
    /// clock issues it now.
    pub(crate) fn going_before(&mut self, op: &Op, clock: &VectorClock) -> Batches {
        let process = self.process(op.rank());
        process.ordered.before(op.channel(), op.target(), clock)
    }

    /// The request of an operation completed: locally, and for what only reads altogether; at the target, too, if
    /// `fetched` says that of operations that fetch. Gives the operation if nothing of it is left to complete.
    pub(crate) fn request_done(
        &mut self,
        threads: &mut Threads,
        component: Component,
        request: RequestId,
    ) -> Option<Rc<Op>> {
        let at = threads.tick(component);
        let clock = threads.clock(component);
        let process = self.process(threads.rank(component));
        let op = process.requests.remove(&request)?;
        let was_complete = op.is_complete();
        let remotely = op.interface().fetching_completes() && op.fetches();
        op.complete(at, remotely, |epoch| clock.covers(epoch));
        if remotely && let Some(batch) = process.ordered.before_own(&op) {
            // What was ordered before it has arrived, too.
            batch.notice(at);
        }
        if let Some(pending) = process.pending.get_mut(&op.win()) {
            pending.is_completed(&op);
        }
        if !op.is_complete() {
            return None;
        }
        if threads.has_others(component) && !was_complete {
            keep(process.completed.entry(op.win()).or_default(), &op);
        }
        Some(op)
    }

    /// The call of an operation of a process has failed: it is none.
    pub(crate) fn withdraw(&mut self, rank: Rank, id: OperationId) -> Option<Rc<Op>> {
        let process = self.process(rank);
        let op = process.pending.values().find_map(|pending| pending.find(id))?;
        let op = Rc::clone(op);
        op.withdraw();
        if let Some(pending) = process.pending.get_mut(&op.win()) {
            pending.remove(&op);
        }
        if let Some(request) = op.request() {
            process.requests.remove(&request);
        }
        Some(op)
    }

    /// What the process of an operation has written to its target on its channel before, as far as its thread knows,
    /// and what is not known to have arrived.
    pub(crate) fn written_before(&self, later: &Op, clock: &VectorClock) -> Vec<Rc<Op>> {
        let Some(process) = self.processes.get(later.rank().0 as usize) else {
            return Vec::new();
        };
        let writes = |op: &&Rc<Op>| {
            !op.only_reads()
                && op.channel() == later.channel()
                && op.id() != later.id()
                && op.is_issued_before(clock)
        };
        let pending = process.pending.values();
        let pending = pending.flat_map(|pending| pending.to(Some(later.target())));
        pending.filter(writes).cloned().collect()
    }

    /// Operations of any process to a part of a window that is about to end, which who has the part does not know to
    /// be over.
    pub(crate) fn reaching(&self, target: Rank, win: WinId, clock: &VectorClock) -> Option<&Rc<Op>> {
        let pending = self
            .processes
            .iter()
            .filter_map(|process| process.pending.get(&win));
        let is_known = |epoch: Option<Epoch>| epoch.is_some_and(|epoch| clock.covers(epoch));
        let open = |op: &&Rc<Op>| {
            let noticed = || op.is_noticed(|epoch| clock.covers(epoch));
            !is_known(op.local()) && !noticed()
        };
        let mut first = pending.filter_map(|pending| {
            let open = pending.to(Some(target)).filter(open);
            open.min_by_key(|op| op.mark())
        });
        first.next()
    }

    /// The operations of access epochs, which their targets complete from now on.
    pub(crate) fn hand_over(&mut self, rank: Rank, win: WinId) -> Vec<Rc<Op>> {
        let pending = self.process(rank).pending.entry(win).or_default();
        pending.hand_over(AccessEpoch::Start)
    }

    /// What is pending of a process on a window, in the order of the calls.
    pub(crate) fn pending(&self, rank: Rank, win: WinId) -> Vec<&Rc<Op>> {
        let process = self.processes.get(rank.0 as usize);
        let pending = process.and_then(|process| process.pending.get(&win));
        pending.map_or_else(Vec::new, Pending::in_order)
    }

    /// The first operation of a process on a window whose request has not been completed.
    pub(crate) fn first_request(&self, rank: Rank, win: WinId) -> Option<&Rc<Op>> {
        let requests = &self.processes.get(rank.0 as usize)?.requests;
        let on_window = requests.values().filter(|op| op.win() == win);
        on_window.min_by_key(|op| op.mark())
    }

    /// A window is over: nobody completes anything on it any more.
    pub(crate) fn close(&mut self, win: WinId) {
        for process in &mut self.processes {
            process.completed.remove(&win);
        }
    }

    fn process(&mut self, rank: Rank) -> &mut OfProcess {
        let index = rank.0 as usize;
        if index >= self.processes.len() {
            self.processes.resize_with(index + 1, OfProcess::default);
        }
        &mut self.processes[index]
    }

    /// What the thread issued at its present time.
    fn recent(&mut self, threads: &Threads, component: Component) -> &mut Recent {
        let index = component as usize;
        if index >= self.recent.len() {
            self.recent.resize_with(index + 1, Recent::default);
        }
        let recent = &mut self.recent[index];
        let time = threads.now(component).time;
        if recent.time != time {
            recent.time = time;
            recent.ops.clear();
            recent.records.clear();
        }
        recent
    }
}

/// Keeps a complete operation for other threads of its process.
fn keep(completed: &mut VecDeque<Rc<Op>>, op: &Rc<Op>) {
    if completed.len() == COMPLETED_OPS {
        completed.pop_front();
    }
    completed.push_back(Rc::clone(op));
}
