//! Whose code calls: the program's, or a library's.
//!
//! The program's code is the executable, and every library that imports the callbacks of the thread sanitizer (it was
//! compiled by the wrappers). All else (C library, MPI, Fortran runtime, other system libraries) works for itself.

use crate::announced::announces;
use crate::guard;
use crate::memory::slots::once;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The mapped modules at some moment. Never freed: readers hold no lock, and there are few.
struct Modules {
    /// Code of the program, as address ranges.
    program: Vec<(usize, usize)>,
    /// All mapped code.
    known: Vec<(usize, usize)>,
}

static MODULES: AtomicPtr<Modules> = AtomicPtr::new(std::ptr::null_mut());

/// Where this library's own code begins, and its length; 0 and 0 until [`find_own_code`]. Assembly reads it.
pub(super) static OWN_CODE: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Looks for [`OWN_CODE`]. Not in a unit test, whose code is the program's as well.
pub(super) fn find_own_code() {
    let here = find_own_code as *const () as usize;
    let own = scan()
        .known
        .into_iter()
        .find(|&(start, end)| start <= here && here < end);
    if let Some((start, end)) = own
        && !cfg!(test)
    {
        // The length last: with the old one, no address is within.
        OWN_CODE[0].store(start, Ordering::Release);
        OWN_CODE[1].store(end - start, Ordering::Release);
    }
}

/// Whether this library's own code lies there.
#[inline]
pub(super) fn is_own(pc: usize) -> bool {
    let [start, len] = OWN_CODE.each_ref().map(|word| word.load(Ordering::Relaxed));
    pc.wrapping_sub(start) < len
}

/// Whether the program's own code lies there.
pub(super) fn is_program(pc: usize) -> bool {
    if guard::is_on() {
        return guard::is_program(pc);
    }
    let within = |ranges: &[(usize, usize)]| ranges.iter().any(|&(start, end)| start <= pc && pc < end);
    // SAFETY: Null, or a box that is never freed.
    if let Some(modules) = unsafe { MODULES.load(Ordering::Acquire).as_ref() } {
        if within(&modules.program) {
            return true;
        }
        if within(&modules.known) {
            return false;
        }
    }
    // Nothing is known yet, or a library was loaded since. Our own calls of library functions are not looked at
    // meanwhile.
    once(|| {
        let modules = Box::leak(Box::new(scan()));
        let program = within(&modules.program);
        if !within(&modules.known) {
            // Generated code: do not look for it again and again.
            modules.known.push((pc & !0xfff, (pc & !0xfff) + 0x1000));
        }
        MODULES.store(modules, Ordering::Release);
        program
    })
    .unwrap_or(false)
}

fn scan() -> Modules {
    extern "C" fn visit(info: *mut libc::dl_phdr_info, _size: usize, modules: *mut c_void) -> c_int {
        // SAFETY: The loader passes a valid description, and our argument.
        let (info, modules) = unsafe { (&*info, &mut *modules.cast::<Modules>()) };
        let base = info.dlpi_addr as usize;
        // SAFETY: As the loader describes it.
        let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
        let code = headers
            .iter()
            .filter(|header| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0)
            .map(|header| {
                let start = base.wrapping_add(header.p_vaddr as usize);
                (start, start + header.p_memsz as usize)
            });
        // The executable comes first.
        let program = modules.known.is_empty() || announces(info);
        for range in code {
            modules.known.push(range);
            if program {
                modules.program.push(range);
            }
        }
        0
    }
    let mut modules = Modules {
        program: Vec::new(),
        known: Vec::new(),
    };
    // SAFETY: `visit` has the type that the loader asks for, and the argument outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut modules).cast()) };
    modules
}
