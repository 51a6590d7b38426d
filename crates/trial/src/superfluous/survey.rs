//! All synchronising calls of a recording that can be done without, and what belongs together.
//!
//! Calls that move data, make or free something, or wait for requests are none of them. What has to stay for reasons
//! that the detector does not judge is pinned: see [`Reason`].

use super::{Pending, Survey};

use super::Visit;
use super::progress::Awaited;
use super::visit::Class;
use crate::Recording;
use crate::spots::{Spot, Spots};
use farside_events::{
    AccessSource, AccumulateOp, Call, CallKind, Event, EventKind, Interface, LockKind, Operation,
    OperationKind, Outcome, Rank, ThreadId,
};
use farside_findings::{Reason, Unseen};
use farside_race::{Places, Site};

impl Survey {
    /// That of a recording.
    pub(super) fn of(recording: &Recording, spots: &mut Spots, places: &mut impl Places) -> Self {
        let mut survey = Self::default();
        for (index, (rank, event)) in (0..).zip(recording.events()) {
            survey.event(index, rank, &event, |rank, stack| {
                let pc = None;
                spots.of(Site { rank, pc, stack }, places)
            });
        }
        survey.pin();
        survey
    }

    /// Nanoseconds that all processes together ran.
    pub(super) fn nanoseconds(&self) -> u64 {
        self.spans.values().map(|(first, last)| last - first).sum()
    }

    fn event(
        &mut self,
        index: u64,
        rank: Rank,
        event: &Event,
        mut spot: impl FnMut(Rank, farside_events::StackId) -> Spot,
    ) {
        let thread = (rank, event.thread);
        let span = self.spans.entry(rank).or_insert((event.time, event.time));
        span.1 = event.time;
        match &event.kind {
            EventKind::Init { size, .. } => self.size = *size as usize,
            EventKind::Comm { id, members } => {
                self.members.insert(*id, members.clone());
            }
            EventKind::Window(window) => {
                self.windows.insert(window.id, (window.interface, window.comm));
                self.pins.share(!window.shared.is_empty());
                // Its members have it one by one.
                if window.interface == Interface::Gaspi {
                    self.pins.attach_until_end(rank);
                }
            }
            EventKind::Mapped { .. } => self.pins.share(true),
            EventKind::Accesses(runs) => {
                let atomic = runs.iter().any(|run| run.source == AccessSource::Atomic);
                self.pins.access_atomically(atomic);
                if atomic {
                    self.progress.look(rank);
                }
            }
            EventKind::Scattered(sets) => {
                let atomic = sets.iter().any(|set| set.source == AccessSource::Atomic);
                self.pins.access_atomically(atomic);
            }
            EventKind::Operation(operation) => {
                self.foul.insert(spot(rank, operation.stack));
                self.operation(index, rank, operation);
            }
            EventKind::OperationRequestDone { request } => {
                self.complete(rank, true, |op| op.request == Some(*request))
            }
            EventKind::Fetched { .. } | EventKind::Seen { .. } => {
                self.has_updates = true;
                self.progress.look(rank);
            }
            EventKind::ReceiveDone { post, source, .. } => self.pins.receive(rank, *post, *source),
            EventKind::Acquire { object } if !object.is_acquired_once() => self.see(Unseen::ThreadOrder),
            EventKind::Enter { call, stack } => {
                let spot = spot(rank, *stack);
                self.enter(index, (rank, event), call, spot);
            }
            EventKind::Leave(outcome) => self.leave(index, thread, event.time, outcome),
            EventKind::Exchange(_) | EventKind::Agreed { .. } => {
                if let Some(visit) = self.within.get(&thread) {
                    self.visits[*visit].within.push(index);
                }
            }
            _ => {}
        }
    }

    fn see(&mut self, unseen: Unseen) {
        if !self.unseen.contains(&unseen) {
            self.unseen.push(unseen);
        }
    }

    fn operation(&mut self, index: u64, rank: Rank, operation: &Operation) {
        self.has_updates |= !matches!(operation.kind, OperationKind::Put | OperationKind::Get);
        let Some(target) = operation.target else { return };
        self.operations.push((index, rank, target));
        self.pending.entry(rank).or_default().push(Pending {
            win: operation.win,
            target,
            channel: operation.channel,
            request: operation.request,
            local: false,
            fetches: !matches!(operation.kind, OperationKind::Put | OperationKind::Accumulate),
            writes: operation.kind != OperationKind::Get && operation.operator != Some(AccumulateOp::NoOp),
        });
    }

    /// Operations are complete, everywhere or at their origin.
    fn complete(&mut self, rank: Rank, local: bool, wanted: impl Fn(&Pending) -> bool) {
        let Some(pending) = self.pending.get_mut(&rank) else {
            return;
        };
        if local {
            for op in pending.iter_mut().filter(|op| wanted(op)) {
                op.local = true;
            }
        } else {
            pending.retain(|op| !wanted(op));
        }
    }

    fn enter(&mut self, index: u64, (rank, event): (Rank, &Event), call: &Call, spot: Spot) {
        self.within.remove(&(rank, event.thread));
        if let Call::Collective { name, .. } = call
            && takes_work_arrays(name)
        {
            for visit in self.pins.lately(rank) {
                self.visits[visit].pinned = Some(Reason::WorkArrays);
            }
        }
        let of_window = call.window().and_then(|win| self.windows.get(&win).copied());
        let Some(class) = class(call) else {
            self.foul.insert(spot);
            return self.other(rank, call);
        };
        let number = self.visits.len();
        self.make_progress(rank, number, call);
        let (meeting, pending) = match call {
            Call::Collective { comm, sequence, .. } => {
                (Some(self.links.collective(*comm, *sequence, number)), Vec::new())
            }
            Call::Fence { win, .. } => {
                self.complete(rank, false, |op| op.win == *win);
                (Some(self.links.fence(*win, rank, number)), Vec::new())
            }
            Call::Flush {
                win,
                target,
                local,
                channel,
            } => {
                let wanted = |op: &Pending| {
                    op.win == *win
                        && target.is_none_or(|target| op.target == target)
                        && channel.is_none_or(|channel| op.channel == channel)
                        && !(*local && op.local)
                };
                let open = self.pending.get(&rank).into_iter().flatten();
                let mut targets: Vec<Rank> = open.filter(|op| wanted(op)).map(|op| op.target).collect();
                targets.sort_unstable();
                targets.dedup();
                self.complete(rank, *local, wanted);
                (None, targets)
            }
            Call::Lock { win, target, .. } => {
                self.links.lock((*win, rank, Some(*target)), number);
                (None, Vec::new())
            }
            Call::LockAll { win, .. } => {
                self.links.lock((*win, rank, None), number);
                (None, Vec::new())
            }
            Call::Unlock { win, target } => {
                self.links.unlock((*win, rank, Some(*target)), number);
                self.complete(rank, false, |op| op.win == *win && op.target == *target);
                (None, Vec::new())
            }
            Call::UnlockAll { win } => {
                self.links.unlock((*win, rank, None), number);
                self.complete(rank, false, |op| op.win == *win);
                (None, Vec::new())
            }
            Call::Complete { win } => {
                self.links.exposure(*win, number);
                self.complete(rank, false, |op| op.win == *win);
                (None, Vec::new())
            }
            _ => {
                call.window()
                    .iter()
                    .for_each(|win| self.links.exposure(*win, number));
                (None, Vec::new())
            }
        };
        self.has_updates |= class == Class::Lock(LockKind::Exclusive);
        let members = match (call, of_window) {
            (Call::Collective { comm, .. }, _) => self.members.get(comm),
            (_, Some((_, comm))) => self.members.get(&comm),
            _ => None,
        };
        let everybody = members.is_some_and(|members| members.len() == self.size);
        let mut pinned = None;
        if class.orders_processes() && self.pins.meet(rank, number, everybody) {
            pinned = Some(Reason::Attaching);
        }
        let interface = of_window.map(|(interface, _)| interface);
        if interface == Some(Interface::Gaspi) && !pending.is_empty() {
            pinned = Some(Reason::Queue);
        }
        if matches!(call, Call::Wait { test: true, .. }) {
            pinned = Some(Reason::Unfinished);
        }
        let (name, of_name) = match call {
            Call::Collective { name, .. } => (Some(name.clone()), Some(interface_of(name))),
            _ => (None, None),
        };
        self.visits.push(Visit {
            rank,
            spot,
            class,
            interface: interface.or(of_name).unwrap_or_default(),
            kind: CallKind::of(call),
            name,
            enter: index,
            leave: None,
            within: Vec::new(),
            times: (event.time, event.time),
            pending,
            meeting,
            pinned,
            awaited: Awaited::Nothing,
        });
        self.links.add(number);
        self.within.insert((rank, event.thread), number);
    }

    /// What somebody may be waiting for when this call is made, or would be without it.
    fn make_progress(&mut self, rank: Rank, visit: usize, call: &Call) {
        let open = self.pending.get(&rank).into_iter().flatten();
        let gives = |wanted: &dyn Fn(&Pending) -> bool| {
            let written = open.filter(|op| op.writes && wanted(op));
            let each = written.map(|op| {
                if op.fetches {
                    Awaited::AtOrigin
                } else {
                    Awaited::AtTarget
                }
            });
            each.max().unwrap_or_default()
        };
        match call {
            Call::Flush {
                win,
                target,
                local,
                channel,
            } => {
                let gives = gives(&|op| {
                    op.win == *win
                        && target.is_none_or(|target| op.target == target)
                        && channel.is_none_or(|channel| op.channel == channel)
                });
                let gives = if *local {
                    gives.min(Awaited::AtOrigin)
                } else {
                    gives
                };
                self.progress.complete(rank, visit, *win, gives);
            }
            Call::Fence { win, .. } => {
                let gives = gives(&|op| op.win == *win);
                self.progress.wait(rank);
                self.progress.complete(rank, visit, *win, gives);
            }
            Call::Unlock { win, .. } | Call::UnlockAll { win } => self.progress.settle(rank, *win),
            _ => self.progress.wait(rank),
        }
    }

    /// A call that stays.
    fn other(&mut self, rank: Rank, call: &Call) {
        match call {
            Call::WinFree { win } => self.progress.settle(rank, *win),
            Call::Send { .. } | Call::Attach { .. } | Call::Sync { .. } => {}
            _ => self.progress.wait(rank),
        }
        match call {
            Call::Attach { .. } => self.pins.attach(rank),
            Call::Finalize if !self.pins.leaves_memory() => {}
            // Finalize: who ends takes its segments with it (GASPI 17.1).
            Call::Detach { .. } | Call::WinWithdraw { .. } | Call::Finalize => {
                for visit in self.pins.detach(rank) {
                    self.visits[visit].pinned = Some(Reason::Attaching);
                }
            }
            Call::Receive { post, source, .. } => self.pins.post(rank, *post, source.is_none()),
            Call::Completion { name } if name.contains("est") => self.see(Unseen::Tests),
            Call::WinFree { win } => {
                let win = *win;
                self.complete(rank, false, |op| op.win == win);
            }
            _ => {}
        }
    }

    fn leave(&mut self, index: u64, thread: (Rank, ThreadId), time: u64, outcome: &Outcome) {
        if let Outcome::Received { source, .. } = outcome {
            self.pins.receive_blocking(thread.0, *source);
        }
        let Some(visit) = self.within.remove(&thread) else {
            return;
        };
        let visit = &mut self.visits[visit];
        visit.leave = Some(index);
        visit.times.1 = time;
        if matches!(outcome, Outcome::Failed(_)) {
            visit.pinned = Some(Reason::Unfinished);
        }
    }

    /// What has to stay whatever is found.
    fn pin(&mut self) {
        let of_all = self.pins.of_all();
        for (visit, awaited) in self.progress.awaited() {
            self.visits[visit].awaited = self.visits[visit].awaited.max(awaited);
        }
        for visit in &mut self.visits {
            if visit.leave.is_none() {
                visit.pinned = Some(Reason::Unfinished);
            }
            if visit.class.orders_processes() {
                visit.pinned = visit.pinned.or(of_all);
            }
        }
    }
}

/// What a call does, if it can be done without.
fn class(call: &Call) -> Option<Class> {
    Some(match call {
        Call::Fence { assertions, .. } => Class::Fence(*assertions),
        Call::Flush {
            target,
            local,
            channel,
            ..
        } => Class::Flush {
            all: target.is_none(),
            local: *local,
            channel: *channel,
        },
        Call::Lock { kind, .. } => Class::Lock(*kind),
        Call::LockAll { .. } => Class::LockAll,
        Call::Unlock { .. } | Call::UnlockAll { .. } => Class::Unlock,
        Call::Post { .. } | Call::Start { .. } | Call::Complete { .. } | Call::Wait { .. } => Class::Exposure,
        Call::Collective {
            name, request: None, ..
        } if only_synchronises(name) => Class::Meeting,
        _ => return None,
    })
}

/// Whether no data moves in a collective call of this name, and nothing is made.
fn only_synchronises(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let ends = ["barrier", "barrier_all", "shmem_sync", "sync_all", "team_sync"];
    ends.iter().any(|end| name.ends_with(end))
}

/// Whether a collective call on an active set has work arrays, which all must have initialised, and which it uses again
/// (OpenSHMEM 1.5 §9.9).
fn takes_work_arrays(name: &str) -> bool {
    let sized = ["broadcast", "collect", "alltoall", "alltoalls"];
    let is_sized = |name: &str| sized.iter().any(|call| name.ends_with(call));
    let of_size = ["32", "64"].iter().filter_map(|size| name.strip_suffix(size));
    name.starts_with("shmem")
        && (name.ends_with("_to_all")
            || matches!(name, "shmem_barrier" | "shmem_sync")
            || of_size.into_iter().any(is_sized))
}

fn interface_of(name: &str) -> Interface {
    match name.split('_').next() {
        Some("shmem") => Interface::Shmem,
        Some("gaspi") => Interface::Gaspi,
        Some("MPI") => Interface::Mpi,
        _ => Interface::Farside,
    }
}
