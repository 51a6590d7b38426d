//! PGAS programs: text, API dialects, and the calculus of paper 003.
//!
//! Promise: [`parser::parse`] reads a text with all its errors, the [`printer`] turns a tree back into text,
//! [`dialect`] replaces calls of SHMEM, ARMCI, GASNet, GPI and GASPI, [`litmus::translate`] reads tests of
//! `farside litmus`, [`source`] reads either, and [`lower::lower`] gives the automata of [`calculus`] that engines work
//! on. No engine is here, no I/O, and no panic for any text.
#![forbid(unsafe_code)]

pub mod ast;
pub mod calculus;
pub mod change;
pub mod diagnostic;
pub mod dialect;
mod lexer;
pub mod litmus;
pub mod lower;
pub mod parser;
pub mod printer;
pub mod source;
