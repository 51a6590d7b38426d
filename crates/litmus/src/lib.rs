//! The litmus language: small RMA programs as text.
//!
//! Promise: [`ast`] is the program with all names resolved; [`parse`] reports every error of a text with place and
//! hint; what [`print()`] prints parses back to the same program. The text follows the litmus convention of the field
//! (a header, initial state in braces, a column a process, a final condition).
//!
//! ```text
//! RMA Fig6
//! "Dan et al. 2016, Fig. 6"
//! { 0: X = 1; 1: Y = 0; }
//!  P0    | P1           ;
//!  a = X | put(X@0, Y)  ;
//!        | Y = get(X@0) ;
//!        | flush(0)     ;
//!        | b = Y        ;
//! exists (0:a = 0 /\ 1:b = 0)
//! ```
//!
//! [`log`] reads what simulators of the field and `farside litmus` print, and compares two of them.
#![forbid(unsafe_code)]

pub mod ast;
mod condition;
mod error;
#[cfg(feature = "generate")]
pub mod generate;
mod hash;
mod lexer;
pub mod log;
mod parser;
mod print;

pub use error::ParseError;
pub use parser::{MOST_BYTES, parse};
pub use print::{Layout, print, print_as, print_proposition, print_statement};
