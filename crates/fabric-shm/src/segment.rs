//! Memory that processes share: a memfd each, with a header page that says what it is.
//!
//! Another process opens it as `/proc/PID/fd/N`, which needs the same user (or rights to trace) and the same pid
//! namespace, and works under any launcher. Nothing has a name in a file system, so nothing is left when a process is
//! killed. `pidfd_getfd` would be no way out where this is forbidden: it asks for more rights than opening in `/proc`
//! (ptrace(2), access modes: attach instead of read). A named segment would be left after a crash. So there is no
//! second way; the error says what to do.
//!
//! What was opened is checked: name, size, seals (its owner cannot cut it under us), and a random number in the header.

use crate::address::Address;
use crate::atomics::{AtomicU64, Line, Ordering};
use farside_fabric::{Error, Result};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags};
use rustix::io::Errno;
use std::ptr::NonNull;

/// Bytes in front of the contents: one page of the largest size that kernels for the processor have, so that the
/// contents begin with a page and may be mapped at another address as well (aarch64: 4, 16 or 64 KiB).
const HEADER: usize = if cfg!(target_arch = "aarch64") {
    1 << 16
} else {
    4096
};

/// First word of a segment: changes with its layout.
const MAGIC: u64 = 0x3153_4D48_5346_0001;

/// Name of the memory as `/proc/PID/maps` shows it.
const NAME: &str = "farside";

/// In front of the contents.
#[repr(C)]
struct Header {
    identity: Line<[AtomicU64; 3]>,
    arrivals: Line<AtomicU64>,
}

const _: () = assert!(size_of::<Header>() <= HEADER);

/// A mapped segment; unmapped when dropped.
pub(crate) struct Segment {
    /// Of the header.
    base: NonNull<u8>,
    /// Contents, without the header.
    bytes: usize,
    /// The owner keeps the file, for others to open.
    file: Option<OwnedFd>,
    cookie: u64,
}

// SAFETY: the memory is shared with other processes anyway; all access through `Segment` itself is to atomics.
unsafe impl Send for Segment {}
// SAFETY: all access through a shared `Segment` is to atomics; `base`, `bytes`, `file` and `cookie` do not change.
unsafe impl Sync for Segment {}

impl Segment {
    /// New memory, all 0. Pages come when they are first written.
    pub(crate) fn create(bytes: usize) -> Result<Self> {
        let whole = whole(bytes)?;
        let random = random()?;
        let file = rustix::fs::memfd_create(NAME, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).map_err(
            |error| match error {
                Errno::MFILE => system(
                    "memfd_create",
                    format_args!("{error}; each exposed region is a file: raise `ulimit -n`"),
                ),
                _ => system("memfd_create", error),
            },
        )?;
        rustix::fs::ftruncate(&file, whole as u64).map_err(|error| system("ftruncate", error))?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)
            .map_err(|error| system("fcntl(F_ADD_SEALS)", error))?;
        let base = map(&file, whole)?;
        let segment = Self {
            base,
            bytes,
            file: Some(file),
            cookie: random,
        };
        for (word, value) in segment
            .header()
            .identity
            .0
            .iter()
            .zip([MAGIC, random, bytes as u64])
        {
            word.store(value, Ordering::Release);
        }
        Ok(segment)
    }

    /// Maps what a process exposes.
    pub(crate) fn open(address: Address) -> Result<Self> {
        let path = format!("/proc/{}/fd/{}", address.process, address.file);
        let wrong = |detail: String| Error::Malformed {
            what: "a descriptor of a region",
            detail,
        };
        let bytes = usize::try_from(address.bytes).map_err(|_| wrong(format!("{} bytes", address.bytes)))?;
        let whole = whole(bytes)?;
        let name = rustix::fs::readlink(&path, Vec::new()).map_err(|error| refusal(&path, error))?;
        if !name.to_bytes().starts_with(b"/memfd:farside") {
            return Err(wrong(format!("{path} is {}", name.to_string_lossy())));
        }
        let file = rustix::fs::open(&path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
            .map_err(|error| refusal(&path, error))?;
        let found = rustix::fs::fstat(&file)
            .map_err(|error| system("fstat", error))?
            .st_size;
        if u64::try_from(found) != Ok(whole as u64) {
            return Err(wrong(format!("{path} has {found} bytes instead of {whole}")));
        }
        let seals =
            rustix::fs::fcntl_get_seals(&file).map_err(|error| system("fcntl(F_GET_SEALS)", error))?;
        if !seals.contains(SealFlags::SHRINK) {
            return Err(wrong(format!("{path} may shrink")));
        }
        let segment = Self {
            base: map(&file, whole)?,
            bytes,
            file: None,
            cookie: address.cookie,
        };
        let identity = &segment.header().identity.0;
        let identity: Vec<u64> = identity.iter().map(|word| word.load(Ordering::Acquire)).collect();
        if identity != [MAGIC, address.cookie, address.bytes] {
            return Err(wrong(format!(
                "{path} is another segment: withdrawn, or of another version"
            )));
        }
        Ok(segment)
    }

    /// Where others find it; of the owner only.
    pub(crate) fn address(&self) -> Option<Address> {
        let file = self.file.as_ref()?.as_raw_fd();
        Some(Address {
            process: std::process::id(),
            file: u32::try_from(file).ok()?,
            cookie: self.cookie,
            bytes: self.bytes as u64,
        })
    }

    fn header(&self) -> &Header {
        // SAFETY: the mapping begins with a page for it, and lives as long as `self`; it has atomics only.
        unsafe { self.base.cast().as_ref() }
    }

    /// Where the contents are; at the beginning of a page.
    pub(crate) fn contents(&self) -> NonNull<u8> {
        // SAFETY: the mapping is longer than the header.
        unsafe { self.base.add(HEADER) }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn cookie(&self) -> u64 {
        self.cookie
    }

    /// The counter of arrivals of the segment.
    pub(crate) fn arrivals(&self) -> &AtomicU64 {
        &self.header().arrivals.0
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: mapped by `map` with this length; who hands out addresses of the contents keeps the segment
        // meanwhile. It fails for a wrong range only, and this is none.
        let _ = unsafe { libc::munmap(self.base.as_ptr().cast(), HEADER + self.bytes) };
    }
}

/// The counter of arrivals of the segment that has its contents at an address.
///
/// # Safety
/// `contents` is [`Segment::contents`] of a segment that lives as long as the result is used.
#[inline]
pub(crate) unsafe fn arrivals_before<'m>(contents: u64) -> &'m AtomicU64 {
    let header = (contents - HEADER as u64) as *const Header;
    // SAFETY: by the caller, there is a header.
    unsafe { &(*header).arrivals.0 }
}

/// A number that nobody else has.
pub(crate) fn random() -> Result<u64> {
    let mut bytes = [0_u8; 8];
    rustix::rand::getrandom(&mut bytes[..], rustix::rand::GetRandomFlags::empty())
        .map_err(|error| system("getrandom", error))?;
    Ok(u64::from_le_bytes(bytes))
}

/// Length of the file; refuses what can never be there.
fn whole(bytes: usize) -> Result<usize> {
    let machine = rustix::system::sysinfo();
    let unit = u128::from(machine.mem_unit.max(1));
    let there = (machine.totalram as u128 + machine.totalswap as u128) * unit;
    if bytes as u128 > there {
        return Err(system(
            "memfd_create",
            format_args!("{bytes} bytes are more than the {there} bytes of memory and swap of this machine"),
        ));
    }
    Ok(bytes + HEADER)
}

/// Maps a file through the C library, where libraries that register the memory with an adapter see by hooks that it
/// comes and goes: by system calls of our own, an adapter goes on writing to pages that are gone (libfabric 1.17,
/// verbs).
fn map(file: &OwnedFd, bytes: usize) -> Result<NonNull<u8>> {
    // SAFETY: a new mapping, where the system likes; nothing else is there.
    let base = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if base == libc::MAP_FAILED {
        return Err(system("mmap", std::io::Error::last_os_error()));
    }
    NonNull::new(base.cast()).ok_or_else(|| system("mmap", "address 0"))
}

pub(crate) fn system(call: &'static str, detail: impl std::fmt::Display) -> Error {
    Error::System {
        call,
        detail: detail.to_string(),
    }
}

/// Why memory of another process cannot be opened, and what helps.
fn refusal(path: &str, error: Errno) -> Error {
    let help = match error {
        Errno::ACCESS | Errno::PERM => {
            "; all ranks must run as one user, be dumpable (no set-user-id, no prctl(PR_SET_DUMPABLE, 0)) and, in \
             containers, share the user namespace; or choose another transport, such as FARSIDE_TRANSPORT=ofi"
        }
        Errno::NOENT => {
            "; the process or its region is gone, or it is in another pid namespace: run all ranks in one container, \
             or \
             choose another transport, such as FARSIDE_TRANSPORT=ofi"
        }
        Errno::MFILE => "; raise `ulimit -n`",
        _ => "",
    };
    system("open", format_args!("{path}: {error}{help}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mappings_are_one_memory() {
        let own = Segment::create(100_001).expect("memory");
        let other =
            Segment::open(own.address().expect("of the owner")).expect("the same process may open it");
        assert_ne!(own.contents(), other.contents());
        // SAFETY: in bounds, and nobody else is there.
        unsafe {
            own.contents().add(100_000).write_volatile(77);
            assert_eq!(other.contents().add(100_000).read_volatile(), 77);
            arrivals_before(other.contents().as_ptr() as u64).store(3, Ordering::Relaxed);
        }
        assert_eq!(own.arrivals().load(Ordering::Relaxed), 3);
        assert_eq!(other.address(), None);
    }

    #[test]
    fn what_is_not_the_segment_is_refused() {
        let own = Segment::create(64).expect("memory");
        let there = own.address().expect("of the owner");
        let cases = [
            Address { cookie: 1, ..there },
            Address { bytes: 65, ..there },
            Address { file: 0, ..there },
            Address {
                file: 99_999,
                ..there
            },
            Address { process: 0, ..there },
            Address {
                bytes: u64::MAX,
                ..there
            },
        ];
        for case in cases {
            assert!(Segment::open(case).is_err(), "{case:?}");
        }
        drop(own);
        assert!(Segment::open(there).is_err(), "the file is closed");
    }

    #[test]
    fn more_than_the_machine_has_is_refused_in_words() {
        let error = Segment::create(1 << 50).err().expect("a petabyte");
        assert!(error.to_string().contains("of memory and swap"), "{error}");
    }
}
