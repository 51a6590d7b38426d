//! Loads and stores of the checked program, kept as runs of equal steps instead of one by one.

use crate::{Places, StackId};
use serde::{Deserialize, Serialize};

/// Whether memory is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccessKind {
    /// The memory is read.
    Load,
    /// The memory is written.
    Store,
}

/// Who performed a local access.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum AccessSource {
    /// An instruction of the program (`LOAD`, `STORE` in a report).
    Instruction,
    /// An atomic instruction of the program.
    Atomic,
    /// A library call on behalf of the program: `memcpy`, `printf`, `MPI_Send`, ...
    Library(Box<str>),
}

/// Accesses of one kind by one instruction or call: `size` bytes at `base + i*inner_stride + j*outer_stride`
/// for all `i < inner_count`, `j < outer_count`.
///
/// All of them belong to one segment: no synchronisation of that thread lies between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessRun {
    /// Load or store.
    pub kind: AccessKind,
    /// Instruction, atomic or library call.
    pub source: AccessSource,
    /// Address of the first access (i = j = 0).
    pub base: u64,
    /// Bytes of each access, at least 1.
    pub size: u64,
    /// Steps of the inner loop, at least 1.
    pub inner_count: u64,
    /// Bytes from one inner step to the next; may be negative or zero.
    pub inner_stride: i64,
    /// Steps of the outer loop, at least 1.
    pub outer_count: u64,
    /// Bytes from one outer step to the next; may be negative or zero.
    pub outer_stride: i64,
    /// How often the same instruction touched the very same address again in this segment (a polling loop has many).
    pub repeats: u64,
    /// Return address of the access callback or of the library call.
    pub pc: u64,
    /// The stack of its first access, without `pc` itself.
    pub stack: StackId,
}

/// Accesses of one kind by one instruction or call without a pattern, as a set of places.
///
/// All of them belong to one segment. Each is of one unit, at a multiple of it; with a unit of 1 the size of an access
/// is not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessSet {
    /// Load or store.
    pub kind: AccessKind,
    /// Instruction, atomic or library call.
    pub source: AccessSource,
    /// Return address of the access callback or of the library call.
    pub pc: u64,
    /// The stack of its first access, without `pc` itself.
    pub stack: StackId,
    /// log2 of the bytes of a unit, at most 4: a page has 4096 units of 1, or 256 of 16.
    pub unit: u8,
    /// Where they lie. `None`: where the last set of this thread with the same kind, source, `pc`, `stack` and `unit`
    /// lay.
    pub places: Option<Places>,
}

impl AccessSet {
    /// Words of bits of a page.
    #[must_use]
    pub fn words(&self) -> usize {
        (4096 >> self.unit.min(4)) / 64
    }
}

impl AccessRun {
    /// From the first to the last of its bytes, those between its places included.
    pub fn span(&self) -> std::ops::Range<u64> {
        let steps = [
            (self.inner_count, self.inner_stride),
            (self.outer_count, self.outer_stride),
        ];
        let (mut start, mut end) = (self.base, self.base.saturating_add(self.size));
        for (count, stride) in steps {
            let way = count.saturating_sub(1).saturating_mul(stride.unsigned_abs());
            match stride < 0 {
                true => start = start.saturating_sub(way),
                false => end = end.saturating_add(way),
            }
        }
        start..end
    }

    /// A single access.
    pub fn single(kind: AccessKind, base: u64, size: u64, pc: u64, stack: StackId) -> Self {
        Self {
            kind,
            source: AccessSource::Instruction,
            base,
            size,
            inner_count: 1,
            inner_stride: 0,
            outer_count: 1,
            outer_stride: 0,
            repeats: 0,
            pc,
            stack,
        }
    }
}
