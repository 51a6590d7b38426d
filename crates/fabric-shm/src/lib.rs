//! The transport `shm`: ranks are processes on one machine (Linux, x86-64 and aarch64), or threads of one process.
//!
//! Each rank exposes memory as memfd segments, which all others map (`segment`). A put or a get is a copy, an atomic
//! operation is the processor's. Besides, each rank has a control segment (`control`) with a ring for messages and one
//! for notifications (`ring`), and a doorbell (`doorbell`) on which it sleeps when it waits long (`wait`, `crowd`). A
//! thread of each process notices that another one has ended (`watch`).
//!
//! ```
//! use farside_fabric::{Error, Fabric};
//! use farside_fabric_shm::ShmFabric;
//!
//! // Processes call `ShmFabric::start`, each with the launcher's `Bootstrap`.
//! let ranks = ShmFabric::threads(2)?.into_iter().map(|fabric| {
//!     std::thread::spawn(move || {
//!         fabric.send(1 - fabric.rank(), 7, b"hello")?;
//!         let mut found = None;
//!         fabric.wait(None, &mut || {
//!             found = fabric.receive()?;
//!             Ok(found.is_some())
//!         })?;
//!         fabric.finish()?;
//!         Ok::<_, Error>(found.map(|message| message.bytes))
//!     })
//! });
//! for rank in ranks.collect::<Vec<_>>() {
//!     assert_eq!(rank.join().expect("no panic")?, Some(b"hello".to_vec()));
//! }
//! # Ok::<_, Error>(())
//! ```
//!
//! # Promise
//! - All of [`farside_fabric`]'s, and all orders of its [`Capabilities`](farside_fabric::Capabilities). Operations are
//!   complete locally when their calls return ([`Ticket::DONE`](farside_fabric::Ticket::DONE)).
//! - Puts, gets, atomic operations, flushes and short waits make no system call and take no lock, but for a wake-up
//!   of a target that sleeps. Nothing is lost: a full ring makes its senders wait.
//! - Nothing is left when a process is killed: no name in any file system is used. The others get
//!   [`PeerLost`](farside_fabric::Error::PeerLost) in every call that waits, some milliseconds later.
//!
//! # Limits
//! - All ranks run as one user, in one pid namespace, with `/proc` mounted; if not, the error says what to do.
//! - An exposed region is an open file of its owner (`ulimit -n`), and a mapping of each who is connected.
//! - Memory of a region comes when it is first written. If the machine has no more by then, the system ends a process,
//!   as with any memory.
//! - A connection survives its owner: puts to memory of a rank that ended go nowhere, until its loss is noticed.
//!
//! # Completion
//! What a put wrote is visible to others in the order of the calls of a thread: each put begins with a release fence
//! (or is a release store), which costs nothing on x86-64 and a `dmb ish` on aarch64; signals and messages follow with
//! release. [`flush`](farside_fabric::Fabric::flush) adds a sequentially consistent fence (`mfence`, or `dmb ish`): on
//! x86-64 a store may still wait in the processor's store buffer when a later load reads, and two ranks that each put,
//! flush, and get what the other put could both miss it. After the fence, it is in memory that everybody sees.
//!
//! # What is relied on of Rust's memory model
//! The model knows threads of one program, and not other processes, nor two addresses of one memory. Relied on is what
//! every compiler does: an atomic access is the processor's, whatever address it goes through, and coherence is by
//! physical memory. All that the transport itself shares is `Atomic*`, reached by shared references; so there it has no
//! data race by construction. Bytes of regions are reached by raw pointers only, no reference to them is ever made, and
//! no pointer into them is dereferenced beyond a call: accesses of 1, 2, 4 and 8 aligned bytes and atomic operations
//! are atomic; other transfers are one `memmove` between fences. Such transfers race if the program's own puts, gets,
//! loads and stores conflict without synchronisation, which the layer above must rule out, as MPI-4.1 §12.7 does: their
//! bytes are then old or new or, to Rust's letter, undefined.
//!
//! # Verification
//! - Models of the ring and of the doorbell with loom, every interleaving with up to three preemptions:
//!   `RUSTFLAGS="--cfg loom" cargo test --release -p farside-fabric-shm --lib models`
//! - Miri (a nightly with it): the ring, and copies of [`farside_fabric::copy`], on memory of the heap, with its weak
//!   memory and data race detector: `scripts/miri`
//! - The conformance suite of [`farside_fabric::conformance`], with ranks as threads (`tests/threads.rs`) and as
//!   processes (`tests/processes.rs`), with a rank that is killed.
//! - Figures: `cargo run --release -p farside-fabric-shm --example latency`

// Models see the protocols only: what is mapped is not loom's.
#![cfg_attr(all(test, loom), allow(dead_code))]

#[cfg(not(target_os = "linux"))]
compile_error!("the transport `shm` needs Linux: memfd_create, futex, /proc");

#[cfg(not(target_pointer_width = "64"))]
compile_error!("the transport `shm` needs a 64-bit processor");

mod atomics;
mod doorbell;
mod ring;

#[cfg(not(all(test, loom)))]
mod address;
#[cfg(not(all(test, loom)))]
mod card;
#[cfg(not(all(test, loom)))]
mod control;
#[cfg(not(all(test, loom)))]
mod crowd;
#[cfg(not(all(test, loom)))]
mod endpoint;
#[cfg(not(all(test, loom)))]
mod fabric;
#[cfg(not(all(test, loom)))]
mod inbox;
#[cfg(not(all(test, loom)))]
mod place;
#[cfg(not(all(test, loom)))]
mod regions;
#[cfg(not(all(test, loom)))]
mod segment;
#[cfg(not(all(test, loom)))]
mod start;
#[cfg(not(all(test, loom)))]
mod watch;

#[cfg(not(all(test, loom)))]
pub use card::{machine, namespace};
#[cfg(not(all(test, loom)))]
pub use endpoint::ShmFabric;
