//! Misuse of the crate `farside` that does not compile: `tests/misuse` has a program for each kind, and beside it what
//! the compiler says. A package of its own, so that checking them takes only `farside` and what that is made of.
//!
//! It promises nothing to other crates and has no items.

#![forbid(unsafe_code)]
