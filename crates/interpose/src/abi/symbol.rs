//! Finding functions and objects of the loaded MPI library.

use std::ffi::{CStr, c_char, c_void};

/// The next definition of `name` after our own, as an address. Looks in the global scope first, then in every loaded
/// module: an interpreter's extension may have loaded MPI without making it global.
pub(crate) fn next(name: &CStr) -> Option<usize> {
    // SAFETY: a C string; RTLD_NEXT searches after the module that holds this call, which is ours.
    let found = unsafe { ::libc::dlsym(::libc::RTLD_NEXT, name.as_ptr()) };
    if found.is_null() {
        in_modules(name).first().copied()
    } else {
        Some(found as usize)
    }
}

/// The definition of `name` that the program itself would use.
pub(crate) fn global(name: &CStr) -> Option<usize> {
    // SAFETY: a C string.
    let found = unsafe { ::libc::dlsym(::libc::RTLD_DEFAULT, name.as_ptr()) };
    if found.is_null() {
        in_modules(name).first().copied()
    } else {
        Some(found as usize)
    }
}

/// The addresses of those `names` that exist.
pub(crate) fn every(names: &[&CStr]) -> Vec<usize> {
    names.iter().filter_map(|name| global(name)).collect()
}

/// All definitions of `name` in loaded modules, each module asked by itself; ours is left out.
pub(crate) fn in_modules(name: &CStr) -> Vec<usize> {
    let mut paths: Vec<std::ffi::CString> = Vec::new();
    // SAFETY: the callback only runs during this call, with `paths` as its data.
    unsafe { ::libc::dl_iterate_phdr(Some(collect_path), (&raw mut paths).cast()) };
    let ours = module_of(in_modules as *const () as usize);
    let mut found = Vec::new();
    for path in paths {
        // SAFETY: a C string; with RTLD_NOLOAD this only finds what is loaded.
        let module = unsafe { ::libc::dlopen(path.as_ptr(), ::libc::RTLD_NOLOAD | ::libc::RTLD_LAZY) };
        if module.is_null() {
            continue;
        }
        // SAFETY: a valid module and a C string; the module stays loaded since others hold it.
        let address = unsafe {
            let address = ::libc::dlsym(module, name.as_ptr()) as usize;
            ::libc::dlclose(module);
            address
        };
        if address != 0 && module_of(address) != ours && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// The first mapped address of the module that holds `address`; 0 if none does.
pub(crate) fn module_of(address: usize) -> usize {
    // SAFETY: all-zero is a valid `Dl_info`.
    let mut info: ::libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: `info` is a valid place for the answer; any address may be asked.
    if unsafe { ::libc::dladdr(address as *const c_void, &raw mut info) } == 0 {
        return 0;
    }
    info.dli_fbase as usize
}

unsafe extern "C" fn collect_path(info: *mut ::libc::dl_phdr_info, _size: usize, data: *mut c_void) -> i32 {
    // SAFETY: `data` is the vector passed by `in_modules`; `info` is valid during the callback.
    unsafe {
        let paths = &mut *data.cast::<Vec<std::ffi::CString>>();
        let name: *const c_char = (*info).dlpi_name;
        if !name.is_null() && *name != 0 {
            paths.push(CStr::from_ptr(name).to_owned());
        }
    }
    0
}
