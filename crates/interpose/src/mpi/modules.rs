//! Which files are mapped where, for finding source places after the run.

use crate::recorder::define;
use farside_events::{EventKind, Module};
use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Load addresses and first addresses of modules already announced.
static KNOWN: Mutex<Vec<(u64, u64)>> = Mutex::new(Vec::new());

/// Announces the modules that were loaded since the last time.
pub(super) fn announce() {
    let mut found: Vec<Module> = Vec::new();
    // SAFETY: the callback only runs during this call, with `found` as its data.
    unsafe { ::libc::dl_iterate_phdr(Some(collect), (&raw mut found).cast()) };
    for module in found {
        let key = (module.bias, module.start);
        let fresh = {
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = !known.contains(&key);
            if fresh {
                known.push(key);
            }
            fresh
        };
        if fresh {
            define(EventKind::Module(module));
        }
    }
}

unsafe extern "C" fn collect(info: *mut ::libc::dl_phdr_info, _size: usize, data: *mut c_void) -> i32 {
    // SAFETY: `data` is the vector passed by `announce`.
    let found = unsafe { &mut *data.cast::<Vec<Module>>() };
    // SAFETY: `info` and what it points to are valid during the callback.
    let (name, bias, headers) = unsafe {
        let info = &*info;
        let name = if info.dlpi_name.is_null() {
            &[]
        } else {
            CStr::from_ptr(info.dlpi_name).to_bytes()
        };
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        (name, info.dlpi_addr, headers)
    };
    let loaded = headers.iter().filter(|header| header.p_type == ::libc::PT_LOAD);
    let (mut start, mut end) = (u64::MAX, 0);
    for header in loaded {
        start = start.min(bias.wrapping_add(header.p_vaddr));
        end = end.max(bias.wrapping_add(header.p_vaddr).wrapping_add(header.p_memsz));
    }
    let Some(path) = path_of(name) else { return 0 };
    if start < end {
        found.push(Module {
            path: path.to_string_lossy().into(),
            start,
            end,
            bias,
        });
    }
    0
}

/// The program itself has no name in the list; the kernel's own page has no file.
fn path_of(name: &[u8]) -> Option<PathBuf> {
    if name.is_empty() {
        return std::fs::read_link("/proc/self/exe").ok();
    }
    let path = Path::new(OsStr::from_bytes(name));
    if !name.contains(&b'/') {
        return None;
    }
    std::fs::canonicalize(path).ok()
}
