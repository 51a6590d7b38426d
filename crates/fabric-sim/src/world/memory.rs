//! Regions: memory that belongs to the virtual network, so that it outlives its rank.

use farside_fabric::lock::{self, Lock, ShortPuts};
use farside_fabric::{AtomicKind, AtomicOperation, Descriptor, Error, Rank, Result, element};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicU64;

/// Alignment of regions, as `Fabric::expose` promises it.
const ALIGNMENT: usize = 64;

/// Memory that a rank exposes.
pub(crate) struct Memory {
    pub(crate) owner: Rank,
    pub(crate) base: NonNull<u8>,
    pub(crate) bytes: usize,
    /// Number of counted puts that are visible.
    pub(crate) arrivals: u64,
}

impl Memory {
    pub(crate) fn new(owner: Rank, bytes: usize) -> Result<Self> {
        let refused = |detail: String| Error::System {
            call: "alloc_zeroed",
            detail,
        };
        // An empty region has an address as well: that of 1 byte.
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT)
            .map_err(|_| refused(format!("{bytes} bytes are more than there can be")))?;
        // SAFETY: the layout has at least 1 byte.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) })
            .ok_or_else(|| refused(format!("no memory for {bytes} bytes")))?;
        Ok(Self {
            owner,
            base,
            bytes,
            arrivals: 0,
        })
    }

    /// What is there.
    pub(crate) fn read(&self, displacement: usize, bytes: usize) -> Option<Vec<u8>> {
        self.at(displacement, bytes)
            // SAFETY: in bounds, allocated and initialised; nobody runs meanwhile.
            .map(|there| unsafe { copy(there, bytes) })
    }

    /// Writes; `false` if that is out of bounds.
    pub(crate) fn write(&self, displacement: usize, data: &[u8]) -> bool {
        let Some(there) = self.at(displacement, data.len()) else {
            return false;
        };
        // SAFETY: in bounds and allocated; `data` is memory of the simulation, so they do not overlap; nobody runs
        // meanwhile. That no reference of the rank is alive there is what users of one-sided communication promise.
        unsafe { data.as_ptr().copy_to_nonoverlapping(there, data.len()) };
        true
    }

    /// Atomic operations on elements; what was there.
    pub(crate) fn apply(
        &self,
        displacement: usize,
        bytes: usize,
        operation: AtomicOperation,
        kind: AtomicKind,
        operands: &[u8],
    ) -> Option<Vec<u8>> {
        let there = self.at(displacement, bytes)?;
        let operands = match operation {
            AtomicOperation::NoOp => ptr::null(),
            _ if operands.len() == bytes => operands.as_ptr(),
            _ => return None,
        };
        let mut before = vec![0; bytes];
        // SAFETY: in bounds; aligned, because the endpoint has checked the displacement, packets end at multiples of 8,
        // and regions are aligned; operands and results are as long as the elements.
        unsafe {
            element::apply(
                kind,
                operation,
                there,
                operands,
                before.as_mut_ptr(),
                bytes / kind.bytes(),
            );
        }
        Some(before)
    }

    /// Writes an element if what must be there is; what was there.
    pub(crate) fn compare_swap(
        &mut self,
        displacement: usize,
        expected: &[u8],
        replacement: &[u8],
    ) -> Option<Vec<u8>> {
        let before = self.read(displacement, expected.len())?;
        (before != expected || self.write(displacement, replacement)).then_some(before)
    }

    /// Puts under the lock of which the words are there; what [`lock::visit`] found.
    pub(crate) fn visit(&self, words: usize, lock: Lock, puts: &ShortPuts) -> Option<Vec<u8>> {
        let words = self.at(words, 16)?.cast::<u64>();
        if !puts.iter().all(|(to, bytes)| self.at(to, bytes.len()).is_some()) {
            return None;
        }
        // SAFETY: in bounds; aligned, for the endpoint has checked the displacement, and regions are aligned. Nobody
        // runs meanwhile but those who share the memory, and these change the words by atomic operations only.
        let [tickets, calls] = unsafe { [AtomicU64::from_ptr(words), AtomicU64::from_ptr(words.add(1))] };
        let found = lock::visit(tickets, calls, lock, || {
            for (to, bytes) in puts.iter() {
                self.write(to, bytes);
            }
        });
        Some(found.into_iter().flat_map(u64::to_ne_bytes).collect())
    }

    fn at(&self, displacement: usize, bytes: usize) -> Option<*mut u8> {
        let end = displacement.checked_add(bytes)?;
        // SAFETY: in bounds of the allocation, or one past it.
        (end <= self.bytes).then(|| unsafe { self.base.as_ptr().add(displacement) })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Ok(layout) = Layout::from_size_align(self.bytes.max(1), ALIGNMENT) {
            // SAFETY: allocated by `new` with this layout, and freed once.
            unsafe { dealloc(self.base.as_ptr(), layout) };
        }
    }
}

/// A copy of memory.
///
/// # Safety
/// `from` is valid for reads of `bytes` bytes.
pub(crate) unsafe fn copy(from: *const u8, bytes: usize) -> Vec<u8> {
    let mut copy = Vec::with_capacity(bytes);
    if bytes > 0 {
        // SAFETY: the caller's promise; the copy has room for as much, and is fresh.
        unsafe {
            from.copy_to_nonoverlapping(copy.as_mut_ptr(), bytes);
            copy.set_len(bytes);
        }
    }
    copy
}

/// What a rank must know of a region: its number, its owner, its length.
pub(crate) fn descriptor(region: u64, owner: Rank, bytes: usize) -> Result<Descriptor> {
    let mut encoded = [0; 20];
    encoded[..8].copy_from_slice(&region.to_le_bytes());
    encoded[8..12].copy_from_slice(&owner.to_le_bytes());
    encoded[12..].copy_from_slice(&(bytes as u64).to_le_bytes());
    Descriptor::new(&encoded)
}

/// Reads it.
pub(crate) fn decode(descriptor: &Descriptor) -> Result<(u64, Rank, usize)> {
    let fields = || {
        let bytes: &[u8; 20] = descriptor.bytes().try_into().ok()?;
        let region = u64::from_le_bytes(bytes[..8].try_into().ok()?);
        let owner = Rank::from_le_bytes(bytes[8..12].try_into().ok()?);
        let length = u64::from_le_bytes(bytes[12..].try_into().ok()?);
        Some((region, owner, usize::try_from(length).ok()?))
    };
    fields().ok_or_else(|| Error::Malformed {
        what: "a descriptor of a region",
        detail: format!("{} bytes, 20 are needed", descriptor.bytes().len()),
    })
}
