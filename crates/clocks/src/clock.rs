//! Vector clocks over a shared base.

use rustc_hash::FxHashMap as HashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// Index of a thread among all threads of the job.
pub type Component = u32;

/// A moment of one thread: everything it did up to its local time `time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Epoch {
    /// The thread, or the strand of one.
    pub component: Component,
    /// The thread that ran it: `component`, unless that is a strand.
    pub host: Component,
    /// Its local time; 0 is before everything.
    pub time: u64,
}

impl Epoch {
    /// The same moment, of the thread that ran the strand.
    #[must_use]
    pub fn of_host(self) -> Self {
        Self {
            component: self.host,
            ..self
        }
    }
}

/// What all threads agreed on at some barrier. Bases of one job form a chain: a later one is nowhere smaller.
#[derive(Debug, Default)]
pub struct Base {
    generation: u64,
    times: Vec<u64>,
}

impl Base {
    /// Place in the chain; the empty base has 0.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The agreed time of a thread.
    pub fn get(&self, component: Component) -> u64 {
        self.times.get(component as usize).copied().unwrap_or(0)
    }
}

/// For every thread of the job, the local time up to which its actions are known (Fidge, Mattern 1988).
///
/// Written as the times of all threads that are known: a base means nothing elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(Component, u64)>", into = "Vec<(Component, u64)>")]
pub struct VectorClock {
    base: Arc<Base>,
    /// Sorted by component; every time is greater than the base's.
    beyond: Beyond,
}

/// Components and times. Those of a few threads lie in place: a clock is copied at most of its changes, and a small one
/// is copied as fast as a reference to it. Many are shared until one of those who share them changes them.
#[derive(Clone, Debug)]
enum Beyond {
    Few(u32, [(Component, u64); FEW]),
    Many(Arc<Vec<(Component, u64)>>),
}

/// Components and times that lie in place.
const FEW: usize = 4;

impl Default for Beyond {
    fn default() -> Self {
        Self::Few(0, [(0, 0); FEW])
    }
}

impl Deref for Beyond {
    type Target = [(Component, u64)];

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Few(length, few) => &few[..*length as usize],
            Self::Many(many) => many,
        }
    }
}

impl From<&[(Component, u64)]> for Beyond {
    fn from(all: &[(Component, u64)]) -> Self {
        if all.len() > FEW {
            return Self::Many(Arc::new(all.to_vec()));
        }
        let mut few = [(0, 0); FEW];
        few[..all.len()].copy_from_slice(all);
        Self::Few(all.len() as u32, few)
    }
}

impl Beyond {
    /// Sets the time of the entry at `index`.
    fn set(&mut self, index: usize, time: u64) {
        match self {
            Self::Few(_, few) => few[index].1 = time,
            Self::Many(many) => Arc::make_mut(many)[index].1 = time,
        }
    }

    fn insert(&mut self, index: usize, entry: (Component, u64)) {
        match self {
            Self::Few(length, few) if (*length as usize) < FEW => {
                few.copy_within(index..FEW - 1, index + 1);
                few[index] = entry;
                *length += 1;
            }
            Self::Few(_, few) => {
                let mut many = few.to_vec();
                many.insert(index, entry);
                *self = Self::Many(Arc::new(many));
            }
            Self::Many(many) => Arc::make_mut(many).insert(index, entry),
        }
    }
}

/// What is being made of two, in place if they are small.
type Merged = SmallVec<[(Component, u64); 2 * FEW]>;

/// The base that knows nothing.
static NOTHING: LazyLock<Arc<Base>> = LazyLock::new(Arc::default);

impl Default for VectorClock {
    fn default() -> Self {
        Self {
            base: Arc::clone(&NOTHING),
            beyond: Beyond::default(),
        }
    }
}

impl VectorClock {
    /// The time up to which `component` is known.
    #[inline]
    pub fn get(&self, component: Component) -> u64 {
        let beyond = match &self.beyond {
            // A component that is not there has an unused entry, if any: of time 0.
            Beyond::Few(_, few) => {
                let time = |&(of, time): &(Component, u64)| if of == component { time } else { 0 };
                few.iter().map(time).max()
            }
            Beyond::Many(many) => {
                let found = many.binary_search_by_key(&component, |entry| entry.0);
                found.ok().map(|index| many[index].1)
            }
        };
        match beyond {
            Some(time) if time > 0 => time,
            _ => self.base.get(component),
        }
    }

    /// Whether everything up to `epoch` is known.
    #[inline]
    pub fn covers(&self, epoch: Epoch) -> bool {
        self.get(epoch.component) >= epoch.time
    }

    /// The shared part.
    pub fn base(&self) -> &Arc<Base> {
        &self.base
    }

    /// The shared part alone.
    pub fn shared_part(&self) -> Self {
        Self {
            base: Arc::clone(&self.base),
            beyond: Beyond::default(),
        }
    }

    /// Whether `other` knows everything that this clock knows. May say no where the answer is yes: bases are compared
    /// by their place in the chain.
    pub fn is_known_by(&self, other: &Self) -> bool {
        self.base.generation <= other.base.generation
            && self
                .beyond
                .iter()
                .all(|&(component, time)| other.get(component) >= time)
    }

    /// Number of components stored beyond the shared part: what a copy or a join costs.
    pub fn stored(&self) -> usize {
        self.beyond.len()
    }

    /// Raises one component to `time` (never lowers it).
    pub fn raise(&mut self, component: Component, time: u64) {
        match self.beyond.binary_search_by_key(&component, |entry| entry.0) {
            Ok(index) => {
                if self.beyond[index].1 < time {
                    self.beyond.set(index, time);
                }
            }
            Err(index) => {
                if self.base.get(component) < time {
                    self.beyond.insert(index, (component, time));
                }
            }
        }
    }

    /// Learns everything that `other` knows.
    pub fn join(&mut self, other: &Self) {
        if let (Beyond::Many(own), Beyond::Many(others)) = (&self.beyond, &other.beyond)
            && Arc::ptr_eq(own, others)
            && Arc::ptr_eq(&self.base, &other.base)
        {
            return;
        }
        if self.base.generation < other.base.generation {
            self.base = Arc::clone(&other.base);
        }
        if other
            .beyond
            .iter()
            .all(|&(component, time)| self.get(component) >= time)
        {
            self.drop_covered();
            return;
        }
        let mut merged = Merged::with_capacity(self.beyond.len() + other.beyond.len());
        let (mut left, mut right) = (self.beyond.iter().peekable(), other.beyond.iter().peekable());
        loop {
            let entry = match (left.peek().copied(), right.peek().copied()) {
                (Some(&l), Some(&r)) if l.0 == r.0 => {
                    left.next();
                    right.next();
                    (l.0, l.1.max(r.1))
                }
                (Some(&l), Some(&r)) if l.0 < r.0 => {
                    left.next();
                    l
                }
                (Some(&l), None) => {
                    left.next();
                    l
                }
                (_, Some(&r)) => {
                    right.next();
                    r
                }
                (None, None) => break,
            };
            if entry.1 > self.base.get(entry.0) {
                merged.push(entry);
            }
        }
        self.beyond = Beyond::from(&merged[..]);
    }

    /// What both know.
    #[must_use]
    pub fn met(&self, other: &Self) -> Self {
        let own: Vec<(Component, u64)> = self.clone().into();
        let known = own
            .into_iter()
            .map(|(component, time)| (component, time.min(other.get(component))));
        let known: Vec<_> = known.filter(|(_, time)| *time > 0).collect();
        known.into()
    }

    fn drop_covered(&mut self) {
        if self
            .beyond
            .iter()
            .any(|&(component, time)| time <= self.base.get(component))
        {
            let rest = self
                .beyond
                .iter()
                .filter(|entry| entry.1 > self.base.get(entry.0));
            let rest: Merged = rest.copied().collect();
            self.beyond = Beyond::from(&rest[..]);
        }
    }
}

impl From<Vec<(Component, u64)>> for VectorClock {
    fn from(times: Vec<(Component, u64)>) -> Self {
        let mut clock = Self::default();
        for (component, time) in times {
            clock.raise(component, time);
        }
        clock
    }
}

impl From<VectorClock> for Vec<(Component, u64)> {
    fn from(clock: VectorClock) -> Self {
        let of_base = (0..).zip(&clock.base.times).filter(|(_, time)| **time > 0);
        let mut beyond = clock.beyond.iter().copied().peekable();
        let mut all = Self::new();
        for (component, time) in of_base {
            while let Some(entry) = beyond.next_if(|(next, _)| *next < component) {
                all.push(entry);
            }
            all.push(
                beyond
                    .next_if(|(next, _)| *next == component)
                    .unwrap_or((component, *time)),
            );
        }
        all.extend(beyond);
        all
    }
}

impl PartialEq for VectorClock {
    fn eq(&self, other: &Self) -> bool {
        let components = self.beyond.iter().chain(other.beyond.iter()).map(|entry| entry.0);
        let longest = self.base.times.len().max(other.base.times.len()) as u32;
        components
            .chain(0..longest)
            .all(|component| self.get(component) == other.get(component))
    }
}

/// Collects the clocks of many threads at a barrier at a cost of what they store, and turns them into one clock that
/// all of them share.
#[derive(Debug, Default)]
pub struct Gathering {
    base: Arc<Base>,
    beyond: HashMap<Component, u64>,
    finished: Option<VectorClock>,
}

impl Gathering {
    /// Adds what `clock` knows.
    pub fn add(&mut self, clock: &VectorClock) {
        self.finished = None;
        if self.base.generation < clock.base.generation {
            self.base = Arc::clone(&clock.base);
        }
        for &(component, time) in clock.beyond.iter() {
            let known = self.beyond.entry(component).or_insert(0);
            *known = (*known).max(time);
        }
    }

    /// The join of all that was added. With many components beyond the base (at least `threshold`), they become a
    /// new base, provided that it is nowhere below `latest`, the newest base of the job, which is then replaced.
    pub fn joined(&mut self, threshold: usize, latest: &mut Arc<Base>) -> VectorClock {
        if let Some(clock) = &self.finished {
            return clock.clone();
        }
        let mut beyond: Merged = self
            .beyond
            .iter()
            .map(|(&c, &t)| (c, t))
            .filter(|&(c, t)| t > self.base.get(c))
            .collect();
        beyond.sort_unstable();
        let mut clock = VectorClock {
            base: Arc::clone(&self.base),
            beyond: Beyond::from(&beyond[..]),
        };
        if clock.beyond.len() >= threshold.max(2)
            && let Some(base) = clock.promoted(latest)
        {
            *latest = Arc::clone(&base);
            clock = VectorClock {
                base,
                beyond: Beyond::default(),
            };
        }
        self.finished = Some(clock.clone());
        clock
    }
}

impl VectorClock {
    /// This clock as a base that follows `latest`, unless it is somewhere below it.
    fn promoted(&self, latest: &Arc<Base>) -> Option<Arc<Base>> {
        let longest = self.beyond.last().map_or(0, |entry| entry.0 as usize + 1);
        let mut times = self.base.times.clone();
        times.resize(times.len().max(longest), 0);
        for &(component, time) in self.beyond.iter() {
            times[component as usize] = time;
        }
        let follows = Arc::ptr_eq(&self.base, latest)
            || (0..latest.times.len()).all(|i| times.get(i).copied().unwrap_or(0) >= latest.times[i]);
        follows.then(|| {
            Arc::new(Base {
                generation: latest.generation + 1,
                times,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clock(entries: &[(u32, u64)]) -> VectorClock {
        let mut clock = VectorClock::default();
        for &(component, time) in entries {
            clock.raise(component, time);
        }
        clock
    }

    #[test]
    fn a_promoted_clock_knows_the_same() {
        let mut latest = Arc::default();
        let mut gathering = Gathering::default();
        for i in 0..8 {
            gathering.add(&clock(&[(i, u64::from(i) + 5)]));
        }
        let joined = gathering.joined(4, &mut latest);
        assert_eq!(joined.stored(), 0);
        assert_eq!(latest.generation(), 1);
        assert!((0..8).all(|i| joined.get(i) == u64::from(i) + 5));
    }

    #[test]
    fn a_clock_below_the_latest_base_is_not_promoted() {
        let mut latest = Arc::default();
        let mut first = Gathering::default();
        first.add(&clock(&[(0, 9), (1, 9)]));
        first.joined(2, &mut latest);
        let mut second = Gathering::default();
        second.add(&clock(&[(0, 1), (2, 4)]));
        let joined = second.joined(2, &mut latest);
        assert_eq!(latest.generation(), 1);
        assert_eq!((joined.get(0), joined.get(1), joined.get(2)), (1, 0, 4));
    }

    proptest! {
        /// Against plain arrays: random raises, joins and barriers.
        #[test]
        fn agrees_with_plain_vectors(steps in prop::collection::vec((0u32..4, 0usize..6, 0usize..6), 1..200)) {
            let mut latest = Arc::default();
            let mut clocks: Vec<VectorClock> = vec![VectorClock::default(); 6];
            let mut plain = vec![[0u64; 6]; 6];
            for (kind, a, b) in steps {
                match kind {
                    0 | 1 => {
                        plain[a][a] += 1;
                        clocks[a].raise(a as u32, plain[a][a]);
                    }
                    2 => {
                        let other = clocks[b].clone();
                        clocks[a].join(&other);
                        let other = plain[b];
                        for (known, new) in plain[a].iter_mut().zip(other) { *known = (*known).max(new); }
                    }
                    _ => {
                        let mut gathering = Gathering::default();
                        for clock in &clocks { gathering.add(clock); }
                        let joined = gathering.joined(3, &mut latest);
                        let all: [u64; 6] = std::array::from_fn(|i| plain.iter().map(|p| p[i]).max().unwrap_or(0));
                        for clock in &mut clocks { clock.join(&joined); }
                        plain.fill(all);
                    }
                }
                for (clock, plain) in clocks.iter().zip(&plain) {
                    for (i, time) in plain.iter().enumerate() { prop_assert_eq!(clock.get(i as u32), *time); }
                }
                let met = clocks[a].met(&clocks[b]);
                for (i, (one, other)) in plain[a].iter().zip(plain[b]).enumerate() {
                    prop_assert_eq!(met.get(i as u32), (*one).min(other));
                }
            }
        }
    }
}
