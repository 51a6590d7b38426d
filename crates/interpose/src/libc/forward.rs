//! The real functions of interposed names.
//!
//! Until `dlsym` has found them, and while it runs, a name leads to a stand-in: for the memory functions a loop of our
//! own (which the compiler cannot turn back into a call of the same name), for all others [`find_first`].

use crate::machine;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The address of a real function, or of its stand-in. Assembly jumps through its first word.
#[repr(C)]
pub(super) struct Real {
    address: AtomicPtr<c_void>,
    /// Ends in a zero byte.
    name: *const c_char,
}

// SAFETY: The name is a constant.
unsafe impl Sync for Real {}

impl Real {
    /// The function of this name, which ends in a zero byte.
    pub(super) const fn new(name: &'static str, stand_in: *mut c_void) -> Self {
        assert!(name.as_bytes()[name.len() - 1] == 0);
        Self {
            address: AtomicPtr::new(stand_in),
            name: name.as_ptr().cast(),
        }
    }

    /// Looks the function up; keeps the stand-in if there is none.
    pub(super) fn find(&self) {
        // SAFETY: The name ends in a zero byte.
        let found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name) };
        if !found.is_null() {
            self.address.store(found, Ordering::Release);
        }
    }

    /// The function, or its stand-in.
    pub(super) fn get(&self) -> *mut c_void {
        self.address.load(Ordering::Acquire)
    }

    /// The function, looked up if it is not known yet.
    pub(super) fn found(&self) -> *mut c_void {
        if self.get().is_null() || self.get() == find_first as *const () as *mut c_void {
            self.find();
        }
        self.get()
    }
}

/// Looks up the [`Real`] of a hook that jumped here, then jumps there with all arguments in place.
#[unsafe(naked)]
pub(super) extern "C" fn find_first() {
    std::arch::naked_asm!(machine::find_and_go_on!(), find = sym find_or_abort)
}

extern "C" fn find_or_abort(real: &Real) {
    real.find();
    if real.get() == find_first as *const () as *mut c_void {
        // The program called a function that no library has: without us it would not have been started.
        std::process::abort();
    }
}

/// `memcpy`, and `memmove` where the ranges do not matter.
pub(super) unsafe extern "C" fn copy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    let backwards = (to as usize).wrapping_sub(from as usize) < len;
    // SAFETY: The caller's arguments are those of `memmove`.
    unsafe { machine::copy_bytes(to, from, len, backwards) };
    to
}

/// `mempcpy`.
pub(super) unsafe extern "C" fn copy_to_end(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: The caller's arguments are those of `mempcpy`.
    unsafe { copy(to, from, len) }.wrapping_add(len)
}

/// `bcopy`.
pub(super) unsafe extern "C" fn copy_reversed(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: The caller's arguments are those of `bcopy`.
    unsafe { copy(to, from, len) };
}

/// `memset`.
pub(super) unsafe extern "C" fn fill(to: *mut u8, value: i32, len: usize) -> *mut u8 {
    // SAFETY: The caller's arguments are those of `memset`.
    unsafe { machine::fill_bytes(to, value as u8, len) };
    to
}

/// `bzero`.
pub(super) unsafe extern "C" fn clear(to: *mut u8, len: usize) {
    // SAFETY: The caller's arguments are those of `bzero`.
    unsafe { fill(to, 0, len) };
}

/// `memcmp`, `bcmp`.
pub(super) unsafe extern "C" fn compare(left: *const u8, right: *const u8, len: usize) -> i32 {
    // SAFETY: The caller's arguments are those of `memcmp`.
    unsafe {
        let at = common(left, right, len);
        if at == len {
            return 0;
        }
        i32::from(left.add(at).read_volatile()) - i32::from(right.add(at).read_volatile())
    }
}

/// `strlen`.
pub(super) unsafe extern "C" fn length(text: *const u8) -> usize {
    // SAFETY: The caller's argument is that of `strlen`.
    unsafe {
        let mut len = 0;
        while text.add(len).read_volatile() != 0 {
            len += 1;
        }
        len
    }
}

/// How many bytes are equal, at most `len`.
///
/// # Safety
/// Both are readable up to the first difference or `len`.
pub(super) unsafe fn common(left: *const u8, right: *const u8, len: usize) -> usize {
    let mut at = 0;
    // SAFETY: The caller's promise.
    while at < len && unsafe { left.add(at).read_volatile() == right.add(at).read_volatile() } {
        at += 1;
    }
    at
}
