//! What happens before `main`: where this process records is settled. On another host than that of `farside check`, the
//! first process starts the collector then, while it has one thread and no MPI (see `farside_collect`).

use std::ffi::CStr;

// SAFETY: a function pointer of the kind that this section holds.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

/// Open MPI 4.1's OpenSHMEM crashes when it ends, since UCX leaves a hook in the memory allocator when it is unloaded
/// (Open MPI issue 11604). Without that hook all is well.
const HOOK_OF_UCX: (&CStr, &CStr) = (c"OMPI_MCA_opal_common_ucx_opal_mem_hooks", c"0");

/// Sees that an OpenSHMEM program of Open MPI can end; what the user says of it holds.
fn spare_openshmem() {
    // SAFETY: C strings; there is one thread, so nobody reads the environment meanwhile.
    unsafe {
        if !::libc::dlsym(::libc::RTLD_NEXT, c"shmem_init".as_ptr()).is_null() {
            ::libc::setenv(HOOK_OF_UCX.0.as_ptr(), HOOK_OF_UCX.1.as_ptr(), 0);
        }
    }
}

extern "C" fn at_load() {
    if crate::recorder::wanted() {
        spare_openshmem();
    }
    // A panic may not leave this function; what it interrupted says nothing on stderr, and nothing is recorded.
    let _ = std::panic::catch_unwind(farside_collect::node::home);
}
