//! The memory through which ranks meet: a segment of each rank, mapped by all.

use crate::address::Address;
use crate::atomics::{AtomicU32, AtomicU64, Line, Ordering};
use crate::doorbell::{Doorbell, Fences, Kernel};
use crate::ring::{Ends, Ring};
use crate::segment::Segment;
use farside_fabric::{Rank, Result};

/// Notifications that wait at most, each a word.
pub(crate) const NOTIFICATIONS: usize = 8192;

/// Words of the ring of messages: 128 KiB, of which pages come when they are first used.
const MESSAGES: usize = 16_384;

/// Words of a cell of a message: a cache line, so that writers do not share one.
const CELL: usize = 8;

/// The longest message: four fit.
pub(crate) const MESSAGE_BYTES: usize = 32_000;

/// What a rank says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub(crate) enum State {
    /// It takes part.
    Running,
    /// It has called `finish`, and waits for the others.
    Finishing,
    /// It saw that all have called `finish`. Whatever happens to it then, it is not lost.
    Finished,
}

/// Changes at the beginning, at the end, and at a loss only.
#[repr(C)]
#[derive(Default)]
struct Status {
    state: AtomicU32,
    /// A rank that is lost, and 1.
    lost: AtomicU32,
}

/// What is in the segment, in front of the words of the rings. Each part is on lines of its own.
#[repr(C)]
struct Layout {
    status: Line<Status>,
    bell: Line<Doorbell>,
    notifications: Ends,
    messages: Ends,
    notification_words: Line<[AtomicU64; NOTIFICATIONS]>,
    message_words: Line<[AtomicU64; MESSAGES]>,
}

/// The control segment of a rank, here or at another process.
pub(crate) struct Control {
    segment: Segment,
    /// What this process knows of the reader's ends.
    notifications_known: Line<AtomicU64>,
    messages_known: Line<AtomicU64>,
}

impl Control {
    fn new(segment: Segment) -> Self {
        Self {
            segment,
            notifications_known: Line::default(),
            messages_known: Line::default(),
        }
    }

    /// The own one. New memory is 0, and that is a valid state of all of it.
    pub(crate) fn create() -> Result<Self> {
        Segment::create(size_of::<Layout>()).map(Self::new)
    }

    /// That of another rank.
    pub(crate) fn open(address: Address) -> Result<Self> {
        let here = Address {
            bytes: size_of::<Layout>() as u64,
            ..address
        };
        Segment::open(here).map(Self::new)
    }

    pub(crate) fn address(&self) -> Option<Address> {
        self.segment.address()
    }

    #[inline]
    fn layout(&self) -> &Layout {
        // SAFETY: the segment is that long, aligned to a page, and lives as long as `self`; `Layout` is atomics only,
        // for which all bits are valid.
        unsafe { self.segment.contents().cast().as_ref() }
    }

    #[inline]
    pub(crate) fn bell(&self) -> &Doorbell {
        &self.layout().bell.0
    }

    pub(crate) fn notifications(&self) -> Ring<'_> {
        let layout = self.layout();
        Ring::new(&layout.notifications, &layout.notification_words.0, 1)
    }

    pub(crate) fn messages(&self) -> Ring<'_> {
        let layout = self.layout();
        Ring::new(&layout.messages, &layout.message_words.0, CELL)
    }

    /// Of [`Ring::push`], for the ring of notifications.
    pub(crate) fn notifications_known(&self) -> &AtomicU64 {
        &self.notifications_known.0
    }

    /// Of [`Ring::push`], for the ring of messages.
    pub(crate) fn messages_known(&self) -> &AtomicU64 {
        &self.messages_known.0
    }

    pub(crate) fn state(&self) -> State {
        match self.layout().status.0.state.load(Ordering::Acquire) {
            0 => State::Running,
            1 => State::Finishing,
            _ => State::Finished,
        }
    }

    pub(crate) fn set_state(&self, state: State) {
        self.layout()
            .status
            .0
            .state
            .store(state as u32, Ordering::Release);
    }

    /// A rank that is lost, as this one was told.
    #[inline]
    pub(crate) fn lost(&self) -> Option<Rank> {
        self.layout().status.0.lost.load(Ordering::Acquire).checked_sub(1)
    }

    /// Not 0 once a rank is lost, as this one was told.
    pub(crate) fn lost_word(&self) -> &AtomicU32 {
        &self.layout().status.0.lost
    }

    /// Tells this rank that `rank` is lost. The first loss stays.
    pub(crate) fn tell_lost(&self, rank: Rank, fences: Fences) {
        let lost = &self.layout().status.0.lost;
        if lost
            .compare_exchange(0, rank + 1, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
        {
            self.bell().ring(fences, &Kernel);
        }
    }
}

/// Tells all that a rank is lost.
pub(crate) fn announce_loss(ranks: &[Control], lost: Rank, fences: Fences) {
    for rank in ranks {
        rank.tell_lost(lost, fences);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_message_fits_four_times() {
        let words = MESSAGE_BYTES.div_ceil(8) + crate::inbox::FRAME;
        assert!(words.div_ceil(CELL) * CELL * 4 <= MESSAGES);
    }

    #[test]
    fn both_ends_of_a_mapping_see_one_state() {
        let own = Control::create().expect("memory");
        let other = Control::open(own.address().expect("of the owner")).expect("opened");
        assert_eq!((other.state(), other.lost()), (State::Running, None));
        own.set_state(State::Finishing);
        other.tell_lost(4, Fences::Symmetric);
        other.tell_lost(2, Fences::Symmetric);
        assert_eq!((other.state(), own.lost()), (State::Finishing, Some(4)));
    }
}
