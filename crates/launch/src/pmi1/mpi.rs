//! Whether the process uses MPI besides us: then both speak with mpirun over one descriptor.

use std::ffi::c_int;

/// Whether MPI was initialised in this process (MPI-4.1 §11.4.1).
pub(super) fn is_initialized() -> bool {
    // SAFETY: looks up a symbol by a name that ends with a zero byte.
    let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"PMPI_Initialized".as_ptr()) };
    if function.is_null() {
        return false;
    }
    let mut flag: c_int = 0;
    // SAFETY: the function of this name takes a place for an integer, at any time and from any thread.
    let failed = unsafe {
        std::mem::transmute::<*mut libc::c_void, unsafe extern "C" fn(*mut c_int) -> c_int>(function)(
            &raw mut flag,
        )
    };
    failed == 0 && flag != 0
}
