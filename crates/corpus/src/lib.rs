//! The engine of `farside forge`: all tests of a rule found by several threads, their expected outputs computed, and
//! both written to a folder so that a run that was ended can go on.
//!
//! | step | module |
//! |---|---|
//! | what is asked for | `wanted` |
//! | the tests of a row found and answered by several threads, taken in order; some units alone, and joined | `row` |
//! | tests, expected outputs and progress on disk | `folder` |
//! | a file that can be cut back to where it was whole | `stream` |
//!
//! Promise: equal requests write equal tests, in equal order, however many threads there are and however often the run
//! was ended meanwhile, or whether its units were found apart ([`some`]) and joined ([`join`]).
//!
//! Not here: which tests there are, which is `farside-forge`; arguments and the table, which are the command line's.
#![forbid(unsafe_code)]

mod error;
mod folder;
mod row;
mod stream;
mod wanted;

pub use error::Error;
pub use row::{Counts, Done, News, Row, forge, join, some, units_of};
pub use wanted::{Content, Settings, Wanted};
