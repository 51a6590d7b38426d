//! Symmetric memory (OpenSHMEM 1.5 §3, §9.3): the static data of the program, and what is allocated together.
//!
//! The objects that are allocated together are counted: all processes allocate the same ones in the same order, so the
//! `k`-th of one is that of another. An address is never told to others, but an object and a distance.

use super::{After, Call, enter, leave, order};
use crate::abi::symbol;
use crate::hooks::shmem::Both;
use crate::memory;
use crate::mpi::mix;
use crate::recorder::{define, record};
use farside_calls::shmem::Function;
use farside_events::{
    AccumulateHints, AccumulateOps, Assertions, Call as Entered, CommId, EventKind, Rank, SharedSegment,
    StackId, WinId, Window, WindowFlavor,
};
use std::collections::{BTreeMap, BTreeSet};
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

    /// How far an address within it is from its beginning.
    pub(super) fn displacement(self, address: usize) -> i64 {
        (address - self.base) as i64
    }
}

/// By their first address.
static OBJECTS: RwLock<BTreeMap<usize, Object>> = RwLock::new(BTreeMap::new());
/// How many were made so far.
static MADE: AtomicU64 = AtomicU64::new(0);
/// Parts of others that are mapped here.
static MAPPED: RwLock<BTreeSet<(WinId, u32)>> = RwLock::new(BTreeSet::new());

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
            ordering: Some(farside_events::AccumulateOrdering::Relaxed),
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

/// The communicator of all processes.
pub(super) fn world() -> CommId {
    CommId(mix([0]))
}

/// `shmem_malloc` and its like: collective, with a barrier at its end. Nothing happens for no bytes.
pub(super) fn allocate(call: &Call, (bytes, times): (usize, Option<usize>)) -> After {
    let size = call
        .word(bytes)
        .saturating_mul(times.map_or(1, |times| call.word(times)));
    if size == 0 {
        return None;
    }
    let stack = call.stack();
    let entered = order::enter_all(call, stack);
    Some(Box::new(move |_, result| {
        entered.leave();
        if result.word != 0 {
            make(result.word, size, WindowFlavor::Allocate, stack);
            meet();
        }
    }))
}

/// `shmem_free(object)`: collective, with a barrier at its beginning.
pub(super) fn free(call: &Call) -> After {
    let object = objects().get(&call.word(0)).copied()?;
    let stack = call.stack();
    order::complete(stack);
    let win = object.win;
    enter(Entered::UnlockAll { win }, stack);
    leave();
    enter(Entered::WinFree { win }, stack);
    objects_mut().remove(&object.base);
    memory::untrack(object.base, object.size);
    Some(Box::new(|_, _| leave()))
}

/// `shmem_ptr(object, pe)`: the part of another process may be mapped here.
pub(super) fn pointer() -> After {
    Some(Box::new(|call: &Call, result: Both| {
        let (address, pe) = (call.word(0), call.int(1));
        let (Some(object), Ok(pe)) = (find(address), u32::try_from(pe)) else {
            return;
        };
        if result.word == 0 || result.word == address {
            return;
        }
        let is_new = MAPPED
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert((object.win, pe));
        if is_new {
            let base = result.word - (address - object.base);
            let segment = SharedSegment {
                owner: Rank(pe),
                base: base as u64,
                size: object.size as u64,
            };
            record(EventKind::Mapped {
                win: object.win,
                segment,
            });
            memory::track(base, object.size);
        }
    }))
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
