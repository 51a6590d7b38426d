//! Symmetric memory (OpenSHMEM 1.5 §3, §9.3): the static data of the program, and what is allocated together.
//!
//! The objects that are allocated together are counted: all processes allocate the same ones in the same order, so the
//! `k`-th of one is that of another. An address is never told to others, but an object and a distance.

use super::{enter, leave};
use crate::abi::symbol;
use crate::memory;
use crate::mpi::mix;
use crate::recorder::define;
use farside_calls::shmem::Function;
use farside_events::{
    AccumulateHints, AccumulateOps, AccumulateOrdering, Assertions, Call as Entered, CommId, EventKind,
    StackId, WinId, Window, WindowFlavor,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A symmetric object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    win: WinId,
    base: usize,
    size: usize,
}

impl Object {
    /// The window that it is.
    pub(super) fn win(self) -> WinId {
        self.win
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
    let win = WinId(mix([7, MADE.fetch_add(1, Ordering::Relaxed)]));
    define(EventKind::Window(Window {
        id: win,
        comm: world(),
        flavor,
        base: base as u64,
        size: size as u64,
        disp_unit: 1,
        // Atomic operations of one type are atomic to one another, whatever they do (§3.2), and not ordered.
        accumulates: AccumulateHints {
            ops: Some(AccumulateOps::Any),
            ordering: Some(AccumulateOrdering::Relaxed),
        },
        shared: Vec::new(),
        stack,
        handle: None,
    }));
    memory::track(base, size);
    objects_mut().insert(base, Object { win, base, size });
    let assertions = Assertions {
        nocheck: true,
        ..Assertions::default()
    };
    enter(Entered::LockAll { win, assertions }, stack);
    leave();
}

/// The object that begins at this address is no more.
pub(super) fn forget(base: usize) -> Option<Object> {
    let object = objects_mut().remove(&base)?;
    memory::untrack(object.base, object.size);
    Some(object)
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

/// Says that a call has an address that is not symmetric.
pub(super) fn is_not_symmetric(function: &Function) {
    crate::recorder::unknown_call(&format!("{} of memory that is not symmetric", function.name()));
}
