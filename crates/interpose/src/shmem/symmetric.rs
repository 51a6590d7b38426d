//! Symmetric memory (OpenSHMEM 1.5 §3, §9.3): the static data of the program, and what is allocated together.
//!
//! The objects that are allocated together are counted: all processes allocate the same ones in the same order, so the
//! `k`-th of one is that of another. An address is never told to others, but an object and a distance.

use super::{enter, in_flight, leave};
use crate::abi::symbol;
use crate::memory;
use crate::mpi::mix;
use crate::recorder::define;
use farside_events::{
    AccumulateHints, Assertions, Call as Entered, CommId, EventKind, Interface, StackId, WinId, Window,
    WindowFlavor,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A symmetric object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    win: WinId,
    /// How many were made before it.
    number: u64,
    /// It was allocated; static data are not.
    allocated: bool,
    base: usize,
    size: usize,
}

impl Object {
    /// The window that it is.
    pub(super) fn win(self) -> WinId {
        self.win
    }

    /// How many were made before it: the same at all processes.
    pub(super) fn number(self) -> u64 {
        self.number
    }

    /// Whether an allocation begins at this address.
    pub(super) fn is_allocated_at(self, address: usize) -> bool {
        self.allocated && self.base == address
    }

    /// Its first address in this process.
    pub(super) fn base(self) -> usize {
        self.base
    }

    /// Its bytes.
    pub(super) fn size(self) -> usize {
        self.size
    }

    /// How far an address within it is from its beginning.
    pub(super) fn displacement(self, address: usize) -> i64 {
        (address - self.base) as i64
    }
}

/// By their first address.
static OBJECTS: RwLock<BTreeMap<usize, Object>> = RwLock::new(BTreeMap::new());
/// What was freed and not allocated again, by its first address: where it ends, and the call that freed it. It stays
/// tracked.
static FREED: RwLock<BTreeMap<usize, (usize, Freed)>> = RwLock::new(BTreeMap::new());

/// The call that freed memory: its name and its place.
pub(super) type Freed = (&'static str, StackId);

/// How many were made so far.
static MADE: AtomicU64 = AtomicU64::new(0);

fn objects() -> RwLockReadGuard<'static, BTreeMap<usize, Object>> {
    OBJECTS.read().unwrap_or_else(PoisonError::into_inner)
}

fn objects_mut() -> RwLockWriteGuard<'static, BTreeMap<usize, Object>> {
    OBJECTS.write().unwrap_or_else(PoisonError::into_inner)
}

/// The object that has this address of this process.
pub(super) fn find(address: usize) -> Option<Object> {
    let objects = objects();
    let (_, object) = objects.range(..=address).next_back()?;
    (address < object.base + object.size).then_some(*object)
}

/// All objects.
pub(super) fn all() -> Vec<Object> {
    objects().values().copied().collect()
}

/// An object exists from now on. All processes make it before any of them uses it.
pub(super) fn make(base: usize, size: usize, flavor: WindowFlavor, stack: StackId) {
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let win = WinId(mix([7, number]));
    let allocated = matches!(flavor, WindowFlavor::Allocate);
    define(EventKind::Window(Window {
        id: win,
        interface: Interface::Shmem,
        comm: world(),
        flavor,
        base: base as u64,
        size: size as u64,
        disp_unit: 1,
        accumulates: AccumulateHints::ANY_UNORDERED,
        shared: Vec::new(),
        stack,
        handle: None,
    }));
    memory::track(base, size);
    let object = Object {
        win,
        number,
        allocated,
        base,
        size,
    };
    objects_mut().insert(base, object);
    let mut freed = FREED.write().unwrap_or_else(PoisonError::into_inner);
    freed.retain(|start, (end, _)| {
        let is_apart = *end <= base || *start >= base + size;
        if !is_apart {
            memory::untrack(*start, *end - *start);
        }
        is_apart
    });
    drop(freed);
    let assertions = Assertions {
        nocheck: true,
        ..Assertions::default()
    };
    enter(Entered::LockAll { win, assertions }, stack);
    leave();
}

/// An object is no more since this call. What the program accesses there is told until the memory is handed out again.
pub(super) fn end(object: Object, by: Freed) {
    objects_mut().remove(&object.base);
    FREED
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(object.base, (object.base + object.size, by));
    let win = object.win;
    for call in [Entered::UnlockAll { win }, Entered::WinFree { win }] {
        enter(call, by.1);
        leave();
    }
    in_flight::forget(win);
}

/// The call that freed the memory at this address, and whether it is the beginning of what was freed.
pub(super) fn freed(address: usize) -> Option<(Freed, bool)> {
    let freed = FREED.read().unwrap_or_else(PoisonError::into_inner);
    let (start, (end, by)) = freed.range(..=address).next_back()?;
    (address < *end).then_some((*by, *start == address))
}

/// The communicator of all processes.
pub(super) fn world() -> CommId {
    CommId(mix([0]))
}

/// A barrier of the library that the program does not know of: after it, all have told what they made.
pub(super) fn meet() {
    if let Some(barrier) = symbol::next(c"shmem_barrier_all") {
        // SAFETY: a function of the library with this signature (§9.9.1).
        unsafe { std::mem::transmute::<usize, extern "C-unwind" fn()>(barrier)() };
    }
}

/// Where the static data of the program lie: what the first module can write to, without what is sealed when it was
/// bound.
pub(super) fn statics() -> Option<(usize, usize)> {
    let mut found: Option<(usize, usize)> = None;
    // SAFETY: the callback only runs during this call, with `found` as its data.
    unsafe { ::libc::dl_iterate_phdr(Some(first_module), (&raw mut found).cast()) };
    found
}

unsafe extern "C" fn first_module(
    info: *mut ::libc::dl_phdr_info,
    _size: usize,
    data: *mut std::ffi::c_void,
) -> i32 {
    // SAFETY: `data` is the place passed by `statics`; `info` and its headers are valid during the callback.
    let (info, found, headers) = unsafe {
        let info = &*info;
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        (info, &mut *data.cast::<Option<(usize, usize)>>(), headers)
    };
    let bias = info.dlpi_addr as usize;
    let is_writable =
        |header: &&::libc::Elf64_Phdr| header.p_type == ::libc::PT_LOAD && header.p_flags & ::libc::PF_W != 0;
    let end_of = |header: &::libc::Elf64_Phdr| bias + (header.p_vaddr + header.p_memsz) as usize;
    let sealed = headers
        .iter()
        .find(|header| header.p_type == ::libc::PT_GNU_RELRO)
        .map_or(0, end_of);
    *found = headers.iter().find(is_writable).and_then(|header| {
        let (start, end) = ((bias + header.p_vaddr as usize).max(sealed), end_of(header));
        (start < end).then(|| (start, end - start))
    });
    // The first module is the program.
    1
}
