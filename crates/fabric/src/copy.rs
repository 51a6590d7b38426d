//! Bytes to and from mapped memory, which others may read and write at any time (promises 5 and 9 of
//! [`Fabric`](crate::Fabric)): for transports, and for those whom [`Fabric::direct`](crate::Fabric::direct) lets.
//!
//! 1, 2, 4 and 8 bytes at a place aligned to their number move by one atomic access, so nobody sees half of them. A few
//! aligned words move by an atomic access each. Other transfers move by the C library's `memmove`, called so that the
//! compiler does not know what it does to the bytes: they may be torn, as a window of MPI may be, but nothing else
//! follows from it. Stores past the caches were never faster, at no size (`crates/fabric-shm/examples/latency` has
//! both, without a reader; a reader makes it worse).

use std::ffi::c_void;
use std::hint::black_box;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering, fence};

/// Most bytes that move word by word.
const WORDS: usize = 64;

type Move = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;

#[cfg(not(miri))]
unsafe extern "C" {
    fn memmove(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void;
}

/// Miri has no C library.
///
/// # Safety
/// As for [`std::ptr::copy`].
#[cfg(miri)]
unsafe extern "C" fn memmove(to: *mut c_void, from: *const c_void, bytes: usize) -> *mut c_void {
    // SAFETY: by the caller.
    unsafe { std::ptr::copy(from.cast::<u8>(), to.cast(), bytes) };
    to
}

macro_rules! by_one_access {
    ($bytes:expr, $address:expr, $case:ident, $otherwise:expr) => {
        match $bytes {
            8 if $address.cast::<AtomicU64>().is_aligned() => $case!(u64, AtomicU64),
            4 if $address.cast::<AtomicU32>().is_aligned() => $case!(u32, AtomicU32),
            2 if $address.cast::<AtomicU16>().is_aligned() => $case!(u16, AtomicU16),
            1 => $case!(u8, AtomicU8),
            _ => $otherwise,
        }
    };
}

/// Whether bytes at a mapped address move word by word.
#[inline]
fn are_words(address: *mut u8, bytes: usize) -> bool {
    bytes <= WORDS && bytes.is_multiple_of(8) && address.cast::<AtomicU64>().is_aligned()
}

/// Writes to mapped memory, after all that this thread wrote before.
///
/// # Safety
/// `to` is mapped for `bytes` bytes, and `from` valid for reads of as many.
#[inline]
pub unsafe fn write(to: *mut u8, from: *const u8, bytes: usize) {
    macro_rules! store {
        ($type:ty, $atomic:ty) => {
            // SAFETY: mapped and valid by the caller, aligned by the case.
            unsafe {
                <$atomic>::from_ptr(to.cast()).store(from.cast::<$type>().read_unaligned(), Ordering::Release)
            }
        };
    }
    // SAFETY: by the caller.
    by_one_access!(bytes, to, store, unsafe { write_many(to, from, bytes) });
}

/// # Safety
/// As for [`write()`].
#[inline(never)]
unsafe fn write_many(to: *mut u8, from: *const u8, bytes: usize) {
    fence(Ordering::Release);
    if are_words(to, bytes) {
        for word in 0..bytes / 8 {
            // SAFETY: mapped and valid by the caller, aligned by the condition.
            unsafe {
                let value = from.cast::<u64>().add(word).read_unaligned();
                AtomicU64::from_ptr(to.cast::<u64>().add(word)).store(value, Ordering::Relaxed);
            }
        }
    } else {
        // SAFETY: by the caller. The two may overlap, for a put to an own region.
        unsafe { black_box::<Move>(memmove)(to.cast(), from.cast(), bytes) };
    }
}

/// Reads from mapped memory, in front of all that this thread reads after.
///
/// # Safety
/// `from` is mapped for `bytes` bytes, and `to` valid for writes of as many.
#[inline]
pub unsafe fn read(to: *mut u8, from: *mut u8, bytes: usize) {
    macro_rules! load {
        ($type:ty, $atomic:ty) => {
            // SAFETY: mapped and valid by the caller, aligned by the case.
            unsafe {
                to.cast::<$type>()
                    .write_unaligned(<$atomic>::from_ptr(from.cast()).load(Ordering::Acquire))
            }
        };
    }
    // SAFETY: by the caller.
    by_one_access!(bytes, from, load, unsafe { read_many(to, from, bytes) });
}

/// # Safety
/// As for [`read`].
#[inline(never)]
unsafe fn read_many(to: *mut u8, from: *mut u8, bytes: usize) {
    if are_words(from, bytes) {
        for word in 0..bytes / 8 {
            // SAFETY: mapped and valid by the caller, aligned by the condition.
            unsafe {
                let value = AtomicU64::from_ptr(from.cast::<u64>().add(word)).load(Ordering::Relaxed);
                to.cast::<u64>().add(word).write_unaligned(value);
            }
        }
    } else {
        // SAFETY: by the caller. The two may overlap, for a get from an own region.
        unsafe { black_box::<Move>(memmove)(to.cast(), from.cast(), bytes) };
    }
    fence(Ordering::Acquire);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lengths and alignments around the cases, against a plain copy.
    #[test]
    fn bytes_come_as_they_are_and_touch_no_others() {
        let source: Vec<u8> = (0..=255).collect();
        let step = if cfg!(miri) { 7 } else { 1 };
        for to in (0..16).step_by(step) {
            for from in (0..9).step_by(step) {
                for bytes in (0..80).chain([127, 128, 129]) {
                    let mut expected = vec![0xEE; 160];
                    expected[to..to + bytes].copy_from_slice(&source[from..from + bytes]);
                    let mut memory = vec![0xEE_u8; 160];
                    // SAFETY: in bounds of both.
                    unsafe { write(memory.as_mut_ptr().add(to), source.as_ptr().add(from), bytes) };
                    assert_eq!(memory, expected, "{bytes} bytes from {from} to {to}");
                    let mut back = vec![0xEE_u8; 160];
                    // SAFETY: in bounds of both.
                    unsafe { read(back.as_mut_ptr().add(from), memory.as_mut_ptr().add(to), bytes) };
                    expected.fill(0xEE);
                    expected[from..from + bytes].copy_from_slice(&source[from..from + bytes]);
                    assert_eq!(back, expected, "{bytes} bytes from {to} back to {from}");
                }
            }
        }
    }
}
