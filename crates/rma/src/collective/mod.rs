//! Collective calls that move data: all ranks of a group call them, in the same order.
//!
//! They are made of messages, so they work on every transport. Reductions combine in the order of ranks, along a tree that
//! depends on the number of ranks only: the result is the same in every run, bit for bit, also for floating point.
//! The functions that combine must be associative; they need not be commutative.

mod broadcast;
mod gather;
mod reduce;
