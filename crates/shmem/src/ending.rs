//! Who this process is in messages, and how the program ends when some PE has called `shmem_global_exit`.
//!
//! That PE writes a word into the memory of all others. A thread of each looks at it now and then (`setup.rs`), and so
//! does a call that fails because a PE has left.

use farside_fabric::bootstrap::Bootstrap;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The own number; -1: not known yet.
static NUMBER: AtomicI32 = AtomicI32::new(-1);
/// The own word, or null before there is one.
static WORD: AtomicPtr<AtomicU64> = AtomicPtr::new(null_mut());
/// Who hears that this PE ends as it should.
static LAUNCHER: OnceLock<Arc<dyn Bootstrap>> = OnceLock::new();

/// Knows the launcher, and by it the own number.
pub(crate) fn know(launcher: &Arc<dyn Bootstrap>) {
    NUMBER.store(launcher.rank() as i32, Ordering::Relaxed);
    LAUNCHER.get_or_init(|| Arc::clone(launcher));
}

/// Knows the own word.
pub(crate) fn watch(word: &'static AtomicU64) {
    WORD.store(std::ptr::from_ref(word).cast_mut(), Ordering::Release);
}

/// Who speaks, in messages.
pub(crate) fn label() -> String {
    match NUMBER.load(Ordering::Relaxed) {
        -1 => String::new(),
        number => format!("PE {number}: "),
    }
}

/// The word that says that the program ends with a status.
pub(crate) fn word(status: c_int) -> u64 {
    1 << 32 | u64::from(status as u32)
}

/// Says to the launcher that the end of this process is no loss.
pub(crate) fn take_leave() {
    if let Some(launcher) = LAUNCHER.get() {
        // If it is gone, there is nobody to tell.
        let _ = launcher.finish();
    }
}

/// Ends the process if some PE has asked for it.
pub(crate) fn exit_if_asked() {
    // SAFETY: null, or a word that stays until the process ends.
    let Some(word) = (unsafe { WORD.load(Ordering::Acquire).as_ref() }) else {
        return;
    };
    let word = word.load(Ordering::Acquire);
    if word == 0 {
        return;
    }
    take_leave();
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    // SAFETY: the stream of the C library; then the process ends, without handlers of the program, which may be
    // anywhere.
    unsafe {
        libc::fflush(stdout);
        libc::_exit(word as u32 as c_int);
    }
}
