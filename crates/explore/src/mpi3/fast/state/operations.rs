//! Communication calls.

use super::super::accesses::Access;
use super::super::clock::Moment;
use super::super::{Logged, World};
use super::{Contribution, Pending, State};
use crate::mpi3::code::{Remote, Step};
use farside_litmus::ast::{Assertion, Operation, Rank};
use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::validity::Breach;
use smallvec::SmallVec;

/// The part of a statement that an access at the target is; those at the origin count from 0.
const AT_TARGET: u8 = 9;

impl State {
    pub(super) fn issue(
        &mut self,
        world: &World<'_, '_>,
        rank: Rank,
        remote: &Remote,
        step: &Step<'_>,
        moment: Moment,
    ) {
        let process = self.process(rank);
        let (executed, clock) = (process.executed, process.clock.clone());
        let fence = process.epochs.covering_fence(remote.target);
        let start = process
            .epochs
            .started
            .as_ref()
            .and_then(|(group, _)| group.get(&remote.target).copied());
        let mut operands = SmallVec::new();
        let reads = remote.reads.iter().map(|&variable| (variable, false));
        let touched = reads.chain(remote.into.map(|variable| (variable, true)));
        for (part, (variable, writes)) in (0..).zip(touched) {
            if !writes {
                operands.push(self.memory[variable.0 as usize]);
            }
            let key = (rank, executed, part);
            let access = Access::at_origin(key, step.number, variable, remote.kind, writes, moment);
            self.arrive(world, access, &clock);
        }
        let pending = Pending {
            key: (rank, executed, AT_TARGET),
            number: step.number,
            remote: remote.clone(),
            operands,
            called: clock.clone(),
            clock,
            issued: moment,
            waits_for_fence: fence,
            effective: false,
            start,
            learned: None,
        };
        let place = self.pending.partition_point(|other| other.key < pending.key);
        self.pending.insert(place, pending);
        if let Some(start) = start {
            let posts = &self.pairs.entry((remote.target, rank)).or_default().posts;
            if let Some(post) = posts.get(start) {
                self.pending[place].clock.join(post);
            }
        }
        match fence {
            None => self.arrive_at_target(world, place),
            Some(fence) if self.fences[fence].contains_key(&remote.target) => {
                self.open_to(world, place, fence);
            }
            Some(_) => {}
        }
    }

    /// The target has opened its epoch: the operation reaches it.
    pub(super) fn open_to(&mut self, world: &World<'_, '_>, index: usize, fence: usize) {
        let pending = &mut self.pending[index];
        pending.waits_for_fence = None;
        let Some(arrival) = self.fences[fence].get(&pending.remote.target) else {
            return;
        };
        if arrival.assertions.contains(&Assertion::NoPrecede) {
            pending.clock.join(&arrival.clock);
        }
        if arrival.assertions.contains(&Assertion::NoPut) && pending.remote.writes() {
            self.faults
                .insert(((pending.key.0, pending.number), Breach::NoPut));
        }
        self.arrive_at_target(world, index);
    }

    fn arrive_at_target(&mut self, world: &World<'_, '_>, index: usize) {
        let pending = &self.pending[index];
        let access = Access::at_target(pending.key, pending.number, &pending.remote, pending.issued);
        let clock = pending.clock.clone();
        self.arrive(world, access, &clock);
    }

    /// Whether the operation can take effect: its target exposes the window, and earlier accumulates of its process to
    /// the location have (26).
    pub(super) fn may_take_effect(&self, index: usize) -> bool {
        let pending = &self.pending[index];
        let earlier = || {
            self.pending[..index].iter().any(|earlier| {
                !earlier.effective
                    && earlier.key.0 == pending.key.0
                    && earlier.remote.location == pending.remote.location
                    && earlier.remote.kind.is_accumulate()
                    && pending.remote.kind.is_accumulate()
            })
        };
        !pending.effective && pending.waits_for_fence.is_none() && !earlier()
    }

    /// Lets operations take effect whose order does not matter.
    pub(super) fn effects_in_order(&mut self, world: &World<'_, '_>, log: &mut Vec<Logged>) -> bool {
        let mut moved = false;
        for index in 0..self.pending.len() {
            let remote = &self.pending[index].remote;
            let contended = remote.kind.is_accumulate() && world.contended.contains(&remote.location);
            if !contended && self.may_take_effect(index) {
                self.effect(index, log);
                moved = true;
            }
        }
        moved
    }

    pub(super) fn effect(&mut self, index: usize, log: &mut Vec<Logged>) {
        let pending = self.pending[index].clone();
        log.push(Logged::Effect(pending.key.0, pending.key.1));
        let (remote, location) = (&pending.remote, pending.remote.location);
        let stored = self.memory[location.0 as usize];
        self.pending[index].effective = true;
        // A result comes from after what the operation waited for at its target.
        let mut learned = pending.clock.clone();
        if remote.kind.is_accumulate() && remote.fetches() {
            for contribution in self.contributions.get(&location).into_iter().flatten() {
                learned.join(&contribution.clock);
            }
        }
        if remote.fetches() {
            self.pending[index].learned = Some(learned);
        }
        if let (Some(into), true) = (remote.into, remote.fetches()) {
            self.write(into, stored);
        }
        if !remote.writes() {
            return;
        }
        let value = remote.result(stored, &pending.operands);
        if !remote.kind.is_accumulate() {
            return self.write(location, value);
        }
        let swaps = remote.kind == ActionKind::Ras;
        if swaps && pending.operands.first() != Some(&stored) {
            return;
        }
        self.memory[location.0 as usize] = value;
        let contributions = self.contributions.entry(location).or_default();
        if swaps || remote.operation == Some(Operation::Replace) {
            contributions.clear();
        }
        let contribution = Contribution {
            key: pending.key,
            clock: pending.called,
        };
        let place = contributions.partition_point(|other| other < &contribution);
        contributions.insert(place, contribution);
    }
}
