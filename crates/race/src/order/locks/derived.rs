//! Order that follows from accesses under locks, for judges that do not have the memory in which they met.
//!
//! All judges of a job know all lock epochs, and number them alike. Who has the memory compares the accesses, and tells
//! the others what came of it; what they make of it is what it made of it itself.

use super::{Doubt, Locks, Meeting, Side};
use crate::order::Threads;
use crate::record::{LockEpoch, LockFace};
use farside_clocks::{Component, Epoch, VectorClock};
use farside_events::Rank;
use rustc_hash::FxHashMap as HashMap;
use serde::{Deserialize, Serialize};
use std::rc::{Rc, Weak};

/// What followed from two conflicting accesses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Derived {
    /// A thread has seen the release of an epoch, and learns what was known then.
    Learned(Component, VectorClock),
    /// Two epochs that exclude each other have conflicting accesses, and one at least is not over.
    Met([MetSide; 2]),
    /// A reader may have seen what the writer wrote later.
    Doubted {
        reader: LockFace,
        read: Epoch,
        writer: Rank,
    },
}

/// A [`Side`], its epoch by its number.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct MetSide {
    epoch: u64,
    component: Component,
    reads: bool,
    told: bool,
}

/// What is to be told to other judges, and the epochs that they may speak of.
#[derive(Debug, Default)]
pub(super) struct Told {
    derived: Vec<Derived>,
    epochs: HashMap<u64, Weak<LockEpoch>>,
    /// Epochs that were left when those that are gone were looked for.
    left: usize,
}

/// Epochs up to which nobody looks for those that are gone.
const FEW: usize = 64;

impl Told {
    /// An epoch that others may speak of.
    pub(super) fn know(&mut self, epoch: &Rc<LockEpoch>) {
        if self.epochs.len() > 2 * self.left + FEW {
            self.epochs.retain(|_, epoch| epoch.strong_count() > 0);
            self.left = self.epochs.len();
        }
        self.epochs.insert(epoch.number(), Rc::downgrade(epoch));
    }

    /// Something to be told.
    pub(super) fn push(&mut self, derived: Derived) {
        self.derived.push(derived);
    }

    fn epoch(&self, number: u64) -> Option<Rc<LockEpoch>> {
        self.epochs.get(&number)?.upgrade()
    }
}

impl From<&Side> for MetSide {
    fn from(side: &Side) -> Self {
        Self {
            epoch: side.epoch.number(),
            component: side.component,
            reads: side.reads,
            told: side.told,
        }
    }
}

impl Derived {
    /// Bytes that it takes to tell it to a judge elsewhere.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Learned(_, clock) => 12 + 12 * clock.stored(),
            Self::Met(_) => 28,
            Self::Doubted { .. } => 48,
        }
    }
}

impl Locks {
    /// There are other judges, who are to be told.
    pub(crate) fn tell_others(&mut self) {
        self.told.get_or_insert_default();
    }

    /// What others are to be told since this was last asked.
    pub(crate) fn take_derived(&mut self) -> Vec<Derived> {
        self.told
            .as_mut()
            .map(|told| std::mem::take(&mut told.derived))
            .unwrap_or_default()
    }

    /// Whether nobody has to be told anything.
    pub(crate) fn has_told_all(&self) -> bool {
        self.told.as_ref().is_none_or(|told| told.derived.is_empty())
    }

    /// Another judge found this.
    pub(crate) fn take_in(&mut self, threads: &mut Threads, derived: Derived) {
        match derived {
            Derived::Learned(component, clock) => threads.acquire_by_chance(component, &clock),
            Derived::Met(sides) => {
                let of = |side: MetSide| {
                    let epoch = self.told.as_ref()?.epoch(side.epoch)?;
                    Some(Side {
                        epoch,
                        component: side.component,
                        reads: side.reads,
                        told: side.told,
                    })
                };
                let [one, other] = sides.map(of);
                // Both are open, or in what is being judged.
                debug_assert!(one.is_some() && other.is_some(), "an epoch that nobody knows");
                if let (Some(one), Some(other)) = (one, other) {
                    self.meet([one, other]);
                }
            }
            Derived::Doubted { reader, read, writer } => {
                let known = self.told.as_ref().and_then(|told| told.epoch(reader.number()));
                // Of one that is over only what it excludes is asked.
                let reader = known.unwrap_or_else(|| Rc::new(LockEpoch::of(reader)));
                self.take_down(&reader, read, writer);
            }
        }
    }

    /// Tells the others of two epochs that met.
    pub(super) fn tell_meeting(&mut self, meeting: &Meeting) {
        if let Some(told) = &mut self.told {
            let [one, other] = &meeting.sides;
            told.push(Derived::Met([one.into(), other.into()]));
        }
    }

    /// Keeps a doubt, once for each reader's epoch and writer.
    pub(super) fn take_down(&mut self, reader: &Rc<LockEpoch>, read: Epoch, writer: Rank) {
        let number = reader.number();
        let same = |doubt: &&mut Doubt| doubt.writer == writer && doubt.reader.number() == number;
        match self.doubts.iter_mut().find(same) {
            Some(known) => known.read.time = known.read.time.min(read.time),
            None => {
                if self.doubts.len() >= super::DOUBTS {
                    self.doubts.remove(0);
                }
                self.doubts.push(Doubt {
                    reader: Rc::clone(reader),
                    read,
                    writer,
                    told: None,
                });
            }
        }
    }
}
