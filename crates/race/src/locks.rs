//! Lock epochs and the order between them.
//!
//! Source: MPI-4.1 §12.5.3; Hoefler et al. 2014, §3.2. Two epochs on one lock, of which one is exclusive, exclude each
//! other. Which of them came first is an accident of the run, so that their order alone must not order what lies
//! around them: else a race would be seen or hidden by chance. As in the weak causal order of Kini, Mathur and
//! Viswanathan (PLDI 2017), the release of an epoch is ordered before a later epoch's access only from the first
//! access of the later one that conflicts with an access of the earlier: then the later one has seen it.
//!
//! A lock call may return before the lock is granted (§12.5.3 asks for no more than that the accesses of the epoch wait;
//! `osc/pt2pt` of Open MPI, for example). So epochs that exclude each other may overlap in time, and time does not order
//! them:
//! - Accesses that both locks protect never race with each other, whatever their times.
//! - A lock is known to be granted when an operation of its epoch is known to be done at the target, or when the unlock
//!   has returned. Who is known to have it before the other's unlock was called came first.
//! - If neither is known to have come first (both wait in their unlocks), what one process read it may have seen from the
//!   other: it learns what the other knew. Who only wrote has seen nothing.
//!
//! With `MPI_MODE_NOCHECK` the library keeps nobody apart: of such epochs time tells the order, and those that overlap
//! do not exclude each other.
//!
//! Deviations:
//! 1. The order taken from a conflicting access holds for everything that the thread does after it.
//! 2. Of epochs that do not overlap the one whose unlock is called first counts as the first, although its lock may be
//!    granted after the other's, if it was known neither before its unlock nor before the other's that it was granted;
//!    the process of the first then learns of the other as if they overlapped. So a race may go unnoticed in such a run,
//!    and none is reported that is none.
//! 3. What was read at the origin of an operation and lies in the memory of a locked target counts as protected only
//!    once the operation is known to be done with it.

use crate::detector::Detector;
use crate::finding::Site;
use crate::record::Record;
use farside_clocks::{Component, Epoch, VectorClock};
use farside_conflicts::{Conflict, Role, conflict};
use farside_events::{LockKind, Rank, WinId};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

/// A place in the stream of events.
type Moment = u64;

/// One epoch between a lock and its unlock.
#[derive(Debug)]
pub(crate) struct LockEpoch {
    pub(crate) win: WinId,
    /// `None` for `MPI_Win_lock_all`.
    pub(crate) target: Option<Rank>,
    pub(crate) kind: LockKind,
    pub(crate) rank: Rank,
    pub(crate) nocheck: bool,
    pub(crate) site: Site,
    state: RefCell<State>,
}

/// How far an epoch has come.
#[derive(Debug, Default)]
struct State {
    /// Since when the lock of a target is known to be granted, by an operation that is done there.
    granted: BTreeMap<Rank, Moment>,
    /// Since its unlock was called.
    released: Option<Release>,
    /// Since when its unlock has returned.
    left: Option<Moment>,
}

/// What is known of the end of an epoch when its unlock is called.
#[derive(Clone, Debug)]
struct Release {
    /// What the process knew, its operations in the epoch being complete.
    clock: VectorClock,
    /// The moment in its thread's time.
    at: Epoch,
    moment: Moment,
}

impl LockEpoch {
    /// An epoch whose lock was called.
    pub(crate) fn new(
        (win, target): (WinId, Option<Rank>),
        kind: LockKind,
        rank: Rank,
        nocheck: bool,
        site: Site,
    ) -> Self {
        Self {
            win,
            target,
            kind,
            rank,
            nocheck,
            site,
            state: RefCell::default(),
        }
    }

    /// Whether the two cannot be open at the same time.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        self.win == other.win
            && self.rank != other.rank
            && (self.target == other.target || self.target.is_none() || other.target.is_none())
            && (self.kind == LockKind::Exclusive || other.kind == LockKind::Exclusive)
    }

    /// Whether its unlock was not called yet.
    pub(crate) fn is_open(&self) -> bool {
        self.state.borrow().released.is_none()
    }

    /// The moment of the call of its unlock, in its thread's time.
    pub(crate) fn release(&self) -> Option<Epoch> {
        self.state.borrow().released.as_ref().map(|release| release.at)
    }

    /// Whether the process may still wait for the lock of `target`, as far as is known.
    pub(crate) fn may_wait(&self, target: Rank) -> bool {
        !self.nocheck && self.granted_since(target).is_none()
    }

    /// Whether `other` may have the lock that this epoch waits for.
    pub(crate) fn waits_for(&self, other: &Self) -> bool {
        self.kept_apart_from(other)
            && other.state.borrow().left.is_none()
            && self
                .common_target(other)
                .is_some_and(|target| self.may_wait(target))
    }

    /// Whether the library lets only one of them have the lock at a time.
    fn kept_apart_from(&self, other: &Self) -> bool {
        self.excludes(other) && !self.nocheck && !other.nocheck
    }

    /// The target for whose lock two epochs that exclude each other wait; there is one, for they are not both of all.
    fn common_target(&self, other: &Self) -> Option<Rank> {
        self.target.or(other.target)
    }

    /// Since when the lock of `target` is known to be granted.
    fn granted_since(&self, target: Rank) -> Option<Moment> {
        let state = self.state.borrow();
        state.granted.get(&target).copied().or(state.left)
    }

    /// Whether it is known that this epoch had the lock before `other`, from which it is kept apart.
    fn came_before(&self, other: &Self) -> bool {
        let released = other
            .state
            .borrow()
            .released
            .as_ref()
            .map(|release| release.moment);
        self.common_target(other)
            .and_then(|target| self.granted_since(target))
            .is_some_and(|granted| released.is_none_or(|released| granted < released))
    }

    /// Whether the lock protects this access to the memory of `owner`: an operation on the window, or a load or store to a
    /// locked part (MPI-4.1 §12.5.3).
    fn protects(&self, owner: Rank, record: &Record) -> bool {
        let on_window = |record: &Record| record.operation().is_some_and(|op| op.win == self.win);
        self.target.is_none_or(|target| target == owner)
            && match record.access.role {
                Role::Local | Role::LocalAtomic => true,
                Role::Target => on_window(record),
                Role::Origin => record.completed().is_some(),
            }
    }

    /// Whether the two accesses to the memory of `owner`, of which `own` was made in this epoch, are kept apart although
    /// the times of the epochs do not say so.
    fn keeps_apart(&self, other: &Self, owner: Rank, own: &Record, others: &Record) -> bool {
        self.kept_apart_from(other)
            && (other.is_open() || self.came_before(other))
            && self.protects(owner, own)
            && other.protects(owner, others)
    }
}

/// Lock and unlock calls under way, and epochs of which nobody knows which came first.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    requested: HashMap<Component, Rc<LockEpoch>>,
    released: HashMap<Component, Rc<LockEpoch>>,
    meetings: Vec<Meeting>,
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
        let clock = other.state.borrow().released.as_ref()?.clock.clone();
        self.told = true;
        Some(clock)
    }
}

impl Locks {
    /// The lock of an epoch is called.
    pub(crate) fn request(&mut self, component: Component, epoch: LockEpoch) {
        self.requested.insert(component, Rc::new(epoch));
    }

    /// The lock call of the thread returns: the epoch that it opens.
    pub(crate) fn open(&mut self, component: Component) -> Option<Rc<LockEpoch>> {
        self.requested.remove(&component)
    }

    /// The epoch whose unlock a process is in.
    pub(crate) fn releasing(&self, rank: Rank) -> impl Iterator<Item = &Rc<LockEpoch>> {
        self.released.values().filter(move |epoch| epoch.rank == rank)
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
}

/// Accesses to the memory of one process that conflict with a new one.
pub(crate) type Against = [(Range<u64>, Rc<Record>, Conflict)];

impl Detector {
    /// If the conflicting accesses were made in epochs of a lock that the accessing process holds too, the thread has
    /// seen their release: it learns what was known then. Says whether anything was learned.
    pub(crate) fn follow_locks(
        &mut self,
        record: &Record,
        against: &Against,
        clock: &mut VectorClock,
    ) -> bool {
        let mut learned = false;
        for own in &record.locks {
            for (_, old, _) in against {
                for other in old.locks.iter().filter(|other| own.excludes(other)) {
                    let apart = own.kept_apart_from(other);
                    let release = other.state.borrow().released.clone();
                    let release = release.filter(|_| !apart || !own.came_before(other));
                    if let Some(release) = &release {
                        clock.join(&release.clock);
                        self.job.acquire(record.component(), &release.clock);
                        learned = true;
                    }
                    let settled = other.state.borrow().left.is_some();
                    if apart && !settled {
                        let mut sides = [Side::new(own, record, old), Side::new(other, old, record)];
                        sides[0].told = release.is_some();
                        self.locks.meet(sides);
                    }
                }
            }
        }
        learned
    }

    /// Before the accesses of a segment are judged one by one: learns from all locks that they touch.
    pub(crate) fn follow_locks_of(
        &mut self,
        component: Component,
        owner: Rank,
        range: Range<u64>,
        record: &Record,
    ) {
        if record.locks.is_empty() {
            return;
        }
        let touching = self.memory.touching(owner, range);
        let found: Vec<_> = touching
            .filter(|(_, old)| !old.locks.is_empty())
            .filter_map(|(part, old)| {
                conflict(&old.access, &record.access).map(|kind| (part, Rc::clone(old), kind))
            })
            .collect();
        let mut clock = self.job.thread(component).clock.clone();
        self.follow_locks(record, &found, &mut clock);
    }

    /// The thread calls the unlock of an epoch, whose operations are complete.
    pub(crate) fn let_go(&mut self, component: Component, epoch: &Rc<LockEpoch>) {
        let clock = self.job.release(component);
        let at = Epoch {
            component,
            time: clock.get(component),
        };
        let moment = self.counts.events;
        epoch.state.borrow_mut().released = Some(Release { clock, at, moment });
        self.locks.released.insert(component, Rc::clone(epoch));
        self.settle();
    }

    /// The unlock that the thread has called returns.
    pub(crate) fn leave_unlock(&mut self, component: Component) {
        if let Some(epoch) = self.locks.released.remove(&component) {
            epoch.state.borrow_mut().left = Some(self.counts.events);
            self.settle();
        }
    }

    /// Operations of `rank` are known to be done at these targets: it has had the locks.
    pub(crate) fn locks_granted(&mut self, rank: Rank, win: WinId, targets: &[Rank]) {
        let Some(state) = self.windows.get(&win).and_then(|window| window.epochs.get(&rank)) else {
            return;
        };
        let mut news = false;
        for target in targets {
            if let Some(epoch) = state.locked.get(target).or(state.locked_all.as_ref())
                && epoch.may_wait(*target)
            {
                epoch
                    .state
                    .borrow_mut()
                    .granted
                    .insert(*target, self.counts.events);
                news = true;
            }
        }
        if news {
            self.settle();
        }
    }

    /// Tells the sides of each meeting what follows from all that is known now.
    fn settle(&mut self) {
        let job = &mut self.job;
        self.locks.meetings.retain_mut(|Meeting { sides: [a, b] }| {
            let epochs = [Rc::clone(&a.epoch), Rc::clone(&b.epoch)];
            for (learner, other) in [(&mut *a, &epochs[1]), (&mut *b, &epochs[0])] {
                if let Some(clock) = learner.learns(other) {
                    job.acquire(learner.component, &clock);
                }
            }
            [a, b].iter().any(|side| side.epoch.state.borrow().left.is_none())
        });
    }
}

/// Whether locks keep the two accesses to the memory of `owner` apart although the times of their epochs do not say so.
pub(crate) fn kept_apart(owner: Rank, old: &Record, new: &Record) -> bool {
    new.locks.iter().any(|own| {
        old.locks
            .iter()
            .any(|other| own.keeps_apart(other, owner, new, old))
    })
}
