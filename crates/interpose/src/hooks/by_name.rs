//! Functions of MPI that a program asks the dynamic linker for by name, out of a library (`dlsym(handle, "MPI_Put")`),
//! as Julia's `ccall` does.
//!
//! Preloading decides who answers a name that is looked up everywhere, but not one that is looked up in one library. So
//! `dlsym` itself is exported here: where the answer would be a function of an MPI library which is hooked, it is the
//! hook; from there the call goes on to the library. All else is left to the dynamic linker by a jump, so that it sees
//! who asked (`RTLD_NEXT` depends on that).
//!
//! Limits: `dlvsym` is not looked at, and functions of OpenSHMEM and GASPI that are asked for so are not seen.

use crate::abi::symbol;
use crate::recorder;
use crate::runtimes::Owner;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

type Lookup = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// The dynamic linker's own `dlsym`; assembly jumps there. Null until it is asked for the first time.
static REAL: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Versions under which the C library has had the name: all in one library since 2.34, before on x86-64, on aarch64.
const VERSIONS: [&CStr; 3] = [c"GLIBC_2.34", c"GLIBC_2.2.5", c"GLIBC_2.17"];

#[unsafe(naked)]
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn dlsym(_handle: *mut c_void, _name: *const c_char) -> *mut c_void {
    std::arch::naked_asm!(
        crate::machine::answer_or_go_on!(),
        answer = sym answer,
        real = sym REAL,
    )
}

/// Our answer to code at `caller`; null if the dynamic linker is to be asked.
///
/// # Safety
/// Handle and name are those that a caller of `dlsym` gave.
unsafe extern "C" fn answer(handle: *mut c_void, name: *const c_char, caller: usize) -> *mut c_void {
    let Some(real) = real() else {
        return std::ptr::null_mut();
    };
    // What is looked up everywhere finds ours, and what comes next is asked for by those who stand between.
    let is_of_a_library = handle != ::libc::RTLD_DEFAULT && handle != ::libc::RTLD_NEXT;
    // SAFETY: a name is a string that ends with a zero byte.
    let is_of_mpi = || !name.is_null() && unsafe { CStr::from_ptr(name) }.to_bytes().starts_with(b"MPI_");
    if !is_of_a_library || !is_of_mpi() || !recorder::wanted() || symbol::module_of(caller) == ours() {
        return std::ptr::null_mut();
    }
    // SAFETY: the linker's own function, with the arguments that the caller gave it; of a library, so that it does not
    // matter who asks.
    let (library, everywhere) = unsafe { (real(handle, name), real(::libc::RTLD_DEFAULT, name)) };
    let is_hooked = symbol::module_of(everywhere as usize) == ours();
    let is_answered = is_hooked && is_runtime(library as usize) && !is_runtime(caller);
    if is_answered {
        everywhere
    } else {
        std::ptr::null_mut()
    }
}

/// The dynamic linker's function, which [`REAL`] has from then on.
fn real() -> Option<Lookup> {
    let known = REAL.load(Ordering::Relaxed);
    let found = if known.is_null() {
        let asked = |version: &&CStr| {
            // SAFETY: strings that end with a zero byte.
            unsafe { ::libc::dlvsym(::libc::RTLD_NEXT, c"dlsym".as_ptr(), version.as_ptr()) }
        };
        let found = VERSIONS.iter().map(asked).find(|found| !found.is_null());
        found.inspect(|&found| REAL.store(found, Ordering::Relaxed))?
    } else {
        known
    };
    // SAFETY: the function of this name has this type.
    Some(unsafe { std::mem::transmute::<*mut c_void, Lookup>(found) })
}

/// Where this library begins.
fn ours() -> usize {
    symbol::module_of(answer as *const () as usize)
}

/// Whether code at this address is MPI's, or a network's.
fn is_runtime(address: usize) -> bool {
    // SAFETY: all-zero is a valid `Dl_info`, a valid place for the answer; any address may be asked.
    let info = unsafe {
        let mut info: ::libc::Dl_info = std::mem::zeroed();
        if ::libc::dladdr(address as *const c_void, &raw mut info) == 0 || info.dli_fname.is_null() {
            return false;
        }
        info
    };
    // SAFETY: a string of the loader, which ends with a zero byte.
    Owner::of(unsafe { CStr::from_ptr(info.dli_fname) }.to_bytes()) == Owner::Runtime
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_function_of_mpi_is_left_to_the_linker() {
        let here = answer as *const () as usize;
        for name in [c"malloc", c"MPI_Put", c"PMPI_Put"] {
            // SAFETY: the C library's handle, and a name.
            let ours = unsafe {
                answer(
                    ::libc::dlopen(c"libc.so.6".as_ptr(), ::libc::RTLD_LAZY),
                    name.as_ptr(),
                    here,
                )
            };
            assert!(ours.is_null(), "{name:?}");
        }
        assert!(real().is_some() && !REAL.load(Ordering::Relaxed).is_null());
    }

    #[test]
    fn code_of_this_program_is_no_runtime() {
        assert!(!is_runtime(answer as *const () as usize) && !is_runtime(1));
        assert!(!is_runtime(::libc::getpid as *const () as usize));
    }
}
