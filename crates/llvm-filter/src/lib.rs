//! A plugin for clang 19, flang 19 and LLVM 19: callbacks for loads and stores that cost little and say the same.
//!
//! `farside cc` and `farside cxx` give this library to the compiler (`-fpass-plugin`). The pass runs LLVM's own thread
//! sanitizer, so that the same accesses are announced as without the plugin, and then
//! 0. announces what LLVM 19's sanitizer overlooks: vectors, and parts of local variables whose address others know
//!    (`pass/memory.cpp`);
//! 1. leaves out memory whose address nobody outside can know (`pass/memory.cpp`);
//! 2. announces the accesses of a loop with affine addresses by one call before it (`pass/loops.cpp`);
//! 3. asks the table of watched pages in place, for several accesses of a block at once, and calls only if one is
//!    (`pass/pages.cpp`); in a loop with computable bounds not even that, if nothing between the lowest and the highest
//!    address is watched before it.
//!
//! Of OpenMP it tells what libomp is not told: where sections begin (`pass/sections.cpp`), and the iterations of loops
//! with a static schedule (`pass/static_loops.cpp`).
//!
//! Promise: between two synchronisations, the same bytes of watched memory are announced as loads and as stores as
//! without the plugin, and those that the sanitizer overlooks, each with the place of the same line. Unknown means
//! announced.
//!
//! Without optimisation only (3) is done. Flang, which cannot ask for the sanitizer, gets all of it by
//! `FARSIDE_FILTER_ALL` in its environment.
//!
//! Limits: what is optimised only when it is linked stays as it is (thin LTO). The pass is C++, because scalar
//! evolution, on which the exactness of (2) rests, has no C interface; this file is what makes a plugin of it. It takes
//! LLVM's symbols from the compiler that loads it.

use std::ffi::{c_char, c_void};

/// `llvm::PassPluginLibraryInfo` (`llvm/Passes/PassPlugin.h`).
#[repr(C)]
#[derive(Debug)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(*mut c_void),
}

/// `LLVM_PLUGIN_API_VERSION` of LLVM 19.
const API_VERSION: u32 = 1;

unsafe extern "C" {
    /// `pass/plugin.cpp`: adds the pass to an `llvm::PassBuilder`.
    fn farside_filter_register(builder: *mut c_void);
}

/// What LLVM asks a plugin for: its name, and how to add its passes.
// SAFETY: LLVM defines this name for plugins, and looks it up in this library alone.
#[allow(non_snake_case)] // LLVM's name.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    PluginInfo {
        api_version: API_VERSION,
        name: c"farside-callbacks".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: farside_filter_register,
    }
}
