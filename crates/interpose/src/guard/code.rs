//! Whose instruction has met a guarded page.

use crate::announced::announces;
use crate::runtimes;
use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Whose code is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The program's, or a library's that works for it: its accesses are the program's.
    Program,
    /// Of a module that announces its loads and stores itself.
    Announced,
    /// The C library's, a runtime's, MPI's: what it does for the program is told by the hooks of its functions.
    System,
    /// This library's.
    Own,
}

/// Files of libraries whose accesses are not the program's, by how their names begin; those of MPI and of OpenMP are
/// known to [`runtimes`].
const SYSTEM: &[&[u8]] = &[
    b"ld-linux",
    b"libc.",
    b"libc-",
    b"libm.",
    b"libmvec.",
    b"libpthread",
    b"libdl.",
    b"librt.",
    b"libgcc_s.",
    b"libstdc++.",
    b"libgfortran.",
    b"libquadmath.",
    b"liboshmem",
    b"libGPI2",
    b"libnuma.",
    b"linux-vdso.",
];

struct Module {
    start: usize,
    end: usize,
    owner: Owner,
}

/// All modules, by address, where no page is ever guarded: each handler of a fault reads them first. Old tables are
/// never freed, since a handler may be reading them; there are few.
#[repr(C)]
struct Table {
    count: usize,
    first: [Module; 0],
}

/// Null before the first search.
static TABLE: AtomicPtr<Table> = AtomicPtr::new(std::ptr::null_mut());

impl Table {
    /// A table of pages of its own; `None` if there is no room.
    fn make(modules: &[Module]) -> Option<*mut Self> {
        let length = size_of::<Self>() + size_of_val(modules);
        // SAFETY: a new mapping at an address of the kernel's choice touches no existing memory; it is long enough for
        // the table and its modules, aligned, and nobody else has it.
        unsafe {
            let table = ::libc::mmap(
                std::ptr::null_mut(),
                length,
                ::libc::PROT_READ | ::libc::PROT_WRITE,
                ::libc::MAP_PRIVATE | ::libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            if table == ::libc::MAP_FAILED {
                return None;
            }
            let table = table.cast::<Self>();
            (*table).count = modules.len();
            let first = (&raw mut (*table).first).cast::<Module>();
            std::ptr::copy_nonoverlapping(modules.as_ptr(), first, modules.len());
            Some(table)
        }
    }

    /// The table that is valid now.
    fn now<'a>() -> &'a [Module] {
        let table = TABLE.load(Ordering::Acquire);
        if table.is_null() {
            return &[];
        }
        // SAFETY: a table is never freed nor changed, and has so many modules after its head.
        unsafe { std::slice::from_raw_parts((&raw const (*table).first).cast(), (*table).count) }
    }
}

/// Whose code is at this address. What no module has, generated code, is the program's.
pub(super) fn owner(address: usize) -> Owner {
    let modules = Table::now();
    if modules.is_empty() {
        return Owner::Own;
    }
    let after = modules.partition_point(|module| module.start <= address);
    match after.checked_sub(1).map(|index| &modules[index]) {
        Some(module) if address < module.end => module.owner,
        _ => Owner::Program,
    }
}

/// Where the lowest module begins, which the program is where it may lie anywhere; 0: none is known.
pub(super) fn lowest() -> usize {
    Table::now().first().map_or(0, |module| module.start)
}

/// Looks at the modules that are loaded now.
pub(super) fn search() {
    let mut found: Vec<Module> = Vec::new();
    // SAFETY: the callback keeps to the rules of dl_iterate_phdr, and its data lives during the call.
    unsafe { ::libc::dl_iterate_phdr(Some(look_at), (&raw mut found).cast()) };
    found.sort_by_key(|module| module.start);
    if Table::now().len() != found.len()
        && let Some(table) = Table::make(&found)
    {
        TABLE.store(table, Ordering::Release);
    }
}

/// Called for each loaded module.
unsafe extern "C" fn look_at(module: *mut ::libc::dl_phdr_info, _size: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description, `search` its vector.
    let (module, found) = unsafe { (&*module, &mut *found.cast::<Vec<Module>>()) };
    let (start, end) = runtimes::extent(module);
    let path = match module.dlpi_name.is_null() {
        true => &[],
        // SAFETY: a string of the loader, which ends with a zero byte.
        false => unsafe { CStr::from_ptr(module.dlpi_name) }.to_bytes(),
    };
    let here = look_at as *const () as usize;
    let owner = if start <= here && here < end {
        Owner::Own
    } else if is_system(path) {
        Owner::System
    } else if announces(module) {
        Owner::Announced
    } else {
        Owner::Program
    };
    found.push(Module { start, end, owner });
    0
}

/// Whether a file is of a library whose accesses are not the program's.
fn is_system(path: &[u8]) -> bool {
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    SYSTEM.iter().any(|name| file.starts_with(name)) || runtimes::Owner::of(path) != runtimes::Owner::Program
}

/// Runs `work`, and leaves `errno` as it was.
pub(super) fn without_errno<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: the address of the calling thread's `errno` is always valid.
    let errno = unsafe { *::libc::__errno_location() };
    let done = work();
    // SAFETY: as before.
    unsafe { *::libc::__errno_location() = errno };
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_libraries_by_file_name() {
        for path in [
            "/lib/x86_64-linux-gnu/libc.so.6",
            "/lib64/ld-linux-x86-64.so.2",
            "/usr/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_osc_rdma.so",
            "/usr/lib/x86_64-linux-gnu/libmpich.so.12",
            "linux-vdso.so.1",
        ] {
            assert!(is_system(path.as_bytes()), "{path}");
        }
        for path in [
            "",
            "/home/me/libsolver.so",
            "/usr/lib/python3/dist-packages/numpy/core/_multiarray_umath.so",
            "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
        ] {
            assert!(!is_system(path.as_bytes()), "{path}");
        }
    }
}
