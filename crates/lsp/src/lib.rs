//! The language server: what an editor shows of Farside while one types.
//!
//! | what | module |
//! |---|---|
//! | messages of the editor, and what is answered | `server` |
//! | how messages come and go | `wire` |
//! | why the server ends otherwise than the editor asks | `error` |
//! | sources of programs: `farside lint` in the background | `lint` |
//! | litmus tests and programs of the calculus: their errors, and outcomes of tests | `texts` |
//! | places of reports and texts as an editor counts them | `places` |
//!
//! Promise: one file is looked at at a time, in a process of its own, so that no source can end the server. A source
//! that does not compile keeps its last findings. Nothing is written: edits are offered, and the editor makes them.
//!
//! Limits: sources are looked at as they are on disk, when they are opened and saved; litmus tests and programs of the
//! calculus with every change.
#![forbid(unsafe_code)]

mod error;
mod lint;
mod places;
mod server;
mod texts;
mod wire;

pub use error::Error;
pub use lint::Repairs;
pub use server::serve;
