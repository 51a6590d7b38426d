//! What a process has ordered before what it sends later, without completing it (`shmem_fence`).
//!
//! Nothing may ever complete it, so that there is more of it with each step of a program. Each fence makes a batch of
//! what it is the first to order, and a batch leads on to those before it: whoever has seen something that was sent
//! after a fence goes back only to the batch that it has known since the last time.

use crate::record::{Batch, Batches, Op};
use farside_clocks::{Component, Epoch, VectorClock};
use farside_events::{ChannelId, Rank};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Channel, target, and the thread that ordered.
type Key = (ChannelId, Rank, Component);

/// All that a process has ordered and that is not complete.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    batches: BTreeMap<Key, VecDeque<Rc<Batch>>>,
}

impl Ordered {
    /// A call of a thread is the first to order these, which go to one target on one channel.
    pub(super) fn enter(&mut self, channel: ChannelId, target: Rank, ops: Vec<Rc<Op>>, at: Epoch) {
        let batches = self.batches.entry((channel, target, at.component)).or_default();
        leave_out_complete(batches);
        let earlier = batches.back().cloned();
        batches.push_back(Rc::new(Batch::new(ops, at, earlier)));
    }

    /// What is done at a target before what a thread with this clock sends there on a channel.
    pub(super) fn before(&mut self, channel: ChannelId, target: Rank, clock: &VectorClock) -> Batches {
        let all = (channel, target, 0)..=(channel, target, Component::MAX);
        let batches = self.batches.range_mut(all);
        let latest = batches.filter_map(|(_, batches)| latest(batches, |at| clock.covers(at)));
        latest.collect()
    }

    /// What a thread had ordered at a target before it issued this operation.
    pub(super) fn before_own(&mut self, op: &Op) -> Option<Rc<Batch>> {
        let issued = op.issued();
        let batches = self
            .batches
            .get_mut(&(op.channel(), op.target(), issued.component))?;
        latest(batches, |at| at.time <= issued.time)
    }
}

/// The last batch of those that are known to be ordered.
fn latest(batches: &mut VecDeque<Rc<Batch>>, is_known: impl Fn(Epoch) -> bool) -> Option<Rc<Batch>> {
    leave_out_complete(batches);
    let known = match batches.back() {
        Some(last) if !is_known(last.at()) => batches.partition_point(|batch| is_known(batch.at())),
        _ => batches.len(),
    };
    known.checked_sub(1).map(|last| Rc::clone(&batches[last]))
}

fn leave_out_complete(batches: &mut VecDeque<Rc<Batch>>) {
    while batches.front().is_some_and(|batch| batch.is_complete()) {
        batches.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::pending::{Completion, Pending, Wanted};
    use crate::operations::sample::{OWN, call, op};
    use crate::order::Threads;
    use crate::record::AccessEpoch;
    use farside_events::{OperationKind, ThreadId};
    use proptest::prelude::*;

    const CHANNEL: ChannelId = ChannelId(0);
    const TARGET: Rank = Rank(1);

    /// A program that orders and never completes: who sees the last of it goes through what is new.
    #[test]
    fn what_was_seen_is_not_gone_through_again() {
        let mut threads = Threads::default();
        let own = threads.component(OWN, ThreadId(0));
        let others = [1, 2].map(|thread| threads.component(TARGET, ThreadId(thread)));
        let (mut pending, mut ordered) = (Pending::default(), Ordered::default());
        let mut visits = 0;
        let mut ops = Vec::new();
        for number in 1..=100_000 {
            let call = call(number, OperationKind::Put, TARGET.0, 0);
            ops.push(op(&threads, own, &call, AccessEpoch::LockAll, number));
            pending.issue(&ops[ops.len() - 1]);
            let at = threads.tick(own);
            pending.order(CHANNEL, threads.clock(own), at, |target, ops| {
                ordered.enter(CHANNEL, target, ops, at);
            });
            let before = ordered.before(CHANNEL, TARGET, threads.clock(own));
            let at = threads.tick(others[0]);
            visits += before.iter().map(|batch| batch.notice(at)).sum::<usize>();
        }
        assert_eq!(visits, 100_000);
        let before = ordered.before(CHANNEL, TARGET, threads.clock(own));
        let at = threads.tick(others[1]);
        assert_eq!(before[0].notice(at), 100_000);
        assert!(ops.iter().all(|op| op.is_noticed(|since| since == at)));
        let at = threads.tick(own);
        let clock = threads.clock(own);
        let completion = Completion::new(clock, true, 0);
        pending.complete(Wanted::ALL, completion, |op| {
            op.complete(at, true, |epoch| clock.covers(epoch))
        });
        assert!(ordered.before(CHANNEL, TARGET, clock).is_empty());
        drop(before);
    }

    proptest! {
        /// Two threads issue, order and complete; what they send then is seen later, by two others, or never. All that
        /// was pending and ordered is known then, and nothing else but what was complete.
        #[test]
        fn agrees_with_a_walk_through_all(steps in prop::collection::vec((0u8..12, 0usize..2, 0usize..64), 1..100)) {
            let mut threads = Threads::default();
            let senders = [0, 1].map(|thread| threads.component(OWN, ThreadId(thread)));
            let seers = [0, 1].map(|thread| threads.component(TARGET, ThreadId(thread)));
            let (mut pending, mut ordered) = (Pending::default(), Ordered::default());
            let mut ops: Vec<(Rc<Op>, Rc<Op>)> = Vec::new();
            let mut sent: Vec<(Batches, Vec<Rc<Op>>)> = Vec::new();
            for (number, (what, who, which)) in (1..).zip(steps) {
                let own = senders[who];
                match what {
                    0..3 => {
                        let kind = if which == 0 { OperationKind::Get } else { OperationKind::Put };
                        let call = call(number, kind, TARGET.0, (which % 5 / 4) as u32);
                        let [one, twin] = [(); 2].map(|()| op(&threads, own, &call, AccessEpoch::LockAll, number));
                        pending.issue(&one);
                        ops.push((one, twin));
                    }
                    3..5 => {
                        let at = threads.tick(own);
                        pending.order(CHANNEL, threads.clock(own), at, |target, ops| {
                            ordered.enter(CHANNEL, target, ops, at);
                        });
                    }
                    5 => {
                        let at = threads.tick(own);
                        let clock = threads.clock(own);
                        let completion = Completion::new(clock, which % 2 == 0, 0);
                        pending.complete(Wanted::ALL, completion, |op| {
                            op.complete(at, which % 2 == 0, |epoch| clock.covers(epoch));
                        });
                    }
                    6 => {
                        let clock = threads.clock(senders[1 - who]).clone();
                        threads.acquire(own, &clock);
                    }
                    7..9 => {
                        let clock = threads.clock(own);
                        let goes_before = |(one, _): &&(Rc<Op>, Rc<Op>)| {
                            one.channel() == CHANNEL && !one.is_complete() && one.goes_before(clock)
                        };
                        let all = ops.iter().filter(goes_before).map(|(_, twin)| Rc::clone(twin));
                        sent.push((ordered.before(CHANNEL, TARGET, clock), all.collect()));
                    }
                    _ => if let Some((batches, all)) = sent.get(which) {
                        let at = threads.tick(seers[who]);
                        batches.iter().for_each(|batch| _ = batch.notice(at));
                        all.iter().for_each(|op| op.notice(at));
                    }
                }
                for (one, twin) in &ops {
                    for seer in seers {
                        let [one_known, twin_known] =
                            [one, twin].map(|op| op.is_noticed(|since| since.component == seer));
                        prop_assert!(one_known == twin_known || one_known && one.is_complete());
                    }
                }
            }
        }
    }
}
