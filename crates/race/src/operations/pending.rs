//! What a process has issued on one window and what is not complete, kept so that a call costs what it changes.
//!
//! What is open at its origin lies apart from what is complete there and not known to be so at its target. Local
//! flushes have nothing to do with the latter, of which a process that flushes at its target once, at the end, has all
//! that it ever issued.
//!
//! Exceptions, for which a local flush does go through it: another thread of the process completed it at its origin,
//! and the caller does not know of that; or a target has learned of something by a flag in the meantime, after which
//! nothing is left to complete.
//!
//! Operations of one thread to one target on one channel are a lane, in the order of their calls: whoever knows that
//! one of them was issued knows it of all earlier ones.

use crate::record::{AccessEpoch, Op};
use farside_clocks::{Component, Epoch, VectorClock};
use farside_events::{ChannelId, OperationId, OperationKind, Rank};
use smallvec::SmallVec;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::rc::Rc;

/// Operations that are not complete.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// Not known to be complete at their origin.
    open: Lanes,
    /// Complete at their origin.
    sent: Lanes,
    /// When, at the latest, each thread completed some of those at their origin.
    sent_since: Moments,
    /// How often the process had been told of flags when all was gone through.
    told: u64,
}

/// Which operations a call completes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    target: Option<Rank>,
    channel: Option<ChannelId>,
    epoch: Option<AccessEpoch>,
}

/// How a call completes operations: who calls knows `clock`, at the target or only at the origin, and the process was
/// told so often of flags that were seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completion<'a> {
    clock: &'a VectorClock,
    remotely: bool,
    told: u64,
}

/// Target, thread and channel.
type Key = (Rank, Component, ChannelId);

/// None of them is empty.
type Lanes = BTreeMap<Key, Lane>;

/// Lanes to be taken away.
type Emptied = SmallVec<[Key; 4]>;

/// One moment a thread.
#[derive(Debug, Default)]
struct Moments(SmallVec<[Epoch; 1]>);

/// In the order of the calls.
#[derive(Debug, Default)]
struct Lane {
    ops: VecDeque<Rc<Op>>,
    /// When, at the latest, each thread completed some of them at their origin.
    since: Moments,
    /// Where they are up to this place in the sequence, they are ordered before what comes later.
    ordered: u64,
}

impl Wanted {
    /// All of them.
    pub(crate) const ALL: Self = Self {
        target: None,
        channel: None,
        epoch: None,
    };

    /// Those to one target, or to all, on one channel, or on all.
    pub(crate) fn to(target: Option<Rank>, channel: Option<ChannelId>) -> Self {
        Self {
            target,
            channel,
            ..Self::ALL
        }
    }

    /// Those that were issued in an epoch of this kind.
    pub(crate) fn within(epoch: AccessEpoch) -> Self {
        Self {
            epoch: Some(epoch),
            ..Self::ALL
        }
    }

    /// The target at which they are done; `None`: any.
    pub(crate) fn target(&self) -> Option<Rank> {
        self.target
    }

    /// Whether it is one of them.
    pub(super) fn has(&self, op: &Op) -> bool {
        self.target.is_none_or(|target| op.target() == target)
            && self.channel.is_none_or(|channel| op.channel() == channel)
            && self.has_epoch(op)
    }

    fn has_epoch(&self, op: &Op) -> bool {
        self.epoch.is_none_or(|epoch| op.epoch() == epoch)
    }

    /// The lanes where they are.
    fn lanes(self, lanes: &mut Lanes) -> impl Iterator<Item = (&Key, &mut Lane)> {
        lanes
            .range_mut(span(self.target))
            .filter(move |(key, _)| self.channel.is_none_or(|channel| key.2 == channel))
    }
}

impl<'a> Completion<'a> {
    pub(super) fn new(clock: &'a VectorClock, remotely: bool, told: u64) -> Self {
        Self {
            clock,
            remotely,
            told,
        }
    }
}

impl Pending {
    /// An operation is issued.
    pub(super) fn issue(&mut self, op: &Rc<Op>) {
        self.open.entry(key(op)).or_default().enter(op);
    }

    /// Calls `complete` for the operations that are wanted, that who calls knows to have been issued, and that there is
    /// something to complete of. Takes out and gives back, lane by lane, what is complete then.
    pub(super) fn complete(
        &mut self,
        wanted: Wanted,
        completion: Completion<'_>,
        mut complete: impl FnMut(&Op),
    ) -> Vec<Rc<Op>> {
        let mut done = Vec::new();
        let Completion {
            clock,
            remotely,
            told,
        } = completion;
        let is_told = std::mem::replace(&mut self.told, told) != told;
        let all = remotely || is_told;
        if all || !self.sent_since.are_known(clock) {
            let changes = |lane: &Lane| all || !lane.since.are_known(clock);
            let mut emptied = Emptied::new();
            for (&key, lane) in wanted.lanes(&mut self.sent).filter(|(_, lane)| changes(lane)) {
                lane.take_out(clock, |op| {
                    if !wanted.has_epoch(op) {
                        return false;
                    }
                    complete(op);
                    let over = op.is_complete();
                    over.then(|| done.push(Rc::clone(op)));
                    over
                });
                if lane.ops.is_empty() {
                    emptied.push(key);
                }
            }
            for key in emptied {
                self.sent.remove(&key);
            }
        }
        let mut emptied = Emptied::new();
        for (&key, lane) in wanted.lanes(&mut self.open) {
            let (sent, sent_since) = (&mut self.sent, &mut self.sent_since);
            lane.take_out(clock, |op| {
                if !wanted.has_epoch(op) {
                    return false;
                }
                complete(op);
                match op.is_complete() {
                    true => done.push(Rc::clone(op)),
                    false => send(sent, sent_since, key, op),
                }
                true
            });
            if lane.ops.is_empty() {
                emptied.push(key);
            }
        }
        for key in emptied {
            self.open.remove(&key);
        }
        if is_told {
            // What a flag was the last to complete is not among what this call completes.
            self.take_out(Op::is_complete);
        }
        if self.sent.is_empty() {
            self.sent_since = Moments::default();
        }
        done
    }

    /// An operation was completed by itself, as far as it says.
    pub(super) fn is_completed(&mut self, op: &Rc<Op>) {
        if op.is_complete() {
            self.remove(op);
        } else if op.local().is_some() && take(&mut self.open, op) {
            send(&mut self.sent, &mut self.sent_since, key(op), op);
        }
    }

    /// It is none of them any more.
    pub(super) fn remove(&mut self, op: &Op) {
        if !take(&mut self.open, op) {
            take(&mut self.sent, op);
        }
    }

    /// Those to one target, or to all, in no order.
    pub(super) fn to(&self, target: Option<Rank>) -> impl Iterator<Item = &Rc<Op>> {
        let lanes = [&self.open, &self.sent].into_iter();
        lanes.flat_map(move |lanes| lanes.range(span(target)).flat_map(|(_, lane)| &lane.ops))
    }

    /// All of them, in the order of their calls.
    pub(super) fn in_order(&self) -> Vec<&Rc<Op>> {
        let mut all: Vec<&Rc<Op>> = self.to(None).collect();
        all.sort_unstable_by_key(|op| op.mark());
        all
    }

    /// The operation with this number, if it is one of them.
    pub(super) fn find(&self, id: OperationId) -> Option<&Rc<Op>> {
        let mut lanes = [&self.open, &self.sent].into_iter().flat_map(BTreeMap::values);
        // It is a late one.
        lanes.find_map(|lane| lane.ops.iter().rev().find(|op| op.id() == id))
    }

    /// What was issued on a channel to change its target, and is known to one with this clock, is done before what
    /// comes later. Tells for each target what was not so before.
    pub(super) fn order(
        &mut self,
        channel: ChannelId,
        clock: &VectorClock,
        at: Epoch,
        mut enter: impl FnMut(Rank, Vec<Rc<Op>>),
    ) {
        for lanes in [&mut self.open, &mut self.sent] {
            for (key, lane) in Wanted::to(None, Some(channel)).lanes(lanes) {
                let from = lane.ops.partition_point(|op| op.mark().1 <= lane.ordered);
                let known = lane.known(clock);
                let mut new = Vec::new();
                for op in lane.ops.range(from..known.max(from)) {
                    if changes_its_target(op) && op.order(at) {
                        new.push(Rc::clone(op));
                    }
                    lane.ordered = op.mark().1;
                }
                if !new.is_empty() {
                    enter(key.0, new);
                }
            }
        }
    }

    /// The latest that was issued on a channel to change its target and is known to one with this clock.
    pub(super) fn latest(&self, channel: ChannelId, clock: &VectorClock) -> Option<&Rc<Op>> {
        let lanes = self.open.iter().chain(&self.sent);
        let on_channel = lanes.filter(|(key, _)| key.2 == channel);
        let latest = on_channel.filter_map(|(_, lane)| {
            let mut known = lane.ops.range(..lane.known(clock)).rev();
            known.find(|op| changes_its_target(op))
        });
        latest.max_by_key(|op| op.mark())
    }

    /// Takes out what was issued in an epoch of this kind, in the order of the calls.
    pub(super) fn hand_over(&mut self, epoch: AccessEpoch) -> Vec<Rc<Op>> {
        let mut over = self.take_out(|op| op.epoch() == epoch);
        over.sort_unstable_by_key(|op| op.mark());
        over
    }

    /// Takes out those that `leaves` says it of, lane by lane.
    fn take_out(&mut self, leaves: impl Fn(&Op) -> bool) -> Vec<Rc<Op>> {
        let mut out = Vec::new();
        for lanes in [&mut self.open, &mut self.sent] {
            lanes.retain(|_, lane| {
                lane.ops.retain(|op| {
                    let stays = !leaves(op);
                    if !stays {
                        out.push(Rc::clone(op));
                    }
                    stays
                });
                !lane.ops.is_empty()
            });
        }
        out
    }
}

impl Moments {
    fn note(&mut self, at: Epoch) {
        match self.0.iter_mut().find(|known| known.component == at.component) {
            Some(known) => known.time = known.time.max(at.time),
            None => self.0.push(at),
        }
    }

    fn are_known(&self, clock: &VectorClock) -> bool {
        self.0.iter().all(|moment| clock.covers(*moment))
    }
}

impl Lane {
    /// Enters an operation where it belongs, mostly as the last.
    fn enter(&mut self, op: &Rc<Op>) {
        let mark = op.mark();
        if self.ops.back().is_none_or(|last| last.mark() < mark) {
            self.ops.push_back(Rc::clone(op));
        } else {
            let place = self.ops.partition_point(|other| other.mark() < mark);
            self.ops.insert(place, Rc::clone(op));
        }
    }

    /// How many of them, from the first one on, are known to have been issued.
    fn known(&self, clock: &VectorClock) -> usize {
        match self.ops.back() {
            Some(last) if !last.is_issued_before(clock) => {
                self.ops.partition_point(|op| op.is_issued_before(clock))
            }
            _ => self.ops.len(),
        }
    }

    /// Takes those out that are known to have been issued, and that `leaves` says it of.
    fn take_out(&mut self, clock: &VectorClock, mut leaves: impl FnMut(&Rc<Op>) -> bool) {
        let known = self.known(clock);
        if known > 0 {
            let mut seen = 0;
            self.ops.retain(|op| {
                seen += 1;
                seen > known || !leaves(op)
            });
        }
    }
}

/// An operation is complete at its origin.
fn send(lanes: &mut Lanes, since: &mut Moments, key: Key, op: &Rc<Op>) {
    let lane = lanes.entry(key).or_default();
    lane.enter(op);
    if let Some(at) = op.local() {
        lane.since.note(at);
        since.note(at);
    }
}

/// Takes an operation out, if it is there.
fn take(lanes: &mut Lanes, op: &Op) -> bool {
    let key = key(op);
    let Some(lane) = lanes.get_mut(&key) else {
        return false;
    };
    let Ok(place) = lane.ops.binary_search_by_key(&op.mark(), |other| other.mark()) else {
        return false;
    };
    lane.ops.remove(place);
    if lane.ops.is_empty() {
        lanes.remove(&key);
    }
    true
}

fn key(op: &Op) -> Key {
    (op.target(), op.issued().component, op.channel())
}

/// The keys of one target, or of all.
fn span(target: Option<Rank>) -> (Bound<Key>, Bound<Key>) {
    let Some(target) = target else {
        return (Bound::Unbounded, Bound::Unbounded);
    };
    let first = (target, 0, ChannelId(0));
    let last = (target, Component::MAX, ChannelId(u32::MAX));
    (Bound::Included(first), Bound::Included(last))
}

/// Gets are not ordered (OpenSHMEM 1.5 §9.11.1).
fn changes_its_target(op: &Op) -> bool {
    op.kind() != OperationKind::Get
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::sample::{OWN, call, op};
    use crate::order::Threads;
    use farside_events::ThreadId;
    use proptest::prelude::*;

    /// What is complete at its origin is not gone through again by those who know of it.
    #[test]
    fn local_flushes_go_through_each_operation_once() {
        let mut threads = Threads::default();
        let own = threads.component(OWN, ThreadId(0));
        let mut pending = Pending::default();
        let mut visits = 0;
        let mut flush = |pending: &mut Pending, threads: &mut Threads, wanted, remotely| {
            let at = threads.tick(own);
            let clock = threads.clock(own);
            let completion = Completion::new(clock, remotely, 0);
            let done = pending.complete(wanted, completion, |op| {
                visits += 1;
                op.complete(at, remotely, |epoch| clock.covers(epoch));
            });
            (done.len(), visits)
        };
        for number in 1..=1000 {
            let call = call(number, OperationKind::Put, number as u32 % 3, 0);
            pending.issue(&op(&threads, own, &call, AccessEpoch::LockAll, number));
            let to = (number % 2 == 0).then_some(Rank(number as u32 % 3));
            flush(&mut pending, &mut threads, Wanted::to(to, None), false);
        }
        let all = flush(&mut pending, &mut threads, Wanted::ALL, false);
        assert_eq!(all, (0, 1000));
        let of_one = flush(&mut pending, &mut threads, Wanted::to(Some(Rank(1)), None), true);
        assert_eq!(of_one, (334, 1334));
        assert_eq!(flush(&mut pending, &mut threads, Wanted::ALL, true), (666, 2000));
        assert!(pending.in_order().is_empty());
    }

    /// The same by one list, all of which every call goes through.
    #[derive(Default)]
    struct Plain(Vec<Rc<Op>>);

    impl Plain {
        fn complete(
            &mut self,
            wanted: Wanted,
            clock: &VectorClock,
            mut complete: impl FnMut(&Op),
        ) -> Vec<Rc<Op>> {
            let mut done = Vec::new();
            self.0.retain(|op| {
                if wanted.has(op) && op.is_issued_before(clock) {
                    complete(op);
                    if op.is_complete() {
                        done.push(Rc::clone(op));
                    }
                }
                !op.is_complete()
            });
            done
        }

        fn order(&self, channel: ChannelId, clock: &VectorClock) -> impl Iterator<Item = &Rc<Op>> {
            self.0.iter().filter(move |op| {
                op.kind() != OperationKind::Get && op.channel() == channel && op.is_issued_before(clock)
            })
        }
    }

    fn ids<'a>(ops: impl IntoIterator<Item = &'a Rc<Op>>) -> Vec<OperationId> {
        ops.into_iter().map(|op| op.id()).collect()
    }

    proptest! {
        /// Two threads and a strand of one of them issue, complete, order and withdraw, and learn of each other.
        #[test]
        fn agrees_with_one_list(steps in prop::collection::vec((0u8..16, 0usize..3, 0u32..6, 0u32..6), 1..80)) {
            let mut threads = Threads::default();
            let ids_of_threads = [ThreadId(0), ThreadId(1), ThreadId::strand(ThreadId(0), 1)];
            let all = ids_of_threads.map(|id| threads.component(OWN, id));
            let (mut fast, mut plain) = (Pending::default(), Plain::default());
            let mut twins: Vec<(Rc<Op>, Rc<Op>)> = Vec::new();
            let mut told = 0;
            for (nth, (what, who, a, b)) in (1..).zip(steps) {
                let own = threads.component(OWN, ids_of_threads[who]);
                let pick = |twins: &[(Rc<Op>, Rc<Op>)], plain: &Plain| {
                    let place = (a * 6 + b) as usize * plain.0.len() / 36;
                    let id = plain.0.get(place)?.id();
                    twins.iter().find(|(op, _)| op.id() == id).cloned()
                };
                match what {
                    0..6 => {
                        let kind = if b == 0 { OperationKind::Get } else { OperationKind::Put };
                        let epoch = if b == 1 { AccessEpoch::Start } else { AccessEpoch::Lock };
                        let call = call(nth, kind, a % 3, a / 3);
                        let [one, other] = [(); 2].map(|()| op(&threads, own, &call, epoch, nth));
                        fast.issue(&one);
                        plain.0.push(Rc::clone(&other));
                        twins.push((one, other));
                    }
                    6..10 => {
                        let wanted = match b {
                            0 | 1 => Wanted::ALL,
                            2 => Wanted::within(AccessEpoch::Start),
                            3 => Wanted::to(None, Some(ChannelId(a % 2))),
                            _ => Wanted::to(Some(Rank(a % 3)), None),
                        };
                        let remotely = what == 9;
                        let at = threads.tick(own);
                        let clock = threads.clock(own);
                        let complete = |op: &Op| op.complete(at, remotely, |epoch| clock.covers(epoch));
                        let completion = Completion::new(clock, remotely, told);
                        let mut done = fast.complete(wanted, completion, complete);
                        done.sort_unstable_by_key(|op| op.mark());
                        let expected = plain.complete(wanted, clock, complete);
                        prop_assert_eq!(ids(&done), ids(&expected));
                    }
                    // A request.
                    10 => if let Some((one, other)) = pick(&twins, &plain) {
                        let at = threads.tick(own);
                        let clock = threads.clock(own);
                        for op in [&one, &other] {
                            op.complete(at, b == 0, |epoch| clock.covers(epoch));
                        }
                        fast.is_completed(&one);
                        plain.0.retain(|op| op.id() != other.id() || !op.is_complete());
                    }
                    // A flag.
                    11 => if let Some((one, other)) = pick(&twins, &plain) {
                        let at = threads.tick(own);
                        for op in [&one, &other] {
                            match op.kind() {
                                OperationKind::Get => op.complete(at, false, |_| true),
                                _ => op.deliver(at),
                            }
                        }
                        told += 1;
                    }
                    12 => {
                        let at = threads.tick(own);
                        let (channel, clock) = (ChannelId(a % 2), threads.clock(own));
                        fast.order(channel, clock, at, |_, _| {});
                        plain.order(channel, clock).for_each(|op| _ = op.order(at));
                        let latest = plain.order(channel, clock).last();
                        prop_assert_eq!(ids(fast.latest(channel, clock)), ids(latest));
                    }
                    13 => if let Some((one, other)) = pick(&twins, &plain) {
                        prop_assert_eq!(ids(fast.find(one.id())), vec![one.id()]);
                        fast.remove(&one);
                        plain.0.retain(|op| !Rc::ptr_eq(op, &other));
                    }
                    14 if b == 0 => {
                        let over = fast.hand_over(AccessEpoch::Start);
                        let (mine, others) = plain.0.drain(..).partition(|op| op.epoch() == AccessEpoch::Start);
                        plain.0 = others;
                        prop_assert_eq!(ids(&over), ids(&mine as &Vec<_>));
                    }
                    _ => {
                        let clock = threads.clock(all[a as usize % 3]).clone();
                        threads.acquire(own, &clock);
                    }
                }
                prop_assert_eq!(ids(fast.in_order()), ids(&plain.0));
                let to = |target| fast.to(Some(target)).count();
                let expected = |target| plain.0.iter().filter(|op| op.target() == target).count();
                prop_assert_eq!([0, 1, 2].map(|rank| to(Rank(rank))), [0, 1, 2].map(|rank| expected(Rank(rank))));
            }
            for (one, other) in twins {
                prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
            }
        }
    }
}
