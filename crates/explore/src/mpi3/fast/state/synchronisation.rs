//! Synchronising calls: what they wait for, what they complete, and what their process learns.

use super::super::World;
use super::super::clock::Moment;
use super::{Arrival, Held, Inside, Pending, State};
use crate::mpi3::code::{Does, Step, target_of};
use farside_litmus::ast::{Assertion, Rank, StatementKind};
use farside_models::mpi3::action::ActionKind;
use farside_models::mpi3::validity::Breach;

/// Which operations of a process a call completes.
#[derive(Clone, Copy)]
enum Covered {
    To(Rank),
    All,
    /// Those of epochs that start opened; they are for complete and wait alone.
    Started,
}

impl Covered {
    fn of(target: Option<Rank>) -> Self {
        target.map_or(Self::All, Self::To)
    }

    fn covers(self, pending: &Pending) -> bool {
        match self {
            Self::To(only) => only == pending.remote.target && pending.start.is_none(),
            Self::All => pending.start.is_none(),
            Self::Started => pending.start.is_some(),
        }
    }
}

impl State {
    /// Whether the next step of a process need not wait.
    pub(super) fn may_step(&self, rank: Rank, step: &Step<'_>) -> bool {
        match self.processes[rank.0 as usize].inside {
            Some(Inside::Fence(number)) => {
                let arrived = &self.fences[number];
                let own = arrived.get(&rank);
                return arrived.len() == self.processes.len()
                    || own.is_some_and(|own| own.assertions.contains(&Assertion::NoPrecede));
            }
            Some(Inside::Barrier(number)) => return self.barriers[number].len() == self.processes.len(),
            None => {}
        }
        let Does::Synchronise(kind) = &step.does else {
            return true;
        };
        if self.processes[rank.0 as usize].epochs.breach(step).is_some() {
            return true;
        }
        let target = target_of(&step.statement.kind);
        match (kind, &step.statement.kind) {
            (ActionKind::Sls | ActionKind::Sle | ActionKind::Sla, _) => {
                let exclusive = *kind == ActionKind::Sle;
                let meets = |held: &Held| held.target.is_none() || target.is_none() || held.target == target;
                !self
                    .held
                    .iter()
                    .any(|held| meets(held) && (held.exclusive || exclusive))
            }
            (
                ActionKind::Sul | ActionKind::Sfl | ActionKind::Sula | ActionKind::Sfla | ActionKind::Sfe,
                _,
            ) => self
                .own_pending(rank, Covered::of(target))
                .all(|pending| pending.effective),
            (ActionKind::Sfll | ActionKind::Sflla, _) => self
                .own_pending(rank, Covered::of(target))
                .all(|pending| pending.effective || !pending.remote.fetches()),
            (ActionKind::Sco, _) => self
                .own_pending(rank, Covered::Started)
                .all(|pending| pending.effective || !pending.remote.fetches()),
            (_, StatementKind::Start(group)) => group.iter().all(|&target| {
                let pair = self.pairs.get(&(target, rank));
                pair.is_some_and(|pair| pair.posts.len() > pair.started)
            }),
            (_, StatementKind::Wait) => self.exposed_to(rank).iter().all(|&origin| {
                let pair = self.pairs.get(&(rank, origin));
                pair.is_some_and(|pair| {
                    pair.completes.len() > pair.waited
                        && self
                            .pending
                            .iter()
                            .all(|p| p.effective || !ends(p, rank, origin, pair.waited))
                })
            }),
            (_, StatementKind::Receive(source)) => self
                .messages
                .get(&(*source, rank))
                .is_some_and(|queue| !queue.is_empty()),
            _ => true,
        }
    }

    fn own_pending(&self, rank: Rank, covered: Covered) -> impl Iterator<Item = &Pending> {
        self.pending
            .iter()
            .filter(move |pending| pending.key.0 == rank && covered.covers(pending))
    }

    fn exposed_to(&self, rank: Rank) -> Vec<Rank> {
        let posted = &self.processes[rank.0 as usize].epochs.posted;
        posted
            .as_ref()
            .map(|(group, _)| group.clone())
            .unwrap_or_default()
    }

    pub(super) fn synchronise(&mut self, world: &World<'_, '_>, rank: Rank, step: &Step<'_>, now: Moment) {
        let target = target_of(&step.statement.kind);
        match &step.statement.kind {
            StatementKind::Fence(assertions) => self.enter_fence(world, rank, step, assertions, now),
            StatementKind::Barrier => {
                let number = self.process(rank).barriers;
                self.process(rank).barriers += 1;
                self.process(rank).inside = Some(Inside::Barrier(number));
                let arrival = self.arrival(rank, step, &[]);
                enter(&mut self.barriers, number, rank, arrival);
            }
            StatementKind::LockShared(_) => self.lock(rank, step, target, false),
            StatementKind::LockExclusive(_) => self.lock(rank, step, target, true),
            StatementKind::LockAll => self.lock(rank, step, None, false),
            StatementKind::Unlock(_) | StatementKind::UnlockAll => {
                self.complete(rank, Covered::of(target), true, now);
                self.accesses.publish(world, now);
                self.unlock(rank, target);
            }
            StatementKind::Flush(_) | StatementKind::FlushAll => {
                self.complete(rank, Covered::of(target), true, now);
            }
            StatementKind::FlushLocal(_) | StatementKind::FlushLocalAll => {
                self.complete(rank, Covered::of(target), false, now);
            }
            StatementKind::Post(group) => {
                self.accesses.publish(world, now);
                let clock = self.process(rank).clock.clone();
                for &origin in group {
                    let pair = self.pairs.entry((rank, origin)).or_default();
                    pair.posts.push(clock.clone());
                }
                let locked = self
                    .held
                    .iter()
                    .filter(|held| held.target.is_none_or(|target| target == rank));
                let at_fault = locked.map(|held| ((held.rank, held.number), Breach::LockedAndExposed));
                self.faults.extend(at_fault);
            }
            StatementKind::Start(group) => {
                let mut started = std::collections::BTreeMap::new();
                for &target in group {
                    let pair = self.pairs.entry((target, rank)).or_default();
                    started.insert(target, pair.started);
                    pair.started += 1;
                }
                self.process(rank).epochs.started = Some((started, step.number));
            }
            StatementKind::Complete => {
                self.complete(rank, Covered::Started, false, now);
                let process = self.process(rank);
                let clock = process.clock.clone();
                let group = process.epochs.started.clone();
                for target in group.into_iter().flat_map(|(group, _)| group.into_keys()) {
                    let pair = self.pairs.entry((target, rank)).or_default();
                    pair.completes.push(clock.clone());
                }
            }
            StatementKind::Wait => self.wait(rank, now),
            StatementKind::Sync => {
                self.accesses.publish(world, now);
                self.bring_up_to_date(rank);
            }
            StatementKind::Send(to) => {
                let clock = self.process(rank).clock.clone();
                self.messages.entry((rank, *to)).or_default().push_back(clock);
            }
            StatementKind::Receive(from) => {
                let message = self
                    .messages
                    .get_mut(&(*from, rank))
                    .and_then(|queue| queue.pop_front());
                if let Some(clock) = message {
                    self.process(rank).clock.join(&clock);
                }
            }
            _ => {}
        }
    }

    fn arrival(&mut self, rank: Rank, step: &Step<'_>, assertions: &[Assertion]) -> Arrival {
        Arrival {
            clock: self.process(rank).clock.clone(),
            assertions: assertions.to_vec(),
            number: step.number,
        }
    }

    /// The private copy shows what the process knows now.
    fn bring_up_to_date(&mut self, rank: Rank) {
        let process = self.process(rank);
        process.acquired = process.clock.clone();
    }

    fn enter_fence(
        &mut self,
        world: &World<'_, '_>,
        rank: Rank,
        step: &Step<'_>,
        assertions: &[Assertion],
        now: Moment,
    ) {
        self.complete(rank, Covered::All, true, now);
        self.accesses.publish(world, now);
        let number = self.process(rank).fences;
        self.process(rank).fences += 1;
        self.process(rank).inside = Some(Inside::Fence(number));
        let arrival = self.arrival(rank, step, assertions);
        enter(&mut self.fences, number, rank, arrival);
        let key = |assertions: &[Assertion]| {
            (
                assertions.contains(&Assertion::NoPrecede),
                assertions.contains(&Assertion::NoSucceed),
            )
        };
        let differing = self.fences[number]
            .iter()
            .filter(|(_, other)| key(&other.assertions) != key(assertions));
        let mut at_fault: Vec<_> = differing
            .map(|(&other, arrival)| (other, arrival.number))
            .collect();
        if !at_fault.is_empty() {
            at_fault.push((rank, step.number));
        }
        self.faults
            .extend(at_fault.into_iter().map(|spot| (spot, Breach::AssertionsDiffer)));
        for index in 0..self.pending.len() {
            let pending = &self.pending[index];
            if pending.waits_for_fence == Some(number) && pending.remote.target == rank {
                self.open_to(world, index, number);
            }
        }
    }

    /// Leaves a fence or barrier.
    pub(super) fn leave(&mut self, _: &World<'_, '_>, rank: Rank, inside: Inside) {
        let arrivals = match inside {
            Inside::Fence(number) => &self.fences[number],
            Inside::Barrier(number) => &self.barriers[number],
        };
        let own = arrivals.get(&rank);
        if !own.is_some_and(|own| own.assertions.contains(&Assertion::NoPrecede)) {
            let process = &mut self.processes[rank.0 as usize];
            for arrival in arrivals.values() {
                process.clock.join(&arrival.clock);
            }
        }
        if matches!(inside, Inside::Fence(_)) {
            self.bring_up_to_date(rank);
        }
    }

    fn lock(&mut self, rank: Rank, step: &Step<'_>, target: Option<Rank>, exclusive: bool) {
        let process = &mut self.processes[rank.0 as usize];
        for ((other, was_exclusive), clock) in &self.released {
            let meets = other.is_none() || target.is_none() || *other == target;
            if meets && (exclusive || *was_exclusive) {
                process.clock.join(clock);
            }
        }
        self.bring_up_to_date(rank);
        let exposed = (0..self.processes.len() as u32)
            .map(Rank)
            .filter(|&other| target.is_none_or(|target| target == other))
            .any(|other| self.processes[other.0 as usize].epochs.posted.is_some());
        if exposed {
            self.faults
                .insert(((rank, step.number), Breach::LockedAndExposed));
        }
        let held = Held {
            rank,
            target,
            exclusive,
            number: step.number,
        };
        let place = self.held.partition_point(|other| other < &held);
        self.held.insert(place, held);
    }

    fn unlock(&mut self, rank: Rank, target: Option<Rank>) {
        let mine = |held: &Held| held.rank == rank && held.target == target;
        let Some(open) = self.held.iter().position(mine) else {
            return;
        };
        let held = self.held.remove(open);
        let clock = self.process(rank).clock.clone();
        self.released
            .entry((target, held.exclusive))
            .and_modify(|known| known.join(&clock))
            .or_insert(clock);
    }

    /// Completes operations of a process, at their origin or at both sides; what they fetched is learned.
    fn complete(&mut self, rank: Rank, covered: Covered, remotely: bool, now: Moment) {
        let done: Vec<&Pending> = self.own_pending(rank, covered).collect();
        let keys: Vec<_> = done
            .iter()
            .map(|pending| (pending.key.0, pending.key.1))
            .collect();
        let learned: Vec<_> = done
            .iter()
            .filter_map(|pending| pending.learned.clone())
            .collect();
        self.accesses.finish(now, |access| {
            let (origin, executed, _) = access.key();
            keys.contains(&(origin, executed)) && (remotely || access.is_over_locally())
        });
        for clock in learned {
            self.process(rank).clock.join(&clock);
        }
        if remotely {
            self.pending
                .retain(|pending| pending.key.0 != rank || !covered.covers(pending));
        }
    }

    fn wait(&mut self, rank: Rank, now: Moment) {
        for origin in self.exposed_to(rank) {
            let pair = self.pairs.entry((rank, origin)).or_default();
            let waited = pair.waited;
            pair.waited += 1;
            let complete = pair.completes.get(waited).cloned();
            let ended = |pending: &Pending| ends(pending, rank, origin, waited);
            let keys: Vec<_> = self.pending.iter().filter(|p| ended(p)).map(|p| p.key).collect();
            self.pending.retain(|pending| !ended(pending));
            self.accesses.finish(now, |access| keys.contains(&access.key()));
            if let Some(clock) = complete {
                self.process(rank).clock.join(&clock);
            }
        }
        self.bring_up_to_date(rank);
    }
}

/// Whether the exposure epoch of this number of a target for an origin contains the operation.
fn ends(pending: &Pending, target: Rank, origin: Rank, epoch: usize) -> bool {
    pending.key.0 == origin && pending.remote.target == target && pending.start == Some(epoch)
}

fn enter(
    meetings: &mut Vec<std::collections::BTreeMap<Rank, Arrival>>,
    number: usize,
    rank: Rank,
    arrival: Arrival,
) {
    if meetings.len() <= number {
        meetings.resize_with(number + 1, Default::default);
    }
    meetings[number].insert(rank, arrival);
}
