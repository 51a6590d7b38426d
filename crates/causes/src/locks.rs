//! Lock epochs: who is known to have a lock has it until it lets go, so that no other is known to have it meanwhile.
//!
//! A lock call may return before the lock is granted (MPI-4.1 §12.5.3), so that its return proves nothing. That an
//! operation of the epoch is done at the target, or that the unlock has returned, does.

use crate::gate::{Gate, Gone};
use farside_events::{LockKind, Rank, RequestId, WinId};
use rustc_hash::FxHashMap as HashMap;

/// The lock epochs of all windows that are open.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    windows: HashMap<WinId, OfWindow>,
    requests: HashMap<(Rank, RequestId), (WinId, Rank)>,
}

/// Those of one window.
#[derive(Debug, Default)]
struct OfWindow {
    open: Vec<Epoch>,
    /// Operations that are not known to be done, of processes that have locks: target, and whether it only reads.
    pending: HashMap<Rank, Vec<(Rank, bool)>>,
}

/// An epoch between a lock and its unlock; without a target it is one of all.
#[derive(Clone, Debug)]
pub(crate) struct Epoch {
    rank: Rank,
    target: Option<Rank>,
    kind: LockKind,
    nocheck: bool,
    /// Targets whose lock it is known to have.
    granted: Vec<Rank>,
}

impl Epoch {
    pub(crate) fn new(rank: Rank, target: Option<Rank>, kind: LockKind, nocheck: bool) -> Self {
        Self {
            rank,
            target,
            kind,
            nocheck,
            granted: Vec::new(),
        }
    }

    /// Whether the library lets only one of them have the lock of a target at a time.
    fn is_kept_apart_from(&self, other: &Self) -> bool {
        self.rank != other.rank
            && !self.nocheck
            && !other.nocheck
            && (self.target == other.target || self.target.is_none() || other.target.is_none())
            && (self.kind == LockKind::Exclusive || other.kind == LockKind::Exclusive)
    }
}

impl Locks {
    /// A lock call returns.
    pub(crate) fn open(&mut self, win: WinId, epoch: Epoch) {
        self.windows.entry(win).or_default().open.push(epoch);
    }

    /// An unlock is called; gives the epoch that it ends.
    pub(crate) fn close(&mut self, win: WinId, rank: Rank, target: Option<Rank>) -> Option<Epoch> {
        let window = self.windows.get_mut(&win)?;
        let place = window
            .open
            .iter()
            .position(|epoch| epoch.rank == rank && epoch.target == target)?;
        if !window
            .open
            .iter()
            .enumerate()
            .any(|(index, epoch)| index != place && epoch.rank == rank)
        {
            window.pending.remove(&rank);
        }
        Some(window.open.swap_remove(place))
    }

    /// An operation is issued.
    pub(crate) fn operation(
        &mut self,
        win: WinId,
        rank: Rank,
        target: Rank,
        only_reads: bool,
        request: Option<RequestId>,
    ) {
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        let covers = |epoch: &Epoch| epoch.rank == rank && epoch.target.is_none_or(|only| only == target);
        if !window.open.iter().any(covers) {
            return;
        }
        let pending = window.pending.entry(rank).or_default();
        if !pending.contains(&(target, only_reads)) {
            pending.push((target, only_reads));
        }
        if let Some(request) = request.filter(|_| only_reads) {
            self.requests.insert((rank, request), (win, target));
        }
    }

    /// Whether a process has called the lock of this one target.
    pub(crate) fn has(&self, win: WinId, rank: Rank, target: Rank) -> bool {
        let mut open = self.windows.get(&win).into_iter().flat_map(|window| &window.open);
        open.any(|epoch| epoch.rank == rank && epoch.target == Some(target))
    }

    /// Whether it has called it as an exclusive one.
    pub(crate) fn has_alone(&self, win: WinId, rank: Rank, target: Rank) -> bool {
        let mut open = self.windows.get(&win).into_iter().flat_map(|window| &window.open);
        open.any(|epoch| {
            epoch.rank == rank && epoch.target == Some(target) && epoch.kind == LockKind::Exclusive
        })
    }

    /// Whether a process may be known to have the lock that an unlock which returns shows it to have had.
    pub(crate) fn unlocked(&self, win: WinId, epoch: &Epoch, gone: &Gone) -> Gate {
        self.granted_to(win, epoch, epoch.target.as_slice(), gone)
    }

    /// Whether a process may be known to have the locks that a flush which returns shows it to have.
    pub(crate) fn flushed(
        &self,
        win: WinId,
        rank: Rank,
        target: Option<Rank>,
        local: bool,
        gone: &Gone,
    ) -> Gate {
        let done = self.done(win, rank, target, local);
        self.grantable(win, rank, &done, gone)
    }

    /// Whether a process may be known to have the lock that a request which is done shows it to have.
    pub(crate) fn requested(&self, rank: Rank, request: RequestId, gone: &Gone) -> Gate {
        let of = self.requests.get(&(rank, request));
        of.map_or(Gate::Open, |(win, target)| {
            self.grantable(*win, rank, &[*target], gone)
        })
    }

    /// A flush returns.
    pub(crate) fn flush(&mut self, win: WinId, rank: Rank, target: Option<Rank>, local: bool) {
        let done = self.done(win, rank, target, local);
        let Some(window) = self.windows.get_mut(&win) else {
            return;
        };
        if let Some(pending) = window.pending.get_mut(&rank) {
            pending.retain(|(to, only_reads)| !done.contains(to) || (local && !only_reads));
        }
        window.grant(rank, &done);
    }

    /// A request is done.
    pub(crate) fn request_done(&mut self, rank: Rank, request: RequestId) {
        if let Some((win, target)) = self.requests.remove(&(rank, request))
            && let Some(window) = self.windows.get_mut(&win)
        {
            window.grant(rank, &[target]);
        }
    }

    /// A window is gone at all its members.
    pub(crate) fn free(&mut self, win: WinId) {
        self.windows.remove(&win);
    }

    /// The targets at which operations of a process are done when a flush returns.
    fn done(&self, win: WinId, rank: Rank, target: Option<Rank>, local: bool) -> Vec<Rank> {
        let pending = self
            .windows
            .get(&win)
            .and_then(|window| window.pending.get(&rank));
        let mut done = Vec::new();
        for (to, only_reads) in pending.into_iter().flatten() {
            let wanted = target.is_none_or(|target| target == *to) && (!local || *only_reads);
            if wanted && !done.contains(to) {
                done.push(*to);
            }
        }
        done
    }

    fn grantable(&self, win: WinId, rank: Rank, targets: &[Rank], gone: &Gone) -> Gate {
        let Some(window) = self.windows.get(&win) else {
            return Gate::Open;
        };
        let mut own = window.open.iter().filter(|epoch| epoch.rank == rank);
        match own.all(|epoch| self.granted_to(win, epoch, targets, gone) == Gate::Open) {
            true => Gate::Open,
            false => Gate::Lock,
        }
    }

    /// Whether no other process is known to have the locks that this epoch is known to have had; no targets stand for
    /// all.
    fn granted_to(&self, win: WinId, epoch: &Epoch, targets: &[Rank], gone: &Gone) -> Gate {
        let open = self.windows.get(&win).into_iter().flat_map(|window| &window.open);
        let mut others = open.filter(|other| other.is_kept_apart_from(epoch) && !gone.has(other.rank));
        let has = |other: &Epoch| {
            let mut common = other
                .granted
                .iter()
                .filter(|target| epoch.target.is_none_or(|only| only == **target));
            common.any(|target| targets.is_empty() || targets.contains(target))
        };
        match others.any(has) {
            true => Gate::Lock,
            false => Gate::Open,
        }
    }
}

impl OfWindow {
    /// A process is known to have these locks.
    fn grant(&mut self, rank: Rank, targets: &[Rank]) {
        for target in targets {
            let covers =
                |epoch: &&mut Epoch| epoch.rank == rank && epoch.target.is_none_or(|only| only == *target);
            for epoch in self.open.iter_mut().filter(covers) {
                if !epoch.granted.contains(target) {
                    epoch.granted.push(*target);
                }
            }
        }
    }
}
