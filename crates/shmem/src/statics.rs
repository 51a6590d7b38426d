//! Static data of the executable, which is symmetric (OpenSHMEM 1.5 §3), in memory that the transport exposes.
//!
//! At the start each PE copies the pages of its data into its exposed region, and maps those pages of the region over
//! them ([`crate::again`]). From then on a load or store of a global of the program is one of the exposed region, so
//! that everything that works on the heap works on globals, over every transport: puts, atomic operations, waits,
//! `shmem_ptr`.
//!
//! What is taken: whole pages of the writable segments (`PT_LOAD`) of the executable, without those that the loader has
//! made read-only (`PT_GNU_RELRO`). The C library's objects among them (copies of `stdout`, `environ`) keep their
//! values: each PE has pages of its own.
//!
//! Limits:
//! - A thread that writes to globals *during* `shmem_init` may lose what it writes.
//! - A child of fork(2) shares the globals with its parent from then on, as it shares the heap.
//! - Data of shared libraries, thread-local and constant data are not symmetric, as in the standard. PEs that run
//!   different executables have no symmetric static data.

use crate::again::{self, Backing};
use std::ffi::{c_int, c_void};
use std::ops::Range;

/// Bytes of a page of the memory protection: the largest that the executable's format allows for is a multiple.
pub(crate) fn page() -> usize {
    // SAFETY: a question without arguments that matter.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// The pages of the executable's writable data, and where it is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Statics {
    /// Where the executable is loaded: addresses of globals of two PEs differ by the difference of this.
    base: usize,
    /// Whole pages, in order of address.
    pages: Vec<Range<usize>>,
}

impl Statics {
    /// Those of this process.
    pub(crate) fn find() -> Self {
        let mut found = Self::default();
        // SAFETY: `executable` reads the headers that it is given, and writes to `found`, which lives.
        unsafe { libc::dl_iterate_phdr(Some(executable), (&raw mut found).cast()) };
        found
    }

    /// Whole pages, in order of address.
    pub(crate) fn pages(&self) -> &[Range<usize>] {
        &self.pages
    }

    /// How many bytes they are.
    pub(crate) fn bytes(&self) -> usize {
        self.pages.iter().map(ExactSizeIterator::len).sum()
    }

    /// What must be the same at all PEs.
    pub(crate) fn signature(&self) -> Vec<u8> {
        let places = self
            .pages
            .iter()
            .flat_map(|pages| [pages.start - self.base, pages.end - self.base]);
        places.flat_map(usize::to_ne_bytes).collect()
    }

    /// Copies the pages to `to`, and maps that memory over them.
    ///
    /// # Errors
    /// The system refuses; then some pages may be mapped already, with their contents.
    ///
    /// # Safety
    /// `to` begins a page of a shared mapping with room for [`Statics::bytes`], which nobody else uses, and which
    /// stays.
    pub(crate) unsafe fn share(&self, to: *mut u8) -> std::io::Result<()> {
        let mut to = to;
        for pages in &self.pages {
            // SAFETY: the pages are readable data of the executable, and there is room, by the caller. Nothing is
            // called between the copy and the mapping that writes to the executable's data.
            let mapped = unsafe {
                std::ptr::copy_nonoverlapping(pages.start as *const u8, to, pages.len());
                again::map(to, pages.len(), pages.start)
            };
            if let Err(error) = mapped {
                let Some(backing) = Backing::of(to as usize) else {
                    return Err(error);
                };
                // SAFETY: as before; the data may have changed since the first copy.
                unsafe {
                    std::ptr::copy_nonoverlapping(pages.start as *const u8, to, pages.len());
                    backing.map(pages.len(), pages.start)?;
                }
            }
            // SAFETY: there is room, by the caller.
            to = unsafe { to.add(pages.len()) };
        }
        Ok(())
    }
}

/// Takes what there is to know of the executable, which comes first, and stops.
unsafe extern "C" fn executable(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the C library gives a valid description, and `found` is that of `Statics::find`.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Statics>()) };
    if info.dlpi_phdr.is_null() {
        return 1;
    }
    // SAFETY: so many headers are there.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let page = page();
    let base = info.dlpi_addr as usize;
    let place = |header: &libc::Elf64_Phdr| {
        let begin = base + header.p_vaddr as usize;
        begin..begin + header.p_memsz as usize
    };
    let read_only = headers
        .iter()
        .find(|header| header.p_type == libc::PT_GNU_RELRO)
        .map(place);
    found.base = base;
    for header in headers
        .iter()
        .filter(|header| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_W != 0)
    {
        found
            .pages
            .extend(writable(place(header), read_only.clone(), page));
    }
    1
}

/// The whole pages of a segment after what is read-only, which begins where the segment does.
fn writable(segment: Range<usize>, read_only: Option<Range<usize>>, page: usize) -> Option<Range<usize>> {
    let mut begin = segment.start / page * page;
    let end = segment.end.next_multiple_of(page);
    if let Some(read_only) = read_only
        && read_only.start < end
        && read_only.end > begin
    {
        begin = read_only.end / page * page;
    }
    (begin < end).then_some(begin..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_the_loader_protects_are_left_out() {
        let relro = Some(0x3dd0..0x4000);
        assert_eq!(
            writable(0x3dd0..0x4058, relro.clone(), 0x1000),
            Some(0x4000..0x5000)
        );
        assert_eq!(writable(0x3dd0..0x4000, relro, 0x1000), None);
        // A linker with a segment of its own for what becomes read-only.
        assert_eq!(
            writable(0x6010..0x7123, Some(0x3dd0..0x4000), 0x1000),
            Some(0x6000..0x8000)
        );
        assert_eq!(writable(0x6010..0x7123, None, 0x1000), Some(0x6000..0x8000));
    }

    #[test]
    fn globals_of_this_program_are_found() {
        static HERE: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(5);
        HERE.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let statics = Statics::find();
        let at = &raw const HERE as usize;
        assert!(
            statics.pages.iter().any(|pages| pages.contains(&at)),
            "{statics:x?} has no {at:x}"
        );
        assert_eq!(statics.signature().len(), statics.pages.len() * 16);
    }
}
