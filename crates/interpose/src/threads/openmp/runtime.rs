//! Which code is an OpenMP runtime's own.

use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// File names of the runtimes begin so.
const NAMES: &[&[u8]] = &[b"libgomp", b"libomp", b"libiomp"];

/// First and last address of the runtime that was found; 0 and 0 when none is loaded.
static START: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
static SEARCHED: AtomicBool = AtomicBool::new(false);

/// Whether `address` lies in an OpenMP runtime. Of two runtimes in one process only the first is known.
pub(in crate::threads) fn belongs_to_runtime(address: usize) -> bool {
    if !SEARCHED.load(Ordering::Acquire) {
        search();
    }
    (START.load(Ordering::Relaxed)..END.load(Ordering::Relaxed)).contains(&address)
}

/// A runtime may have been loaded since the last search.
pub(super) fn search() {
    // SAFETY: the callback keeps to the rules of dl_iterate_phdr and needs no data.
    unsafe { ::libc::dl_iterate_phdr(Some(look_at), std::ptr::null_mut()) };
    SEARCHED.store(true, Ordering::Release);
}

/// Called for each loaded module; a result other than 0 ends the search.
unsafe extern "C" fn look_at(module: *mut ::libc::dl_phdr_info, _size: usize, _data: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description.
    let module = unsafe { &*module };
    if module.dlpi_name.is_null() {
        return 0;
    }
    // SAFETY: a string of the loader, which ends with a zero byte.
    let path = unsafe { CStr::from_ptr(module.dlpi_name) }.to_bytes();
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    // libompitrace is part of Open MPI.
    if !NAMES.iter().any(|name| file.starts_with(name)) || file.starts_with(b"libompi") {
        return 0;
    }
    let (mut start, mut end) = (usize::MAX, 0);
    for index in 0..usize::from(module.dlpi_phnum) {
        // SAFETY: the loader says how many headers there are.
        let header = unsafe { &*module.dlpi_phdr.add(index) };
        if header.p_type == ::libc::PT_LOAD {
            let first = module.dlpi_addr as usize + header.p_vaddr as usize;
            start = start.min(first);
            end = end.max(first + header.p_memsz as usize);
        }
    }
    START.store(start, Ordering::Relaxed);
    END.store(end, Ordering::Relaxed);
    1
}
