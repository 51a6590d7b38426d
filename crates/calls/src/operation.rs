//! Communication calls (MPI-4.1 §12.3): what a call asks for, and the event that it is recorded as.

use crate::arguments::{Arguments, Window, elements};
use crate::datatype::{Datatype, Elements};
use crate::signature::Role;
use farside_events::{
    AccumulateOp, ChannelId, Operation as Event, OperationId, OperationKind, Rank, RequestId, StackId,
};
use std::sync::Arc;

/// Bytes of the longest value that is looked at.
pub const LONGEST_RECORD: u64 = 4096;

/// What a communication call asks for.
#[derive(Clone, Debug)]
pub struct Operation<W> {
    /// Put, get, ...
    pub kind: OperationKind,
    /// The window.
    pub window: W,
    /// The target's rank in the window's group, as the program says.
    pub rank: i32,
    /// The target; `None` for `MPI_PROC_NULL`.
    pub target: Option<Rank>,
    /// What is read at the origin.
    pub origin: Option<Elements>,
    /// What is written at the origin.
    pub result: Option<Elements>,
    /// What is compared with, at the origin.
    pub compare: Option<Elements>,
    /// `target_disp`
    pub displacement: i64,
    /// Datatype at the target.
    pub target_type: Arc<Datatype>,
    /// Number of elements at the target.
    pub target_count: i64,
    /// How values are combined.
    pub operator: Option<AccumulateOp>,
    /// Whether the call gives a request.
    pub has_request: bool,
}

impl<W: Window> Operation<W> {
    /// Reads a call of this kind; `None` if its window or a datatype is not known.
    pub fn of<A: Arguments<Window = W>>(kind: OperationKind, call: &mut A) -> Option<Self> {
        let signature = call.signature();
        let window = call.window()?;
        let operator = signature.has(Role::Operator).then(|| call.operator());
        let origin = match signature.has(Role::OriginBuffer) {
            // Nothing is read at the origin, whatever the arguments say (§12.3.5).
            true if operator == Some(AccumulateOp::NoOp) => None,
            true => Some(elements(
                call,
                [Role::OriginBuffer, Role::OriginCount, Role::OriginType],
            )?),
            false => None,
        };
        let result = match signature.has(Role::ResultBuffer) {
            true => Some(elements(
                call,
                [Role::ResultBuffer, Role::ResultCount, Role::ResultType],
            )?),
            false => None,
        };
        let compare = match (signature.has(Role::CompareBuffer), &result) {
            (true, Some(result)) => Some(Elements {
                address: call.address(Role::CompareBuffer),
                ..result.clone()
            }),
            _ => None,
        };
        let (target_type, target_count) = match result.as_ref().or(origin.as_ref()) {
            _ if signature.has(Role::TargetCount) => {
                (call.datatype(Role::TargetType)?, call.count(Role::TargetCount))
            }
            Some(here) => (Arc::clone(&here.datatype), 1),
            // Nothing in memory at the origin: a value.
            None => (call.datatype(Role::TargetType)?, 1),
        };
        let rank = call.int(Role::TargetRank);
        let displacement = call.displacement(&window);
        Some(Self {
            kind,
            target: window.peer(rank),
            window,
            rank,
            origin,
            result,
            compare,
            displacement,
            target_type,
            target_count,
            operator,
            has_request: signature.has(Role::Request),
        })
    }

    /// The operand whose value the event holds, if it is a single element.
    pub fn operand(&self) -> Option<&Elements> {
        let origin = self.origin.as_ref()?;
        (self.is_single_update() && origin.is_single()).then_some(origin)
    }

    /// What a compare-and-swap must find, whose value the event holds.
    pub fn expected(&self) -> Option<&Elements> {
        let compare = self.compare.as_ref()?;
        (self.is_single_update() && compare.is_single()).then_some(compare)
    }

    /// Where a single value arrives that was fetched from the target and is worth a report.
    pub fn fetched(&self) -> Option<&Elements> {
        let result = self.result.as_ref()?;
        (self.is_single_update() && result.is_single() && self.target.is_some()).then_some(result)
    }

    /// What a put gives or a get brings, and its bytes: one value, which lies in one piece on both sides and is no
    /// longer than [`LONGEST_RECORD`].
    pub fn moved(&self) -> Option<(&Elements, u64)> {
        let here = match self.kind {
            OperationKind::Put => self.origin.as_ref()?,
            OperationKind::Get => self.result.as_ref()?,
            _ => return None,
        };
        let there = Elements {
            address: here.address,
            count: self.target_count,
            datatype: Arc::clone(&self.target_type),
        };
        let size = here.one_piece().filter(|size| *size <= LONGEST_RECORD)?;
        let is_whole = there.one_piece() == Some(size) && self.target.is_some();
        is_whole.then_some((here, size))
    }

    /// Origin, result and compare buffer.
    pub fn buffers(&self) -> [Option<&Elements>; 3] {
        [&self.origin, &self.result, &self.compare].map(Option::as_ref)
    }

    /// The event; `operand` and `expected` are the values of [`Self::operand`] and [`Self::expected`].
    #[inline]
    pub fn event(
        &self,
        id: OperationId,
        request: Option<RequestId>,
        [operand, expected]: [Option<u64>; 2],
        stack: StackId,
    ) -> Event {
        let [origin, result, compare] = self.buffers().map(|buffer| buffer.map(Elements::buffer));
        Event {
            id,
            kind: self.kind,
            win: self.window.id(),
            target: self.target,
            origin,
            result,
            compare,
            displacement: self.displacement,
            target_type: self.target_type.id(),
            target_count: self.target_count.cast_unsigned(),
            operator: self.operator,
            operand,
            expected,
            request,
            channel: ChannelId::DEFAULT,
            notice: None,
            stack,
        }
    }

    /// Whether the call combines one small value at the target.
    fn is_single_update(&self) -> bool {
        let updates = self.operator.is_some() || self.kind == OperationKind::CompareAndSwap;
        updates && self.target_count == 1 && self.target_type.size() <= 8 && self.target_type.is_one_piece()
    }
}
