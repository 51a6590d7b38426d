//! Synchronisation: what it waits for, and the edges of `so` that it makes.

use super::super::World;
use super::{Arrival, Held, Issued, Meeting, Pair, Released, State};
use crate::mpi3::code::{Step, target_of};
use farside_litmus::ast::{Assertion, Rank, StatementKind};
use farside_models::mpi3::action::{Action, ActionKind, Half};
use farside_models::mpi3::validity::{Breach, is_posted};

impl State {
    /// Whether a synchronisation need not wait any longer.
    pub(super) fn may_synchronise(&self, rank: Rank, kind: ActionKind, statement: &StatementKind) -> bool {
        let target = target_of(statement);
        let all_effective = |target| {
            self.covered(rank, target)
                .iter()
                .all(|&index| self.issued[index].effective)
        };
        let fetched = |covered: Vec<usize>| {
            covered.iter().all(|&index| {
                let issued = &self.issued[index];
                issued.effective || !issued.remote.fetches()
            })
        };
        match kind {
            ActionKind::Sls | ActionKind::Sle | ActionKind::Sla => !self
                .held
                .iter()
                .any(|held| excludes((held.target, held.kind), (target, kind))),
            ActionKind::Sul | ActionKind::Sfl => all_effective(target),
            ActionKind::Sula | ActionKind::Sfla | ActionKind::Sfe => all_effective(None),
            ActionKind::Sfll => fetched(self.covered(rank, target)),
            ActionKind::Sflla => fetched(self.covered(rank, None)),
            ActionKind::Sco => fetched(self.started(rank)),
            ActionKind::Sst => match statement {
                StatementKind::Start(group) => group.iter().all(|&target| {
                    let pair = self.pairs.get(&(target, rank));
                    pair.is_some_and(|pair| pair.posts.len() > pair.started)
                }),
                _ => true,
            },
            ActionKind::Swa => self.posted_group(rank).iter().all(|&origin| {
                let pair = self.pairs.get(&(rank, origin));
                pair.is_some_and(|pair| {
                    pair.completes.len() > pair.waited
                        && self.exposed_to(rank, origin).iter().all(|i| i.effective)
                })
            }),
            ActionKind::Ses => match statement {
                StatementKind::Receive(source) => {
                    let queue = self.messages.get(&(*source, rank));
                    queue.is_some_and(|queue| !queue.is_empty())
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// The group of the open exposure epoch.
    fn posted_group(&self, rank: Rank) -> Vec<Rank> {
        let history = &self.processes[rank.0 as usize].history;
        let post = history.iter().rev().find(|call| call.kind == ActionKind::Spo);
        post.map(|call| call.group.clone()).unwrap_or_default()
    }

    /// The operations of an origin in the exposure epoch that the next wait of `rank` closes.
    fn exposed_to(&self, rank: Rank, origin: Rank) -> Vec<&Issued> {
        let waited = self.pairs.get(&(rank, origin)).map(|pair| pair.waited);
        self.issued
            .iter()
            .filter(|i| {
                i.origin == origin && i.remote.target == rank && i.start.is_some() && i.start == waited
            })
            .collect()
    }

    pub(super) fn synchronising(&mut self, rank: Rank, step: &Step<'_>) {
        let target = target_of(&step.statement.kind);
        match &step.statement.kind {
            StatementKind::Fence(assertions) => self.enter_fence(rank, step, assertions),
            StatementKind::Barrier => self.enter_barrier(rank, step),
            StatementKind::LockShared(_) => self.lock(rank, step, target, ActionKind::Sls),
            StatementKind::LockExclusive(_) => self.lock(rank, step, target, ActionKind::Sle),
            StatementKind::LockAll => self.lock(rank, step, None, ActionKind::Sla),
            StatementKind::Unlock(_) => self.close(rank, step, target, ActionKind::Sul),
            StatementKind::UnlockAll => self.close(rank, step, None, ActionKind::Sula),
            StatementKind::Flush(_) => self.close(rank, step, target, ActionKind::Sfl),
            StatementKind::FlushAll => self.close(rank, step, None, ActionKind::Sfla),
            StatementKind::FlushLocal(_) => self.close_locally(rank, step, target, ActionKind::Sfll),
            StatementKind::FlushLocalAll => self.close_locally(rank, step, None, ActionKind::Sflla),
            StatementKind::Post(group) => self.post(rank, step, group),
            StatementKind::Start(group) => {
                self.node(rank, ActionKind::Sst, Half::Whole, None, step.number);
                for &target in group {
                    self.pairs.entry((target, rank)).or_default().started += 1;
                }
            }
            StatementKind::Complete => self.complete(rank, step),
            StatementKind::Wait => self.wait(rank, step),
            StatementKind::Sync => {
                self.node(rank, ActionKind::Sws, Half::Whole, None, step.number);
            }
            StatementKind::Send(to) => {
                let send = self.node(rank, ActionKind::Ses, Half::Whole, Some(*to), step.number);
                self.messages.entry((rank, *to)).or_default().push_back(send);
            }
            StatementKind::Receive(from) => {
                let receive = self.node(rank, ActionKind::Ses, Half::Whole, Some(*from), step.number);
                let queue = self.messages.entry((*from, rank)).or_default();
                if let Some(send) = queue.pop_front() {
                    self.synchronise(send, receive, "message");
                }
            }
            _ => {}
        }
    }

    fn node(
        &mut self,
        rank: Rank,
        kind: ActionKind,
        half: Half,
        target: Option<Rank>,
        number: usize,
    ) -> usize {
        let action = Action {
            target,
            ..self.blank(rank, kind, half)
        };
        self.act(action, number)
    }

    fn enter_fence(&mut self, rank: Rank, step: &Step<'_>, assertions: &[Assertion]) {
        let start = self.node(rank, ActionKind::Sfe, Half::Start, None, step.number);
        for index in self.covered(rank, None) {
            if !self.issued[index].remotely {
                self.issued[index].remotely = true;
                self.synchronise(self.issued[index].vac, start, "(9)");
            }
        }
        let number = self.process(rank).fences;
        self.process(rank).fences += 1;
        self.process(rank).inside = Some(Meeting::Fence(number));
        if self.fences.len() <= number {
            self.fences.resize_with(number + 1, Default::default);
        }
        let key = |assertions: &[Assertion]| {
            [Assertion::NoPrecede, Assertion::NoSucceed].map(|wanted| assertions.contains(&wanted))
        };
        let others: Vec<(Rank, usize)> = self.fences[number]
            .iter()
            .filter(|(_, other)| key(&other.assertions) != key(assertions))
            .map(|(&rank, other)| (rank, other.number))
            .collect();
        for (other, place) in others {
            self.fault(other, place, Breach::AssertionsDiffer);
            self.fault(rank, step.number, Breach::AssertionsDiffer);
        }
        let arrival = Arrival {
            start,
            assertions: assertions.to_vec(),
            number: step.number,
        };
        self.fences[number].insert(rank, arrival);
    }

    /// A fence waits for all, unless it says that it ends no epoch (MPI-4.1 §12.5.1).
    pub(super) fn may_leave_fence(&self, world: &World<'_, '_>, rank: Rank, number: usize) -> bool {
        let own = self.fences[number].get(&rank);
        let alone = own.is_some_and(|own| own.assertions.contains(&Assertion::NoPrecede));
        alone || self.fences[number].len() == world.code.processes()
    }

    fn enter_barrier(&mut self, rank: Rank, step: &Step<'_>) {
        let start = self.node(rank, ActionKind::Ses, Half::Start, None, step.number);
        let number = self.process(rank).barriers;
        self.process(rank).barriers += 1;
        self.process(rank).inside = Some(Meeting::Barrier(number));
        if self.barriers.len() <= number {
            self.barriers.resize_with(number + 1, Default::default);
        }
        let arrival = Arrival {
            start,
            assertions: Vec::new(),
            number: step.number,
        };
        self.barriers[number].insert(rank, arrival);
    }

    /// Leaves a fence or barrier.
    pub(super) fn leave(&mut self, rank: Rank, step: &Step<'_>, meeting: Meeting) {
        let (kind, number, rule) = match meeting {
            Meeting::Fence(number) => (ActionKind::Sfe, number, "fence"),
            Meeting::Barrier(number) => (ActionKind::Ses, number, "barrier"),
        };
        let end = self.node(rank, kind, Half::End, None, step.number);
        let arrivals = match meeting {
            Meeting::Fence(_) => &self.fences[number],
            Meeting::Barrier(_) => &self.barriers[number],
        };
        let alone = arrivals
            .get(&rank)
            .is_some_and(|own| own.assertions.contains(&Assertion::NoPrecede));
        let starts: Vec<usize> = arrivals.values().map(|arrival| arrival.start).collect();
        if !alone {
            for start in starts {
                self.synchronise(start, end, rule);
            }
        }
        if matches!(meeting, Meeting::Fence(_)) {
            let covered = self.covered(rank, None);
            self.complete_locally(&covered, end);
        }
    }

    /// A lock is after the unlocks of the epochs before it that it excludes (§3.2.5).
    fn lock(&mut self, rank: Rank, step: &Step<'_>, target: Option<Rank>, kind: ActionKind) {
        let lock = self.node(rank, kind, Half::Whole, target, step.number);
        let before: Vec<usize> = self
            .released
            .iter()
            .filter(|released| {
                let was = if released.exclusive {
                    ActionKind::Sle
                } else {
                    ActionKind::Sls
                };
                excludes((released.target, was), (target, kind))
            })
            .map(|released| released.end)
            .collect();
        for unlock in before {
            self.synchronise(unlock, lock, "§3.2.5");
        }
        let exposed = (0..self.processes.len() as u32)
            .map(Rank)
            .filter(|&other| target.is_none_or(|target| target == other))
            .any(|other| is_posted(&self.processes[other.0 as usize].history));
        if exposed {
            self.fault(rank, step.number, Breach::LockedAndExposed);
        }
        self.held.push(Held {
            rank,
            target,
            kind,
            number: step.number,
        });
    }

    /// Unlock or flush: completes at origin and target, with a virtual action at each target (§3.2.2).
    fn close(&mut self, rank: Rank, step: &Step<'_>, target: Option<Rank>, kind: ActionKind) {
        let start = self.node(rank, kind, Half::Start, target, step.number);
        let covered = self.covered(rank, target);
        let targets: Vec<Rank> = match target {
            Some(target) => vec![target],
            None => (0..self.processes.len() as u32).map(Rank).collect(),
        };
        let mut virtuals = Vec::new();
        for target in targets {
            let vas = Action {
                process: target,
                of: Some(start),
                ..self.blank(rank, ActionKind::Vas, Half::Whole)
            };
            let vas = self.act(vas, step.number);
            self.synchronise(start, vas, "§3.2.2");
            for &index in &covered {
                let issued = &mut self.issued[index];
                if issued.remote.target == target && !std::mem::replace(&mut issued.remotely, true) {
                    let vac = issued.vac;
                    self.synchronise(vac, vas, "(15)");
                }
            }
            virtuals.push(vas);
        }
        let end = self.node(rank, kind, Half::End, target, step.number);
        for vas in virtuals {
            self.synchronise(vas, end, "§3.2.2");
        }
        self.complete_locally(&covered, end);
        if kind.is_unlock() {
            let open = self
                .held
                .iter()
                .position(|held| held.rank == rank && held.target == target);
            if let Some(open) = open {
                let held = self.held.remove(open);
                self.released.push(Released {
                    target,
                    exclusive: held.kind == ActionKind::Sle,
                    end,
                });
            }
        }
    }

    fn close_locally(&mut self, rank: Rank, step: &Step<'_>, target: Option<Rank>, kind: ActionKind) {
        let end = self.node(rank, kind, Half::End, target, step.number);
        let covered = self.covered(rank, target);
        self.complete_locally(&covered, end);
    }

    fn post(&mut self, rank: Rank, step: &Step<'_>, group: &[Rank]) {
        let post = self.node(rank, ActionKind::Spo, Half::Whole, None, step.number);
        let locked: Vec<(Rank, usize)> = self
            .held
            .iter()
            .filter(|held| held.target.is_none_or(|target| target == rank))
            .map(|held| (held.rank, held.number))
            .collect();
        for (other, number) in locked {
            self.fault(other, number, Breach::LockedAndExposed);
        }
        for &origin in group {
            let pair = self.pairs.entry((rank, origin)).or_default();
            pair.posts.push(post);
        }
    }

    fn complete(&mut self, rank: Rank, step: &Step<'_>) {
        let end = self.node(rank, ActionKind::Sco, Half::End, None, step.number);
        let started = self.started(rank);
        self.complete_locally(&started, end);
        let history = &self.processes[rank.0 as usize].history;
        let group = history.iter().rev().find(|call| call.kind == ActionKind::Sst);
        for target in group.map(|call| call.group.clone()).unwrap_or_default() {
            self.pairs.entry((target, rank)).or_default().completes.push(end);
        }
    }

    fn wait(&mut self, rank: Rank, step: &Step<'_>) {
        let mut before = Vec::new();
        let group = self.posted_group(rank);
        for &origin in &group {
            before.extend(self.exposed_to(rank, origin).iter().map(|issued| issued.vac));
            let pair: &mut Pair = self.pairs.entry((rank, origin)).or_default();
            before.extend(pair.completes.get(pair.waited).copied());
            pair.waited += 1;
        }
        let end = self.node(rank, ActionKind::Swa, Half::End, None, step.number);
        for action in before {
            self.synchronise(action, end, "§12.5.2");
        }
    }
}

/// Whether two lock epochs exclude each other.
fn excludes(a: (Option<Rank>, ActionKind), b: (Option<Rank>, ActionKind)) -> bool {
    (a.0.is_none() || b.0.is_none() || a.0 == b.0) && (a.1 == ActionKind::Sle || b.1 == ActionKind::Sle)
}
