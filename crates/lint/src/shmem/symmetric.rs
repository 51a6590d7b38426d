//! Symmetric objects (OpenSHMEM 1.5 §3, §9.3): the static data of the program, and what is allocated together.
//!
//! The objects that are allocated together are counted: the `k`-th of one process is that of another. Each is a window
//! under a lock of all targets as long as it lives.

use super::Shmem;
use super::constants::HOLDER;
use farside_events::{
    AccumulateHints, Assertions, Call as Entered, CommId, EventKind, Interface, Outcome, WinId, Window,
    WindowFlavor,
};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A symmetric object, as one process has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    win: WinId,
    base: u64,
    size: u64,
    /// By the program, and not one of its variables.
    allocated: bool,
}

impl Object {
    /// The window that it is.
    pub(super) fn win(self) -> WinId {
        self.win
    }

    /// Its first address in this process.
    pub(super) fn base(self) -> u64 {
        self.base
    }

    /// Its bytes.
    pub(super) fn size(self) -> u64 {
        self.size
    }

    /// Whether an allocation begins at this address.
    pub(super) fn is_allocated_at(self, address: u64) -> bool {
        self.allocated && self.base == address
    }

    pub(super) fn holds(self, address: u64) -> bool {
        address >= self.base && address - self.base < self.size
    }

    /// How far an address within it is from its beginning.
    pub(super) fn displacement(self, address: u64) -> i64 {
        (address - self.base).cast_signed()
    }

    /// The address that is so far from its beginning, if so many bytes lie within it.
    pub(super) fn address(self, displacement: i64, bytes: u64) -> Option<u64> {
        let from = u64::try_from(displacement).ok()?;
        (from.checked_add(bytes)? <= self.size).then(|| self.base + from)
    }
}

/// The communicator of all processes, which is that of MPI, too.
pub(super) const WORLD: CommId = CommId(1);

/// One number from several.
pub(super) fn mix(what: impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    ("OpenSHMEM", what).hash(&mut hasher);
    hasher.finish()
}

impl Shmem<'_, '_> {
    /// An object exists from now on. All processes make it before any of them uses it.
    pub(super) fn make(&mut self, base: u64, size: u64, flavor: WindowFlavor) {
        let win = WinId(mix(("object", self.pe_mut().next_object())));
        let window = Window {
            id: win,
            interface: Interface::Shmem,
            comm: WORLD,
            flavor,
            base,
            size,
            disp_unit: 1,
            accumulates: AccumulateHints::ANY_UNORDERED,
            shared: Vec::new(),
            stack: self.caller.stack(),
            handle: None,
        };
        self.caller.emit(EventKind::Window(window));
        self.pe_mut().add_object(Object {
            win,
            base,
            size,
            allocated: flavor == WindowFlavor::Allocate,
        });
        let assertions = Assertions {
            nocheck: true,
            ..Assertions::default()
        };
        self.within(Entered::LockAll { win, assertions });
    }

    /// The static data of the program: all variables of its own, from the first to the last.
    pub(super) fn make_statics(&mut self) {
        let module = self.caller.module();
        let variables = module.globals.iter().zip(self.caller.globals().addresses());
        let own = variables.filter(|(global, _)| {
            let constant = [".str", "__const.", "llvm.", HOLDER];
            !global.external
                && global.size > 0
                && !constant.iter().any(|start| global.name.starts_with(start))
        });
        let own: Vec<(u64, u64)> = own.map(|(global, at)| (*at, global.size)).collect();
        for (at, size) in &own {
            self.caller.memory_mut(*at).track(*at, *size);
        }
        if let (Some((base, _)), Some((last, size))) = (own.first(), own.last()) {
            self.make(*base, last + size - base, WindowFlavor::Create);
        }
    }

    /// A call that is entered and left at once.
    pub(super) fn within(&mut self, call: Entered) {
        self.caller.enter(call);
        self.caller.emit(EventKind::Leave(Outcome::Done));
    }
}
