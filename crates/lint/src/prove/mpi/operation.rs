//! Communication calls (MPI-4.1 §12.3): their targets, their buffers, and what they do there.

use super::{Call, REQUESTS};
use crate::execute::machine::Machine as _;
use crate::prove::affine::{Term, Variable};
use crate::prove::number::{Number, Stop};
use crate::prove::question::Condition;
use crate::prove::running::{Running, outside};
use crate::prove::trace::{Access, Lock, OfOperation, Space};
use farside_calls::signature::Role;
use farside_conflicts::{Effect, Role as Way, Update};
use farside_events::{AccumulateOp, AccumulateOps, OperationKind, WinId};

/// Elements of a predefined datatype.
#[derive(Clone, Copy)]
pub(in crate::prove) struct Elements {
    /// A number that is the same for equal datatypes.
    datatype: u32,
    size: i64,
    /// Bytes of all of them.
    pub(super) bytes: Term,
}

impl Running<'_, '_> {
    /// So many elements of a datatype.
    pub(in crate::prove) fn elements(
        &mut self,
        count: Number,
        datatype: Number,
        large: bool,
    ) -> Result<Elements, Stop> {
        let basic = self.handle(datatype).and_then(|handle| {
            let (_, size) = self.paths.abi.basic_type(handle)?;
            Some((handle as u32, size))
        });
        let Some((datatype, size)) = basic.filter(|(_, size)| *size > 0) else {
            return outside("a datatype that is not predefined is not followed");
        };
        let count = self.notes().term(count, if large { 64 } else { 32 });
        let bytes = count.and_then(|count| self.paths.prover.terms.times(count, i64::from(size)));
        let Some(bytes) = bytes.filter(|bytes| self.holds(Condition::NotNegative(*bytes))) else {
            return outside("a count depends on data, or may be negative");
        };
        Ok(Elements {
            datatype,
            size: i64::from(size),
            bytes,
        })
    }

    /// The target of a call, which is a rank in all processes that make it; `None`: no process.
    pub(in crate::prove) fn target(&mut self, call: &Call<'_>) -> Result<Option<Term>, Stop> {
        let rank = call.at(Role::TargetRank);
        if self.known(rank) == Some(self.paths.abi.numbers().proc_null) {
            return Ok(None);
        }
        let Some(target) = self.notes().term(rank, 32) else {
            return outside("the target depends on data, or on more than the rank");
        };
        let terms = &mut self.paths.prover.terms;
        let size = terms.variable(Variable::Size);
        let left = terms.sum(size, target, -1).and_then(|left| terms.plus(left, -1));
        let within = left.is_some_and(|left| self.holds(Condition::NotNegative(left)));
        match within && self.holds(Condition::NotNegative(target)) {
            true => Ok(Some(target)),
            false => outside("the target is no rank for some number of ranks, as far as one can tell"),
        }
    }

    /// The lock that covers an operation on a target; none within the epoch of a fence.
    pub(in crate::prove) fn covered(&mut self, window: u32, target: Term) -> Result<Option<Lock>, Stop> {
        let window = &self.state.windows[window as usize];
        match (
            window.covering(target),
            window.fenced && window.locks().is_empty(),
        ) {
            (Some(lock), _) => Ok(Some(lock)),
            (None, true) => Ok(None),
            (None, false) => {
                outside("no epoch covers the target for each number of ranks, as far as one can tell")
            }
        }
    }

    pub(in crate::prove) fn operation(&mut self, kind: OperationKind, call: &Call<'_>) -> Result<(), Stop> {
        let number = self.window(call)?;
        let operator = match call.has(Role::Operator) {
            true => {
                let Some(handle) = self.handle(call.at(Role::Operator)) else {
                    return outside("an operator is not known");
                };
                Some(self.paths.abi.operator(handle))
            }
            false => None,
        };
        let counted = |running: &mut Self, count: Role, datatype: Role| {
            let count = if call.has(count) {
                call.at(count)
            } else {
                Number::Known(1)
            };
            running.elements(count, call.at(datatype), call.large)
        };
        let target = self.target(call)?;
        let request = call.has(Role::Request).then(|| {
            self.state.requests += 1;
            self.state.requests
        });
        if let Some(request) = request {
            let bytes = self.paths.abi.numbers().handle_size as i64;
            self.give(
                call.at(Role::Request),
                bytes,
                Number::Known(REQUESTS + u64::from(request)),
            )?;
        }
        let Some(target) = target else { return Ok(()) };
        let there = counted(self, Role::TargetCount, Role::TargetType)?;
        let lock = self.covered(number, target)?;
        let operation = OfOperation {
            number: self.paths.operation(),
            window: number,
            target,
            request,
            fetches: false,
        };
        self.state.trace.begin();
        let begun = self.state.trace.now();
        let place = self.paths.place(self.state);
        let access = |space, owner, range, role, effect| Access {
            space,
            owner,
            range,
            role,
            effect,
            begun,
            done: None,
            place,
            operation: Some(operation),
            lock,
            given: Vec::new(),
            rounds: Vec::new(),
        };
        let buffers = [
            (
                Role::OriginBuffer,
                Role::OriginCount,
                Role::OriginType,
                Effect::Read,
            ),
            (
                Role::CompareBuffer,
                Role::ResultCount,
                Role::ResultType,
                Effect::Read,
            ),
            (
                Role::ResultBuffer,
                Role::ResultCount,
                Role::ResultType,
                Effect::Write,
            ),
        ];
        for (buffer, count, datatype, effect) in buffers {
            let idle = buffer == Role::OriginBuffer && operator == Some(AccumulateOp::NoOp);
            if !call.has(buffer) || idle {
                continue;
            }
            let here = counted(self, count, datatype)?;
            if self.paths.prover.terms.known(here.bytes) == Some(0) {
                continue;
            }
            let (object, at) = self.within(call.at(buffer), here.bytes)?;
            self.state.object_mut(object).watched = true;
            if effect == Effect::Write {
                self.arrives(object, at, here.bytes);
            }
            let Some((space, range)) = self.bytes(object, at, here.bytes) else {
                return outside("an address is too large");
            };
            self.state
                .trace
                .side(access(space, None, range, Way::Origin, effect));
        }
        if self.paths.prover.terms.known(there.bytes) != Some(0) {
            let range = self.range_there(call, number, there)?;
            let effect = self.effect_there(kind, number, there, range, operator)?;
            let space = Space::Window(number);
            self.state
                .trace
                .side(access(space, Some(target), range, Way::Target, effect));
        }
        self.state.trace.issued();
        Ok(())
    }

    /// The bytes of the target's part. Whether they lie within it is asked of all pairs of paths.
    pub(in crate::prove) fn range_there(
        &mut self,
        call: &Call<'_>,
        window: u32,
        there: Elements,
    ) -> Result<(Term, Term), Stop> {
        let unit = self.state.windows[window as usize].unit;
        let displacement = self.notes().term(call.at(Role::TargetDisplacement), 64);
        let terms = &mut self.paths.prover.terms;
        let first = displacement.and_then(|displacement| terms.times(displacement, unit));
        let range = first.and_then(|first| Some((first, terms.sum(first, there.bytes, 1)?)));
        range.map_or_else(
            || outside("the displacement depends on data, or on more than the rank"),
            Ok,
        )
    }

    pub(in crate::prove) fn effect_there(
        &mut self,
        kind: OperationKind,
        window: u32,
        there: Elements,
        (first, _): (Term, Term),
        operator: Option<AccumulateOp>,
    ) -> Result<Effect, Stop> {
        Ok(match kind {
            OperationKind::Put => Effect::Write,
            OperationKind::Get => Effect::Read,
            kind => {
                let Some(phase) = self.paths.prover.terms.residue(first, there.size) else {
                    return outside("where elements of an accumulate lie depends on the rank");
                };
                Effect::Update(Update {
                    win: WinId(u64::from(window) + 1),
                    basic: there.datatype,
                    size: there.size as u32,
                    phase: phase as u32,
                    operator: match kind {
                        OperationKind::CompareAndSwap => None,
                        _ => operator,
                    },
                    hint: AccumulateOps::SameOpNoOp,
                    ordered: true,
                    order_shows: false,
                })
            }
        })
    }

    /// Data come into memory at some time: from now on nobody knows what is there.
    pub(in crate::prove) fn arrives(&mut self, object: u32, at: Term, bytes: Term) {
        let terms = &self.paths.prover.terms;
        let known = (terms.known(at), terms.known(bytes));
        let object = self.state.object_mut(object);
        match known {
            (Some(at), Some(bytes)) => object.store(at, bytes, Number::Any),
            _ => object.smear(),
        }
    }
}
