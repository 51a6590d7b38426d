//! A hanging job: who waits for whom.
//!
//! Every thread that has entered a call and not left it waits; the call says for whom. A cycle of such waits is
//! reported. A receive from any source, and a wait for a word, ends by what any other does: only if none of the others
//! comes on is that a deadlock.
//! A process that waits in a flush or an unlock for a lock that is granted late waits by its lock call, which is named
//! besides.

use crate::epochs::Epochs;
use crate::finding::{CallKind, Misuse, Name, Note, RawFinding, RawParty, RawSuggestion, Site, Spot, Wait};
use crate::job::{Caller, Job};
use crate::order::{Collectives, Exposure, Fences, Locks, Member, Stuck, Threads};
use crate::record::LockEpoch;
use crate::windows::Windows;
use farside_clocks::Component;
use farside_events::{Call, CommId, Interface, LockKind, Rank, ThreadId, WinId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// What waits for a lock, of which a recorder does not tell who has it.
const SET_LOCK: &str = "shmem_set_lock";

/// The calls that the threads are in.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// By component.
    entered: Vec<Option<Entered>>,
    finalizing: HashSet<Rank>,
    finalized: HashSet<Rank>,
}

/// A call that a thread has entered.
#[derive(Clone, Debug)]
pub(crate) struct Entered {
    call: Call,
    site: Site,
    number: u64,
}

impl Entered {
    /// `number` is that of a fence on its window, or of a message.
    pub(crate) fn new(call: &Call, site: Site, number: u64) -> Self {
        let call = call.clone();
        Self { call, site, number }
    }

    /// The call, and the number of the fence on its window, or of the message.
    pub(crate) fn into_parts(self) -> (Call, u64) {
        (self.call, self.number)
    }
}

impl Calls {
    /// A thread enters a call.
    pub(crate) fn enter(&mut self, component: Component, entered: Entered) {
        let index = component as usize;
        if index >= self.entered.len() {
            self.entered.resize_with(index + 1, || None);
        }
        if matches!(entered.call, Call::Finalize) {
            self.finalizing.insert(entered.site.rank);
        }
        self.entered[index] = Some(entered);
    }

    /// The collective call that a thread is in.
    pub(crate) fn member(&self, component: Component) -> Option<Member> {
        let entered = self.entered.get(component as usize)?.as_ref()?;
        match &entered.call {
            Call::Collective { name, .. } => Some(Member::new(name, entered.site)),
            _ => None,
        }
    }

    /// A thread is about to enter a collective call on a communicator on which another thread of its process is in one
    /// (MPI-4.1 §6.14): the calls, that of the other thread first.
    pub(crate) fn concurrent(&self, threads: &Threads, call: &Call, caller: &Caller) -> Option<RawFinding> {
        let on = |call: &Call| match call {
            // Tags tell apart calls that make a communicator of a group.
            Call::Collective { comm, name, .. } => {
                let by_tag = name.contains("_create_group") || name.contains("Intercomm_create");
                (name.starts_with("MPI_") && !by_tag).then_some(*comm)
            }
            _ => None,
        };
        let comm = on(call)?;
        let mut all = self.entered.iter().enumerate();
        let (other, entered) = all.find_map(|(component, entered)| {
            let entered = entered.as_ref()?;
            let is_other = component != caller.component() as usize && entered.site.rank == caller.rank();
            (is_other && on(&entered.call) == Some(comm)).then_some((component as Component, entered))
        })?;
        let (name, target) = Name::of(&entered.call, Interface::Mpi);
        let thread = threads.id(other).thread();
        let first = RawParty::call(name, entered.site, thread, target);
        let name = Name::of(call, Interface::Mpi).0;
        let second = RawParty::call(name, caller.site(), caller.thread(), None);
        let advice = RawSuggestion::note(Note::OneCollectiveAtATime);
        Some(RawFinding::misuse(Misuse::Concurrent, None, vec![first, second]).with(advice))
    }

    /// A thread leaves the call that it is in.
    pub(crate) fn leave(&mut self, component: Component) -> Option<Entered> {
        let entered = self.entered.get_mut(component as usize)?.take()?;
        if matches!(entered.call, Call::Finalize) {
            self.finalized.insert(entered.site.rank);
        }
        Some(entered)
    }
}

/// A job that did not hang, and would where starts wait for their posts; the caller made the last of the calls.
pub(crate) fn starts_wait(win: WinId, stuck: &[Stuck], caller: &Caller) -> RawFinding {
    let starts = stuck.iter();
    let mut parties: Vec<RawParty> = starts
        .map(|start| RawParty::call(CallKind::Start, start.site(), ThreadId(0), Some(start.target())))
        .collect();
    let advice = match stuck {
        [first, second, ..] if first.target() == second.origin() => RawSuggestion::earlier(
            CallKind::Post,
            None,
            Spot::of_call(CallKind::Start, second.site()),
        ),
        _ => RawSuggestion::note(Note::PostFirst),
    };
    if stuck.len() == 1 {
        parties.push(caller.party(CallKind::Post, None));
    }
    let waits = stuck
        .iter()
        .map(|start| [start.origin(), start.target()])
        .collect();
    RawFinding::misuse(Misuse::StartsWait { waits }, Some(win), parties).with(advice)
}

/// Everything that a call can wait for.
pub(crate) struct Deadlock<'a> {
    calls: &'a Calls,
    threads: &'a Threads,
    job: &'a Job,
    windows: &'a Windows,
    epochs: &'a Epochs,
    order: (&'a Exposure, &'a Fences, &'a Locks, &'a Collectives),
}

impl<'a> Deadlock<'a> {
    pub(crate) fn new(
        (calls, threads): (&'a Calls, &'a Threads),
        (job, windows): (&'a Job, &'a Windows),
        epochs: &'a Epochs,
        order: (&'a Exposure, &'a Fences, &'a Locks, &'a Collectives),
    ) -> Self {
        Self {
            calls,
            threads,
            job,
            windows,
            epochs,
            order,
        }
    }

    /// The processes that do nothing more: they have ended, or wait for one that does nothing more.
    pub(crate) fn stuck(&self) -> HashSet<Rank> {
        let (_, edges) = self.waits();
        edges
            .into_keys()
            .chain(self.calls.finalized.iter().copied())
            .collect()
    }

    /// The calls that processes wait in for ever, and for whom each of them waits.
    fn waits(&self) -> (HashMap<Rank, &Entered>, HashMap<Rank, Vec<Rank>>) {
        let mut waiting: HashMap<Rank, &Entered> = HashMap::default();
        for (component, entered) in self.calls.entered.iter().enumerate() {
            let Some(entered) = entered else { continue };
            let first = self.threads.id(component as Component).thread() == ThreadId(0);
            if first || !waiting.contains_key(&entered.site.rank) {
                waiting.insert(entered.site.rank, entered);
            }
        }
        let awaited = |(&rank, entered): (&Rank, &&Entered)| (rank, self.awaited(rank, entered));
        let mut edges: HashMap<Rank, Vec<Rank>> = waiting.iter().map(awaited).collect();
        self.leave_stuck(&mut edges, &waiting);
        (waiting, edges)
    }

    /// A cycle among the waiting processes, if there is one.
    pub(crate) fn find(&self) -> Option<RawFinding> {
        let (waiting, edges) = self.waits();
        let mut ranks: Vec<Rank> = edges.keys().copied().collect();
        ranks.sort_unstable();
        let cycle = ranks
            .iter()
            .find_map(|&start| cycle_through(start, &edges))
            .or_else(|| {
                // No cycle, but someone waits for a process that has ended or is not in any call.
                let ended = |rank: &&Rank| {
                    edges[rank]
                        .iter()
                        .any(|other| self.calls.finalized.contains(other))
                };
                ranks.iter().find(ended).map(|&rank| vec![rank])
            })?;
        let mut parties = Vec::new();
        let mut waits = Vec::new();
        let mut win = None;
        for (index, rank) in cycle.iter().enumerate() {
            let entered = waiting[rank];
            let (call, target) = Name::of(&entered.call, self.windows.interface_of(&entered.call));
            win = win.or(entered.call.window());
            parties.push(RawParty::call(call.clone(), entered.site, ThreadId(0), target));
            let late = self.late_locks(*rank, &entered.call);
            let late = late.filter(|epoch| !self.holders(epoch).is_empty());
            parties.extend(late.map(|epoch| epoch.party(ThreadId(0))));
            let next = cycle.get(index + 1).or(cycle.first()).copied().unwrap_or(*rank);
            let whom = if cycle.len() == 1 {
                edges[rank].first().copied().unwrap_or(next)
            } else {
                next
            };
            waits.push(Wait {
                rank: *rank,
                call,
                whom,
            });
        }
        let collective = |rank: &Rank| {
            matches!(
                waiting[rank].call,
                Call::Fence { .. } | Call::WinFree { .. } | Call::Collective { .. } | Call::Finalize
            )
        };
        let collective = cycle.iter().all(collective);
        let awaits_word = |rank: &Rank| match &waiting[rank].call {
            Call::Await { of: None, name } => &**name != SET_LOCK,
            _ => false,
        };
        let advice = match collective {
            true => Note::CollectivesInOneOrder,
            false if cycle.iter().any(awaits_word) => Note::WriteAwaitedWord,
            false => Note::EpochsInOneOrder,
        };
        let is_of_epochs = matches!(advice, Note::EpochsInOneOrder);
        let earlier = is_of_epochs.then(|| self.earlier(&cycle, &waiting)).flatten();
        let advice = earlier.unwrap_or_else(|| RawSuggestion::note(advice));
        let misuse = Misuse::Deadlock {
            waits,
            ended: cycle.len() == 1,
            collective,
        };
        Some(RawFinding::misuse(misuse, win, parties).with(advice))
    }

    /// Leaves those that never come on: who waits for all of several comes on when all of them do, who waits for any of
    /// several when one does. A process that has ended does nothing more.
    fn leave_stuck(&self, edges: &mut HashMap<Rank, Vec<Rank>>, waiting: &HashMap<Rank, &Entered>) {
        loop {
            let stays = |rank: &Rank| edges.contains_key(rank) || self.calls.finalized.contains(rank);
            let comes_on = |(rank, awaited): (&Rank, &Vec<Rank>)| {
                let is_stuck = match waiting[rank].call {
                    Call::Receive { source: None, .. } | Call::Await { of: None, .. } => {
                        awaited.iter().all(stays)
                    }
                    _ => awaited.iter().any(stays),
                };
                (!is_stuck).then_some(*rank)
            };
            let coming: Vec<Rank> = edges.iter().filter_map(comes_on).collect();
            if coming.is_empty() {
                return;
            }
            edges.retain(|rank, _| !coming.contains(rank));
        }
    }

    /// The call that one process of a cycle waits for, which the next one would have to make before it waits itself:
    /// the end of an epoch that is open, or what exposes its window.
    fn earlier(&self, cycle: &[Rank], waiting: &HashMap<Rank, &Entered>) -> Option<RawSuggestion> {
        let holders = cycle.iter().cycle().skip(1);
        let mut pairs = cycle
            .iter()
            .zip(holders)
            .filter(|(asking, holder)| asking != holder);
        pairs.find_map(|(asking, holder)| {
            let started = |win: WinId| {
                let site = self.epochs.of(win, *holder)?.started()?;
                Some(Spot::of_call(CallKind::Start, site))
            };
            let waits = waiting.get(holder)?;
            let spot = Spot {
                site: waits.site,
                name: Name::of(&waits.call, self.windows.interface_of(&waits.call)).0,
            };
            let (call, opened, before) = match &waiting.get(asking)?.call {
                call @ (Call::Lock { .. }
                | Call::LockAll { .. }
                | Call::Flush { .. }
                | Call::Unlock { .. }) => {
                    let epoch = self.lock_in_the_way(*asking, call, *holder)?;
                    let unlock = match epoch.target() {
                        Some(_) => CallKind::Unlock,
                        None => CallKind::UnlockAll,
                    };
                    (unlock, Some(Spot::of(&epoch.party(ThreadId(0)))), spot)
                }
                Call::Wait { win, .. } => (CallKind::Complete, Some(started(*win)?), spot),
                // A start may wait for its post (MPI-4.1 §12.5.2), so that a post comes before it.
                Call::Start { .. } | Call::Complete { .. } => match waits.call {
                    Call::Start { .. } => (CallKind::Post, None, spot),
                    Call::Complete { win } => {
                        // Its epoch has ended: the targets know where it began.
                        let (exposure, ..) = self.order;
                        let own = exposure.pairs(win).filter(|(ranks, _)| ranks.1 == *holder);
                        let starts = own.filter_map(|(ranks, pair)| Some((ranks.0, pair.last_start()?)));
                        let (_, site) = starts.min_by_key(|(target, _)| *target)?;
                        (CallKind::Post, None, Spot::of_call(CallKind::Start, site))
                    }
                    _ => return None,
                },
                _ => return None,
            };
            Some(RawSuggestion::earlier(call, opened, before))
        })
    }

    /// The epoch of a process whose lock another one waits for in a call.
    fn lock_in_the_way(&self, asking: Rank, call: &Call, holder: Rank) -> Option<Rc<LockEpoch>> {
        let is_held = |held: &&Rc<LockEpoch>| held.is_open() && held.rank() == holder;
        match call {
            Call::Lock { win, .. } | Call::LockAll { win, .. } => {
                self.locks().last(*win).find(is_held).cloned()
            }
            _ => self.late_locks(asking, call).find_map(|own| {
                let held = self.locks().last(own.win()).filter(|held| own.waits_for(held));
                held.into_iter().find(is_held).cloned()
            }),
        }
    }

    /// The processes that `rank` waits for in this call.
    fn awaited(&self, rank: Rank, entered: &Entered) -> Vec<Rank> {
        let (exposure, fences, _, collectives) = self.order;
        match &entered.call {
            // Nobody waits for a lock that need not be acquired.
            Call::Lock { assertions, .. } | Call::LockAll { assertions, .. } if assertions.nocheck => {
                Vec::new()
            }
            Call::Lock {
                win, target, kind, ..
            } => self.holding(*win, rank, |held| {
                held.target().is_none_or(|other| other == *target)
                    && (held.kind() == LockKind::Exclusive || *kind == LockKind::Exclusive)
            }),
            Call::LockAll { win, .. } => self.holding(*win, rank, |held| held.kind() == LockKind::Exclusive),
            Call::Flush { .. } | Call::Unlock { .. } | Call::UnlockAll { .. } => self
                .late_locks(rank, &entered.call)
                .flat_map(|epoch| self.holders(epoch))
                .collect(),
            Call::Fence { win, .. } => self.absent(*win, fences.entered(*win, entered.number)),
            Call::WinFree { win } => self.absent(*win, fences.freeing(*win)),
            Call::Wait { win, .. } => {
                let open = |origin: &&Rank| {
                    let pair = exposure.pair(*win, rank, **origin);
                    !pair.is_some_and(|pair| pair.is_completed())
                };
                let group = self.epochs.exposed_to(*win, rank).iter();
                group.filter(open).copied().collect()
            }
            Call::Start { win, group, .. } if exposure.knows(*win) => {
                let unposted = |target: &&Rank| {
                    let pair = exposure.pair(*win, **target, rank);
                    pair.is_none_or(|pair| pair.posted() < pair.started())
                };
                group.iter().filter(unposted).copied().collect()
            }
            Call::Complete { win } => {
                let pairs = exposure.pairs(*win);
                let unposted =
                    pairs.filter(|(ranks, pair)| ranks.1 == rank && pair.posted() < pair.started());
                unposted.map(|(ranks, _)| ranks.0).collect()
            }
            Call::Collective { comm, sequence, .. } => {
                collectives.absent((*comm, *sequence), self.members(*comm))
            }
            Call::Finalize => {
                let all = (0..self.job.size()).map(Rank);
                all.filter(|other| !self.calls.finalizing.contains(other))
                    .collect()
            }
            Call::Receive {
                source: Some(source), ..
            } => vec![*source],
            Call::Receive {
                source: None, comm, ..
            } => {
                let others = self.members(*comm).iter().filter(|other| **other != rank);
                others.copied().collect()
            }
            Call::Send { dest: Some(dest), .. } => vec![*dest],
            Call::Await { of: Some(holder), .. } => vec![*holder],
            Call::Await { of: None, .. } => {
                let all = (0..self.job.size()).map(Rank);
                all.filter(|other| *other != rank).collect()
            }
            _ => Vec::new(),
        }
    }

    fn locks(&self) -> &'a Locks {
        self.order.2
    }

    fn members(&self, comm: CommId) -> &[Rank] {
        self.job.members(comm).map_or(&[], |members| members)
    }

    /// The other processes that hold a lock of the window that is in the way.
    fn holding(&self, win: WinId, rank: Rank, in_the_way: impl Fn(&LockEpoch) -> bool) -> Vec<Rank> {
        let others = self
            .locks()
            .last(win)
            .filter(|held| held.is_open() && held.rank() != rank && !held.nocheck());
        let held = others.filter(|held| in_the_way(held));
        held.map(|held| held.rank()).collect()
    }

    /// Members of a window who have not come to a call on it in which others are.
    fn absent(&self, win: WinId, entered: Option<impl Fn(Rank) -> bool>) -> Vec<Rank> {
        let Some(entered) = entered else {
            return Vec::new();
        };
        let members = self.windows.members(win).unwrap_or_default().iter();
        members.filter(|rank| !entered(**rank)).copied().collect()
    }

    /// The epochs of `rank` whose locks may still be waited for in a flush or an unlock (see `order::locks`).
    fn late_locks<'s>(&'s self, rank: Rank, call: &'s Call) -> impl Iterator<Item = &'s Rc<LockEpoch>> {
        let (flushed, releasing) = match call {
            Call::Flush { win, target, .. } => (Some((*win, *target)), None),
            Call::Unlock { .. } | Call::UnlockAll { .. } => (None, Some(self.locks().releasing(rank))),
            _ => (None, None),
        };
        let flushed = flushed.into_iter().flat_map(move |(win, target)| {
            let open = self
                .locks()
                .singles(win, rank)
                .chain(self.locks().of_all(win, rank));
            open.filter(move |epoch| target.is_none() || epoch.target().is_none() || epoch.target() == target)
        });
        flushed.chain(releasing.into_iter().flatten())
    }

    /// Who may have a lock that an epoch still waits for.
    fn holders(&self, own: &LockEpoch) -> Vec<Rank> {
        let held = self.locks().last(own.win()).filter(|held| own.waits_for(held));
        held.map(|held| held.rank()).collect()
    }
}

/// A shortest cycle from `start` back to itself.
fn cycle_through(start: Rank, edges: &HashMap<Rank, Vec<Rank>>) -> Option<Vec<Rank>> {
    let mut from: HashMap<Rank, Rank> = HashMap::default();
    let mut queue = VecDeque::from([start]);
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
