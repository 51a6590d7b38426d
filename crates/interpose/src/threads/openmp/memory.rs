//! Memory that is the same for all strands, whichever thread runs them: static variables, and the variables of those
//! who called the outermost region.
//!
//! A strand that one thread ran after another would have found other memory on another thread, where that is the
//! thread's own: private variables of the implicit task, its stack, what it allocated. What is said here is
//! the same for all. Variables of the thread (`threadprivate`, `thread_local`) could lead a strand to such memory
//! anywhere, so that a program that has some has no strands.

use crate::runtimes::Owner;
use crate::{recorder, stacks};
use farside_events::EventKind;
use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

/// What the program's modules have.
#[derive(Default)]
struct Modules {
    /// Their writable segments.
    data: Vec<(u64, u64)>,
    /// One of the program's own has variables of the thread.
    has_thread_variables: bool,
}

thread_local! {
    /// The end of the stack that was told last.
    static TOLD: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// Tells what memory is the same for all strands of the parallel region that the calling thread begins outside of all
/// others. `false`: there are to be no strands.
///
/// `frame` is an address in a frame between those that called the region and those of the region: not that of a
/// function which returns before, as the region's own frames may come to lie there.
pub(super) fn is_told(frame: usize) -> bool {
    static MODULES: OnceLock<Modules> = OnceLock::new();
    if !recorder::active() {
        return false;
    }
    recorder::observe(|| {
        let modules = MODULES.get_or_init(|| {
            let mut modules = Modules::default();
            // SAFETY: the callback keeps to the rules of dl_iterate_phdr, and its data lives during the call.
            unsafe { ::libc::dl_iterate_phdr(Some(look_at), (&raw mut modules).cast()) };
            modules
        });
        if modules.has_thread_variables {
            return false;
        }
        let stack = stacks::from(frame);
        let stack = (stack.start as u64, stack.end as u64);
        if TOLD.replace(stack) != stack {
            let mut ranges = modules.data.clone();
            ranges.push(stack);
            recorder::define(EventKind::Common(ranges));
        }
        true
    })
    .unwrap_or(false)
}

/// Called for each loaded module.
unsafe extern "C" fn look_at(info: *mut ::libc::dl_phdr_info, _size: usize, modules: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid description, `is_told` its modules.
    let (info, modules) = unsafe { (&*info, &mut *modules.cast::<Modules>()) };
    let is_system = !info.dlpi_name.is_null() && {
        // SAFETY: a string of the loader, which ends with a zero byte.
        is_of_the_system(unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes())
    };
    if is_system {
        return 0;
    }
    for index in 0..usize::from(info.dlpi_phnum) {
        // SAFETY: the loader says how many headers there are.
        let header = unsafe { &*info.dlpi_phdr.add(index) };
        let start = info.dlpi_addr.wrapping_add(header.p_vaddr);
        match header.p_type {
            ::libc::PT_TLS => modules.has_thread_variables = true,
            ::libc::PT_LOAD if header.p_flags & ::libc::PF_W != 0 => {
                modules.data.push((start, start.wrapping_add(header.p_memsz)));
            }
            _ => {}
        }
    }
    0
}

/// Whether a module with this path is none of the program's. The program itself has no path.
fn is_of_the_system(path: &[u8]) -> bool {
    let folders: [&[u8]; 4] = [b"/lib", b"/usr/", b"/opt/", b"linux-vdso"];
    Owner::of(path) != Owner::Program || folders.iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::is_of_the_system;

    #[test]
    fn the_program_and_its_own_libraries_are_not_of_the_system() {
        assert!(!is_of_the_system(b"") && !is_of_the_system(b"/home/me/libsolver.so"));
        assert!(is_of_the_system(b"/lib/x86_64-linux-gnu/libc.so.6"));
        assert!(is_of_the_system(b"/home/me/release/libfarside_interpose.so"));
        assert!(is_of_the_system(b"/home/me/oneapi/lib/libiomp5.so"));
    }
}
