//! Where processes meet in collective calls.

use crate::memory::Content;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What kind of call, on what, the how-manieth.
pub(crate) type MeetingKey = (Kind, u64, u64);

/// Which calls meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Collective,
    /// The leaders of two groups, about an inter-communicator.
    Leaders,
    Fence,
    /// All have announced their part of a new window.
    Window,
    Free,
    Finalize,
    /// Threads of a team.
    Team,
}

/// What the processes bring.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meeting {
    words: BTreeMap<u32, Vec<u64>>,
    /// Data: one parcel for all, or one for each.
    parcels: BTreeMap<u32, Vec<Content>>,
}

impl Meeting {
    /// The processes that came.
    pub(crate) fn present(&self) -> impl Iterator<Item = u32> {
        self.words.keys().copied()
    }

    /// Whether a process came.
    pub(crate) fn has(&self, who: u32) -> bool {
        self.words.contains_key(&who)
    }

    /// All words of a process; none if it did not come.
    pub(crate) fn words(&self, who: u32) -> &[u64] {
        self.words.get(&who).map_or(&[], Vec::as_slice)
    }

    /// All parcels of a process; none if it did not come.
    pub(super) fn parcels(&self, who: u32) -> &[Content] {
        self.parcels.get(&who).map_or(&[], Vec::as_slice)
    }

    /// What a process brought as its word of this index; 0 if it brought none, having made another collective call than
    /// the one who asks (an error of the program, or of rounds of a loop that were not followed).
    pub(crate) fn word(&self, who: u32, index: usize) -> u64 {
        self.words(who).get(index).copied().unwrap_or(0)
    }
}

/// All meetings. Few are under way at a time; those that are over are kept for latecomers of non-blocking calls.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    known: HashMap<MeetingKey, Rc<Meeting>>,
}

impl Meetings {
    /// Somebody arrives.
    pub(crate) fn arrive(&mut self, key: MeetingKey, who: u32, words: Vec<u64>, parcels: Vec<Content>) {
        let meeting = Rc::make_mut(self.known.entry(key).or_default());
        meeting.words.insert(who, words);
        meeting.parcels.insert(who, parcels);
    }

    /// What was brought, once all have arrived.
    pub(crate) fn complete(&self, key: MeetingKey, expected: usize) -> Option<Rc<Meeting>> {
        self.known
            .get(&key)
            .filter(|meeting| meeting.words.len() >= expected)
            .cloned()
    }

    /// What was brought so far.
    pub(crate) fn so_far(&self, key: MeetingKey) -> usize {
        self.known.get(&key).map_or(0, |meeting| meeting.words.len())
    }
}
