//! Mapping shared memory at a second address.

use std::ffi::c_void;
use std::fs::File;
use std::io::{Error, Result};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Maps `length` bytes of a shared mapping, from `from` on, at `at` as well, where what was there before goes.
///
/// # Errors
/// The system refuses; nothing has changed.
///
/// # Safety
/// `from` begins a page of a shared mapping that has so many bytes more and stays, and nobody relies on what is mapped
/// at `at`.
pub(crate) unsafe fn map(from: *mut u8, length: usize, at: usize) -> Result<()> {
    // SAFETY: by the contract. An old size of 0 makes a second mapping of the same pages (mremap(2)).
    let mapped = unsafe {
        libc::mremap(
            from.cast(),
            0,
            length,
            libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED,
            at as *mut c_void,
        )
    };
    if mapped == libc::MAP_FAILED {
        return Err(Error::last_os_error());
    }
    Ok(())
}

/// An open file of this process that is mapped somewhere, and which part of it.
#[derive(Debug)]
pub(crate) struct Backing {
    file: File,
    offset: i64,
}

impl Backing {
    /// What lies under this address, for systems that know no second mapping of the same pages (qemu in user mode).
    /// `None`: no file that is open in this process.
    pub(crate) fn of(address: usize) -> Option<Self> {
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let (offset, inode) = maps.lines().find_map(|line| place(line, address))?;
        let files = std::fs::read_dir("/proc/self/fd").ok()?;
        let file = files
            .flatten()
            .filter(|entry| names_memory(&entry.path()))
            // Opened anew, since its owner may close it.
            .filter_map(|entry| File::options().read(true).write(true).open(entry.path()).ok())
            .find(|file| file.metadata().is_ok_and(|known| known.ino() == inode))?;
        Some(Self { file, offset })
    }

    /// Maps the bytes at `at`, as [`map`] does.
    ///
    /// # Errors
    /// As for [`map`].
    ///
    /// # Safety
    /// Nobody relies on what is mapped at `at`, and the file has so many bytes.
    pub(crate) unsafe fn map(&self, length: usize, at: usize) -> Result<()> {
        // SAFETY: by the contract.
        let mapped = unsafe {
            libc::mmap(
                at as *mut c_void,
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_FIXED,
                self.file.as_raw_fd(),
                self.offset,
            )
        };
        if mapped == libc::MAP_FAILED {
            return Err(Error::last_os_error());
        }
        Ok(())
    }
}

/// Whether an entry of `/proc/self/fd` is memory without a name in a file system: others (terminals, pipes) are not
/// opened again.
fn names_memory(entry: &Path) -> bool {
    std::fs::read_link(entry).is_ok_and(|target| target.to_string_lossy().starts_with("/memfd:"))
}

/// Of a line of `/proc/self/maps` whose range has the address: where that is in its file, and the file's number.
fn place(line: &str, address: usize) -> Option<(i64, u64)> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let number = |text| usize::from_str_radix(text, 16).ok();
    let (start, end) = (number(start)?, number(end)?);
    if !(start..end).contains(&address) {
        return None;
    }
    let offset = number(words.nth(1)?)?;
    let inode = words.nth(1)?.parse().ok().filter(|&inode| inode != 0)?;
    Some((i64::try_from(offset + (address - start)).ok()?, inode))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 1 << 16;

    #[test]
    fn a_line_of_the_table_of_mappings() {
        let line = "7f00-8000 rw-s 00010000 00:01 1234    /memfd:farside (deleted)";
        assert_eq!(place(line, 0x7f00), Some((0x10000, 1234)));
        assert_eq!(place(line, 0x7fff), Some((0x100ff, 1234)));
        assert_eq!(place(line, 0x8000), None);
        assert_eq!(place("7f00-8000 rw-p 00000000 00:00 0", 0x7f00), None);
    }

    #[test]
    fn both_ways_give_a_second_address_of_the_same_memory() {
        // SAFETY: new memory throughout, that nobody else has; both ranges are whole pages of it.
        unsafe {
            let name = c"farside-test";
            let file = libc::memfd_create(name.as_ptr(), 0);
            assert_eq!(libc::ftruncate(file, 4 * PAGE as i64), 0);
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let memory = libc::mmap(std::ptr::null_mut(), 4 * PAGE, rights, libc::MAP_SHARED, file, 0);
            let room = libc::mmap(
                std::ptr::null_mut(),
                2 * PAGE,
                rights,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            let from = memory.cast::<u8>().add(2 * PAGE);
            map(from, PAGE, room as usize).unwrap();
            let backing = Backing::of(from as usize + PAGE).unwrap();
            backing.map(PAGE, room as usize + PAGE).unwrap();
            for at in [7, PAGE + 9] {
                from.add(at).write_volatile(at as u8);
                assert_eq!(room.cast::<u8>().add(at).read_volatile(), at as u8);
            }
        }
        let on_the_stack = 0u8;
        assert!(Backing::of(&raw const on_the_stack as usize).is_none());
    }
}
