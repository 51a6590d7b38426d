//! The litmus language: small RMA programs as text.
//!
//! Promise: [`ast`] is the program with all names resolved; the parser reports every error of a text with place and
//! hint; what the printer prints parses back to the same program. The text follows the litmus convention of the field
//! (a header, initial state in braces, a column a process, a final condition).
#![forbid(unsafe_code)]

pub mod ast;
