//! A hanging job: who waits for whom.
//!
//! Every thread that has entered a call and not left it waits; the call says for whom. A cycle of such waits is
//! reported. A receive from any source waits for all others: only if all of them wait as well is that a deadlock.
//! Who waits in a flush or an unlock for a lock that is granted late waits by its lock call, which is named besides.

use crate::Interface;
use crate::detector::Detector;
use crate::job::Entered;
use crate::locks::LockEpoch;
use crate::misuse::{advise, caller};
use farside_events::{Call, Rank, ThreadId, WinId};
use farside_findings::Rule;
use std::collections::HashMap;
use std::rc::Rc;

impl Detector {
    /// Reports a cycle among the waiting processes, if there is one.
    pub(crate) fn find_deadlock(&mut self) {
        let mut waiting: HashMap<Rank, Entered> = HashMap::new();
        for thread in &self.job.threads {
            if let (Some(entered), true) = (
                &thread.call,
                thread.id == ThreadId(0) || !waiting.contains_key(&thread.rank),
            ) {
                waiting.insert(thread.rank, entered.clone());
            }
        }
        let mut ranks: Vec<Rank> = waiting.keys().copied().collect();
        ranks.sort_unstable();
        let edges: HashMap<Rank, Vec<Rank>> = ranks
            .iter()
            .map(|&rank| (rank, self.awaited(rank, &waiting[&rank])))
            .collect();
        let cycle = ranks
            .iter()
            .find_map(|&start| cycle_through(start, &edges))
            .or_else(|| {
                // No cycle, but someone waits for a process that has ended or is not in any call.
                ranks
                    .iter()
                    .find(|rank| edges[rank].iter().any(|other| self.has_ended(*other)))
                    .map(|&rank| vec![rank])
            });
        let Some(cycle) = cycle else { return };
        let mut parties = Vec::new();
        let mut words = Vec::new();
        let mut win = None;
        for (index, rank) in cycle.iter().enumerate() {
            let entered = &waiting[rank];
            let (name, target) = name_of(&entered.call, self.options.interface);
            win = win.or(window_of(&entered.call));
            let mut party = caller(("", entered.site, ThreadId(0), target));
            party.operation = name.clone();
            parties.push(party);
            let late = self.late_locks(*rank, &entered.call);
            parties.extend(late.filter(|epoch| !self.holders(epoch).is_empty()).map(|epoch| {
                let name = if epoch.target.is_some() {
                    "MPI_Win_lock"
                } else {
                    "MPI_Win_lock_all"
                };
                let name = self.options.interface.name(name);
                caller((name, epoch.site, ThreadId(0), epoch.target))
            }));
            let next = cycle.get(index + 1).or(cycle.first()).copied().unwrap_or(*rank);
            let whom = if cycle.len() == 1 {
                edges[rank].first().copied().unwrap_or(next)
            } else {
                next
            };
            words.push(format!("rank {} waits in {name} for rank {}", rank.0, whom.0));
        }
        let ended = if cycle.len() == 1 {
            ", which will not come"
        } else {
            ""
        };
        let message = format!("{}{ended}", words.join(", "));
        let collective = |rank: &Rank| {
            let call = &waiting[rank].call;
            matches!(
                call,
                Call::Fence { .. } | Call::WinFree { .. } | Call::Collective { .. } | Call::Finalize
            )
        };
        if cycle.iter().all(collective) {
            let advice = advise(
                "",
                None,
                None,
                "call collectives on all ranks, and in the same order",
            );
            return self.misuse(Rule::CollectiveMismatch, win, parties, message, Some(advice));
        }
        let advice = advise(
            "",
            None,
            None,
            "take locks and open epochs in the same order on all ranks, and close each before waiting for another process",
        );
        self.misuse(Rule::Deadlock, win, parties, message, Some(advice));
    }

    fn has_ended(&self, rank: Rank) -> bool {
        self.job
            .processes
            .get(rank.0 as usize)
            .is_some_and(|process| process.finalized)
    }

    /// The processes that `rank` waits for in this call.
    fn awaited(&self, rank: Rank, entered: &Entered) -> Vec<Rank> {
        let window = |win: &WinId| self.windows.get(win);
        match &entered.call {
            Call::Lock {
                win, target, kind, ..
            } => window(win)
                .into_iter()
                .flat_map(|window| window.locks.values())
                .filter(|held| {
                    held.is_open()
                        && held.rank != rank
                        && (held.target == Some(*target) || held.target.is_none())
                        && (held.kind == farside_events::LockKind::Exclusive
                            || *kind == farside_events::LockKind::Exclusive)
                })
                .map(|held| held.rank)
                .collect(),
            Call::LockAll { win, .. } => window(win)
                .into_iter()
                .flat_map(|window| window.locks.values())
                .filter(|held| {
                    held.is_open() && held.rank != rank && held.kind == farside_events::LockKind::Exclusive
                })
                .map(|held| held.rank)
                .collect(),
            Call::Flush { .. } | Call::Unlock { .. } | Call::UnlockAll { .. } => self
                .late_locks(rank, &entered.call)
                .flat_map(|epoch| self.holders(epoch))
                .collect(),
            Call::Fence { win, .. } => window(win)
                .and_then(|window| {
                    window
                        .fences
                        .get(&entered.index)
                        .map(|fence| window.absent_from(fence))
                })
                .unwrap_or_default(),
            Call::WinFree { win } => window(win)
                .map(|window| window.absent_from(&window.free))
                .unwrap_or_default(),
            Call::Wait { win, .. } => window(win)
                .and_then(|window| {
                    let (_, group) = window.epochs.get(&rank)?.posted.as_ref()?;
                    let open = |origin: &&Rank| {
                        window
                            .pairs
                            .get(&(rank, **origin))
                            .is_none_or(|p| p.completes.is_empty())
                    };
                    Some(group.iter().filter(open).copied().collect())
                })
                .unwrap_or_default(),
            Call::Start { win, group, .. } => window(win)
                .map(|window| {
                    let unposted = |target: &&Rank| {
                        window
                            .pairs
                            .get(&(**target, rank))
                            .is_none_or(|pair| pair.posted < pair.started)
                    };
                    group.iter().filter(unposted).copied().collect()
                })
                .unwrap_or_default(),
            Call::Complete { win } => window(win)
                .map(|window| {
                    let unposted = window
                        .pairs
                        .iter()
                        .filter(|(ranks, pair)| ranks.1 == rank && pair.posted < pair.started);
                    unposted.map(|(ranks, _)| ranks.0).collect()
                })
                .unwrap_or_default(),
            Call::Collective { comm, sequence, .. } => self.absent_from_collective(*comm, *sequence),
            Call::Finalize => {
                let all = (0..self.job.size).map(Rank);
                all.filter(|other| !self.finalizing.contains(other)).collect()
            }
            Call::Receive {
                source: Some(source), ..
            } => vec![*source],
            Call::Receive {
                source: None, comm, ..
            } => {
                let members = self.job.communicators.get(comm);
                let others = members.into_iter().flat_map(|members| members.iter().copied());
                others.filter(|other| *other != rank).collect()
            }
            Call::Send { dest: Some(dest), .. } => vec![*dest],
            _ => Vec::new(),
        }
    }

    /// The epochs of `rank` whose locks may still be waited for in a flush or an unlock (see `locks`).
    fn late_locks<'a>(&'a self, rank: Rank, call: &'a Call) -> impl Iterator<Item = &'a Rc<LockEpoch>> {
        let (flushed, releasing) = match call {
            Call::Flush { win, target, .. } => (Some((win, *target)), None),
            Call::Unlock { .. } | Call::UnlockAll { .. } => (None, Some(self.locks.releasing(rank))),
            _ => (None, None),
        };
        let flushed = flushed.into_iter().flat_map(move |(win, target)| {
            let state = self.windows.get(win).and_then(|window| window.epochs.get(&rank));
            let open = state
                .into_iter()
                .flat_map(|state| state.locked.values().chain(&state.locked_all));
            open.filter(move |epoch| target.is_none() || epoch.target.is_none() || epoch.target == target)
        });
        flushed.chain(releasing.into_iter().flatten())
    }

    /// Who may have a lock that an epoch still waits for.
    fn holders(&self, own: &LockEpoch) -> Vec<Rank> {
        let locks = self
            .windows
            .get(&own.win)
            .into_iter()
            .flat_map(|window| window.locks.values());
        locks
            .filter(|held| own.waits_for(held))
            .map(|held| held.rank)
            .collect()
    }

    fn absent_from_collective(&self, comm: farside_events::CommId, sequence: u64) -> Vec<Rank> {
        let Some(collective) = self.collectives.get(comm, sequence) else {
            return Vec::new();
        };
        let members = self.job.communicators.get(&comm);
        let all = members.into_iter().flat_map(|members| members.iter().copied());
        all.filter(|rank| !collective.entered.contains(rank)).collect()
    }
}

/// A shortest cycle from `start` back to itself.
fn cycle_through(start: Rank, edges: &HashMap<Rank, Vec<Rank>>) -> Option<Vec<Rank>> {
    let mut from: HashMap<Rank, Rank> = HashMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(rank) = queue.pop_front() {
        for &next in edges.get(&rank).into_iter().flatten() {
            if next == start {
                let mut path = vec![rank];
                let mut place = rank;
                while place != start {
                    place = *from.get(&place)?;
                    path.push(place);
                }
                path.reverse();
                return Some(path);
            }
            if edges.contains_key(&next) && !from.contains_key(&next) {
                from.insert(next, rank);
                queue.push_back(next);
            }
        }
    }
    None
}

fn window_of(call: &Call) -> Option<WinId> {
    match call {
        Call::Fence { win, .. }
        | Call::Post { win, .. }
        | Call::Start { win, .. }
        | Call::Complete { win }
        | Call::Wait { win, .. }
        | Call::Lock { win, .. }
        | Call::Unlock { win, .. }
        | Call::LockAll { win, .. }
        | Call::UnlockAll { win }
        | Call::Flush { win, .. }
        | Call::Sync { win }
        | Call::WinFree { win }
        | Call::Attach { win, .. }
        | Call::Detach { win, .. } => Some(*win),
        _ => None,
    }
}

/// The name of a call, and the rank that it is directed to.
pub(crate) fn name_of(call: &Call, interface: Interface) -> (String, Option<Rank>) {
    match call {
        Call::Collective { name, .. } | Call::Completion { name } => (name.to_string(), None),
        Call::Send { name, dest, .. } => (name.to_string(), *dest),
        Call::Receive { name, source, .. } => (name.to_string(), *source),
        _ => static_name(call).map_or_else(Default::default, |(name, target)| {
            (interface.name(name).to_owned(), target)
        }),
    }
}

/// The same for calls that have one name only.
pub(crate) fn static_name(call: &Call) -> Option<(&'static str, Option<Rank>)> {
    Some(match call {
        Call::Fence { .. } => ("MPI_Win_fence", None),
        Call::Post { .. } => ("MPI_Win_post", None),
        Call::Start { .. } => ("MPI_Win_start", None),
        Call::Complete { .. } => ("MPI_Win_complete", None),
        Call::Wait { test: false, .. } => ("MPI_Win_wait", None),
        Call::Wait { test: true, .. } => ("MPI_Win_test", None),
        Call::Lock { target, .. } => ("MPI_Win_lock", Some(*target)),
        Call::Unlock { target, .. } => ("MPI_Win_unlock", Some(*target)),
        Call::LockAll { .. } => ("MPI_Win_lock_all", None),
        Call::UnlockAll { .. } => ("MPI_Win_unlock_all", None),
        Call::Flush {
            target: Some(target),
            local: false,
            ..
        } => ("MPI_Win_flush", Some(*target)),
        Call::Flush {
            target: Some(target),
            local: true,
            ..
        } => ("MPI_Win_flush_local", Some(*target)),
        Call::Flush {
            target: None,
            local: false,
            ..
        } => ("MPI_Win_flush_all", None),
        Call::Flush {
            target: None,
            local: true,
            ..
        } => ("MPI_Win_flush_local_all", None),
        Call::Sync { .. } => ("MPI_Win_sync", None),
        Call::WinFree { .. } => ("MPI_Win_free", None),
        Call::Attach { .. } => ("MPI_Win_attach", None),
        Call::Detach { .. } => ("MPI_Win_detach", None),
        Call::Finalize => ("MPI_Finalize", None),
        Call::ThreadWait { .. } => ("waiting for another thread", None),
        Call::Collective { .. } | Call::Completion { .. } | Call::Send { .. } | Call::Receive { .. } => {
            return None;
        }
    })
}
