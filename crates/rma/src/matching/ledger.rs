//! What a rank has called on a group.

use super::signature::Signature;
use crate::error::Called;
use crate::{Error, Rank};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Calls of a group that are remembered: a rank that others ask about one is at the most so many further on. More only
/// where a rank broadcasts, or reduces, on and on while others wait elsewhere.
const REMEMBERED: usize = 32;

/// The collective calls of this rank on a group.
pub(crate) struct Ledger {
    context: u32,
    size: u32,
    /// By their number in the world; `None`: all.
    members: Option<Box<[Rank]>>,
    /// Number of calls so far, and their hash.
    count: Cell<u64>,
    chain: Cell<u64>,
    /// Call number `n` is at `n` modulo their number.
    recent: Box<[Cell<Option<Entry>>; REMEMBERED]>,
    /// Calls that were begun and not waited for.
    begun: RefCell<Vec<Entry>>,
    case: RefCell<Option<Rc<Case>>>,
}

/// A call.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) sequence: u64,
    /// Of all calls of the group, with this one.
    pub(super) chain: u64,
    signature: Signature,
}

/// Calls that do not match, as all ranks are told.
pub(super) struct Case {
    /// The rank that found it; of several, the lowest counts.
    pub(super) judge: Rank,
    pub(super) error: Error,
    /// All others that have to know, if this rank is the judge; and those that do.
    pub(super) others: Vec<Rank>,
    pub(super) known: RefCell<BTreeSet<Rank>>,
    /// All know it: this rank may go.
    pub(super) released: Cell<bool>,
    /// A call of this rank has returned it.
    pub(super) told: Cell<bool>,
}

impl Ledger {
    /// Of a group of so many ranks.
    pub(crate) fn new(context: u32, size: u32, members: Option<Box<[Rank]>>) -> Rc<Self> {
        Rc::new(Self {
            context,
            size,
            members,
            count: Cell::new(0),
            chain: Cell::new(0),
            recent: Box::new([const { Cell::new(None) }; REMEMBERED]),
            begun: RefCell::default(),
            case: RefCell::default(),
        })
    }

    /// Another call; its number, and the hash of all until now.
    #[inline]
    pub(super) fn enter(&self, signature: Signature) -> (u64, u64) {
        let (sequence, chain) = (self.count.get(), signature.chained(self.chain.get()));
        self.count.set(sequence + 1);
        self.chain.set(chain);
        self.recent[sequence as usize % REMEMBERED].set(Some(Entry {
            sequence,
            chain,
            signature,
        }));
        (sequence, chain)
    }

    pub(super) fn context(&self) -> u32 {
        self.context
    }

    pub(super) fn count(&self) -> u64 {
        self.count.get()
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Rank> + '_ {
        (0..self.size).map(|rank| match &self.members {
            None => rank,
            Some(members) => members[rank as usize],
        })
    }

    pub(super) fn has(&self, rank: Rank) -> bool {
        match &self.members {
            None => rank < self.size,
            Some(members) => members.contains(&rank),
        }
    }

    /// The last calls, the oldest first.
    pub(super) fn recent(&self) -> Vec<Entry> {
        let first = self.count.get().saturating_sub(REMEMBERED as u64);
        (first..self.count.get())
            .filter_map(|sequence| self.entry(sequence))
            .collect()
    }

    /// Call number `sequence`, if it was made and is remembered.
    pub(super) fn entry(&self, sequence: u64) -> Option<Entry> {
        let is_it = |entry: &Entry| entry.sequence == sequence;
        let recent = self.recent[sequence as usize % REMEMBERED].get().filter(is_it);
        recent.or_else(|| self.begun.borrow().iter().copied().find(is_it))
    }

    /// Remembers a call until it is waited for.
    pub(super) fn begin(&self, sequence: u64) {
        let entry = self.entry(sequence);
        self.begun.borrow_mut().extend(entry);
    }

    /// A call that was begun is over.
    pub(super) fn end(&self, sequence: u64) {
        self.begun.borrow_mut().retain(|entry| entry.sequence != sequence);
    }

    /// A call, as people are told of it.
    pub(super) fn called(&self, rank: Rank, entry: &Entry) -> Called {
        let number = entry.sequence + 1;
        let group = match &self.members {
            None => "the world".to_owned(),
            Some(members) => format!("group {} of {} ranks", self.context, members.len()),
        };
        Called {
            rank,
            call: format!("{}, collective call {number} of {group}", entry.signature),
            place: entry.signature.place(),
        }
    }

    pub(super) fn case(&self) -> Option<Rc<Case>> {
        self.case.borrow().clone()
    }

    pub(super) fn set_case(&self, case: &Rc<Case>) {
        *self.case.borrow_mut() = Some(Rc::clone(case));
    }

    /// Whether calls of this group did not match, and a call of this rank has said so.
    pub(crate) fn is_told(&self) -> bool {
        self.case().is_some_and(|case| case.told.get())
    }

    /// An error if calls of this group did not match.
    #[inline]
    pub(super) fn check(&self) -> crate::Result<()> {
        match &*self.case.borrow() {
            None => Ok(()),
            Some(case) => {
                case.told.set(true);
                Err(case.error.clone())
            }
        }
    }
}
