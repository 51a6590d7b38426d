//! Atomic operations (GASPI 17.1 §10): done when their calls return.

use super::{Call, Gaspi, code};
use crate::flow::Flow;
use crate::value::Scalar;
use farside_events::{AccessKind, AccumulateOp, EventKind, Operation, OperationKind, Rank};

impl Gaspi<'_, '_> {
    /// `(segment, offset, rank, value, old, timeout)`.
    pub(super) fn fetch_add(&mut self, call: &Call<'_>) -> Flow {
        let value = call.word(3);
        let what = (OperationKind::FetchAndOp, Some(AccumulateOp::Sum), value, None);
        self.atomic(call, what, call.word(4), |old| old.wrapping_add(value))
    }

    /// `(segment, offset, rank, comparator, new, old, timeout)`.
    pub(super) fn compare_swap(&mut self, call: &Call<'_>) -> Flow {
        let (expected, new) = (call.word(3), call.word(4));
        let what = (OperationKind::CompareAndSwap, None, new, Some(expected));
        let updated = |old| if old == expected { new } else { old };
        self.atomic(call, what, call.word(5), updated)
    }

    /// An operation on the word that a call names, which leaves its old value at an address.
    fn atomic(
        &mut self,
        call: &Call<'_>,
        (kind, operator, operand, expected): (OperationKind, Option<AccumulateOp>, u64, Option<u64>),
        result: u64,
        updated: impl Fn(u64) -> u64,
    ) -> Flow {
        let (segment, offset, rank) = (call.small(0), call.word(1), call.number(2));
        if !self.is_rank(rank) {
            return code::NO_RANK;
        }
        let Some(there) = self.library.ranks[rank as usize].segment(segment) else {
            return code::NO_SEGMENT;
        };
        if offset % 8 != 0 {
            return code::NOT_ALIGNED;
        }
        let Some(at) = there.address(offset, 8) else {
            return code::OUT_OF_REMOTE;
        };
        let request = self.caller.handles_mut().request_id();
        let target_type = self.type_of(8);
        let event = Operation {
            kind,
            target: Some(Rank(rank)),
            displacement: offset.cast_signed(),
            target_type,
            target_count: 1,
            operator,
            operand: Some(operand),
            expected,
            request: Some(request),
            ..self.bare(segment)
        };
        let operation = event.id;
        self.caller.emit(EventKind::Operation(event));
        let old = self.caller.memory_of(rank, at).load(at, 8);
        let new = Scalar {
            bits: updated(old.bits),
            ..old
        };
        self.caller.note_change(&old, &new);
        self.caller.memory_of_mut(rank, at).store(at, 8, new);
        if result != 0 {
            let value = old.bits;
            self.caller.emit(EventKind::Fetched { operation, value });
            self.caller
                .library_access(call.name(), AccessKind::Store, result, 8);
            self.caller.put(result, 8, old);
        }
        self.caller.emit(EventKind::OperationRequestDone { request });
        Flow::Poll(Scalar::known(0))
    }
}
