//! Collective calls that move data: all ranks of a group call them, in the same order.
//!
//! They are made of messages, so they work on every transport ([`steps`]); where memory is mapped, those of few bytes
//! that all ranks get are made of puts, which are stores there ([`crate::slots`]). Elsewhere a step by puts is two of
//! them, bytes and flag, and a message is one.
//!
//! Reductions combine in the order of ranks, along a tree that depends on the numbers of ranks and of elements only:
//! the result is the same in every run, bit for bit, also for floating point. Functions that combine must be
//! associative; they need not be commutative.
//!
//! Ranks must call the same function, with the same type and number of elements, root and operation. Those that do not
//! are told: [`crate::matching`]. Where each rank has a number of elements of its own, who gives and who takes must
//! agree on it, and are told likewise ([`Steps::check`](steps::Steps::check)).
//!
//! Functions whose names begin with `i` do not block: [`request`].

mod allgather;
mod alltoall;
mod barrier;
mod blocks;
mod broadcast;
mod gather;
mod order;
mod reduce;
mod request;
mod scan;
mod scatter;
mod steps;
mod tree;

pub use request::CollectiveRequest;
