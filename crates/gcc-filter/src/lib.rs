//! A plugin for gcc, g++ and gfortran: callbacks for loads and stores that cost little and say the same.
//!
//! `farside cc`, `cxx` and `fc` give this library to the compiler (`-fplugin`). GCC's own thread sanitizer puts its
//! callbacks in, and then the pass
//! 1. leaves out memory whose address nobody outside can know (`pass/memory.cpp`);
//! 2. announces the accesses of a loop with affine addresses by one call before it (`pass/loops.cpp`);
//! 3. asks the table of watched pages in place, for several accesses of a block at once, and calls only if one is
//!    (`pass/pages.cpp`); in a loop with computable bounds not even that, if nothing between the lowest and the highest
//!    address is watched before it.
//!
//! Of OpenMP it tells what libgomp is not told (`pass/openmp.cpp`): the iterations of loops with a static schedule, the
//! blocks of `single` and `master`, and which questions for the number of the thread are the compiler's own.
//!
//! Promise: between two synchronisations, the same bytes of watched memory are announced as loads and as stores as
//! without the plugin, each with the place of the same line. Unknown means announced.
//!
//! Without optimisation only (3) is done. It is the twin of `llvm-filter`, whose files have the same names.
//!
//! Limits: it works in exactly the GCC whose headers it was built with, for the classes of another one look different;
//! it says so to any other. Without headers there is no plugin in this library. The pass is C++, because GCC is; this
//! file is what makes a plugin of it. It takes GCC's symbols from the compiler that loads it.

/// The version of GCC that the plugin is for, such as `12.2.0`, and a zero; nothing, where there were no headers.
/// `farside` reads it from the file.
// SAFETY: The name belongs to this project; no other library defines it.
#[unsafe(no_mangle)]
pub static FARSIDE_GCC: [u8; 16] = {
    let version = env!("FARSIDE_GCC_VERSION").as_bytes();
    let mut bytes = [0; 16];
    let mut place = 0;
    while place < version.len() && place < bytes.len() - 1 {
        bytes[place] = version[place];
        place += 1;
    }
    bytes
};

/// GCC asks for this name before it loads a plugin: the licence of this one (MIT or Apache 2.0) is compatible with
/// GCC's.
// SAFETY: GCC defines this name for plugins, and looks it up in this library alone.
#[allow(non_upper_case_globals)] // GCC's name.
#[unsafe(no_mangle)]
pub static plugin_is_GPL_compatible: i32 = 1;

#[cfg(has_plugin)]
mod entry {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        /// `pass/plugin.cpp`: adds the pass to the compiler.
        fn farside_gcc_filter_register(plugin: *mut c_void, version: *mut c_void) -> c_int;
    }

    /// What GCC calls when it has loaded the plugin; not 0 if it cannot work in this compiler, which then ends.
    // SAFETY: GCC defines this name for plugins, and looks it up in this library alone.
    #[unsafe(no_mangle)]
    extern "C" fn plugin_init(plugin: *mut c_void, version: *mut c_void) -> c_int {
        // SAFETY: Both are GCC's own, handed on.
        unsafe { farside_gcc_filter_register(plugin, version) }
    }
}
