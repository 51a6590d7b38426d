//! What a window tells: itself, its epochs, and accesses to its memory.

mod operation;

pub(crate) use operation::{Elements, Form};

use crate::watch::{Access, Guard, Place, Recorder};
use crate::window::core::WindowCore;
use crate::{Group, Rank};
use farside_events::{
    AccessKind, AccessSource, AccumulateHints, Call, EventKind, Interface, OperationId, RequestId,
    SharedSegment, TypeId, WinId, Window, WindowFlavor,
};
use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

/// What a window has if somebody watches.
pub(crate) struct WindowWatch {
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) win: WinId,
    pub(super) datatype: TypeId,
    pub(super) element_bytes: usize,
    group: Group,
    /// Fetches of one element whose value is not here yet.
    pub(super) pending: RefCell<Vec<PendingFetch>>,
    /// Ranks whose memory is known to be mapped.
    mapped: RefCell<HashSet<Rank>>,
    /// Where window memory begins, here and mapped.
    exposed: RefCell<Vec<u64>>,
}

/// A fetch of one element.
pub(crate) struct PendingFetch {
    pub(super) id: OperationId,
    pub(super) target: Rank,
    pub(super) request: Option<RequestId>,
    pub(super) result: *mut u8,
}

impl WindowWatch {
    /// Tells that a window is there, before anybody can use it.
    pub(crate) fn new(
        window: &WindowCore,
        recorder: &Arc<Recorder>,
        flavor: WindowFlavor,
        element: &'static str,
        place: Place,
    ) -> Self {
        // Context of the group, its first rank, and the number of the window: contexts are shared by groups without a
        // common member only.
        let first = u64::from(window.group.world_rank(0).unwrap_or(0));
        let win = WinId(window.name ^ first << 20);
        let datatype = recorder.datatype(element, window.element_bytes as u32);
        let bytes = (window.own_length() * window.element_bytes) as u64;
        let base = window.base() as u64;
        recorder.expose(base..base + bytes);
        let stack = recorder.stack(place);
        recorder.record(EventKind::Window(Window {
            id: win,
            interface: Interface::Farside,
            comm: window.group.communicator(),
            flavor,
            base,
            size: bytes,
            disp_unit: 1,
            accumulates: AccumulateHints::default(),
            shared: Vec::new(),
            stack,
            handle: None,
        }));
        Self {
            recorder: Arc::clone(recorder),
            win,
            datatype,
            element_bytes: window.element_bytes,
            group: window.group.clone(),
            pending: RefCell::default(),
            mapped: RefCell::default(),
            exposed: RefCell::new(vec![base]),
        }
    }

    /// The rank in the world.
    pub(crate) fn world_rank(&self, rank: Rank) -> farside_events::Rank {
        farside_events::Rank(self.group.world_rank(rank).unwrap_or(rank))
    }

    /// The ranks in the world.
    pub(crate) fn world_ranks(&self, ranks: &[Rank]) -> Vec<farside_events::Rank> {
        ranks.iter().map(|&rank| self.world_rank(rank)).collect()
    }

    /// Memory of the window is in this process from now on.
    fn expose(&self, base: u64, bytes: u64) {
        self.exposed.borrow_mut().push(base);
        self.recorder.expose(base..base + bytes);
    }

    /// The window is gone.
    pub(crate) fn withdraw(&self) {
        for base in self.exposed.take() {
            self.recorder.withdraw(base);
        }
    }

    /// Memory was attached to the part of this rank.
    pub(crate) fn attach(&self, base: *const u8, bytes: usize, place: Place) {
        let (win, address, size) = (self.win, base as u64, bytes as u64);
        self.expose(address, size);
        self.recorder.instant(place, Call::Attach { win, address, size });
    }

    /// Memory is about to be detached.
    pub(crate) fn detach(&self, base: *const u8, place: Place) {
        let (win, address) = (self.win, base as u64);
        self.recorder.withdraw(address);
        self.recorder.instant(place, Call::Detach { win, address });
    }

    /// The part of another rank is at this address here.
    fn map(&self, owner: Rank, base: u64, bytes: u64) {
        if owner == self.group.rank() || !self.mapped.borrow_mut().insert(owner) {
            return;
        }
        self.expose(base, bytes);
        self.recorder.record(EventKind::Mapped {
            win: self.win,
            segment: SharedSegment {
                owner: self.world_rank(owner),
                base,
                size: bytes,
            },
        });
    }
}

impl WindowCore {
    /// A call of the program on this window begins, if somebody watches.
    #[inline]
    pub(crate) fn call(&self, place: Place, call: impl FnOnce(&WindowWatch) -> Call) -> Option<Guard<'_>> {
        let watch = self.watch.as_ref()?;
        watch.recorder.call(place, call(watch))
    }

    /// A name for a request, if somebody watches.
    #[inline]
    pub(crate) fn name_request(&self) -> Option<RequestId> {
        Some(self.watch.as_ref()?.recorder.next_request())
    }

    /// Operations are complete at their origin: to a rank, or all.
    #[inline]
    pub(crate) fn tell_fetched(&self, target: Option<Rank>) {
        if let Some(watch) = &self.watch {
            watch.fetched(|fetch| target.is_none_or(|target| fetch.target == target));
        }
    }

    /// The memory of a rank, mapped here, is about to be lent.
    pub(crate) fn tell_mapped(&self, owner: Rank, base: *const u8, elements: usize) {
        if let Some(watch) = &self.watch {
            watch.map(owner, base as u64, (elements * self.element_bytes) as u64);
        }
    }

    /// All of some memory is accessed, by promise of the program or under a lock.
    pub(crate) fn tell_lent(
        &self,
        kind: AccessKind,
        call: &'static str,
        base: *const u8,
        elements: usize,
        place: Place,
    ) {
        let bytes = (elements * self.element_bytes) as u64;
        if let Some(watch) = self.watch.as_ref().filter(|_| bytes > 0) {
            let access = Access {
                kind,
                source: AccessSource::Library(call.into()),
                base: base as u64,
                bytes,
            };
            watch.recorder.access(access, place, true);
        }
    }

    /// An element had the value that this rank has waited for.
    pub(crate) fn tell_seen(&self, address: *const u8, bytes: &[u8]) {
        let Some(watch) = &self.watch else { return };
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        watch.recorder.record(EventKind::Seen {
            address: address as u64,
            size: bytes.len() as u32,
            value: u64::from_le_bytes(word),
            until: None,
        });
    }
}
