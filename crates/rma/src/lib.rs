//! One-sided communication for Rust: windows, epochs and buffers that the compiler checks.
//!
//! Processes of a job put data into one another's memory, and get it from there, while the other one does something
//! else. It is MPI's one-sided interface (MPI-4.1, chapter 12; Hoefler et al., *Remote Memory Access Programming in
//! MPI-3*, TOPC 2014) without an MPI, and with its rules as types: most of what is an error there does not compile
//! here.
//!
//! ```
//! use farside::{Result, Window, World};
//!
//! /// Each rank tells its right neighbour who it is.
//! fn program(world: &World) -> Result<u32> {
//!     let right = (world.rank() + 1) % world.size();
//!     let me = [world.rank()];
//!     let mut window = Window::<u32>::allocate(world, 1)?; // one element at each rank
//!     window.fence(|epoch| epoch.put(&me, right, 0))?; // from `me` to element 0 of `right`
//!     let left = window.local()?[0];
//!     window.free()?;
//!     Ok(left)
//! }
//!
//! # fn main() -> Result<()> {
//! // Four ranks in this process, over a virtual network. `farside::run(program)` is what a `main` does.
//! assert_eq!(farside::simulate(4, program)?, [3, 0, 1, 2]);
//! # Ok(()) }
//! ```
//!
//! # Vocabulary
//!
//! - A **rank** is a process of the job, and its number. All ranks together are the [`World`]; some of them are a
//!   [`Group`].
//! - A **window** is memory that each rank of a group exposes to the others: elements of one type, a number of its own
//!   at each rank. See [`Window`].
//! - An **operation** moves elements between a buffer of the process that calls it, the **origin**, and the window of
//!   another one, the **target**: put writes there, get reads, accumulate combines. A **displacement** says where,
//!   counted in elements.
//! - Operations are only *started* by their calls. An operation is **complete locally** when its buffers may be used
//!   again, and **complete at the target** when its effect is visible there.
//! - An **epoch** is a stretch of the program in which operations may be started, and at the end of which all of them
//!   are complete. Here it is a value that is lent to a function: `window.fence(|epoch| ...)`.
//! - In **active target** synchronisation targets take part: all ranks open and close an epoch together
//!   ([`Window::fence`]), or some ranks *post* their memory and others *start* an access to it ([`Window::post`],
//!   [`Window::start`]).
//! - In **passive target** synchronisation they do not: an origin locks the window of a target ([`Window::lock`]), or
//!   may access all of them ([`Window::lock_all`]), and completes operations in between by *flush*.
//! - A call is **collective** if all ranks of a group call it, in the same order.
//!
//! # Calls
//!
//! | what | here | in MPI |
//! |---|---|---|
//! | start, end | [`World::init`], [`run`], [`World::finish`] | `Init`, `Finalize` |
//! | after a loss | [`World::shrink`], [`World::agree`], [`World::lost`], [`Window::salvage`] | `MPIX_Comm_shrink`, `_agree`, `_get_failed` of ULFM |
//! | groups | [`Group::split`], [`Group::subgroup`], [`Group::duplicate`] | `Comm_split`, `Comm_create`, `Comm_dup` |
//! | collective | [`Group::barrier`], [`broadcast`](Group::broadcast), [`gather`](Group::gather), [`scatter`](Group::scatter), [`allgather`](Group::allgather), [`alltoall`](Group::alltoall) | `Barrier`, `Bcast`, `Gather`, `Scatter`, `Allgather`, `Alltoall` |
//! | with lengths by rank | [`Group::gatherv`], [`scatterv`](Group::scatterv), [`allgatherv`](Group::allgatherv), [`alltoallv`](Group::alltoallv) | the same |
//! | that combine | [`Group::reduce`], [`allreduce`](Group::allreduce), [`reduce_scatter`](Group::reduce_scatter), [`scan`](Group::scan), [`exscan`](Group::exscan) | `Reduce`, `Allreduce`, `Reduce_scatter_block`, `Scan`, `Exscan` |
//! | that do not block | [`Group::ibarrier`], [`ibroadcast`](Group::ibroadcast), [`igather`](Group::igather), [`iscatter`](Group::iscatter), [`iallgather`](Group::iallgather), [`ialltoall`](Group::ialltoall), [`ireduce`](Group::ireduce), [`iallreduce`](Group::iallreduce), [`iscan`](Group::iscan) | `Ibarrier`, `Ibcast`, ... |
//! | messages | [`Group::send`], [`Group::receive`] | `Send`, `Recv` |
//! | windows | [`Window::allocate`], [`create`](Window::create), [`dynamic`](Window::dynamic), [`shared`](Window::shared) | `Win_allocate`, `_create`, `_create_dynamic`, `_allocate_shared` |
//! | attached memory | [`Window::attach`], [`connect`](Window::connect), [`detach`](Window::detach) | `Win_attach`, `Win_detach` |
//! | active target | [`Window::fence`], [`fences`](Window::fences), [`halves`](Window::halves), [`post`](Window::post), [`start`](Window::start), [`ExposureEpoch::test`] | `Win_fence`, `_post` and `_wait`, `_start` and `_complete`, `_test` |
//! | passive target | [`Window::lock`], [`lock_all`](Window::lock_all), [`Epoch::flush`], [`flush_local`](Epoch::flush_local), ..., [`sync`](Epoch::sync) | `Win_lock` and `_unlock`, `_lock_all` and `_unlock_all`, `_flush`, `_flush_local`, ..., `_sync` |
//! | operations | [`Epoch::put`], [`get`](Epoch::get), [`accumulate`](Epoch::accumulate), [`get_accumulate`](Epoch::get_accumulate), [`fetch_and_op`](Epoch::fetch_and_op), [`compare_and_swap`](Epoch::compare_and_swap) | the same |
//! | with requests | [`Epoch::rput`], [`rget`](Epoch::rget), [`raccumulate`](Epoch::raccumulate), [`rget_accumulate`](Epoch::rget_accumulate) | the same |
//! | regions | [`Layout`], [`Epoch::put_layout`], [`rput_layout`](Epoch::rput_layout), and so of `get`, `accumulate`, `get_accumulate` | derived datatypes |
//! | window memory as origin | [`Epoch::put_own`], [`get_own`](Epoch::get_own) | the same |
//! | distributed arrays | [`array::Array`] | `Cart_create` and `Type_create_subarray`, by hand |
//! | of other threads | [`Epoch::contexts`], [`Context::flush`] | not in MPI; `shmem_ctx_create`, `shmem_ctx_quiet` |
//! | futures | `.await` of requests, [`Epoch::next_notice`] | not in MPI |
//! | direct access | [`Window::local`], [`Epoch::direct`] | loads and stores, `Win_shared_query` |
//! | active messages | [`Service::register`], [`call`](Service::call), [`send`](Service::send), [`finish`](Service::finish), [`Group::progress`] | not in MPI |
//! | notified put | [`Epoch::put_notify`], [`wait_notice`](Epoch::wait_notice) | not in MPI |
//!
//! # Buffers
//!
//! While an operation is pending, its origin buffer may be read if the operation reads it too, and not be touched at
//! all if it writes it. That is what a borrow says, and so operations borrow:
//!
//! ```compile_fail,E0506
//! # fn program(window: &mut farside::Window<u64>, buffer: &mut [u64]) -> farside::Result<()> {
//! window.fence(|epoch| {
//!     epoch.put(buffer, 1, 0)?;
//!     buffer[0] = 7; // error[E0506]: cannot assign to `*buffer[_]` because it is borrowed
//!     Ok(())
//! })
//! # }
//! ```
//!
//! How long? Not as long as a guard lives: a guard can be forgotten (`std::mem::forget` is safe), and the borrow would
//! end with the operation still pending. So:
//!
//! - Buffers are borrowed for the lifetime `'scope` of the epoch, which ends *after* the function that the epoch is
//!   lent to, when all operations are complete, as in [`std::thread::scope`]. A buffer therefore lives outside of the
//!   function.
//! - An inner epoch gives buffers back earlier: [`Epoch::local`] ends when they are complete locally, [`Epoch::remote`]
//!   when they are complete at their targets.
//! - A request owns its buffer, a vector or a slice that it was given for good, and gives it back when it is complete:
//!   `epoch.rget(vec![0; 100], 1, 0)?.wait()?`. Dropped, it leaves the buffer to the window; forgotten, it leaks it.
//!
//! If the function panics, operations are completed before the panic goes on. If completion itself fails, what it has
//! not come to is completed locally before the error is returned; where a rank is lost, the transport has given up the
//! operations before it says so (promise 8 of [`farside_fabric`]).
//!
//! # Memory of the window
//!
//! In active mode, the memory is the rank's own outside of epochs: [`Window::local`] and [`Window::local_mut`] lend it
//! as a slice. Every epoch borrows the window mutably, so there is no such slice when others have access: they have it
//! only between the two collective calls of a fence, or between post and wait. In passive mode others can come at any
//! time; [`Window::lock_local`] lends the memory under an exclusive lock, and as all access is by locks, nobody else is
//! there. Otherwise, and in epochs, the memory is seen as [`Cells`]: single atomic loads and stores, never references.
//!
//! What the compiler cannot see is what happens at the *target*: two ranks that put to the same element in one epoch
//! race, as in MPI. The elements have then no certain value, and are values of their type all the same, for only plain
//! data can be in windows ([`Plain`]).
//!
//! # Without `unsafe`
//!
//! A program without `unsafe` has no undefined behaviour by this crate, but for limits 5 and 7. What types do not keep
//! is checked when it is used, and is an error ([`Error::Foreign`], [`Error::Broken`]), at every rank of a job whose
//! programs have no `unsafe` either. Each promise has its test, in `tests/` of this crate:
//!
//! | what safe code may try | what comes of it | test |
//! |---|---|---|
//! | to use a buffer while an operation does, or memory of the window while others access it | it does not compile | `misuse` |
//! | to use [`Attached`] memory or a [`Connected`] one with another window, at another rank of the same process, or in a later world | each carries the number of its window at its rank, which this process gives once: an error | `handles` |
//! | to hand a [`Window`] to another rank of a simulation | its memory goes with it; it synchronises with nobody there | `handles` |
//! | to keep a window beyond the end of its world | its memory stays as long | `handles` |
//! | to make a [`Token`] of other bytes, or to use one of another window | a token is sealed by its window's ranks: [`Window::connect`] gives an error | `handles` |
//! | to keep what an epoch of [`Window::halves`] brought while others put into it | it does not compile; a put goes to the half of its turn, or is refused; the turns are the same at all ranks | `halves`, `misuse`, `scripts/miri` |
//! | to go on after an epoch that failed or panicked | its operations touch no buffer, and the window lends nothing | `broken`, `loss` |
//! | to go on *within* an epoch after a panic in an inner one was caught | nothing is started in it any more; a lock under which operations were not completed is not given back | `attacks`, and in `epoch/lock.rs`, `fence/record.rs` |
//! | to put past the queue of a fence that queues | a notified put waits until its target is in the epoch | `attacks` |
//! | to make collective calls in a function that combines, so that bytes of one call are taken for those of another | they are refused | `attacks` |
//! | to be in another function of a window than the others | flags name their function exactly: nobody frees what others access | `matching`, and in `flags/mod.rs` |
//! | to panic, or call the library, in a function that is asked while a rank waits | it may | `attacks` |
//! | to use a window when its world has ended | it may work or fail; memory is there | `attacks`, `handles` |
//! | any of this at random, of two to four ranks | memory is what a model says, and what is lent does not change | `model` |
//! | to have a request write to a buffer that was lent to it | nobody claims the buffer meanwhile, as Miri sees it | `requests`, `scripts/miri` |
//! | to take a context to another thread, or contexts out of their epoch | it does not compile | `misuse` |
//! | to drop or forget a future | it does what its request does | `futures` |
//! | to drop or forget a request of a collective call | it owns its buffers, and the call goes on by itself | `collectives` |
//! | to wait in a handler of a service, or panic there | it is refused; the caller gets an error | `services` |
//! | to drop a group or window whose flags are under way | they stay until the world ends | `handles`, and in `world.rs` |
//! | to forget an epoch's request, a window, a world | memory leaks | `misuse`, `atomics` |
//! | to implement a transport, or to make a world over one | both are `unsafe`: [`Fabric`] and [`World::over`] say what they promise | their documentation |
//!
//! # Checking what types cannot see
//!
//! Conflicts at the target are found by a race detector: `farside run --check -n 4 ./program`, or `FARSIDE_CHECK=1`; in
//! tests by [`check::simulate`]. See [`check`].
//!
//! # Transports
//!
//! [`World::init`] finds out how the process was started (`farside run`, mpirun, srun, alone) and takes the transport
//! that `FARSIDE_TRANSPORT` names: `shm` (one machine), `ofi` (libfabric). [`simulate()`] runs all ranks in this
//! process over a virtual network in virtual time, [`threads`] as threads; so does [`run`] for `sim:RANKS` and
//! `threads:RANKS`. Each transport is a feature of this crate: `shm`, `sim`, `ofi`; and `launch` is [`World::init`].
//! What they order and offer is in [`World::capabilities`]; the promises that they all keep are in [`farside_fabric`].
//!
//! # Ranks that wait for one another
//!
//! A call that waits longer than the time limit fails with [`Error::TimeOut`], which says who waits for whom and where:
//! locks in different orders, a rank that returned early, a panic that was caught. Builds with debug assertions begin
//! with a limit, others without one: [`World::set_time_limit`]. Collective calls that do not match fail by themselves
//! ([`Error::Mismatch`]).
//!
//! # Ranks that are lost
//!
//! When a rank dies, calls of the others that wait fail with [`Error::PeerLost`], which names it, also for a lock that
//! it held: nobody waits for ever. [`World::shrink`] gives those that are left a world of their own, in which nothing
//! of the old one arrives; windows are allocated anew there, and [`Window::salvage`] says what this rank had in an old
//! one. `farside run --keep-going` does not end the job for a loss.
//!
//! # Limits
//!
//! 1. A world and what comes from it belong to one thread (`MPI_THREAD_FUNNELED`), but for [`Contexts`].
//! 2. A rank keeps some words for each rank of each window.
//! 3. 256 windows at a time can have notified puts.
//! 4. The completion of operations at the end of an epoch, and [`Group::send`], cannot time out; everything else can
//!    ([`World::set_time_limit`]).
//! 5. Programs that race at a target get values that nobody can foresee, on [`threads`] to the letter undefined
//!    behaviour: what types cannot see. A window with several origins per element is for accumulate, which is atomic.
//! 6. A load of a [cell](Cells) while a put to it arrives may see it half written where [`Capabilities::whole_words`]
//!    is false (`ofi` over a provider that copies a stream without keeping the order of messages after writes): first
//!    bytes first. Atomic operations and notices are whole everywhere.
//! 7. The making of a window is told from all other calls exactly, two of them in one group by a hash of 32 bits of all
//!    calls until then: ranks that make different ones at a time could, by that chance, take one for the other.
//!
//! # Deviations from MPI
//!
//! 1. A window is in active or in passive mode; [`Window::into_passive`] and [`Window::into_active`] are collective.
//! 2. `Win_create` moves the elements into memory of the transport ([`Window::create`]).
//! 3. `lock_all` takes the lock of a target at the first access to it; there is no `MPI_MODE_NOCHECK`, for it could
//!    break the memory of others (`docs/design/nocheck.md`).
//! 4. Detached memory stays until the window is freed, unless `unsafe` says that nobody uses it ([`Window::detach`]).
//! 5. Requests and inner epochs work in active target epochs too.
//! 6. Errors are values. After one in a collective call or in the completion of an epoch, nobody knows who accesses
//!    what: the window is [broken](Error::Broken) then, and does not lend its memory any more.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("elements are counted in 64 bits");

pub mod array;
mod atomics;
mod central;
#[cfg(any(feature = "shm", feature = "sim"))]
pub mod check;
mod collective;
mod context;
mod element;
mod endpoint;
mod epoch;
mod error;
mod fence;
mod flags;
mod future;
mod group;
#[cfg(any(feature = "shm", feature = "sim"))]
mod in_process;
mod layout;
mod mailbox;
mod matching;
mod message;
mod notify;
mod operation;
mod pool;
mod request;
mod service;
mod shrink;
#[cfg(any(feature = "shm", feature = "sim"))]
mod simulate;
mod slots;
mod sparse;
#[cfg(feature = "launch")]
mod start;
mod waits;
mod watch;
mod window;
mod world;

/// The program of the page that crates.io shows is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use bytemuck::{self, Zeroable};
pub use collective::CollectiveRequest;
pub use context::{Context, Contexts};
pub use element::{Accumulate, Combine, Element, Located, Plain};
pub use epoch::{
    AccessEpoch, Assertions, Epoch, ExposureEpoch, FenceEpoch, Fences, HalfEpoch, Halves, LockAllEpoch,
    LockEpoch, kind,
};
pub use error::{Called, Error, Result, Waiting, Waits};
pub use farside_fabric::{AtomicOperation as Operation, Capabilities, Fabric, Lock, Rank};
#[cfg(feature = "sim")]
pub use farside_fabric_sim as sim;
pub use fence::Fence;
pub use future::{Awaitable, Awaited};
pub use group::Group;
pub use layout::Layout;
pub use message::Message;
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use notify::Notice;
#[cfg(feature = "num-complex")]
pub use num_complex::Complex;
pub use operation::Target;
pub use request::{Buffer, BufferMut, Fetched, Keep, Request};
pub use service::{Handling, Payload, Reply, Service, Values};
#[cfg(feature = "shm")]
pub use simulate::threads;
#[cfg(feature = "sim")]
pub use simulate::{simulate, simulate_with};
#[cfg(feature = "launch")]
pub use start::run;
pub use window::attach::{Attached, Connected, Token};
pub use window::cells::Cells;
pub use window::{Active, Mode, Passive, Window};
pub use world::World;
