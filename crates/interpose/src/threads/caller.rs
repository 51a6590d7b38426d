//! Whose code is calling: the program's, or that of a runtime whose locks give the program no order.
//!
//! MPI libraries lock inside MPI calls, which are left out anyway; but UCX also hooks `mmap` and so locks in the midst
//! of the program, allocators lock in `malloc`, and LLVM's OpenMP wakes its workers by POSIX mutexes. Order by such
//! locks is chance. Who calls is found by the return address and the names of the loaded modules.
//!
//! The table of modules is made when recording starts and when threads are created or an OpenMP runtime starts, not
//! in the midst of a lock routine: the loader's own lock must not be taken there. Code that was loaded later counts as
//! the program's, and so is a runtime that is linked statically.

use crate::runtimes::{self, Owner};
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

struct Module {
    start: usize,
    end: usize,
    owner: Owner,
}

/// Modules that are not the program's, by address; null before the first search. Old tables are never freed, since
/// another thread may be reading them; there are few.
static MODULES: AtomicPtr<Vec<Module>> = AtomicPtr::new(ptr::null_mut());

/// Whether `address` is code of an OpenMP runtime.
pub(super) fn is_openmp(address: usize) -> bool {
    owner(address) == Owner::OpenMp
}

/// Whether `address` is code of the program, or of a library that the program uses.
pub(super) fn is_program(address: usize) -> bool {
    owner(address) == Owner::Program
}

fn owner(address: usize) -> Owner {
    // SAFETY: null, or a table that is never freed nor changed.
    let Some(modules) = (unsafe { MODULES.load(Ordering::Acquire).as_ref() }) else {
        return Owner::Program;
    };
    let after = modules.partition_point(|module| module.start <= address);
    match after.checked_sub(1).map(|index| &modules[index]) {
        Some(module) if address < module.end => module.owner,
        _ => Owner::Program,
    }
}

/// Looks at the modules that are loaded now.
pub(super) fn search() {
    let mut found: Vec<Module> = Vec::new();
    // SAFETY: the callback keeps to the rules of dl_iterate_phdr, and its data lives during the call.
    unsafe { ::libc::dl_iterate_phdr(Some(look_at), (&raw mut found).cast()) };
    found.sort_by_key(|module| module.start);
    // SAFETY: null, or a table that is never freed nor changed.
    let known = unsafe { MODULES.load(Ordering::Acquire).as_ref() };
    let starts = |modules: &Vec<Module>| modules.iter().map(|module| module.start).collect::<Vec<_>>();
    if known.is_none_or(|known| starts(known) != starts(&found)) {
        MODULES.store(Box::into_raw(Box::new(found)), Ordering::Release);
    }
}

/// Called for each loaded module.
unsafe extern "C" fn look_at(module: *mut ::libc::dl_phdr_info, _size: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description, `search` its vector.
    let (module, found) = unsafe { (&*module, &mut *found.cast::<Vec<Module>>()) };
    if module.dlpi_name.is_null() {
        return 0;
    }
    // SAFETY: a string of the loader, which ends with a zero byte.
    let owner = Owner::of(unsafe { CStr::from_ptr(module.dlpi_name) }.to_bytes());
    if owner == Owner::Program {
        return 0;
    }
    let (start, end) = runtimes::extent(module);
    found.push(Module { start, end, owner });
    0
}
