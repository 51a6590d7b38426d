//! Operations as events: what they do at their target, and what a fetch brings.

use super::{PendingFetch, WindowWatch};
use crate::Operation;
use crate::watch::Place;
use farside_events::{AccumulateOp, Buffer, ChannelId, EventKind, Notice, OperationKind, RequestId};

/// How an operation is called, besides what it does.
#[derive(Clone, Copy, Default)]
pub(crate) struct Form {
    /// With a request.
    pub(crate) request: Option<RequestId>,
    /// With a notice.
    pub(crate) notice: Option<Notice>,
    /// A call on one element: fetch_and_op, compare_and_swap.
    pub(crate) single: bool,
}

impl Form {
    /// Of a call on one element, with a request or without.
    pub(crate) fn single(request: Option<RequestId>) -> Self {
        Self {
            request,
            notice: None,
            single: true,
        }
    }

    /// With a notice.
    pub(crate) fn noticed(number: u32) -> Self {
        Self {
            notice: Some(Notice::Counted(number)),
            ..Self::default()
        }
    }

    /// With a request, if somebody watches.
    pub(crate) fn requested(request: Option<RequestId>) -> Self {
        Self {
            request,
            ..Self::default()
        }
    }
}

/// What an operation does to the elements of a target.
pub(crate) struct Elements<'a> {
    /// Where: rank, and bytes from the beginning of its window memory.
    pub(crate) target: &'a crate::window::peer::Place,
    /// In bytes, from where the target begins.
    pub(crate) displacement: usize,
    pub(crate) count: usize,
    pub(crate) kind: OperationKind,
    pub(crate) operator: Option<Operation>,
    /// What is read at the origin, the operands and what a compare-and-swap must find, and what is written there; null
    /// if nothing.
    pub(crate) reads: [*const u8; 2],
    pub(crate) result: *mut u8,
}

impl WindowWatch {
    /// Records that an operation is about to start.
    ///
    /// # Safety
    /// What it reads is valid for `count` elements, where it is not null.
    pub(crate) unsafe fn operation(&self, what: &Elements<'_>, form: Form, place: Place) {
        let recorder = &*self.recorder;
        let [origin, expected] = what.reads;
        let element = self.element_bytes;
        let id = recorder.next_operation();
        let buffer = |address: *const u8| {
            let bytes = what.count as u64 * element as u64;
            // Elsewhere the compiler keeps everybody away.
            let seen = !address.is_null() && bytes > 0 && recorder.is_exposed(address as u64, bytes);
            seen.then_some(Buffer {
                address: address as u64,
                datatype: self.datatype,
                count: what.count as u64,
            })
        };
        let value = |at: *const u8| {
            (what.count == 1 && element <= 8 && !at.is_null()).then(|| {
                let mut word = [0; 8];
                // SAFETY: the caller promises one element there, which has no more than 8 bytes.
                unsafe { std::ptr::copy_nonoverlapping(at, word.as_mut_ptr(), element) };
                u64::from_le_bytes(word)
            })
        };
        let only_reads = what.operator == Some(Operation::NoOp);
        let operation = farside_events::Operation {
            id,
            kind: what.kind,
            win: self.win,
            target: Some(self.world_rank(what.target.rank)),
            origin: if only_reads { None } else { buffer(origin) },
            result: buffer(what.result),
            compare: None,
            displacement: what.target.offset.wrapping_add_unsigned(what.displacement as u64),
            target_type: self.datatype,
            target_count: what.count as u64,
            operator: what.operator.map(operator),
            operand: value(origin),
            expected: value(expected),
            request: form.request,
            channel: ChannelId::DEFAULT,
            notice: form.notice,
            stack: recorder.stack(place),
        };
        let fetches = !matches!(
            what.kind,
            OperationKind::Put | OperationKind::Get | OperationKind::Accumulate
        );
        if fetches && what.count == 1 && element <= 8 {
            self.pending.borrow_mut().push(PendingFetch {
                id,
                target: what.target.rank,
                request: form.request,
                result: what.result,
            });
        }
        recorder.record(EventKind::Operation(operation));
    }

    /// A request is complete.
    pub(crate) fn request_done(&self, request: RequestId) {
        self.recorder.record(EventKind::OperationRequestDone { request });
        self.fetched(|fetch| fetch.request == Some(request));
    }

    /// Nobody will ask what a request has brought.
    pub(crate) fn forget(&self, request: RequestId) {
        let mut pending = self.pending.borrow_mut();
        pending.retain(|fetch| fetch.request != Some(request));
    }

    /// What fetches that are complete at the origin have brought.
    pub(crate) fn fetched(&self, complete: impl Fn(&PendingFetch) -> bool) {
        let mut pending = self.pending.borrow_mut();
        pending.retain(|fetch| {
            if !complete(fetch) {
                return true;
            }
            let mut word = [0; 8];
            // SAFETY: an element of at most 8 bytes, which the operation, now complete, has written. Its buffer is kept
            // until a moment after the completion in which this runs: by the borrow of its epoch, its request, or the
            // pool.
            unsafe { std::ptr::copy_nonoverlapping(fetch.result, word.as_mut_ptr(), self.element_bytes) };
            self.recorder.record(EventKind::Fetched {
                operation: fetch.id,
                value: u64::from_le_bytes(word),
            });
            false
        });
    }
}

fn operator(operation: Operation) -> AccumulateOp {
    match operation {
        Operation::Replace => AccumulateOp::Replace,
        Operation::NoOp => AccumulateOp::NoOp,
        Operation::Sum => AccumulateOp::Sum,
        Operation::Product => AccumulateOp::Prod,
        Operation::Min => AccumulateOp::Min,
        Operation::Max => AccumulateOp::Max,
        Operation::And => AccumulateOp::Band,
        Operation::Or => AccumulateOp::Bor,
        Operation::Xor => AccumulateOp::Bxor,
        Operation::LogicalAnd => AccumulateOp::Land,
        Operation::LogicalOr => AccumulateOp::Lor,
        Operation::LogicalXor => AccumulateOp::Lxor,
        Operation::MaxLoc => AccumulateOp::Maxloc,
        Operation::MinLoc => AccumulateOp::Minloc,
    }
}
