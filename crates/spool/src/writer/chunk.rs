//! One spool file, mapped and written in place.
//!
//! The file's blocks are allocated before it is mapped, so that a full disk is an error here and never a SIGBUS in
//! the checked program. It appears under its name only with a whole header.

use crate::format::{CHUNK_HEADER, COMMITTED_OFFSET, SEALED_OFFSET};
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How a chunk ends.
#[derive(Clone, Copy)]
pub(crate) enum Seal {
    /// A next chunk follows.
    More = 1,
    /// The process ended its recording properly.
    End = 2,
}

/// A mapped chunk. `used` never exceeds the mapping.
pub(crate) struct Chunk {
    base: *mut u8,
    size: usize,
    used: usize,
}

// SAFETY: the mapping belongs to this value alone; it is plain memory without thread affinity.
unsafe impl Send for Chunk {}

impl Chunk {
    /// Creates the file `name` in `folder` with `size` bytes.
    pub(crate) fn create(folder: &Path, name: &str, size: usize) -> io::Result<Self> {
        let last = c_path(&folder.join(name))?;
        let draft = c_path(&folder.join(format!("{name}.new")))?;
        // SAFETY: `draft` is a C string; the flags ask for a fresh private file.
        let file = unsafe {
            libc::open(
                draft.as_ptr(),
                libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC | libc::O_NOFOLLOW,
                0o600,
            )
        };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        let mapped = Self::map(file, size);
        // SAFETY: `file` is ours and not used after this; the mapping does not need it.
        unsafe { libc::close(file) };
        let renamed = mapped.and_then(|chunk| {
            // SAFETY: both are C strings.
            if unsafe { libc::rename(draft.as_ptr(), last.as_ptr()) } == 0 {
                Ok(chunk)
            } else {
                Err(io::Error::last_os_error())
            }
        });
        if renamed.is_err() {
            // SAFETY: a C string; a failure to remove it changes nothing.
            unsafe { libc::unlink(draft.as_ptr()) };
        }
        renamed
    }

    fn map(file: i32, size: usize) -> io::Result<Self> {
        let length = libc::off_t::try_from(size).map_err(io::Error::other)?;
        // SAFETY: `file` is an open file of ours.
        let status = unsafe { libc::posix_fallocate(file, 0, length) };
        if status != 0 {
            return Err(io::Error::from_raw_os_error(status));
        }
        // SAFETY: a fresh shared mapping of a file of `size` allocated bytes.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_POPULATE,
                file,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base: *mut u8 = base.cast();
        let header = crate::format::header();
        // SAFETY: the mapping has at least `CHUNK_HEADER` bytes.
        unsafe { std::ptr::copy_nonoverlapping(header.as_ptr(), base, CHUNK_HEADER) };
        Ok(Self { base, size, used: 0 })
    }

    /// The bytes that still fit.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        let used = CHUNK_HEADER + self.used;
        // SAFETY: these bytes lie in the mapping, since `used` never exceeds it; no reader looks at what is not
        // committed, and nobody else writes.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(used), self.size - used) }
    }

    /// Publishes whole records, which are the first `length` bytes of [`Self::room`].
    pub(crate) fn commit(&mut self, length: usize) {
        assert!(
            length <= self.size - CHUNK_HEADER - self.used,
            "records do not fit their chunk"
        );
        self.used += length;
        // SAFETY: an aligned word of the header (mappings are page-aligned, the offset is a multiple of 8).
        let committed = unsafe { &*self.base.add(COMMITTED_OFFSET).cast::<AtomicU64>() };
        committed.store((self.used as u64).to_le(), Ordering::Release);
    }

    /// Says how the chunk ends, and unmaps it.
    pub(crate) fn seal(self, seal: Seal) {
        // SAFETY: an aligned word of the header.
        let sealed = unsafe { &*self.base.add(SEALED_OFFSET).cast::<AtomicU32>() };
        sealed.store((seal as u32).to_le(), Ordering::Release);
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `map` with this size and is not used afterwards.
        unsafe { libc::munmap(self.base.cast(), self.size) };
    }
}

fn c_path(path: &Path) -> io::Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other)
}
