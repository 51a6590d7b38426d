//! Lock epochs and the order between them.
//!
//! Source: MPI-4.1 §12.5.3; Hoefler et al. 2014, §3.2. Two epochs on one lock, of which one is exclusive, exclude each
//! other. Which of them came first is an accident of the run, so that their order alone must not order what lies
//! around them: else a race would be seen or hidden by chance. As in the weak causal order of Kini, Mathur and
//! Viswanathan (PLDI 2017), the release of an epoch is ordered before a later epoch's access only from the first
//! access of the later one that conflicts with an access of the earlier: then the later one has seen it.
//!
//! A lock call may return before the lock is granted (§12.5.3 asks for no more than that the accesses of the epoch
//! wait; `osc/pt2pt` of Open MPI, for example). So epochs that exclude each other may overlap in time, and time does
//! not order them:
//! - Accesses that both locks protect never race with each other, whatever their times.
//! - A lock is known to be granted when an operation of its epoch is known to be done at the target, or when the unlock
//!   has returned. The epoch that is known to have it before the other's unlock was called came first.
//! - If neither is known to have come first (both wait in their unlocks), what one process read it may have seen from
//!   the other: it learns what the other knew. A process that only wrote has seen nothing.
//!
//! With `MPI_MODE_NOCHECK` the library keeps nobody apart: the program promises that it does. Where nothing else orders
//! two epochs that exclude each other, this promise is what is wrong, and it is told when the later lock is called
//! (`misuse::lock_without_check`). Everything else is judged as if the locks had been acquired: what they would have
//! kept apart is no second finding, and chance does not decide which of the two is seen.
//!
//! Between clocks that cannot be compared, the order of two epochs that exclude each other is that in which they were
//! handed to the detector, which need not be the true one unless something else orders them: a value that the later one
//! read, and that was recorded, or happens-before. A process that read, in an epoch that came first here, what the
//! other wrote may have seen it after all (a [`Doubt`]). Then it is not known whether what the writer did before and
//! what the reader did afterwards is a race; it is left out, and counted.
//!
//! Deviations:
//! 1. The order taken from a conflicting access holds for everything that the thread does after it.
//! 2. Of epochs that do not overlap the one whose unlock is called first counts as the first, although its lock may be
//!    granted after the other's, if it was known neither before its unlock nor before the other's that it was granted;
//!    the process of the first then learns of the other as if they overlapped. So a race may go unnoticed in such a
//!    run, and none is reported that is none.
//! 3. What was read at the origin of an operation and lies in the memory of a locked target counts as protected only
//!    once the operation is known to be done with it.

mod derived;

pub(crate) use derived::Derived;

use super::Threads;
use crate::record::{AccessEpoch, HeldLocks, LockEpoch, Moment, Record};
use derived::Told;
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::Conflict;
use farside_events::{LockKind, Rank, WinId};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// Doubts that are kept; of more, the last.
const DOUBTS: usize = 1024;

/// The lock epochs of all processes, and those of which nobody knows which came first.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    /// Lock and unlock calls under way.
    requested: HashMap<Component, Rc<LockEpoch>>,
    released: HashMap<Component, Rc<LockEpoch>>,
    /// By rank.
    held: Vec<HeldLocks>,
    none_held: HeldLocks,
    windows: HashMap<WinId, OfWindow>,
    meetings: Vec<Meeting>,
    doubts: Vec<Doubt>,
    /// Windows for which an exclusive lock was asked.
    excluding: HashSet<WinId>,
    /// Epochs so far.
    epochs: u64,
    /// What follows from accesses, if there are other judges.
    told: Option<Told>,
}

/// Somebody read under a lock what another process, of another clock, wrote under it in an epoch that came later here.
/// Nothing tells whether it did so in reality.
#[derive(Debug)]
struct Doubt {
    reader: Rc<LockEpoch>,
    /// When it read.
    read: Epoch,
    writer: Rank,
    /// What the writer knew when it let go of the lock last.
    told: Option<VectorClock>,
}

/// An access of a race: when it was issued, and what its thread knew then, or later.
pub(crate) type Known = (Epoch, VectorClock);

/// Epochs of which the last one stands for all: their process and target (`None`: all targets), whether they are
/// exclusive, and whether `MPI_MODE_NOCHECK` was given.
type Sort = (Rank, Option<Rank>, bool, bool);

/// The lock epochs on one window.
#[derive(Debug, Default)]
struct OfWindow {
    /// The last of each sort.
    last: HashMap<Sort, Rc<LockEpoch>>,
    open: HashMap<Rank, OpenLocks>,
    nocheck_used: bool,
}

/// The lock epochs of one process on one window that are open.
#[derive(Debug, Default)]
struct OpenLocks {
    single: BTreeMap<Rank, Rc<LockEpoch>>,
    all: Option<Rc<LockEpoch>>,
}

/// Two epochs that exclude each other and have conflicting accesses.
#[derive(Debug)]
struct Meeting {
    sides: [Side; 2],
}

/// One of them.
#[derive(Debug)]
struct Side {
    epoch: Rc<LockEpoch>,
    /// The thread whose access conflicts.
    component: Component,
    /// It reads what the other writes.
    reads: bool,
    /// It has learned what the other knew when it let go of the lock.
    told: bool,
}

impl Side {
    fn new(epoch: &Rc<LockEpoch>, record: &Record, other: &Record) -> Self {
        Self {
            epoch: Rc::clone(epoch),
            component: record.component(),
            reads: record.brings_a_value() && other.writes(),
            told: false,
        }
    }

    fn is_of(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.epoch, &other.epoch) && self.component == other.component
    }

    /// What it learns now from the other side, if anything.
    fn learns(&mut self, other: &LockEpoch) -> Option<VectorClock> {
        if self.told || self.epoch.came_before(other) || !(self.reads || other.came_before(&self.epoch)) {
            return None;
        }
        let clock = other.told()?;
        self.told = true;
        Some(clock)
    }
}

/// Accesses to the memory of one process that conflict with a new one.
pub(crate) type Against = [(Range<u64>, Rc<Record>, Conflict)];

impl Locks {
    /// A window exists.
    pub(crate) fn open_window(&mut self, win: WinId) {
        self.windows.entry(win).or_default();
    }

    /// A window is freed.
    pub(crate) fn close_window(&mut self, win: WinId) {
        self.windows.remove(&win);
    }

    /// The epochs of a process that are open, on all windows.
    #[inline]
    pub(crate) fn held(&self, rank: Rank) -> &HeldLocks {
        self.held.get(rank.0 as usize).unwrap_or(&self.none_held)
    }

    /// The kind of the lock epoch that covers an operation of a process to a target.
    pub(crate) fn epoch(&self, win: WinId, rank: Rank, target: Rank) -> Option<AccessEpoch> {
        let open = self.open(win, rank)?;
        if open.single.contains_key(&target) {
            return Some(AccessEpoch::Lock);
        }
        open.all.is_some().then_some(AccessEpoch::LockAll)
    }

    /// The open epoch of a process for a target, on a window.
    pub(crate) fn single(&self, win: WinId, rank: Rank, target: Rank) -> Option<&Rc<LockEpoch>> {
        self.open(win, rank)?.single.get(&target)
    }

    /// The open epochs of a process for single targets, on a window.
    pub(crate) fn singles(&self, win: WinId, rank: Rank) -> impl Iterator<Item = &Rc<LockEpoch>> {
        let open = self.open(win, rank).into_iter();
        open.flat_map(|open| open.single.values())
    }

    /// The open epoch of a process for all targets, on a window.
    pub(crate) fn of_all(&self, win: WinId, rank: Rank) -> Option<&Rc<LockEpoch>> {
        self.open(win, rank)?.all.as_ref()
    }

    /// The last epochs of all processes and targets on a window, of each kind, with `MPI_MODE_NOCHECK` and without.
    pub(crate) fn last(&self, win: WinId) -> impl Iterator<Item = &Rc<LockEpoch>> {
        self.windows
            .get(&win)
            .into_iter()
            .flat_map(|window| window.last.values())
    }

    /// The epochs on a window whose lock calls are under way.
    pub(crate) fn asked(&self, win: WinId) -> impl Iterator<Item = &Rc<LockEpoch>> {
        self.requested.values().filter(move |epoch| epoch.win() == win)
    }

    /// Whether a lock of the window was called with `MPI_MODE_NOCHECK`.
    pub(crate) fn nocheck_used(&self, win: WinId) -> bool {
        self.windows.get(&win).is_some_and(|window| window.nocheck_used)
    }

    /// The epochs whose unlocks a process is in.
    pub(crate) fn releasing(&self, rank: Rank) -> impl Iterator<Item = &Rc<LockEpoch>> {
        self.released.values().filter(move |epoch| epoch.rank() == rank)
    }

    /// The lock of an epoch is called.
    pub(crate) fn request(&mut self, component: Component, epoch: LockEpoch) {
        let epoch = Rc::new(epoch.numbered(self.epochs));
        self.epochs += 1;
        if epoch.kind() == LockKind::Exclusive {
            self.excluding.insert(epoch.win());
        }
        if let Some(window) = self.windows.get_mut(&epoch.win()) {
            window.nocheck_used |= epoch.nocheck();
        }
        if let Some(told) = &mut self.told {
            told.know(&epoch);
        }
        self.requested.insert(component, epoch);
    }

    /// Whether order may follow from accesses that were made in these epochs: some epoch can exclude one of them.
    pub(crate) fn may_order(&self, held: &[Rc<LockEpoch>]) -> bool {
        held.iter().any(|epoch| self.excluding.contains(&epoch.win()))
    }

    /// The lock call of the thread has failed.
    pub(crate) fn fail(&mut self, component: Component) {
        self.requested.remove(&component);
    }

    /// The lock call of the thread returns. The lock itself may still have to be waited for.
    pub(crate) fn enter(&mut self, component: Component) {
        let Some(epoch) = self.requested.remove(&component) else {
            return;
        };
        let rank = epoch.rank();
        let index = rank.0 as usize;
        if index >= self.held.len() {
            self.held.resize_with(index + 1, HeldLocks::default);
        }
        self.held[index] = self.held[index].with(Rc::clone(&epoch));
        let Some(window) = self.windows.get_mut(&epoch.win()) else {
            return;
        };
        let is_exclusive = epoch.kind() == LockKind::Exclusive;
        let sort = (rank, epoch.target(), is_exclusive, epoch.nocheck());
        window.last.insert(sort, Rc::clone(&epoch));
        let open = window.open.entry(rank).or_default();
        match epoch.target() {
            Some(target) => {
                open.single.insert(target, epoch);
            }
            None => open.all = Some(epoch),
        }
    }

    /// The unlock of an epoch is called, if there is one.
    pub(crate) fn close(&mut self, win: WinId, rank: Rank, target: Option<Rank>) -> Option<Rc<LockEpoch>> {
        let open = self.windows.get_mut(&win)?.open.get_mut(&rank)?;
        match target {
            Some(target) => open.single.remove(&target),
            None => open.all.take(),
        }
    }

    /// The thread lets go of an epoch that was closed, whose operations are complete.
    pub(crate) fn let_go(
        &mut self,
        threads: &mut Threads,
        component: Component,
        epoch: &Rc<LockEpoch>,
        moment: Moment,
    ) {
        let clock = threads.release(component);
        let at = Epoch {
            time: clock.get(component),
            ..threads.now(component)
        };
        for doubt in &mut self.doubts {
            if doubt.writer == epoch.rank() && doubt.reader.excludes(epoch) {
                doubt.told = Some(clock.clone());
            }
        }
        epoch.let_go(clock, at, moment);
        self.released.insert(component, Rc::clone(epoch));
        self.settle(threads);
        if let Some(held) = self.held.get_mut(epoch.rank().0 as usize) {
            *held = held.without(epoch);
        }
    }

    /// The unlock that the thread has called returns.
    pub(crate) fn leave(&mut self, threads: &mut Threads, component: Component, moment: Moment) {
        if let Some(epoch) = self.released.remove(&component) {
            epoch.leave(moment);
            self.settle(threads);
        }
    }

    /// Operations of `rank` are known to be done at these targets: it has had the locks.
    pub(crate) fn granted(
        &mut self,
        threads: &mut Threads,
        rank: Rank,
        win: WinId,
        targets: &[Rank],
        moment: Moment,
    ) {
        let Some(open) = self.open(win, rank) else {
            return;
        };
        let mut news = false;
        for target in targets {
            if let Some(epoch) = open.single.get(target).or(open.all.as_ref())
                && !epoch.is_granted(*target)
            {
                epoch.grant(*target, moment);
                news = true;
            }
        }
        if news {
            self.settle(threads);
        }
    }

    /// If the conflicting accesses were made in epochs of a lock that the accessing process holds too, the thread has
    /// seen their release: it learns what was known then. Says whether anything was learned.
    pub(crate) fn follow(
        &mut self,
        threads: &mut Threads,
        record: &Record,
        against: &Against,
        clock: &mut VectorClock,
    ) -> bool {
        let mut learned = false;
        if record.writes() {
            self.doubt(record, against, clock);
        }
        for own in record.locks() {
            for (_, old, _) in against {
                for other in old.locks().iter().filter(|other| own.excludes(other)) {
                    let release = other.told().filter(|_| !own.came_before(other));
                    if let Some(release) = &release {
                        clock.join(release);
                        threads.acquire_by_chance(record.component(), release);
                        if let Some(told) = &mut self.told {
                            told.push(Derived::Learned(record.component(), release.clone()));
                        }
                        learned = true;
                    }
                    if !other.is_left() {
                        let mut sides = [Side::new(own, record, old), Side::new(other, old, record)];
                        sides[0].told = release.is_some();
                        let meeting = Meeting { sides };
                        self.tell_meeting(&meeting);
                        self.meet(meeting.sides);
                    }
                }
            }
        }
        learned
    }

    /// Whether it is not known if these two accesses race, for it is not known which of two epochs came first.
    pub(crate) fn leaves_open(&self, sides: &[Known; 2]) -> bool {
        let [a, b] = sides;
        [(a, b), (b, a)].into_iter().any(|((before, _), (_, known))| {
            let mut doubts = self.doubts.iter();
            doubts.any(|doubt| {
                known.covers(doubt.read) && doubt.told.as_ref().is_some_and(|told| told.covers(*before))
            })
        })
    }

    /// Takes down which of the accesses that a write conflicts with may have come after it.
    fn doubt(&mut self, record: &Record, against: &Against, clock: &VectorClock) {
        for own in record.locks() {
            for (_, old, _) in against.iter().filter(|(_, old, _)| old.brings_a_value()) {
                let has_value = old.operation().is_some_and(|op| op.is_valued());
                if has_value || old.precedes(clock) {
                    continue;
                }
                for reader in old.locks() {
                    if !own.excludes(reader) || !own.is_of_another_clock(reader) {
                        continue;
                    }
                    let (writer, read) = (own.rank(), old.issued());
                    if let Some(told) = &mut self.told {
                        let reader = *reader.face();
                        told.push(Derived::Doubted { reader, read, writer });
                    }
                    self.take_down(reader, read, writer);
                }
            }
        }
    }

    fn open(&self, win: WinId, rank: Rank) -> Option<&OpenLocks> {
        self.windows.get(&win)?.open.get(&rank)
    }

    /// Two accesses conflict that were made in these epochs.
    fn meet(&mut self, sides: [Side; 2]) {
        let same = |known: &&mut Meeting| {
            let [x, y] = &known.sides;
            let [a, b] = &sides;
            (x.is_of(a) && y.is_of(b)) || (x.is_of(b) && y.is_of(a))
        };
        let Some(known) = self.meetings.iter_mut().find(same) else {
            return self.meetings.push(Meeting { sides });
        };
        for new in &sides {
            for side in known.sides.iter_mut().filter(|side| side.is_of(new)) {
                side.reads |= new.reads;
                side.told |= new.told;
            }
        }
    }

    /// Tells the sides of each meeting what follows from all that is known now.
    fn settle(&mut self, threads: &mut Threads) {
        self.meetings.retain_mut(|Meeting { sides: [a, b] }| {
            let epochs = [Rc::clone(&a.epoch), Rc::clone(&b.epoch)];
            for (learner, other) in [(&mut *a, &epochs[1]), (&mut *b, &epochs[0])] {
                if let Some(clock) = learner.learns(other) {
                    threads.acquire_by_chance(learner.component, &clock);
                }
            }
            !(a.epoch.is_left() && b.epoch.is_left())
        });
    }
}

/// Whether locks keep the two accesses to the memory of `owner` apart although the times of their epochs do not say so.
pub(crate) fn kept_apart(owner: Rank, old: &Record, new: &Record) -> bool {
    let apart = |own: &LockEpoch, other: &LockEpoch| {
        own.excludes(other)
            && (other.is_open() || own.came_before(other))
            && new.is_protected_by(own, owner)
            && old.is_protected_by(other, owner)
    };
    new.locks()
        .iter()
        .any(|own| old.locks().iter().any(|other| apart(own, other)))
}
