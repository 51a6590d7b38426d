//! RMA communication calls (MPI-4.1 §12.3).

use crate::{ChannelId, OperationId, Rank, RequestId, StackId, TypeId, WinId};
use serde::{Deserialize, Serialize};

/// Which communication call; request forms are told apart by [`Operation::request`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OperationKind {
    /// `MPI_Put`, `MPI_Rput` (MPI-4.1 §12.3.2).
    Put,
    /// `MPI_Get`, `MPI_Rget` (§12.3.3).
    Get,
    /// `MPI_Accumulate`, `MPI_Raccumulate` (§12.3.5).
    Accumulate,
    /// `MPI_Get_accumulate`, `MPI_Rget_accumulate` (§12.3.5).
    GetAccumulate,
    /// `MPI_Fetch_and_op` (§12.3.5).
    FetchAndOp,
    /// `MPI_Compare_and_swap` (§12.3.5).
    CompareAndSwap,
}

impl OperationKind {
    /// The name of the C call; `request` selects the request form.
    pub fn call_name(self, request: bool) -> &'static str {
        match (self, request) {
            (Self::Put, false) => "MPI_Put",
            (Self::Put, true) => "MPI_Rput",
            (Self::Get, false) => "MPI_Get",
            (Self::Get, true) => "MPI_Rget",
            (Self::Accumulate, false) => "MPI_Accumulate",
            (Self::Accumulate, true) => "MPI_Raccumulate",
            (Self::GetAccumulate, false) => "MPI_Get_accumulate",
            (Self::GetAccumulate, true) => "MPI_Rget_accumulate",
            (Self::FetchAndOp, _) => "MPI_Fetch_and_op",
            (Self::CompareAndSwap, _) => "MPI_Compare_and_swap",
        }
    }
}

/// The operator of an accumulate call (MPI-4.1 §6.9.2, §12.3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // The variants are the operator names of the standard.
pub enum AccumulateOp {
    Sum,
    Prod,
    Max,
    Min,
    Land,
    Band,
    Lor,
    Bor,
    Lxor,
    Bxor,
    Maxloc,
    Minloc,
    Replace,
    NoOp,
    /// Not a predefined operator (which the standard forbids here).
    Other,
}

/// A buffer argument: address, datatype and element count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffer {
    /// Address of the buffer in the calling process (`MPI_BOTTOM` is 0).
    pub address: u64,
    /// Its datatype.
    pub datatype: TypeId,
    /// Number of elements; 0 means that nothing is touched. A negative one, which MPI refuses, as its two's complement.
    pub count: u64,
}

/// What an event holds of bytes: up to 8 are a number, little endian. More have a mark, in which all count: marks of
/// different bytes are different, but for one chance in 2^64, and 0 is that of zeros only.
#[must_use]
pub fn value_of(bytes: &[u8]) -> u64 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    if bytes.len() <= 8 {
        return word(bytes);
    }
    let mix = |mark: u64, word: u64| {
        let mark = (mark ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mark ^ mark >> 32
    };
    // Four chains side by side: a processor goes on with one while it multiplies for another.
    let (mut chains, mut any) = ([1, 2, 3, 4], 0);
    for block in bytes.chunks(32) {
        for (chain, part) in chains.iter_mut().zip(block.chunks(8)) {
            let part = word(part);
            any |= part;
            *chain = mix(*chain, part);
        }
    }
    let mark = chains.into_iter().fold(bytes.len() as u64, mix);
    if any == 0 { 0 } else { mark.max(1) }
}

/// What the target is told when the bytes of an operation are visible there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notice {
    /// A notice with this number, one for each operation (the crate `farside`).
    Counted(u32),
    /// A flag of the target is set; of an operation that reads, one of its origin.
    Flag(Flag),
}

/// A flag that is set after data: a notification of GASPI (17.1 §8.3, §8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// The window that it belongs to.
    pub win: WinId,
    /// Its number there.
    pub number: u32,
    /// What it is set to; not 0.
    pub value: u64,
    /// `false`: the operation is one of several of a call, of which a later one brings the flag.
    pub last: bool,
    /// It comes after all that its origin has written to the same target on the same channel before, and not only
    /// after the bytes of its own call.
    pub follows: bool,
}

/// One RMA communication call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Issue number within the process.
    pub id: OperationId,
    /// Put, get, ...
    pub kind: OperationKind,
    /// The window.
    pub win: WinId,
    /// The target, as a rank of `MPI_COMM_WORLD`; `None` for `MPI_PROC_NULL`.
    pub target: Option<Rank>,
    /// What the call reads at the origin (put, accumulate forms). `None` for get, and for `MPI_NO_OP`.
    pub origin: Option<Buffer>,
    /// What the call writes at the origin (get: the origin buffer; fetching forms: the result buffer).
    pub result: Option<Buffer>,
    /// The compare buffer of `MPI_Compare_and_swap`, read at the origin.
    pub compare: Option<Buffer>,
    /// `target_disp`, in units of the target's `disp_unit`; a virtual address for dynamic windows.
    pub displacement: i64,
    /// The target datatype.
    pub target_type: TypeId,
    /// Number of target elements; a negative one as in [`Buffer::count`].
    pub target_count: u64,
    /// The operator of accumulate forms.
    pub operator: Option<AccumulateOp>,
    /// The operand of a single-element accumulate form, or what a put brings where that is told: the [`value_of`] the
    /// origin buffer.
    pub operand: Option<u64>,
    /// What a compare-and-swap must find to replace it, as [`Self::operand`].
    pub expected: Option<u64>,
    /// Set for request forms.
    pub request: Option<RequestId>,
    /// The context or queue that it is issued on.
    pub channel: ChannelId,
    /// What is told when the bytes are there. Not in MPI.
    pub notice: Option<Notice>,
    /// The call stack; its first frame is the return address of the call.
    pub stack: StackId,
}

impl Operation {
    /// The flag that it brings, or that comes after it.
    pub fn flag(&self) -> Option<&Flag> {
        match &self.notice {
            Some(Notice::Flag(flag)) => Some(flag),
            _ => None,
        }
    }

    /// Whether it brings nothing but a flag.
    pub fn is_bare(&self) -> bool {
        self.target_count == 0 && self.flag().is_some()
    }

    /// A negative count among the arguments: MPI refuses such a call (MPI-4.1 §12.3).
    pub fn negative_count(&self) -> Option<i64> {
        let buffers = [self.origin, self.result, self.compare].into_iter().flatten();
        let counts = buffers.map(|buffer| buffer.count).chain([self.target_count]);
        counts.map(u64::cast_signed).find(|count| *count < 0)
    }
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn words_are_numbers_and_more_has_a_mark() {
        assert_eq!(value_of(&[]), 0);
        assert_eq!(value_of(&[1, 2]), 0x201);
        assert_eq!(value_of(&7_u64.to_le_bytes()), 7);
        assert_eq!([value_of(&[0; 9]), value_of(&[0; 64])], [0, 0]);
        let mut record = [0; 64];
        let mut marks = vec![0];
        for place in 0..64 {
            record[place] = 1;
            marks.push(value_of(&record));
            record[place] = 0;
        }
        marks.push(value_of(&[1; 32]));
        marks.push(value_of(&[1; 40]));
        let count = marks.len();
        marks.sort_unstable();
        marks.dedup();
        assert_eq!(marks.len(), count);
    }
}
