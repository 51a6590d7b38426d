//! Operations for tests.

use crate::finding::Site;
use crate::job::Caller;
use crate::order::Threads;
use crate::record::{AccessEpoch, Op};
use farside_clocks::Component;
use farside_events::{
    ChannelId, Interface, Operation, OperationId, OperationKind, Rank, StackId, ThreadId, TypeId, WinId,
};
use std::rc::Rc;

/// Whose calls they are.
pub(super) const OWN: Rank = Rank(0);

/// An operation that this call issues now.
pub(super) fn op(
    threads: &Threads,
    component: Component,
    call: &Operation,
    epoch: AccessEpoch,
    mark: u64,
) -> Rc<Op> {
    let site = Site::of_call(OWN, StackId(1));
    let caller = Caller::new(component, ThreadId(0), site);
    let now = threads.now(component);
    let target = call.target.unwrap();
    Rc::new(Op::new(&caller, call, target, (epoch, Interface::Mpi), now, mark))
}

/// A call with this number.
pub(super) fn call(id: u64, kind: OperationKind, target: u32, channel: u32) -> Operation {
    Operation {
        id: OperationId(id),
        kind,
        win: WinId(1),
        target: Some(Rank(target)),
        origin: None,
        result: None,
        compare: None,
        displacement: 0,
        target_type: TypeId(1),
        target_count: 1,
        operator: None,
        operand: None,
        expected: None,
        request: None,
        channel: ChannelId(channel),
        notice: None,
        stack: StackId(1),
    }
}
