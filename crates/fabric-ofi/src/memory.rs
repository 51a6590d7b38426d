//! Memory that is exposed: fresh pages of the system.
//!
//! Mapped and unmapped through the C library: libfabric's cache of registrations (verbs) learns there, by hooks, that
//! an address got new pages. With system calls of our own it goes on writing to the old ones (seen with 1.17).

use farside_fabric::{Error, Result};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{Ordering, fence};

/// Pages of this process, filled with 0 when they were new.
#[derive(Debug)]
pub(crate) struct Pages {
    base: NonNull<u8>,
    bytes: usize,
    /// Somebody else unmaps them.
    lent: bool,
}

// SAFETY: an address of memory that belongs to the value, whatever the thread.
unsafe impl Send for Pages {}

impl Pages {
    /// Maps at least `bytes` bytes, and not none, so that there is something to register.
    pub(crate) fn new(bytes: usize) -> Result<Self> {
        let bytes = bytes.max(64);
        // Shared, so that who exposes them may map them at another address as well (mremap(2)).
        // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
        let base = unsafe {
            libc::mmap(
                null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            let error = std::io::Error::last_os_error();
            return Err(Error::System {
                call: "mmap",
                detail: format!("{bytes} bytes: {error}"),
            });
        }
        let base = NonNull::new(base.cast()).ok_or(Error::Stale("an address"))?;
        Ok(Self {
            base,
            bytes,
            lent: false,
        })
    }

    /// Memory of somebody else, who has mapped it through the C library, too. It is not touched by this value.
    pub(crate) fn lent(base: NonNull<u8>, bytes: usize) -> Self {
        Self {
            base,
            bytes,
            lent: true,
        }
    }

    /// Where they begin.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// How many bytes are mapped.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.lent {
            return;
        }
        // SAFETY: mapped by `new`, and nobody uses the memory of a value that is dropped (`Fabric::withdraw`).
        let code = unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
        debug_assert_eq!(code, 0, "munmap of what mmap gave");
    }
}

/// Copies between a buffer and exposed memory, at which others may load and store meanwhile: an aligned word of 8 bytes
/// as a whole, all else byte by byte. In the order of the copies of this thread.
///
/// # Safety
/// Both are valid for `bytes` bytes, `from` for reads and `to` for writes, and do not overlap.
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // Another thread of this rank may look at what was put, and at what was put before: the stores of this copy come
    // after those of earlier ones, and what is loaded after it comes after its loads (both cost nothing on x86-64).
    fence(Ordering::Release);
    let mut done = 0;
    if (from as usize) % 8 == (to as usize) % 8 {
        while done < bytes && !(to as usize + done).is_multiple_of(8) {
            // SAFETY: in bounds, by the caller.
            unsafe { to.add(done).write_volatile(from.add(done).read_volatile()) };
            done += 1;
        }
    }
    while done + 8 <= bytes {
        // SAFETY: in bounds, by the caller; where one side is not aligned, it is accessed byte by byte.
        unsafe {
            let (source, target) = (from.add(done), to.add(done));
            let word = if (source as usize).is_multiple_of(8) {
                source.cast::<u64>().read_volatile()
            } else {
                source.cast::<u64>().read_unaligned()
            };
            if (target as usize).is_multiple_of(8) {
                target.cast::<u64>().write_volatile(word);
            } else {
                target.cast::<u64>().write_unaligned(word);
            }
        }
        done += 8;
    }
    while done < bytes {
        // SAFETY: in bounds, by the caller.
        unsafe { to.add(done).write_volatile(from.add(done).read_volatile()) };
        done += 1;
    }
    fence(Ordering::Acquire);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_all_alignments_are_exact() {
        let from: Vec<u8> = (0..64).collect();
        for source in 0..9 {
            for target in 0..9 {
                for bytes in 0..40 {
                    let mut to = [0xEE_u8; 64];
                    // SAFETY: 9 + 40 bytes are in both.
                    unsafe { copy(from.as_ptr().add(source), to.as_mut_ptr().add(target), bytes) };
                    assert_eq!(to[target..target + bytes], from[source..source + bytes]);
                    assert!(
                        to[..target]
                            .iter()
                            .chain(&to[target + bytes..])
                            .all(|byte| *byte == 0xEE)
                    );
                }
            }
        }
    }

    #[test]
    fn fresh_pages_are_zero_and_aligned() {
        for bytes in [0, 1, 100_000] {
            let pages = Pages::new(bytes).expect("memory");
            assert!(pages.bytes() >= bytes.max(1));
            assert!((pages.base().as_ptr() as usize).is_multiple_of(64));
            // SAFETY: mapped.
            let last = unsafe { pages.base().as_ptr().add(bytes.saturating_sub(1)).read() };
            assert_eq!(last, 0);
        }
    }
}
