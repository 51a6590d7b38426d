//! Setup, exit and query (OpenSHMEM 1.5 §9.1), and threads (§9.2): every level is granted.

use crate::call::Call;
use crate::context;
use crate::ending;
use crate::meet::everybody;
use crate::pe::{self, Pe};
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::time::Duration;

/// `SHMEM_THREAD_MULTIPLE`.
const THREAD_MULTIPLE: c_int = 3;

/// How often a PE looks whether another one has ended the program.
const LOOK: Duration = Duration::from_millis(50);

/// Starts the library. False: it runs already.
fn start(call: Call, threads: c_int) -> bool {
    match pe::start(call, threads) {
        Ok(false) => false,
        Ok(true) => {
            let watch = std::thread::Builder::new().name("farside-exit".into()).spawn(|| {
                while pe::current().is_some() {
                    ending::exit_if_asked();
                    std::thread::sleep(LOOK);
                }
            });
            if let Err(error) = watch {
                call.fail(format_args!("no thread could be started: {error}"));
            }
            true
        }
        Err(error) => call.fail(error),
    }
}

/// `shmem_init`.
///
/// # Safety
/// None is needed; handlers of calls are unsafe alike.
pub(crate) unsafe fn init(call: Call) {
    if !start(call, 0) {
        call.misuse("the library runs already");
    }
}

/// `shmem_init_thread`: 0; gives the level that was asked for.
///
/// # Safety
/// `provided` is valid for a write.
pub(crate) unsafe fn init_thread(call: Call, requested: c_int, provided: *mut c_int) -> c_int {
    if !(0..=THREAD_MULTIPLE).contains(&requested) {
        call.misuse(format_args!("there is no thread level {requested}"));
    }
    if !start(call, requested) {
        call.misuse("the library runs already");
    }
    // SAFETY: by the caller.
    unsafe { provided.write(requested) };
    0
}

/// `shmem_query_thread`.
///
/// # Safety
/// `provided` is valid for a write.
pub(crate) unsafe fn query_thread(call: Call, provided: *mut c_int) {
    let pe = Pe::of(call);
    // SAFETY: by the caller.
    unsafe { provided.write(pe.threads()) };
}

/// `start_pes`: as `shmem_init`, but once is enough, and the end of the program ends the library.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn start_pes(call: Call, _npes: c_int) {
    extern "C" fn at_exit() {
        if pe::current().is_some() {
            // SAFETY: the program has ended.
            unsafe { finalize(Call::new("the end of the program")) };
        }
    }
    // SAFETY: the handler may run at any exit.
    if start(call, 0) && unsafe { libc::atexit(at_exit) } != 0 {
        call.fail("atexit refuses a handler");
    }
}

/// `shmem_finalize`: completes everything, and returns when all PEs have come.
///
/// # Safety
/// No other thread is in a call.
pub(crate) unsafe fn finalize(call: Call) {
    let pe = Pe::of(call);
    for (_, context) in pe.contexts().all() {
        pe.quiet(call, context.scope());
    }
    everybody(call);
    call.check(pe.finish());
}

/// `shmem_global_exit`.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn global_exit(call: Call, status: c_int) {
    Pe::of(call).exit_all(status)
}

/// `shmem_my_pe`.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn my_pe(call: Call) -> c_int {
    Pe::of(call).rank() as c_int
}

/// `shmem_n_pes`.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn n_pes(call: Call) -> c_int {
    Pe::of(call).size() as c_int
}

/// `shmem_pe_accessible`.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn pe_accessible(call: Call, number: c_int) -> c_int {
    u32::try_from(number)
        .is_ok_and(|number| number < Pe::of(call).size())
        .into()
}

/// `shmem_addr_accessible`: whether the address is symmetric, and the PE there.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn addr_accessible(call: Call, at: *const c_void, number: c_int) -> c_int {
    let pe = Pe::of(call);
    let there = u32::try_from(number).is_ok_and(|number| number < pe.size());
    (there && pe.displacement(at as usize, 1).is_some()).into()
}

/// `shmem_ptr`: static data, too; NULL for a PE whose memory this one does not map.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn ptr(call: Call, at: *const c_void, number: c_int) -> *mut c_void {
    let pe = Pe::of(call);
    let rank = context::rank(call, number, pe.size());
    let Some(displacement) = pe.displacement(at as usize, 1) else {
        return null_mut();
    };
    if rank == pe.rank() {
        return at.cast_mut();
    }
    match pe.fabric().mapped(pe.remote(rank)) {
        Some(base) => {
            pe.lend();
            // SAFETY: the region is mapped as a whole, and the displacement is in it.
            unsafe { base.as_ptr().add(displacement).cast() }
        }
        None => null_mut(),
    }
}

/// `shmem_info_get_version`.
///
/// # Safety
/// Both are valid for writes.
pub(crate) unsafe fn version(_: Call, major: *mut c_int, minor: *mut c_int) {
    // SAFETY: by the caller.
    unsafe {
        major.write(1);
        minor.write(5);
    }
}

/// `shmem_info_get_name`.
///
/// # Safety
/// `name` has room for `SHMEM_MAX_NAME_LEN` bytes.
pub(crate) unsafe fn name(_: Call, name: *mut c_char) {
    let text = c"Farside";
    // SAFETY: by the caller; the text is shorter.
    unsafe { name.copy_from_nonoverlapping(text.as_ptr(), text.count_bytes() + 1) };
}

/// `shmem_pcontrol`: has no effect without a tool.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn pcontrol(_: Call, _level: c_int) {}

/// Control of a cache that is coherent anyway (annex F): no effect.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn cache(_: Call) {}

/// As [`cache`], of one line.
///
/// # Safety
/// As for [`init`].
pub(crate) unsafe fn cache_line(_: Call, _at: *mut c_void) {}
