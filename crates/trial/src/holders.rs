//! Whether those who take a lock could come in another order, and one would then wait for ever.
//!
//! A run shows one order of the holders of a lock. What is certain of every other one is what does not come from that
//! order: the order of each process, messages, collective calls, epochs that wait for a post, notifications, and words
//! that are waited for. A process that holds a lock waits for ever if what it needs before it gives the lock back comes
//! after another process has taken the same lock, and that one has not taken it before in every order. So each process
//! has a clock of what is certain, which counts the locks that the others have taken. Between taking a lock and giving
//! it back it must not learn of another holder.
//!
//! What is a lock: epochs of MPI (with `MPI_MODE_NOCHECK` too: two of them that meet break its promise), locks of
//! OpenSHMEM, and a word that a process changes by an atomic operation and sets back to what it found there (compare
//! and swap, swap).
//!
//! Processes that have a lock each, and need that of the next one, wait for ever as well: what each needs is kept until
//! the end, and rings are looked for in it. In a ring, each must be able to have its lock as long as the others have
//! theirs; if that holds for any two of them, it holds for all at once, for what comes before an event comes before it
//! in any set.
//!
//! Not told: rings of more than [`RING`] processes; locks that are handed over in a queue, by
//! tickets or by words of their own; locks of the threads of one process. A process is one course: what only another
//! thread of it does counts as done before. A word that is asked for in a loop of operations orders nothing here. One
//! who tries a lock and does something else if it is taken counts as one who waits.

use crate::recording::Recording;
use farside_causes::{Gates, Moment};
use farside_events::{
    AccumulateOp, Call, Event, EventKind, LockKind, Operation, OperationId, OperationKind, Rank, WinId,
};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Why a process waits for ever in some order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wait {
    /// One that has a lock needs what another one does after it has taken that lock, too: both by their ranks and by
    /// the numbers of the locks that they have taken.
    OnHolder([(Rank, u32); 2]),
    /// Some that have a lock each, and need that of the next one: by their ranks.
    OnEachOther(Vec<(Rank, u32)>),
    /// A lock is not given back, so often: others wait for that.
    ForGivingBack(Rank, Lock, usize),
}

/// By process, how often it has certainly taken a lock before, or given one back.
type Clock = BTreeMap<Rank, u32>;

/// Locks that are needed under other locks, of which no more are compared.
const NEEDS: usize = 512;

/// Processes in a ring.
const RING: usize = 6;

/// Steps in which rings are looked for.
const STEPS: usize = 1 << 20;

/// Takes in what all processes do.
#[derive(Default)]
pub(crate) struct Holders {
    courses: HashMap<Rank, Course>,
    /// Flags that are set and not taken: what came before, by window, owner and number.
    flags: HashMap<(WinId, Rank, u32), VecDeque<Clock>>,
    /// The last that each process has left in a word.
    words: HashMap<(Rank, u64), Vec<Left>>,
    /// Operations that may take a word.
    attempts: HashMap<(Rank, OperationId), Attempt>,
    needs: Vec<Need>,
    waits: BTreeSet<Wait>,
}

/// What a process has left in a word, if that is one value, and what came before.
type Left = (Rank, Option<u64>, Clock);

/// Under a lock, another one has to be taken by somebody.
struct Need {
    holder: (Rank, u32),
    lock: Lock,
    /// What came before that was taken.
    before: Clock,
    /// The number with which it is given back.
    until: u32,
    taker: (Rank, u32),
    needed: Lock,
}

impl Need {
    /// Whether both may have their locks at a time.
    fn may_meet(&self, other: &Self) -> bool {
        let may_come_first = |one: &Self, other: &Self| {
            let knows = |of: Rank| one.before.get(&of).copied().unwrap_or(0);
            knows(other.holder.0) <= other.until && knows(other.taker.0) <= other.taker.1
        };
        self.holder.0 != other.holder.0
            && self.taker.0 != other.holder.0
            && other.taker.0 != self.holder.0
            && may_come_first(self, other)
            && may_come_first(other, self)
    }

    /// Whether what it needs is what the other one has.
    fn is_kept_by(&self, other: &Self) -> bool {
        self.needed.excludes(other.lock)
    }
}

/// Needs of which each is kept by the next one, and the last by the first, and which may all meet.
fn rings(needs: &[Need]) -> Vec<Vec<&Need>> {
    let (mut found, mut steps) = (Vec::new(), 0);
    for first in 0..needs.len() {
        // Each ring begins with its first one.
        let mut open = vec![vec![first]];
        while let Some(ring) = open.pop() {
            for next in first + 1..needs.len() {
                steps += 1;
                if steps > STEPS {
                    return found;
                }
                let last = &needs[ring[ring.len() - 1]];
                let meets = |other: &usize| needs[*other].may_meet(&needs[next]);
                if !last.is_kept_by(&needs[next]) || !ring.iter().all(meets) {
                    continue;
                }
                let longer: Vec<usize> = ring.iter().copied().chain([next]).collect();
                if needs[next].is_kept_by(&needs[first]) {
                    found.push(longer.iter().map(|place| &needs[*place]).collect());
                } else if longer.len() < RING {
                    open.push(longer);
                }
            }
        }
    }
    found
}

/// What is known of a process.
#[derive(Default)]
struct Course {
    /// Events that have come.
    step: u64,
    now: Clock,
    /// The clocks that it has had, each from a step on.
    past: Vec<(u64, Clock)>,
    /// All locks that it has taken; `None`: it has given one back.
    taken: Vec<Option<Lock>>,
    /// Those that it has: their numbers, and what came before.
    held: Vec<(u32, Clock)>,
}

/// What one process has at a time, or several that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lock {
    /// An epoch of MPI, and whether it is exclusive; without a target it is one of all.
    Epoch(WinId, Option<Rank>, bool),
    /// A word of a process, while it is not what it is when nobody has it.
    Word((Rank, u64), u64),
    /// A lock of OpenSHMEM.
    Object(Rank, u64),
}

/// An atomic operation whose result is still to come.
struct Attempt {
    place: (Rank, u64),
    /// The value that it replaces; `None`: any.
    expected: Option<u64>,
    left: u64,
    /// It gives back a lock.
    gives: bool,
}

impl Lock {
    /// Whether the holder of one keeps others from the other.
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Epoch(win, target, alone), Self::Epoch(other_win, other_target, other_alone)) => {
                win == other_win
                    && (target == other_target || target.is_none() || other_target.is_none())
                    && (alone || other_alone)
            }
            _ => self == other,
        }
    }
}

impl Course {
    /// What came before a step.
    fn before(&self, step: u64) -> Option<&Clock> {
        let later = self.past.partition_point(|(from, _)| *from <= step);
        Some(&self.past[later.checked_sub(1)?].1)
    }

    /// What came before something comes before what is next.
    fn follow(&mut self, clock: &Clock) {
        let mut is_new = false;
        for (rank, count) in clock {
            let known = self.now.entry(*rank).or_default();
            is_new |= *known < *count;
            *known = (*known).max(*count);
        }
        if is_new {
            self.past.push((self.step, self.now.clone()));
        }
    }

    /// The process takes a lock.
    fn take(&mut self, rank: Rank, lock: Lock) {
        let number = self.taken.len() as u32;
        self.held.push((number, self.now.clone()));
        self.turn(rank, Some(lock));
    }

    fn turn(&mut self, rank: Rank, lock: Option<Lock>) {
        self.taken.push(lock);
        self.now.insert(rank, self.taken.len() as u32);
        self.past.push((self.step, self.now.clone()));
    }

    /// A lock that it has.
    fn lock(&self, number: u32) -> Option<Lock> {
        self.taken.get(number as usize).copied().flatten()
    }

    /// It gives back the last one of these: its number, and what came before it was taken.
    fn give(&mut self, is_it: impl Fn(Lock) -> bool) -> Option<(u32, Clock)> {
        let mut held = self.held.iter();
        let place = held.rposition(|(number, _)| self.lock(*number).is_some_and(&is_it))?;
        Some(self.held.remove(place))
    }
}

impl Holders {
    /// Those who would wait for ever in another order of a run.
    pub(crate) fn of_run(recording: &Recording) -> BTreeSet<Wait> {
        let (mut holders, mut gates, mut causes) = (Self::default(), Gates::default(), Vec::new());
        for (rank, event) in recording.events() {
            gates.pass(rank, &event, holders.moment(rank), &mut causes);
            holders.pass(rank, &event, &causes, &gates);
            causes.clear();
        }
        holders.finish();
        holders.waits
    }

    /// When the next event of a process is handed on, as gates are told.
    pub(crate) fn moment(&self, rank: Rank) -> Moment {
        let step = self.courses.get(&rank).map_or(0, |course| course.step);
        Moment::new(rank.0 as usize, step)
    }

    /// Those who would wait for ever in some order.
    pub(crate) fn waits(&self) -> &BTreeSet<Wait> {
        &self.waits
    }

    /// An event is handed on that comes after these moments.
    pub(crate) fn pass(&mut self, rank: Rank, event: &Event, causes: &[Moment], gates: &Gates) {
        for cause in causes {
            let of = Rank(cause.host() as u32);
            let before = self
                .courses
                .get(&of)
                .and_then(|course| course.before(cause.time()));
            if let Some(before) = before.filter(|_| of != rank).cloned() {
                self.course(rank).follow(&before);
            }
        }
        match &event.kind {
            EventKind::Enter { call, .. } => self.call(rank, call),
            EventKind::Operation(operation) => self.operation(rank, operation, gates),
            EventKind::Fetched { operation, value } => self.fetched(rank, *operation, *value),
            EventKind::Seen { address, value, .. } => {
                let left = self.words.get(&(rank, *address)).cloned().unwrap_or_default();
                for (_, _, clock) in left
                    .iter()
                    .filter(|(_, left, _)| left.is_none_or(|left| left == *value))
                {
                    self.course(rank).follow(clock);
                }
            }
            EventKind::FlagSeen { win, number, taken } => {
                if let Some(set) = self.flags.get_mut(&(*win, rank, *number)) {
                    let clock = match taken {
                        Some(_) => set.pop_front(),
                        None => set.front().cloned(),
                    };
                    self.course(rank).follow(&clock.unwrap_or_default());
                }
            }
            _ => {}
        }
        self.course(rank).step += 1;
    }

    /// No event comes any more.
    pub(crate) fn finish(&mut self) {
        for (rank, course) in &self.courses {
            let held = course.held.iter().filter_map(|(number, _)| course.lock(*number));
            let mut counts: BTreeMap<Lock, usize> = BTreeMap::new();
            for lock in held {
                let count = counts.entry(lock).or_default();
                *count += 1;
                self.waits.insert(Wait::ForGivingBack(*rank, lock, *count));
            }
        }
        for ring in rings(&self.needs) {
            let mut holders: Vec<_> = ring.iter().map(|need| need.holder).collect();
            holders.sort_unstable();
            self.waits.insert(Wait::OnEachOther(holders));
        }
    }

    fn course(&mut self, rank: Rank) -> &mut Course {
        self.courses.entry(rank).or_default()
    }

    fn call(&mut self, rank: Rank, call: &Call) {
        let of = |win: WinId, target: Option<Rank>| {
            let wanted = (win, target);
            move |lock: Lock| matches!(lock, Lock::Epoch(win, target, _) if (win, target) == wanted)
        };
        match call {
            Call::Lock {
                win, target, kind, ..
            } => {
                let alone = *kind == LockKind::Exclusive;
                self.course(rank)
                    .take(rank, Lock::Epoch(*win, Some(*target), alone));
            }
            Call::LockAll { win, .. } => {
                self.course(rank).take(rank, Lock::Epoch(*win, None, false));
            }
            Call::Unlock { win, target } => {
                self.give(rank, of(*win, Some(*target)));
            }
            Call::UnlockAll { win } => {
                self.give(rank, of(*win, None));
            }
            _ => {}
        }
    }

    fn operation(&mut self, rank: Rank, operation: &Operation, gates: &Gates) {
        let now = self.course(rank).now.clone();
        // A read sets a flag of its origin.
        let owner = match operation.kind {
            OperationKind::Get => Some(rank),
            _ => operation.target,
        };
        if let (Some(flag), Some(owner)) = (operation.flag().filter(|flag| flag.last), owner) {
            let set = self.flags.entry((flag.win, owner, flag.number)).or_default();
            set.push_back(now.clone());
        }
        let Some(target) = operation.target else {
            return;
        };
        let address = |operation: &Operation| gates.address(operation.win, target, operation.displacement);
        let Some(place) = address(operation).map(|address| (target, address)) else {
            return;
        };
        if operation.id.is_of_lock() {
            let lock = Lock::Object(target, place.1);
            match operation.operator {
                Some(AccumulateOp::NoOp) => self.course(rank).take(rank, lock),
                _ => {
                    self.give(rank, |held| held == lock);
                }
            }
            return;
        }
        let changes = operation.kind != OperationKind::Get && operation.operator != Some(AccumulateOp::NoOp);
        if !changes {
            return;
        }
        let left = left(operation);
        let gives = left.is_some_and(|left| self.give(rank, |held| held == Lock::Word(place, left)));
        if let Some(attempt) = Attempt::of(operation, address) {
            self.attempts
                .insert((rank, operation.id), Attempt { gives, ..attempt });
        }
        if !now.is_empty() {
            let known = self.words.entry(place).or_default();
            known.retain(|(by, value, _)| (*by, *value) != (rank, left));
            known.push((rank, left, now));
        }
    }

    fn fetched(&mut self, rank: Rank, operation: OperationId, value: u64) {
        if let Some(attempt) = self.attempts.remove(&(rank, operation)) {
            let is_there = attempt.expected.is_none_or(|expected| expected == value);
            if is_there && value != attempt.left && !attempt.gives {
                self.course(rank).take(rank, Lock::Word(attempt.place, value));
            }
        }
    }

    /// A process gives a lock back; whether it had one.
    fn give(&mut self, rank: Rank, is_it: impl Fn(Lock) -> bool) -> bool {
        let Some((number, before)) = self.course(rank).give(is_it) else {
            return false;
        };
        let course = self.course(rank);
        let (lock, now, until) = (course.lock(number), course.now.clone(), course.taken.len() as u32);
        let Some(lock) = lock else {
            return false;
        };
        for (other, last) in now {
            let known = before.get(&other).copied().unwrap_or(0);
            let first = if other == rank { number + 1 } else { known };
            for at in first..last {
                let Some(taken) = self.courses.get(&other).and_then(|course| course.lock(at)) else {
                    continue;
                };
                if taken.excludes(lock) {
                    self.waits.insert(Wait::OnHolder([(rank, number), (other, at)]));
                } else if self.needs.len() < NEEDS {
                    self.needs.push(Need {
                        holder: (rank, number),
                        lock,
                        before: before.clone(),
                        until,
                        taker: (other, at),
                        needed: taken,
                    });
                }
            }
        }
        self.course(rank).turn(rank, None);
        true
    }
}

impl Attempt {
    /// What an atomic operation may take, if it is one that replaces a value and brings it.
    fn of(operation: &Operation, address: impl Fn(&Operation) -> Option<u64>) -> Option<Self> {
        let expected = match (operation.kind, operation.operator) {
            (OperationKind::CompareAndSwap, _) => Some(operation.expected?),
            (OperationKind::FetchAndOp | OperationKind::GetAccumulate, Some(AccumulateOp::Replace)) => None,
            _ => return None,
        };
        Some(Self {
            place: (operation.target?, address(operation)?),
            expected,
            left: operation.operand?,
            gives: false,
        })
    }
}

/// What an operation leaves in a word, if it is one value.
fn left(operation: &Operation) -> Option<u64> {
    let replaces = matches!(operation.operator, None | Some(AccumulateOp::Replace));
    operation.operand.filter(|_| replaces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{Assertions, ThreadId};

    /// Those who wait for ever in another order, if each rank takes these locks, one under the other, one rank after
    /// the other.
    fn waits(taken: &[[u32; 2]]) -> Vec<Wait> {
        let mut recording = Recording::default();
        let mut time = 0;
        for (rank, locks) in taken.iter().enumerate() {
            let lock = |target: &u32| Call::Lock {
                win: WinId(7),
                target: Rank(*target),
                kind: LockKind::Exclusive,
                assertions: Assertions::default(),
            };
            let unlock = |target: &u32| Call::Unlock {
                win: WinId(7),
                target: Rank(*target),
            };
            let calls = locks.iter().map(lock).chain(locks.iter().rev().map(unlock));
            for call in calls {
                time += 1;
                let stack = farside_events::StackId(0);
                recording.push(
                    Rank(rank as u32),
                    &Event {
                        time,
                        thread: ThreadId(0),
                        kind: EventKind::Enter { call, stack },
                    },
                );
            }
        }
        Holders::of_run(&recording).into_iter().collect()
    }

    #[test]
    fn processes_wait_for_each_other_in_a_ring() {
        let rings = |taken: &[[u32; 2]]| {
            let of_ring = |wait: Wait| match wait {
                Wait::OnEachOther(ring) => Some(ring.len()),
                _ => None,
            };
            waits(taken).into_iter().filter_map(of_ring).collect::<Vec<_>>()
        };
        assert_eq!(rings(&[[0, 1], [1, 0]]), [2]);
        assert_eq!(rings(&[[0, 1], [1, 2], [2, 0]]), [3]);
        assert_eq!(rings(&[[0, 1], [1, 2], [2, 3], [3, 0]]), [4]);
        // In one order of the locks, none waits for ever.
        assert_eq!(rings(&[[0, 1], [1, 2], [0, 2]]), Vec::<usize>::new());
        assert_eq!(rings(&[[0, 1], [0, 1], [0, 1]]), Vec::<usize>::new());
    }
}
