//! What completes and orders operations, and locks (OpenSHMEM 1.5 §9.11, §9.12).

use super::locks::Lock;
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::process::Entered;
use crate::value::Scalar;
use farside_events::{
    AccumulateOp, Call as Event, ChannelId, EventKind, Mistake, Operation, OperationId, OperationKind, Rank,
    RequestId,
};

impl Shmem<'_, '_> {
    /// `shmem_quiet()`, `shmem_ctx_quiet(ctx)`.
    pub(super) fn quiet(&mut self, call: &Call<'_>) -> Flow {
        if let Some((channel, _)) = self.channel_of(call) {
            self.complete(Some(channel));
        }
        NOTHING
    }

    /// `shmem_fence()`, `shmem_ctx_fence(ctx)`.
    pub(super) fn fence(&mut self, call: &Call<'_>) -> Flow {
        if let Some((channel, _)) = self.channel_of(call)
            && self.pe().has_open(channel)
        {
            self.caller.emit(EventKind::Ordered {
                channel,
                latest: false,
            });
        }
        NOTHING
    }

    /// Everything that this process has issued on a channel, or on all, is complete, as far as this thread knows of it.
    pub(super) fn complete(&mut self, channel: Option<ChannelId>) {
        let thread = self.caller.thread();
        for win in self.pe_mut().complete(channel, thread) {
            self.within(Event::Flush {
                win,
                target: None,
                local: false,
                channel,
            });
        }
    }

    /// `shmem_set_lock(lock)`: waits until nobody has it who came before.
    pub(super) fn set_lock(&mut self, call: &Call<'_>) -> Flow {
        let Some(lock) = self.lock_of(call) else {
            return self.has_waited(NOTHING);
        };
        if !self.may_lock(call, lock) {
            return NOTHING;
        }
        let applicant = (self.caller.rank(), self.caller.thread());
        let Some(of) = self.library.locks.ask(lock, applicant) else {
            self.take_lock(call, lock);
            return self.has_waited(NOTHING);
        };
        // The call waits for the one who has it now, or is to have it next.
        if !matches!(self.caller.entered(), Some(Entered::Holder(known)) if known == of) {
            self.has_waited(NOTHING);
            self.caller.enter(Event::Await {
                name: call.name().into(),
                of: Some(Rank(of)),
            });
            self.caller.set_entered(Entered::Holder(of));
        }
        Flow::Block
    }

    /// `shmem_test_lock(lock)`: 0 says that the caller has it.
    pub(super) fn test_lock(&mut self, call: &Call<'_>) -> Flow {
        let Some(lock) = self.lock_of(call) else {
            return Flow::Poll(Scalar::known(0));
        };
        let is_taken = self.library.locks.try_to_take(lock, self.caller.rank());
        if is_taken {
            self.take_lock(call, lock);
        }
        Flow::Poll(Scalar::known(u64::from(!is_taken)))
    }

    /// A lock, by the object and the distance of its word.
    fn lock_of(&mut self, call: &Call<'_>) -> Option<Lock> {
        let address = call.word(0);
        let object = self.object_of(call, "lock", address)?;
        Some((object.win(), object.displacement(address)))
    }

    /// A lock is the caller's, who knows what the last holder did.
    ///
    /// A lock is a word of the first process that whoever clears it changes, and whoever sets it reads.
    fn take_lock(&mut self, call: &Call<'_>, lock: Lock) {
        let (thread, by) = (self.caller.thread(), (call.name(), self.caller.stack()));
        self.pe_mut().hold_lock(lock, thread, by);
        // No two are alike: what was cleared before is seen.
        let value = self.pe_mut().number_of_lock_call();
        if let Some((operation, request)) = self.on_lock(call, AccumulateOp::NoOp) {
            self.caller.emit(EventKind::Fetched { operation, value });
            self.caller.emit(EventKind::OperationRequestDone { request });
        }
    }

    /// `shmem_clear_lock(lock)`: first, all operations of the caller are complete.
    pub(super) fn clear_lock(&mut self, call: &Call<'_>) -> Flow {
        let Some(lock) = self.lock_of(call) else {
            return NOTHING;
        };
        if !self.pe_mut().release_lock(lock) {
            self.mistaken(call, Mistake::LockNotHeld, None);
            return NOTHING;
        }
        self.complete_default();
        if let Some((_, request)) = self.on_lock(call, AccumulateOp::Sum) {
            self.caller.emit(EventKind::OperationRequestDone { request });
        }
        self.library.locks.clear(lock);
        NOTHING
    }

    /// Tells an operation on the word of a lock at the first process.
    fn on_lock(&mut self, call: &Call<'_>, operator: AccumulateOp) -> Option<(OperationId, RequestId)> {
        let address = call.word(0);
        let object = self.object_of(call, "lock", address)?;
        let id = OperationId::of_lock(self.pe_mut().number_of_lock_call());
        let request = self.caller.handles_mut().request_id();
        let target_type = self.type_of(call.function.element(), 1);
        let event = Operation {
            id,
            kind: OperationKind::FetchAndOp,
            win: object.win(),
            target: Some(Rank(0)),
            origin: None,
            result: None,
            compare: None,
            displacement: object.displacement(address),
            target_type,
            target_count: 1,
            operator: Some(operator),
            operand: None,
            expected: None,
            request: Some(request),
            channel: ChannelId::DEFAULT,
            notice: None,
            stack: self.caller.stack(),
        };
        self.caller.emit(EventKind::Operation(event));
        Some((id, request))
    }
}
