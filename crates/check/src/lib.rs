//! The engine of `farside check`: it runs a command, judges what its processes record, and makes one report.
//!
//! | step | module |
//! |---|---|
//! | what is asked for, and what comes of it | `request` |
//! | a check from its start to its verdict | `run` |
//! | the command looked at before it runs | `preflight`, `elf` |
//! | the private spool folder | `folder` |
//! | the command started, signals heard | `launch` |
//! | recordings followed until all have ended | `follow`, `spool`, `origins` |
//! | being asked to end | `interrupt` |
//! | the events of one job merged and judged | `order`, `job`, `judges` |
//! | addresses to places | `symbols` |
//! | one report | `assemble`, `shortfalls` |
//! | findings of `farside lint` compared with it | `predictions` |
//! | synchronisation that the run did not need | `superfluous` |
//! | receives that could have taken another message | `matches` |
//! | recordings that were kept, judged once more | `again` |
//!
//! Promise: whatever happens to the command, there is a report of what was seen, which says what was not; after
//! [`Checked::wind_up`] nothing that the command started on this host lives, and the spool is gone unless it is kept.
//! Nothing is printed here: what happens meanwhile is [`News`] for the caller.
//!
//! Starting the command belongs to this crate, and not to the command line: it must happen between hearing signals and
//! following the spool, and ending the command is part of the promise above.
//!
//! Not here: arguments, the search for farside's own libraries, suppressions, and every form of the report.
#![forbid(unsafe_code)]

mod again;
mod assemble;
mod binaries;
mod elf;
mod error;
mod folder;
mod follow;
mod interrupt;
mod job;
mod judges;
mod last_calls;
mod launch;
mod lines;
mod matches;
mod order;
mod origins;
mod predictions;
mod preflight;
mod request;
mod run;
mod shortfalls;
mod spool;
mod superfluous;
mod symbols;

pub use again::{Again, judge_again};
pub use assemble::working_folder;
pub use error::Error;
pub use judges::HowMany;
pub use matches::{Matching, OtherMatch, OtherOrders};
pub use order::Ties;
pub use predictions::LintReport;
pub use request::{JudgedAt, News, Request, Trials, Verdict};
pub use run::{Checked, check};
pub use symbols::{demangled, shown_path};
