//! A communication call as it is remembered: what it is, and how far it has come.

use crate::finding::{CallKind, Name, RawParty, Site};
use crate::job::Caller;
use crate::stamp::Stamp;
use farside_clocks::{Epoch, VectorClock};
use farside_events::{
    AccumulateOp, ChannelId, Interface, Operation, OperationId, OperationKind, Rank, RequestId, ThreadId,
    WinId,
};
use smallvec::SmallVec;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// The epoch in which an operation was issued; decides which call would complete it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AccessEpoch {
    /// Between fences.
    Fence,
    /// Between start and complete.
    Start,
    /// Under a lock of the target.
    Lock,
    /// Under a lock of all targets.
    LockAll,
}

/// One communication call, or several of one call site that nothing tells apart.
#[derive(Debug)]
pub(crate) struct Op {
    id: OperationId,
    kind: OperationKind,
    only_reads: bool,
    thread: ThreadId,
    issued: Epoch,
    win: WinId,
    interface: Interface,
    target: Rank,
    request: Option<RequestId>,
    epoch: AccessEpoch,
    site: Site,
    notifies: bool,
    /// It brings a flag, or one comes after it in the same call; and whether it brings nothing else.
    flagged: Option<bool>,
    channel: ChannelId,
    /// Place in the sequence where it was issued.
    mark: u64,
    /// From when on the origin's buffers may be used again.
    local: Cell<Option<Epoch>>,
    /// From when on it is done at the target.
    remote: Cell<Option<Epoch>>,
    /// From when on a thread knows that it is done at its target, by a notice, by the value that it left, or by what
    /// comes after it; one moment a thread.
    noticed: RefCell<SmallVec<[Epoch; 1]>>,
    /// Moments at which other threads of its process completed it as well, each by itself; and whether remotely.
    again: RefCell<SmallVec<[(Epoch, bool); 1]>>,
    /// From when on what its process sends to the same target, on the same channel, is done there later.
    ordered: Cell<Option<Epoch>>,
    /// Its target has learned of it by a flag, or may: nothing else completes it there.
    delivered: Cell<bool>,
    /// Writes of its process to the same target and on the same channel keep the order of their calls.
    orders_writes: Cell<bool>,
    /// The call failed: it is none.
    withdrawn: Cell<bool>,
    /// What is done at the same target before it, and before no other: the data of a signal.
    brings: OnceCell<Rc<Op>>,
    /// Its value, which was recorded, decides where it stands among others.
    valued: Cell<bool>,
    /// It has records that further ranges can share.
    shares: Cell<bool>,
    /// Where in the sequence, and at what time of the machine, it was complete.
    completed: Cell<Option<(u64, Stamp)>>,
}

impl Op {
    /// An operation that is issued at a moment of its thread.
    pub(crate) fn new(
        caller: &Caller,
        call: &Operation,
        target: Rank,
        (epoch, interface): (AccessEpoch, Interface),
        issued: Epoch,
        mark: u64,
    ) -> Self {
        Self {
            id: call.id,
            kind: call.kind,
            only_reads: only_reads(call),
            thread: caller.thread(),
            issued,
            win: call.win,
            interface,
            target,
            request: call.request,
            epoch,
            site: caller.site(),
            notifies: call.notice.is_some(),
            flagged: call.flag().map(|_| call.is_bare()),
            channel: call.channel,
            mark,
            local: Cell::new(None),
            remote: Cell::new(None),
            noticed: RefCell::default(),
            again: RefCell::default(),
            ordered: Cell::new(None),
            delivered: Cell::new(false),
            orders_writes: Cell::new(false),
            withdrawn: Cell::new(false),
            brings: OnceCell::new(),
            valued: Cell::new(false),
            shares: Cell::new(false),
            completed: Cell::new(None),
        }
    }

    /// Whether a call just issued differs from this one in nothing that matters: same place in the code, nothing in
    /// between.
    pub(crate) fn stands_for(&self, call: &Operation, target: Rank, epoch: AccessEpoch, site: Site) -> bool {
        self.site == site
            && !self.notifies
            && self.kind == call.kind
            && self.only_reads == only_reads(call)
            && self.win == call.win
            && self.target == target
            && self.channel == call.channel
            && self.epoch == epoch
            && self.local.get().is_none()
            && self.remote.get().is_none()
            && self.ordered.get().is_none()
    }

    /// Which call it is.
    pub(crate) fn call(&self) -> CallKind {
        match self.flagged {
            Some(true) => CallKind::Notify,
            flagged => CallKind::Operation {
                kind: self.kind,
                request: self.request.is_some() || flagged.is_some(),
            },
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> Name {
        Name::CallOf(self.interface, self.call())
    }

    /// Whose call it is.
    pub(crate) fn interface(&self) -> Interface {
        self.interface
    }

    /// As a party of a finding.
    pub(crate) fn party(&self) -> RawParty {
        RawParty::call(self.name(), self.site, self.thread, Some(self.target))
    }

    pub(crate) fn kind(&self) -> OperationKind {
        self.kind
    }

    /// It reads its target and leaves it as it is: a get, a fetch by `MPI_NO_OP`.
    pub(crate) fn only_reads(&self) -> bool {
        self.only_reads
    }

    /// It brings what was at its target, and may change it.
    pub(crate) fn fetches(&self) -> bool {
        matches!(
            self.kind,
            OperationKind::GetAccumulate | OperationKind::FetchAndOp | OperationKind::CompareAndSwap
        )
    }

    pub(crate) fn rank(&self) -> Rank {
        self.site.rank
    }

    pub(crate) fn thread(&self) -> ThreadId {
        self.thread
    }

    /// When it was issued, in its thread's local time.
    pub(crate) fn issued(&self) -> Epoch {
        self.issued
    }

    /// Whether a thread with this clock knows that it was issued, by itself in another strand, too: what completes
    /// operations does so for the thread.
    pub(crate) fn is_issued_before(&self, clock: &VectorClock) -> bool {
        clock.covers(self.issued) || clock.covers(self.issued.of_host())
    }

    pub(crate) fn win(&self) -> WinId {
        self.win
    }

    pub(crate) fn target(&self) -> Rank {
        self.target
    }

    pub(crate) fn request(&self) -> Option<RequestId> {
        self.request
    }

    pub(crate) fn epoch(&self) -> AccessEpoch {
        self.epoch
    }

    /// The context or queue that it was issued on.
    pub(crate) fn channel(&self) -> ChannelId {
        self.channel
    }

    pub(crate) fn site(&self) -> Site {
        self.site
    }

    /// Its process and its place in the sequence.
    pub(crate) fn mark(&self) -> (Rank, u64) {
        (self.site.rank, self.mark)
    }

    /// From when on the origin's buffers may be used again.
    pub(crate) fn local(&self) -> Option<Epoch> {
        self.local.get()
    }

    /// From when on it is done at the target.
    pub(crate) fn remote(&self) -> Option<Epoch> {
        self.remote.get()
    }

    /// Whether a thread that knows these moments knows from a notice, or the like, that it is done at its target.
    pub(crate) fn is_noticed(&self, knows: impl Fn(Epoch) -> bool) -> bool {
        self.noticed.borrow().iter().any(|since| knows(*since))
    }

    /// Whether it is done at its target before what a thread with this clock sends there on the same channel.
    pub(crate) fn goes_before(&self, clock: &VectorClock) -> bool {
        self.ordered.get().is_some_and(|since| clock.covers(since))
    }

    /// Whether it is done at its target before an operation that its thread issued later, to the same target and on the
    /// same channel.
    pub(crate) fn is_ordered_before(&self, later: &Self) -> bool {
        let by_its_thread = |since: &Epoch| since.component == later.issued.component;
        let since = self.ordered.get().filter(by_its_thread);
        since.is_some_and(|since| since.time <= later.issued.time)
    }

    /// Place in the sequence where it was complete.
    pub(crate) fn completed_mark(&self) -> Option<u64> {
        self.completed.get().map(|(mark, _)| mark)
    }

    /// Whether it is known to have been complete before this time: for what atomic operations can have seen.
    pub(crate) fn is_complete_before(&self, time: Stamp) -> bool {
        self.completed.get().is_some_and(|(_, done)| done.is_before(time))
    }

    /// A thread that knows these moments completes it, locally or `remotely`; locally is altogether for what only
    /// reads: its data has arrived, so the target was read. If another thread of its process has done so, this moment
    /// counts as well: what this thread does after it needs no word from the first.
    pub(crate) fn complete(&self, at: Epoch, remotely: bool, knows: impl Fn(Epoch) -> bool) {
        let is_news = |since: Option<Epoch>| since.is_some_and(|since| !knows(since));
        let is_elsewhere = is_news(self.local.get()) || remotely && is_news(self.remote.get());
        if is_elsewhere && !self.is_complete_again(remotely, &knows) {
            self.again.borrow_mut().push((at, remotely));
        }
        if self.local.get().is_none() {
            self.local.set(Some(at));
        }
        if (remotely || self.only_reads) && self.remote.get().is_none() {
            self.remote.set(Some(at));
        }
    }

    /// Whether a thread that knows these moments knows of a further completion; of a remote one, if that is needed.
    pub(crate) fn is_complete_again(&self, remotely: bool, knows: impl Fn(Epoch) -> bool) -> bool {
        let again = self.again.borrow();
        again
            .iter()
            .any(|&(at, remote)| (remote || !remotely) && knows(at))
    }

    /// Whether nothing is left to complete.
    pub(crate) fn is_complete(&self) -> bool {
        // What brings nothing but a flag has nothing to complete at its target.
        let is_bare = self.flagged == Some(true);
        self.local.get().is_some() && (self.remote.get().is_some() || self.delivered.get() || is_bare)
    }

    /// It is complete since this place in the sequence and this time of the machine.
    pub(crate) fn completed_at(&self, mark: u64, time: Stamp) {
        self.completed.set(Some((mark, time)));
    }

    /// The value that it brings was recorded.
    pub(crate) fn has_a_value(&self) {
        self.valued.set(true);
    }

    /// Whether the value that it brings was recorded.
    pub(crate) fn is_valued(&self) -> bool {
        self.valued.get()
    }

    /// It has a record that further ranges can share.
    pub(crate) fn share(&self) {
        self.shares.set(true);
    }

    /// Whether it has records that further ranges can share.
    pub(crate) fn shares(&self) -> bool {
        self.shares.get()
    }

    /// What its process sends to the same target from now on, on the same channel, is done there later. Says whether
    /// that is news.
    pub(crate) fn order(&self, at: Epoch) -> bool {
        let is_news = self.ordered.get().is_none();
        if is_news {
            self.ordered.set(Some(at));
        }
        is_news
    }

    /// Its target knows from this moment on, by a flag, that it is done there. Its origin's buffer was read by then.
    pub(crate) fn deliver(&self, at: Epoch) {
        self.notice(at);
        self.delivered.set(true);
    }

    /// A flag comes with it, or after it in the same call.
    pub(crate) fn is_flagged(&self) -> bool {
        self.flagged.is_some()
    }

    /// Which operation of its process it is.
    pub(crate) fn id(&self) -> OperationId {
        self.id
    }

    /// Writes of its process to the same target on the same channel are done there after it.
    pub(crate) fn order_writes(&self) {
        self.orders_writes.set(true);
    }

    /// Whether a write of its process to the same target on the same channel is done there after it.
    pub(crate) fn goes_before_writes(&self, clock: &VectorClock) -> bool {
        self.orders_writes.get() && clock.covers(self.issued)
    }

    /// The call failed: it is none.
    pub(crate) fn withdraw(&self) {
        self.withdrawn.set(true);
    }

    /// Whether it is none.
    pub(crate) fn is_withdrawn(&self) -> bool {
        self.withdrawn.get()
    }

    /// This other operation of its process, to the same target, is done there before it.
    pub(crate) fn brings(&self, other: Rc<Self>) {
        // It is told when the operation is new.
        let _ = self.brings.set(other);
    }

    /// What [`Self::brings`] said.
    pub(crate) fn brought(&self) -> Option<&Rc<Self>> {
        self.brings.get()
    }

    /// A thread knows from this moment on that it is done at its target.
    pub(crate) fn notice(&self, at: Epoch) {
        let mut noticed = self.noticed.borrow_mut();
        if noticed.iter().all(|since| since.component != at.component) {
            noticed.push(at);
        }
    }
}

/// Whether an operation reads its target and leaves it as it is.
fn only_reads(call: &Operation) -> bool {
    match call.kind {
        OperationKind::Get => true,
        OperationKind::GetAccumulate | OperationKind::FetchAndOp => call.operator == Some(AccumulateOp::NoOp),
        _ => false,
    }
}
