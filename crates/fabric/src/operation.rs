//! Operations, what they carry, and what they give.

use crate::{Rank, Remote};

/// Operations that are completed together. See [`Fabric::open_scope`](crate::Fabric::open_scope).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(pub u32);

/// A started operation. See [`Fabric::test`](crate::Fabric::test).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket(u64);

impl Ticket {
    /// The operation was complete locally when the call returned.
    pub const DONE: Self = Self(0);

    /// For transports: `number` is not 0 and not used again.
    #[must_use]
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number; 0 for [`Ticket::DONE`].
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }
}

/// What the target learns of a put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signal {
    /// Nothing.
    #[default]
    None,
    /// A notification with this number: a write with immediate. The bits above
    /// [`Capabilities::immediate_bits`](crate::Capabilities::immediate_bits) must be 0.
    Immediate(u32),
    /// The counter of the region goes up by one: a remote write counter.
    Count,
}

/// A write to a target.
#[derive(Clone, Copy, Debug)]
pub struct Put {
    /// What completes it.
    pub scope: Scope,
    /// From here.
    pub origin: *const u8,
    /// So many bytes; 0 are allowed, and still signal.
    pub bytes: usize,
    /// To this region.
    pub remote: Remote,
    /// At this byte of it.
    pub displacement: usize,
    /// What the target learns.
    pub signal: Signal,
}

/// A read from a target.
#[derive(Clone, Copy, Debug)]
pub struct Get {
    /// What completes it.
    pub scope: Scope,
    /// To here.
    pub origin: *mut u8,
    /// So many bytes.
    pub bytes: usize,
    /// From this region.
    pub remote: Remote,
    /// At this byte of it.
    pub displacement: usize,
}

/// Types of elements of atomic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum AtomicKind {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// A value, then its index, a `u32`: 8 bytes, changed as one.
    I32Located,
    /// As [`AtomicKind::I32Located`].
    U32Located,
    /// As [`AtomicKind::I32Located`].
    F32Located,
    /// A real part, then an imaginary part, both an `f32`: 8 bytes, changed as one.
    F32Complex,
}

impl AtomicKind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::I32Located,
        Self::U32Located,
        Self::F32Located,
        Self::F32Complex,
    ];

    /// Size and alignment of an element, in bytes.
    #[inline]
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
            Self::I32Located | Self::U32Located | Self::F32Located | Self::F32Complex => 8,
        }
    }

    /// Whether it is a pair of a value and its index.
    #[inline]
    #[must_use]
    pub fn is_located(self) -> bool {
        matches!(self, Self::I32Located | Self::U32Located | Self::F32Located)
    }

    /// Whether it is a real floating-point type.
    #[inline]
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// What an atomic operation makes of the value at the target and its operand (MPI-4.1 §6.9.2, §12.3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicOperation {
    /// The operand.
    Replace,
    /// The value: an atomic read. The operand may be null.
    NoOp,
    /// The sum; whole numbers wrap.
    Sum,
    /// The product; whole numbers wrap.
    Product,
    /// The smaller one.
    Min,
    /// The greater one.
    Max,
    /// Bitwise and, of whole numbers.
    And,
    /// Bitwise or, of whole numbers.
    Or,
    /// Bitwise exclusive or, of whole numbers.
    Xor,
    /// Logical and, of whole numbers: 1 if both are not 0, else 0.
    LogicalAnd,
    /// Logical or, of whole numbers: 0 if both are 0, else 1.
    LogicalOr,
    /// Logical exclusive or, of whole numbers: 1 if one is 0 and the other is not, else 0.
    LogicalXor,
    /// The pair with the greater value; of equal values that with the lower index (MPI-4.1 §6.9.4).
    MaxLoc,
    /// The pair with the smaller value; of equal values that with the lower index (MPI-4.1 §6.9.4).
    MinLoc,
}

impl AtomicOperation {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Replace,
        Self::NoOp,
        Self::Sum,
        Self::Product,
        Self::Min,
        Self::Max,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::LogicalAnd,
        Self::LogicalOr,
        Self::LogicalXor,
        Self::MaxLoc,
        Self::MinLoc,
    ];

    /// Whether the operation exists for the type: bitwise and logical operations do for whole numbers, extremes for
    /// numbers with an order, extremes with their index for pairs of a value and its index.
    #[inline]
    #[must_use]
    pub fn applies_to(self, kind: AtomicKind) -> bool {
        let is_complex = kind == AtomicKind::F32Complex;
        match self {
            Self::Replace | Self::NoOp => true,
            Self::MaxLoc | Self::MinLoc => kind.is_located(),
            Self::Sum | Self::Product => !kind.is_located(),
            Self::Min | Self::Max => !kind.is_located() && !is_complex,
            _ => !kind.is_located() && !is_complex && !kind.is_float(),
        }
    }
}

/// Atomic operations on consecutive elements.
#[derive(Clone, Copy, Debug)]
pub struct Fetch {
    /// What completes it.
    pub scope: Scope,
    /// What is done.
    pub operation: AtomicOperation,
    /// Type of an element.
    pub kind: AtomicKind,
    /// Number of elements.
    pub count: usize,
    /// The operands; null if the operation is [`AtomicOperation::NoOp`].
    pub operands: *const u8,
    /// Gets what was there; null if nobody asks.
    pub results: *mut u8,
    /// In this region.
    pub remote: Remote,
    /// At this byte of it, a multiple of the size of an element.
    pub displacement: usize,
}

/// A compare-and-swap of an element, by its bits.
#[derive(Clone, Copy, Debug)]
pub struct CompareSwap {
    /// What completes it.
    pub scope: Scope,
    /// Type of the element.
    pub kind: AtomicKind,
    /// What must be there.
    pub expected: *const u8,
    /// What is written then.
    pub replacement: *const u8,
    /// Gets what was there.
    pub result: *mut u8,
    /// In this region.
    pub remote: Remote,
    /// At this byte of it, a multiple of the size of the element.
    pub displacement: usize,
}

/// A message between two ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sent it.
    pub source: Rank,
    /// As it was given.
    pub tag: u64,
    /// As they were given.
    pub bytes: Vec<u8>,
}

/// A put with immediate is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Whose put; `None` where the transport does not say.
    pub source: Option<Rank>,
    /// Its number.
    pub immediate: u32,
}
