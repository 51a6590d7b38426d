//! What a transport is: the trait [`Fabric`], the words that it speaks, and the suite that every transport passes.
//!
//! A *fabric* connects the ranks of a job. Each rank holds one endpoint, a value that implements [`Fabric`]. It exposes
//! memory, connects to what others expose, and starts operations there: put, get, atomic operations. An operation is
//! complete *locally* when its origin buffers may be used again, and *remotely* when its effect is visible at the
//! target. Nothing is complete when the call returns, unless the returned [`Ticket`] says so.
//!
//! Promise, for every transport:
//! 1. Operations are not ordered among one another, but for what [`Capabilities`] says, and this: atomic operations of
//!    one origin on one element take effect in the order of their calls (MPI-4.1 §12.7.1, `accumulate_ordering`).
//! 2. An atomic operation is atomic with respect to all atomic operations on the same element, of every rank and scope,
//!    and tears no aligned load of the owner.
//! 3. A notification is taken from [`Fabric::notification`] only when the put that carried it is visible.
//! 4. Messages between two ranks keep their order. They overtake puts unless [`Capabilities::message_after_write`].
//! 5. An aligned put of 8 bytes is seen as a whole or not at all where [`Capabilities::whole_words`] says so; elsewhere
//!    a load while it arrives may see that its first bytes are new and the others old.
//! 6. What a transport cannot do it refuses with [`Error::Unsupported`] and the reason; it is never done otherwise
//!    without a word in [`Capabilities`].
//! 7. Nothing blocks for ever when a rank is lost: calls that wait end with [`Error::PeerLost`].
//! 8. When [`Fabric::test`] fails, the transport touches the buffers of that operation no more; when [`Fabric::flush`],
//!    [`Fabric::flush_local`], [`Fabric::flush_before_flag`] or one of their questions fails, those of no operation
//!    that the call names. So a scope that ends with an error can give its buffers back. Not so where the transport
//!    refuses the caller ([`Error::Unsupported`]: it is no thread, or not the rank, of the endpoint): then nothing has
//!    changed.
//! 9. Memory that is exposed may be read and written by others at any time, also by those that break the rules of the
//!    program. A transport whose ranks are threads copies to and from it with atomic or volatile accesses.
//!
//! Not promised: fairness, and progress of operations at a target that does not call, unless [`Progress`] says so.
//!
//! Sources: MPI-4.1 chapter 12; libfabric's fi_rma(3), fi_atomic(3), fi_cq(3); paper 002, section 3.

pub mod bootstrap;
mod capability;
pub mod conformance;
pub mod copy;
pub mod direct;
pub mod element;
mod error;
pub mod lock;
mod operation;
mod region;

pub use capability::{Atomics, Capabilities, Progress};
pub use direct::Direct;
pub use error::Error;
pub use lock::{Lock, LockedPuts, ShortPuts};
pub use operation::{
    AtomicKind, AtomicOperation, CompareSwap, Fetch, Get, Message, Notification, Put, Scope, Signal, Ticket,
};
pub use region::{Descriptor, Exposed, Region, Remote};

use std::ptr::NonNull;
use std::time::Duration;

/// Number of a process of the job, from 0.
pub type Rank = u32;

/// What a call of a transport gives.
pub type Result<T> = std::result::Result<T, Error>;

/// The endpoint of a rank.
///
/// All methods take `&self` and may be called by several threads at once. A call from within a `ready` function of
/// [`Fabric::wait`] is allowed.
///
/// # Safety
/// Programs without `unsafe` lend memory as slices, and take it back, because of what a transport says. So what it says
/// is true, at each rank and whatever the others do, as far as they keep the promises that calls of this trait ask for:
///
/// - *who*: [`rank`](Fabric::rank) is less than [`size`](Fabric::size), both stay as they are, all ranks of the job
///   have the same size and each another rank; [`capabilities`](Fabric::capabilities) promise no order and no
///   completion that there is not.
/// - *memory*: what [`expose`](Fabric::expose) gives is valid for reads and writes of its bytes, aligned to 64, filled
///   with 0, and nobody else's, until it is withdrawn; if it never is, until the endpoint is dropped.
/// - *targets*: with a descriptor of memory that is exposed, [`connect`](Fabric::connect) leads to exactly that memory,
///   of that rank, and no operation touches bytes of a target outside of those that it names, which are within the
///   region. What [`mapped`](Fabric::mapped) and [`direct`](Fabric::direct) give is that same memory, and valid until
///   [`disconnect`](Fabric::disconnect).
/// - *buffers*: an operation touches its origin buffers, and no others, and after local completion it does not: when a
///   [`Ticket`] is [`Ticket::DONE`], when [`test`](Fabric::test) says `true`, when [`flush`](Fabric::flush),
///   [`flush_local`](Fabric::flush_local) or [`flush_before_flag`](Fabric::flush_before_flag) return, when
///   [`is_flushed`](Fabric::is_flushed) or [`is_flushed_locally`](Fabric::is_flushed_locally) say `true`; when one of
///   them fails, as promise 8 has it. An operation whose start fails touches nothing.
/// - *completion*: after remote completion an operation changes nothing at its target any more; a flag that
///   [`flush_before_flag`](Fabric::flush_before_flag) speaks of, a [`notification`](Fabric::notification), a number of
///   [`arrivals`](Fabric::arrivals) and a message come when it is allowed, and not earlier (promises 3 and 4, and the
///   capabilities). Atomic operations are atomic (promise 2).
/// - *messages*: [`receive`](Fabric::receive) gives what [`send`](Fabric::send) was given, once, with the rank that
///   sent it.
/// - *waiting*: [`wait`](Fabric::wait) succeeds only if `ready` said `true`.
///
/// All promises of the crate are tested by [`conformance`].
///
/// ```compile_fail,E0200
/// struct Mine;
/// impl farside_fabric::Fabric for Mine {} // error[E0200]: the trait requires an `unsafe impl` declaration
/// ```
pub unsafe trait Fabric: Send + Sync {
    /// The rank of this endpoint.
    fn rank(&self) -> Rank;

    /// Number of ranks of the job.
    fn size(&self) -> u32;

    /// What this transport orders, completes and offers here; asked of the provider, not assumed.
    fn capabilities(&self) -> &Capabilities;

    /// How an atomic operation on a type is done here.
    fn atomics(&self, operation: AtomicOperation, kind: AtomicKind) -> Atomics;

    /// How a compare-and-swap of a type is done here.
    fn compare_swaps(&self, kind: AtomicKind) -> Atomics;

    /// Exposes `bytes` bytes of new memory, filled with 0, aligned to 64 bytes. 0 bytes are allowed. What is not
    /// withdrawn stays as long as the endpoint.
    ///
    /// # Errors
    /// Memory is short, or the transport does not register so much.
    fn expose(&self, bytes: usize) -> Result<Exposed>;

    /// Exposes memory of the caller's, which [`Fabric::withdraw`] leaves to them. Ranks of the own node
    /// ([`Fabric::node`]) may find nothing there: for a library that reaches them through the system.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where a transport shows memory of its own only; else as for [`Fabric::expose`].
    ///
    /// # Safety
    /// `base` is aligned to 64 and valid for reads and writes of `bytes` bytes, until the region is withdrawn or the
    /// endpoint dropped; as memory that is exposed is (promise 9). It was mapped through the C library.
    unsafe fn expose_lent(&self, base: NonNull<u8>, bytes: usize) -> Result<Exposed> {
        let _ = (base, bytes);
        Err(Error::Unsupported {
            transport: self.capabilities().transport.clone(),
            what: "exposing memory of the program".into(),
            reason: "ranks see memory that the transport has made".into(),
        })
    }

    /// Takes back what was exposed. The memory is gone, unless it was lent.
    ///
    /// # Errors
    /// The region is not of this endpoint, or the system refuses.
    ///
    /// # Safety
    /// Nobody touches the memory any more: no operation on it is pending at any rank, and no reference into it lives.
    unsafe fn withdraw(&self, region: Region) -> Result<()>;

    /// Connects to memory that `owner` exposes; `descriptor` is [`Exposed::descriptor`] of there, carried here by any
    /// means. The own region can be connected as well.
    ///
    /// # Errors
    /// No such rank, a descriptor that is none, or the owner is lost.
    fn connect(&self, owner: Rank, descriptor: &Descriptor) -> Result<Remote>;

    /// Ends a connection.
    ///
    /// # Errors
    /// The system refuses.
    ///
    /// # Safety
    /// `remote` comes from `connect` of this endpoint, and neither an operation nor a reference uses it any more.
    unsafe fn disconnect(&self, remote: Remote) -> Result<()>;

    /// The address at which this process can load and store the memory of `remote` directly, where it can.
    fn mapped(&self, remote: &Remote) -> Option<NonNull<u8>>;

    /// What this process needs to do operations on the memory of `remote` itself, without a call of the transport.
    /// `None` where the transport does more than copies and instructions on mapped memory. The rules: [`direct`].
    fn direct(&self, remote: &Remote) -> Option<Direct> {
        let _ = remote;
        None
    }

    /// The number of the node on which a rank of the job runs: ranks of one number share memory, and reach one another
    /// without the network. As far as the transport knows: one that maps all memory has one node, and others a node for
    /// each rank.
    fn node(&self, rank: Rank) -> u32 {
        if self.capabilities().mapped { 0 } else { rank }
    }

    /// Whether ranks of the job share processors: what they wait for comes when others have run.
    fn is_crowded(&self) -> bool {
        false
    }

    /// Wakes a rank that waits, so that it looks again: after a store to its memory, or to memory that it reads, which
    /// the transport has not seen. Nothing happens if it does not sleep, or is none.
    fn wake(&self, target: Rank) {
        let _ = target;
    }

    /// Sends what the transport holds back to join it with what follows: after a put that somebody waits for, where no
    /// call follows that waits itself. Nothing is held back for longer than some milliseconds anyway, or where
    /// operations leave with their calls.
    fn send_held(&self) {}

    /// A new scope: operations are completed scope by scope. A window has its own.
    ///
    /// # Errors
    /// There are too many.
    fn open_scope(&self) -> Result<Scope>;

    /// Gives a scope back.
    ///
    /// # Errors
    /// Operations of it are pending, or it is not open.
    fn close_scope(&self, scope: Scope) -> Result<()>;

    /// Starts to write to a target.
    ///
    /// # Errors
    /// Out of bounds (nothing is written), the target is lost, or the signal is not supported.
    ///
    /// # Safety
    /// `put.origin` is valid for reads of `put.bytes` bytes and is not written until local completion. `put.remote`
    /// comes from `connect` of this endpoint, with a descriptor of memory that its owner exposed and has not withdrawn,
    /// and is connected.
    unsafe fn put(&self, put: &Put) -> Result<Ticket>;

    /// Starts to read from a target.
    ///
    /// # Errors
    /// Out of bounds, or the target is lost.
    ///
    /// # Safety
    /// `get.origin` is valid for writes of `get.bytes` bytes and is not touched until local completion. `get.remote` as
    /// for [`Fabric::put`].
    unsafe fn get(&self, get: &Get) -> Result<Ticket>;

    /// Starts atomic operations on consecutive elements, each atomic for itself; fetches what was there if asked to.
    ///
    /// # Errors
    /// Out of bounds, a displacement that is not aligned to the element, an operation that the transport does not have,
    /// or the target is lost.
    ///
    /// # Safety
    /// As for [`Fabric::put`] (the operands) and [`Fabric::get`] (the results).
    unsafe fn fetch(&self, fetch: &Fetch) -> Result<Ticket>;

    /// Starts a compare-and-swap of one element.
    ///
    /// # Errors
    /// As for [`Fabric::fetch`].
    ///
    /// # Safety
    /// As for [`Fabric::fetch`].
    unsafe fn compare_swap(&self, swap: &CompareSwap) -> Result<Ticket>;

    /// Whether [`Fabric::put_locked`] works to the memory of `remote`: where its owner executes what others ask for, so
    /// that a round trip is what counts.
    fn puts_locked(&self, remote: &Remote) -> bool {
        let _ = remote;
        false
    }

    /// Starts puts under the lock of their region ([`lock`]): its owner does what [`lock::visit`] does. The puts are
    /// copied before the call returns; local completion is that of the results, and the puts, if they were done at all,
    /// are complete at the target then.
    ///
    /// # Errors
    /// Out of bounds (nothing is done), words that are not aligned, the transport does not do it, or the target is
    /// lost.
    ///
    /// # Safety
    /// As for [`Fabric::fetch`], of the results, which are two words.
    unsafe fn put_locked(&self, puts: &LockedPuts<'_>) -> Result<Ticket> {
        let _ = puts;
        Err(Error::Unsupported {
            transport: self.capabilities().transport.clone(),
            what: "puts under a lock".into(),
            reason: "locks are taken by atomic operations".into(),
        })
    }

    /// Whether an operation is complete locally. True from then on. Makes progress.
    ///
    /// # Errors
    /// The operation failed: its target is lost.
    fn test(&self, ticket: Ticket) -> Result<bool>;

    /// Waits until all operations of `scope` to `target`, or to all, are complete locally.
    ///
    /// # Errors
    /// A rank is lost.
    fn flush_local(&self, scope: Scope, target: Option<Rank>) -> Result<()>;

    /// Waits until all operations of `scope` to `target`, or to all, are complete remotely: visible to the loads of the
    /// target, to gets and to atomic operations of everybody.
    ///
    /// # Errors
    /// A rank is lost.
    fn flush(&self, scope: Scope, target: Option<Rank>) -> Result<()>;

    /// Waits until all operations of `scope` are complete locally, and remotely, but for puts to `target` that a put of
    /// 8 bytes there, or an atomic operation, if it is started after this call, cannot overtake: who sees that flag
    /// sees them. True: there are no such puts, and nothing is left to be completed. When the results of such an atomic
    /// operation are here, the puts are complete.
    ///
    /// # Errors
    /// A rank is lost.
    fn flush_before_flag(&self, scope: Scope, target: Rank) -> Result<bool> {
        let _ = target;
        self.flush(scope, None)?;
        Ok(true)
    }

    /// Whether all operations of `scope` are complete locally: then [`Fabric::flush_local`] returns at once. Makes
    /// progress.
    ///
    /// A transport on which a rank that waits takes in all that comes for it may wait here; one on which puts to it can
    /// be held up until it takes notifications may not.
    ///
    /// # Errors
    /// A rank is lost.
    fn is_flushed_locally(&self, scope: Scope) -> Result<bool> {
        self.flush_local(scope, None)?;
        Ok(true)
    }

    /// As [`Fabric::is_flushed_locally`], for remote completion and [`Fabric::flush`].
    ///
    /// # Errors
    /// A rank is lost.
    fn is_flushed(&self, scope: Scope) -> Result<bool> {
        self.flush(scope, None)?;
        Ok(true)
    }

    /// Sends up to [`Capabilities::message_bytes`] bytes; they are copied before the call returns. Waits while the
    /// target has no room, and makes progress meanwhile: it takes in what arrives for this rank, so that ranks that all
    /// send before they receive do not wait for one another for ever.
    ///
    /// # Errors
    /// Too long, no such rank, or a rank is lost.
    fn send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()>;

    /// As [`Fabric::send`], without a wait for room: false if there is none now, and nothing is sent. Who asks within
    /// [`Fabric::wait`] asks again when there may be.
    ///
    /// A transport on which a send that waits is seen to wait for ever, as in virtual time, may wait here.
    ///
    /// # Errors
    /// As for [`Fabric::send`].
    fn try_send(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<bool> {
        self.send(target, tag, bytes)?;
        Ok(true)
    }

    /// As [`Fabric::send`], of a message that may be held back to leave together with what follows: with the next put
    /// or message to `target`, with any call that waits, or by [`Fabric::send_held`].
    ///
    /// # Errors
    /// As for [`Fabric::send`].
    fn send_along(&self, target: Rank, tag: u64, bytes: &[u8]) -> Result<()> {
        self.send(target, tag, bytes)
    }

    /// The next message, of any source and tag, if there is one. Makes progress.
    ///
    /// # Errors
    /// The transport failed.
    fn receive(&self) -> Result<Option<Message>>;

    /// The next notification, if there is one. Makes progress.
    ///
    /// # Errors
    /// The transport failed; notifications were lost because nobody took them ([`Error::Overflow`]).
    fn notification(&self) -> Result<Option<Notification>>;

    /// How many puts with [`Signal::Count`] are visible in an own region, modulo 2^64. Makes progress.
    ///
    /// # Errors
    /// Not supported, or the region is not of this endpoint.
    fn arrivals(&self, region: &Region) -> Result<u64>;

    /// Waits until `ready` says so, and makes progress meanwhile. `ready` is called at least once, and again after what
    /// may have changed its answer: anything that arrives at this rank.
    ///
    /// # Errors
    /// [`Error::TimeOut`] after `limit`, [`Error::PeerLost`] when any rank is lost, and what `ready` returns.
    fn wait(&self, limit: Option<Duration>, ready: &mut dyn FnMut() -> Result<bool>) -> Result<()>;

    /// Time since the job began: of this machine, or virtual.
    fn now(&self) -> Duration;

    /// Computes for a time without calling the transport: what a program does between its calls. Virtual where time is.
    fn compute(&self, time: Duration);

    /// A rank that is lost, if any is.
    fn lost(&self) -> Option<Rank>;

    /// Ends the endpoint in agreement with all others: waits until all ranks have come here.
    ///
    /// # Errors
    /// A rank is lost.
    fn finish(&self) -> Result<()>;
}
