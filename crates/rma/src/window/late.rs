//! A lock that is not asked for yet, and the puts that will go under it: see [`crate::epoch::ticket`].

use crate::watch::Place;
use crate::window::peer;
use crate::{Lock, Rank};
use farside_fabric::ShortPuts;
use std::cell::{Cell, RefCell};

/// The lock of a window that is granted late; one at a time.
#[derive(Default)]
pub(crate) struct Late {
    wanted: Cell<Option<(Rank, Lock, Place)>>,
    puts: RefCell<ShortPuts>,
}

impl Late {
    /// Remembers a lock that has to be taken, and where the program asked for it.
    pub(crate) fn want(&self, target: Rank, lock: Lock, place: Place) {
        self.puts.borrow_mut().clear();
        self.wanted.set(Some((target, lock, place)));
    }

    /// Whether there is a lock that has to be taken.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.get().is_some()
    }

    /// Keeps a put until the lock is taken, with a copy of its bytes. False: it is no put under that lock, or there is
    /// no room.
    ///
    /// # Safety
    /// `origin` is valid for reads of `bytes` bytes.
    pub(crate) unsafe fn keep(
        &self,
        there: &peer::Place,
        origin: *const u8,
        bytes: usize,
        displacement: usize,
    ) -> bool {
        let is_meant = self.wanted.get().is_some_and(|(target, ..)| target == there.rank);
        if !is_meant || there.attached.is_some() || bytes > ShortPuts::BYTES {
            return false;
        }
        let bytes = match bytes {
            0 => &[][..],
            // SAFETY: by the caller.
            bytes => unsafe { std::slice::from_raw_parts(origin, bytes) },
        };
        self.puts.borrow_mut().add(displacement, bytes)
    }

    /// The lock that has to be taken, where the program asked for it, and the puts: the caller does it.
    pub(crate) fn take(&self) -> Option<((Rank, Lock, Place), ShortPuts)> {
        let wanted = self.wanted.take()?;
        Some((wanted, self.puts.take()))
    }

    /// Gives the memory of puts back that are complete.
    pub(crate) fn reuse(&self, puts: ShortPuts) {
        self.puts.replace(puts);
    }
}
