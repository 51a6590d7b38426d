//! LLVM IR becomes the lint's own IR.
//!
//! Promise: the lowering keeps every load, store, call and branch, and where it stands. Limits: inline assembly and
//! vector instructions are not followed, an exception's handlers are left out, integers of more than 64 bits are
//! opaque.
//!
//! It reads LLVM 19 through the crate `llvm-ir`. LLVM ends the process on some broken inputs; so the program
//! `farside-llvm-front` does the reading, and `farside` starts it.

mod instructions;
mod layout;
mod lower;
mod operands;

pub use lower::lower;
