//! Atomic operations (OpenSHMEM 1.5 §9.7).

use super::elements::Elements;
use super::operation::Parts;
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::value::{Scalar, derived, mask};
use farside_calls::shmem::{Atomic, Returns};
use farside_events::{AccumulateOp, EventKind, OperationKind};

impl Shmem<'_, '_> {
    /// An atomic operation on the word that the first argument names.
    pub(super) fn atomic(&mut self, call: &Call<'_>, what: Atomic, fetches: Option<Returns>) -> Flow {
        let kind = match (what, fetches) {
            (Atomic::CompareSwap, _) => OperationKind::CompareAndSwap,
            (_, None) => OperationKind::Accumulate,
            (_, Some(_)) => OperationKind::FetchAndOp,
        };
        // Where the result goes, if it comes later, is the first argument.
        let issued_only = fetches == Some(Returns::Issued);
        let word = usize::from(issued_only);
        let (expected, next) = match what {
            Atomic::CompareSwap => (Some(call.value(word + 1)), word + 2),
            _ => (None, word + 1),
        };
        let (operand, next) = match what {
            Atomic::Fetch => (None, next),
            Atomic::Inc => (Some(Scalar::known(1)), next),
            _ => (Some(call.value(next)), next + 1),
        };
        let operator = match what {
            Atomic::Fetch => Some(AccumulateOp::NoOp),
            Atomic::Set | Atomic::Swap => Some(AccumulateOp::Replace),
            Atomic::Add | Atomic::Inc => Some(AccumulateOp::Sum),
            Atomic::And => Some(AccumulateOp::Band),
            Atomic::Or => Some(AccumulateOp::Bor),
            Atomic::Xor => Some(AccumulateOp::Bxor),
            Atomic::CompareSwap => None,
        };
        let result = call.word(0);
        let bits = |value: Option<Scalar>| value.map(|value| value.bits);
        let parts = Parts::single(kind, call.word(word), call.int(next))
            .computing(operator, bits(operand), bits(expected))
            .returning(
                fetches.unwrap_or(Returns::Complete),
                issued_only.then(|| Elements::at(result)),
            );
        let Some(issued) = self.issue(call, parts) else {
            return NOTHING;
        };
        let size = call.size();
        let old = self.value_there(&issued, size);
        if let Some((target, there)) = issued.there() {
            let at = there.address();
            let new = updated(what, old, operand, expected, size);
            self.caller.note_change(&old, &new);
            self.caller.memory_of_mut(target, at).store(at, size, new);
        }
        if issued_only {
            self.put_result(result, size, old);
        }
        if fetches == Some(Returns::Complete) {
            let operation = issued.operation();
            self.caller.emit(EventKind::Fetched {
                operation,
                value: old.bits,
            });
        }
        self.finish(&issued);
        match fetches {
            Some(Returns::Complete) => Flow::Poll(old),
            _ => NOTHING,
        }
    }
}

/// What the word holds afterwards.
fn updated(
    what: Atomic,
    old: Scalar,
    operand: Option<Scalar>,
    expected: Option<Scalar>,
    size: u64,
) -> Scalar {
    let given = operand.unwrap_or_default();
    let computed = |bits: u64| Scalar {
        bits: mask(bits, 8 * size as u32),
        symbol: derived(("atomic", what as u8), &[old, given]),
    };
    match what {
        Atomic::Fetch => old,
        Atomic::Set | Atomic::Swap => given,
        Atomic::CompareSwap if expected.is_some_and(|expected| expected.bits == old.bits) => given,
        Atomic::CompareSwap => old,
        Atomic::Add | Atomic::Inc => computed(old.bits.wrapping_add(given.bits)),
        Atomic::And => computed(old.bits & given.bits),
        Atomic::Or => computed(old.bits | given.bits),
        Atomic::Xor => computed(old.bits ^ given.bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_updated_as_the_operation_says() {
        let known = |bits| Some(Scalar::known(bits));
        let new = |what, old, operand, expected| updated(what, Scalar::known(old), operand, expected, 4).bits;
        assert_eq!(new(Atomic::Fetch, 7, None, None), 7);
        assert_eq!(new(Atomic::Add, 0xffff_ffff, known(2), None), 1);
        assert_eq!(new(Atomic::CompareSwap, 7, known(9), known(7)), 9);
        assert_eq!(new(Atomic::CompareSwap, 7, known(9), known(8)), 7);
        assert_eq!(new(Atomic::Xor, 6, known(3), None), 5);
    }
}
